import { spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

export const root = fileURLToPath(new URL('..', import.meta.url))
export const binary = join(root, 'build/relay')
export const bundle = join(root, 'dist/relay.cjs')
export const bun = join(root, 'node_modules/.bin/bun')

/** Each part only has to run: with one round, and a small part of what it measures otherwise. */
export const once = process.argv.includes('--once')

/** Nothing of the machine's that changes what is measured. */
export const env = {
  PATH: process.env.PATH,
  HOME: mkdtempSync(join(tmpdir(), 'relay-bench-home-')),
  LANG: 'C.UTF-8',
  CI: '1',
}
// Whatever is started or made here is ended and removed at the end.
process.setMaxListeners(0)
process.on('exit', () => rmSync(env.HOME, { recursive: true, force: true }))

/** A folder for one measurement, removed at the end of the process. */
export function scratch() {
  const folder = mkdtempSync(join(tmpdir(), 'relay-bench-'))
  process.on('exit', () => rmSync(folder, { recursive: true, force: true }))
  return folder
}

/** A folder with a configuration, removed as well. */
export function project(config = {}) {
  const folder = scratch()
  writeFileSync(join(folder, 'relaycode.config.json'), JSON.stringify({ projectId: 'bench', ...config }))
  return folder
}

/** What of these programs is not here. */
export function missing(...programs) {
  return programs.filter(name => !(env.PATH ?? '').split(':').some(folder => existsSync(join(folder, name))))
}

/** Runs a command to its end and answers the milliseconds; an end that was not expected is an error. */
export function timed(command, { cwd = root, input, code = 0, more = {} } = {}) {
  const [program, ...args] = command
  const begun = performance.now()
  const { status, error, stderr } = spawnSync(program, args, {
    cwd,
    env: { ...env, ...more },
    input,
    maxBuffer: 1 << 30,
  })
  const ms = performance.now() - begun
  if (error !== undefined || status !== code) {
    throw new Error(`${command.join(' ').slice(0, 200)} ended with ${status}: ${error?.message ?? stderr}`)
  }
  return ms
}

/**
 * Measures several things in turns, so that what else the machine does falls on all of them: one round to warm up,
 * then `rounds`. Each answers its milliseconds.
 */
export async function sideBySide(things, rounds) {
  const times = Object.fromEntries(Object.keys(things).map(name => [name, []]))
  for (let round = once ? 0 : -1; round < (once ? 1 : rounds); round++) {
    for (const [name, measure] of Object.entries(things)) {
      const ms = await measure()
      if (round >= 0) times[name].push(ms)
    }
  }
  return Object.fromEntries(Object.entries(times).map(([name, all]) => [name, spread(all)]))
}

export function spread(times) {
  const sorted = [...times].sort((a, b) => a - b)
  const at = share => sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))]
  return { median: at(0.5), p95: at(0.95), min: sorted[0], max: sorted.at(-1), runs: sorted.length }
}

export function ms(value) {
  return `${value < 10 ? value.toFixed(1) : Math.round(value)} ms`
}

export function told({ median, min, max }) {
  return `${ms(median)} (${ms(min)} – ${ms(max)})`
}

export function times(value) {
  return `${value.toFixed(value < 10 ? 2 : 1)} ×`
}
