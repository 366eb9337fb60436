import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { relay } from './program.ts'
import { everything, points, tryEach } from './sample.ts'
import { wrongFiles, wrongRecovery } from './scenarios.ts'
import { answer, hidden, inWorld, type Tree, type World } from './world.ts'

const long = everything ? 3_600_000 : 120_000
const settings = { postCommand: 'for file in formatted.ts new.ts; do [ ! -e $file ] || echo formatted >> $file; done' }

/** Takes an answer, and keeps it. */
async function keep(world: World): Promise<void> {
  const { code, stderr } = await relay(['apply', '--yes', '--allow-sensitive', '-'], {
    cwd: world.root,
    stdin: answer(),
  })
  if (code !== 0) throw new Error(stderr)
}

let before: Tree
let applied: Tree
let undone: Tree
let changes: number

beforeAll(async () => {
  const folder = mkdtempSync(join(tmpdir(), 'relay-log-'))
  await inWorld(settings, async world => {
    before = world.tree()
    await keep(world)
    applied = world.tree()
    const log = join(folder, 'log')
    const { code, stderr } = await relay(['undo', '--yes', '--allow-sensitive'], { cwd: world.root, log })
    if (code !== 0) throw new Error(stderr)
    undone = world.tree()
    changes = readFileSync(log, 'utf8')
      .trimEnd()
      .split('\n')
      .filter(line => !line.startsWith('-')).length
  }).finally(() => rmSync(folder, { recursive: true, force: true }))
}, long)

/** What is wrong with a tree that should be one of two. */
function wrongTree(world: World, isUndone: boolean): string[] {
  return wrongFiles(isUndone ? undone : applied, world.tree())
}

function hasUndo(world: World): boolean {
  return world.state().filter(name => /^[0-9a-f-]{36}\.yml$/.test(name)).length === 2
}

describe('an undo of the real program', () => {
  it('brings every kind of file back: bytes, modes, links, folders', () => {
    const differs = Object.keys({ ...before, ...undone }).filter(path => before[path] !== undone[path])
    // The post command goes over it once more, and a hard link cannot be tied again.
    expect(differs.sort()).toEqual(['formatted.ts', 'hard-twin.ts', 'hard.ts'])
    expect(undone['hard.ts']?.replace(/ 2 names, one file with \S+/, '')).toBe(
      before['hard.ts']?.replace(/ 2 names, one file with \S+/, ''),
    )
  })

  it('is done or not done when it is killed before any change', { timeout: long }, async () => {
    expect(await tryEach('killed, undo', points(changes, 6, 3), killedAt)).toEqual([])
  })

  it('is done or not done when a call fails', { timeout: long }, async () => {
    expect(await tryEach('error, undo', points(changes, 4, 1), failedAt)).toEqual([])
  })
})

async function killedAt(point: number, ended: (how: string) => void): Promise<string[]> {
  return inWorld(settings, async world => {
    await keep(world)
    const cwd = world.root
    const killed = await relay(['undo', '--yes', '--allow-sensitive'], { cwd, fault: `kill change ${point}` })
    if (killed.signal !== 'SIGKILL') return [`was not killed, but ended with ${killed.code}`]
    const wrong = await wrongRecovery(world, true)
    const isUndone = hasUndo(world)
    ended(isUndone ? 'undone' : 'as applied')
    wrong.push(...wrongTree(world, isUndone))
    if (/Undid #1/.test(killed.stderr) && !isUndone) wrong.push('said "Undid" of what was not')
    const next = await relay([isUndone ? 'redo' : 'undo', '--yes', '--allow-sensitive'], { cwd })
    if (next.code !== 0) wrong.push(`does not go on: ${next.code} ${next.stderr}`)
    return wrong
  })
}

async function failedAt(point: number, ended: (how: string) => void): Promise<string[]> {
  return inWorld(settings, async world => {
    await keep(world)
    const cwd = world.root
    const { code, stderr } = await relay(['undo', '--yes', '--allow-sensitive'], { cwd, fault: `EIO change ${point}` })
    const isUndone = hasUndo(world)
    ended(`${code} ${isUndone ? 'undone' : 'as applied'}`)
    const wrong = await hidden(world)
    await relay(['recover'], { cwd })
    wrong.push(...wrongTree(world, hasUndo(world)))
    if ((code === 0) !== isUndone && code !== 7) wrong.push(`ended with ${code}: ${stderr}`)
    return wrong
  })
}
