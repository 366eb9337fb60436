import { readdirSync, readFileSync } from 'node:fs'
import { afterAll, describe, expect, it } from 'vitest'
import type { RelayEnd } from '../support/real-relay.ts'
import { pause, relay, start } from './program.ts'
import { everything, tryEach } from './sample.ts'
import { wrongEnd, wrongRecovery } from './scenarios.ts'
import { answer, inWorld, layOut, leftOver, type Settings } from './world.ts'

const long = everything ? 3_600_000 : 180_000
const args = ['apply', '--yes', '--allow-sensitive', '-']

/** Commands that do not end by themselves; each prints when it is as bad as it gets. */
const hanging = {
  plain: 'echo ready; sleep 1000',
  'ignores TERM': 'trap "" TERM; echo ready; while :; do sleep 1000; done',
  'has children': 'sleep 1000 & sleep 1001 & echo ready; wait',
  'has a child in a session of its own': 'setsid sleep 1000 & echo ready; wait',
  'has stubborn children in sessions of their own':
    "setsid sh -c 'trap : TERM INT HUP; while :; do sleep 1000; done' & trap '' TERM; echo ready; while :; do wait; done",
  'left its children behind': '(sleep 1000 &) ; (sleep 1001 &) ; echo ready; sleep 1002',
  'prints all the time': 'echo ready; yes',
} as const

const steps = ['preCommand', 'linter', 'postCommand'] as const

/** What ends it, and relay's code then. */
const codes = { limit: 4, SIGINT: 130, SIGTERM: 143, SIGHUP: 129, SIGKILL: null } as const
type Ending = keyof typeof codes
const endings: readonly Ending[] = ['limit', 'SIGINT', 'SIGTERM', 'SIGHUP', 'SIGKILL']

/** The processes that carry a mark in their environment. */
function marked(mark: string): number[] {
  return readdirSync('/proc')
    .filter(name => /^\d+$/.test(name))
    .filter(pid => {
      try {
        if (!readFileSync(`/proc/${pid}/environ`, 'latin1').split('\0').includes(`FAULT_MARK=${mark}`)) return false
        return !/^\d+ \(.*\) [ZX]/s.test(readFileSync(`/proc/${pid}/stat`, 'latin1'))
      } catch {
        return false
      }
    })
    .map(Number)
}

const marks: string[] = []

function newMark(): string {
  marks.push(`${process.pid}-${marks.length}`)
  return marks.at(-1) ?? ''
}

afterAll(() => {
  for (const pid of marks.flatMap(marked)) process.kill(pid, 'SIGKILL')
})

interface Hang {
  readonly command: keyof typeof hanging
  readonly step: (typeof steps)[number]
  readonly ending: Ending
}

async function hangs(hang: Hang): Promise<string[]> {
  const { command, step, ending } = hang
  const settings: Settings = { [step]: hanging[command], commandTimeout: ending === 'limit' ? 1 : 600 }
  return inWorld(settings, async world => {
    const before = world.tree()
    const mark = newMark()
    const running = start(args, { cwd: world.root, stdin: answer(), env: { FAULT_MARK: mark }, group: true })
    if (ending !== 'limit') await untilCalm(mark)
    const from = performance.now()
    if (ending !== 'limit') running.child.kill(ending)
    const run = await running.end
    const left = ending === 'SIGKILL' ? await wrongRecovery(world, true) : leftOver(world, true)
    const seconds = (performance.now() - from) / 1000
    return [
      ...left,
      ...wrongTime(seconds, hang),
      ...marked(mark).map(pid => `still runs: ${readFileSync(`/proc/${pid}/cmdline`, 'latin1')}`),
      ...(isAsked(hang) ? [] : wrongEnd(world, { before, after: before })),
      ...wrongCode(run, hang),
    ]
  })
}

/** The command and what it starts: it is as bad as it gets when nothing is added any more. */
async function untilCalm(mark: string): Promise<void> {
  let seen = 0
  for (let calm = 0; calm < 6; calm += 1) {
    const now = marked(mark).length
    if (now < 2 || now !== seen) calm = 0
    seen = now
    await pause(30)
  }
}

/** A check that could not be counted is asked about, and --yes was given. */
function isAsked({ step, ending }: Hang): boolean {
  return step === 'linter' && ending === 'limit'
}

function wrongCode({ code, stderr }: RelayEnd, hang: Hang): string[] {
  return code === (isAsked(hang) ? 0 : codes[hang.ending]) ? [] : [`ended with ${code}: ${stderr.slice(-2000)}`]
}

/** With what it takes to start relay and to roll back; in a sample the machine has other tests to run. */
function wrongTime(seconds: number, hang: Hang): string[] {
  // A linter that hangs does so before and after.
  const each = seconds / (isAsked(hang) ? 2 : 1) - (hang.ending === 'limit' ? 1 : 0)
  return everything && each > 8 ? [`took ${each} s`] : []
}

it('ends whatever hangs, with all its children, and goes back', { timeout: long }, async () => {
  const all = Object.keys(hanging).flatMap((command, c) =>
    steps.flatMap((step, s) =>
      endings.map((ending, e) => ({ ending, step, command: command as keyof typeof hanging, pick: c * 2 + s * 3 + e })),
    ),
  )
  const chosen = all.filter(({ pick }) => everything || pick % 17 === 3).map(({ pick: _, ...hang }) => hang)
  expect(await tryEach('commands that hang', chosen, hangs, everything ? undefined : 4)).toEqual([])
})

describe('a command that goes on writing', () => {
  it('is ended by the recovery before that restores', { timeout: long }, async () => {
    const command = 'while :; do echo more >> modified.ts; echo more > new.ts; done'
    const world = layOut({ postCommand: command })
    const before = world.tree()
    try {
      const mark = newMark()
      const running = start(args, { cwd: world.root, stdin: answer(), env: { FAULT_MARK: mark } })
      while (!world.has('new.ts') || !world.read('new.ts').includes('more')) await pause(5)
      running.child.kill('SIGKILL')
      await running.end
      const { code, stderr } = await relay(['recover'], { cwd: world.root })
      expect(stderr).toContain('still running; relay ended it')
      expect(code).toBe(0)
      expect(marked(mark)).toEqual([])
      expect(world.tree()).toEqual(before)
    } finally {
      world.remove()
    }
  })
})

it('takes 100 MB of output without keeping it all', { timeout: long }, async () => {
  await inWorld({ linter: "head -c 100000000 /dev/zero | tr '\\0' x; echo" }, async world => {
    const running = start(args, { cwd: world.root, stdin: answer() })
    let most = 0
    let over = false
    void running.end.then(() => {
      over = true
    })
    while (!over) {
      most = Math.max(most, mostMemory(running.pid))
      await pause(20)
    }
    const { code, stderr } = await running.end
    expect(code, stderr).toBe(0)
    expect(stderr.length).toBeLessThan(100_000)
    console.log(`100 MB of output: at most ${Math.round(most / 1024)} MB of memory`)
    expect(most).toBeLessThan(400 * 1024)
  })
})

/** The most that a process has had in memory so far, in KB. */
function mostMemory(pid: number): number {
  try {
    return Number(/VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0)
  } catch {
    return 0
  }
}
