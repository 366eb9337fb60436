import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { relay } from './program.ts'
import { everything } from './sample.ts'
import { answer, hidden, layOut, leftOver, type Settings, type Tree, type World } from './world.ts'

/** One story that is told undisturbed once, and then hurt at each of its steps. */
export interface Scenario {
  readonly name: string
  readonly settings: Settings
  readonly ends: 'committed' | 'rolled-back'
  /** A command rewrites patched files: a rollback puts its versions aside. */
  readonly formats?: true
}

/** Adds a line to a file that the patch changes and to one that it makes. */
const format = 'for file in formatted.ts new.ts; do echo formatted >> $file; done'

export const scenarios: readonly Scenario[] = [
  { name: 'kept, without commands', settings: {}, ends: 'committed' },
  {
    name: 'kept, with a formatter and a linter',
    settings: { postCommand: format, linter: 'true' },
    ends: 'committed',
    formats: true,
  },
  {
    name: 'declined after a formatter',
    settings: { postCommand: format, approval: 'no' },
    ends: 'rolled-back',
    formats: true,
  },
  { name: 'a failing post command', settings: { postCommand: 'exit 1' }, ends: 'rolled-back' },
  { name: 'fast', settings: { durability: 'fast' }, ends: 'committed' },
  { name: 'the first of all', settings: { ranBefore: false }, ends: 'committed' },
]

/** Stories, each with a seed of its own; in a sample the first `some` of them. */
export function seeded(all = scenarios, some = all.length) {
  return all.slice(0, everything ? undefined : some).map((scenario, seed) => ({ ...scenario, seed }))
}

/** `approval: "no"` without a terminal is a no, so `--yes` is left out there. */
export function applyArguments({ settings }: Scenario): readonly string[] {
  return ['apply', '--allow-sensitive', ...(settings.approval === 'no' ? [] : ['--yes']), '-']
}

export interface Undisturbed {
  readonly before: Tree
  readonly after: Tree
  /** Each call of relay's to the file system: its number among those that change something, and among all. */
  readonly calls: readonly { readonly change: number | undefined; readonly any: number; readonly what: string }[]
  readonly changes: number
}

const told = new Map<string, Promise<Undisturbed>>()

/** The story when nothing happens; told once. */
export function undisturbed(
  scenario: Scenario,
  args = applyArguments(scenario),
  stdin = answer(),
): Promise<Undisturbed> {
  const key = JSON.stringify([scenario.settings, args, stdin])
  const before = told.get(key)
  if (before !== undefined) return before
  const now = tell(scenario, args, stdin)
  told.set(key, now)
  return now
}

async function tell(scenario: Scenario, args: readonly string[], stdin: string): Promise<Undisturbed> {
  const folder = mkdtempSync(join(tmpdir(), 'relay-log-'))
  const world = layOut(scenario.settings)
  try {
    const log = join(folder, 'log')
    const before = world.tree()
    const { code, stderr } = await relay(args, { cwd: world.root, stdin, log })
    if ((code === 0) !== (scenario.ends === 'committed')) throw new Error(`ended with ${code}:\n${stderr}`)
    const calls = readFileSync(log, 'utf8')
      .trimEnd()
      .split('\n')
      .map(line => {
        const [change = '', any, ...what] = line.split(' ')
        return { change: change === '-' ? undefined : Number(change), any: Number(any), what: what.join(' ') }
      })
    const changes = calls.filter(({ change }) => change !== undefined).length
    return { before, after: world.tree(), calls, changes }
  } finally {
    world.remove()
    rmSync(folder, { recursive: true, force: true })
  }
}

/** What is wrong with a project that should be exactly as before or exactly as after; empty when nothing is. */
export function wrongEnd(world: World, { before, after }: { before: Tree; after: Tree }): string[] {
  return wrongFiles(world.committed() ? after : before, world.tree())
}

/** What is wrong with a recovery, and with what is left of relay's own after it. */
export async function wrongRecovery(world: World, mayRescue: boolean): Promise<string[]> {
  const wrong = await hidden(world)
  const { code, stderr } = await relay(['recover'], { cwd: world.root })
  if (code !== 0) wrong.push(`recover ended with ${code}: ${stderr}`)
  return [...wrong, ...wrongLook(stderr), ...leftOver(world, mayRescue)]
}

/** Nobody is shown the program's insides. */
export function wrongLook(stderr: string): string[] {
  return /^\s+at .*:\d+|Unexpected:|node:internal/m.test(stderr) ? [`shows its insides: ${stderr}`] : []
}

export function wrongFiles(expected: Tree, found: Tree): string[] {
  return [...new Set([...Object.keys(expected), ...Object.keys(found)])]
    .filter(path => expected[path] !== found[path])
    .map(path => `${path} is ${found[path] ?? 'not there'}, and not ${expected[path] ?? 'absent'}`)
}
