import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestProject } from 'vitest/node'
import type { Drawn, LeftOut, Tallied, Tried } from './tally.ts'

/** Prints at the end how many points of each kind the fault tests tried, and what they had to leave out. */
export default function setup(project: TestProject): () => void {
  const folder = mkdtempSync(join(tmpdir(), 'relay-tally-'))
  const file = join(folder, 'lines')
  writeFileSync(file, '')
  project.provide('tally', file)
  return () => {
    const lines = readFileSync(file, 'utf8').split('\n').filter(Boolean)
    rmSync(folder, { recursive: true, force: true })
    const tallied = lines.map(line => JSON.parse(line) as Tallied)
    const faults = tallied.filter(line => 'kind' in line)
    const drawn = tallied.filter(line => 'drawn' in line)
    const seed = project.config.env['SEED'] ?? ''
    for (const line of [...summary(faults), ...sampleWords(drawn, seed)]) console.log(line)
  }
}

function summary(lines: readonly (Tried | LeftOut)[]): readonly string[] {
  if (lines.length === 0) return []
  const kinds = new Map<string, Tried>()
  for (const line of lines) {
    if (!('points' in line)) continue
    const { points = 0, wrong = 0, seconds = 0, ends = {} } = kinds.get(line.kind) ?? {}
    kinds.set(line.kind, {
      kind: line.kind,
      points: points + line.points,
      wrong: wrong + line.wrong,
      seconds: seconds + line.seconds,
      ends: added(ends, line.ends ?? {}),
    })
  }
  const all = [...kinds.values()]
  const sum = (of: (tried: Tried) => number) => all.reduce((total, tried) => total + of(tried), 0)
  const leftOut = lines.filter(line => 'why' in line)
  return [
    ...all.map(tried => `faults: ${words(tried)}${endWords(tried)}`),
    ...leftOut.map(({ kind, why }) => `faults: ${kind}: not tried, ${why}`),
    `faults: ${words({ kind: 'in all', points: sum(({ points }) => points), wrong: sum(({ wrong }) => wrong), seconds: 0 })}`,
  ]
}

/** How the same sample is had again, which whoever sees one of its tests fail has to know. */
function sampleWords(samples: readonly Drawn[], seed: string): readonly string[] {
  if (samples.length === 0) return []
  const sum = (of: 'drawn' | 'of') => samples.reduce((total, sample) => total + sample[of], 0)
  return [
    `sample: ${sum('drawn')} of ${sum('of')} cases, drawn by SEED=${seed}, another each day`,
    `sample: the same again: SEED=${seed} npm test; all of them: npm run test:all, and of the faults npm run faults`,
  ]
}

function words({ kind, points, wrong }: Tried): string {
  return `${kind}: ${points} ${points === 1 ? 'point' : 'points'}, ${wrong} wrong`
}

function endWords({ ends = {} }: Tried): string {
  const told = Object.entries(ends)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([how, count]) => `${how}: ${count}`)
  return told.length === 0 ? '' : ` (${told.join(', ')})`
}

function added(one: Readonly<Record<string, number>>, other: Readonly<Record<string, number>>): Record<string, number> {
  const sum = { ...one }
  for (const [how, count] of Object.entries(other)) sum[how] = (sum[how] ?? 0) + count
  return sum
}
