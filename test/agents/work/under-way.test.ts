import { join } from 'node:path'
import { beforeEach, describe, expect, it } from 'vitest'
import { keepRunEvents } from '../../../src/agents/run/run-events.ts'
import { openRunFolder } from '../../../src/agents/run/run-folder.ts'
import { workIn } from '../../../src/agents/work/under-way.ts'
import { noteWork, ownersOf, type WorkNote, workFolder } from '../../../src/agents/work/work-note.ts'
import { takeAlone } from '../../../src/flows/alone.ts'
import type { ProcessMark } from '../../../src/ports.ts'
import { workWords } from '../../../src/report/agents/under-way-words.ts'
import { type FakeSystem, fakeSystem } from '../../support/fake-system.ts'

const root = '/project'
const task = { id: 'US-002', title: 'Show it' }
const about: Omit<WorkNote, 'task'> = {
  ...{ root, book: 'prd.json', agent: 'claude', attempt: 2, before: [], overlaps: 0, ms: 0, usage: {} },
}

let world: FakeSystem
beforeEach(() => {
  world = fakeSystem()
})

/** A process of this machine. */
function started(pid: number): ProcessMark {
  const mark = { ...world.shell.mark, pid }
  world.disk.processes.set(pid, mark)
  return mark
}

/** relay works on a story, and its agent runs as process 4121. */
async function atWork({ hasNote = true } = {}) {
  const { system } = world
  const folder = await workFolder(root, 'loop', system)
  if (hasNote) await noteWork(folder, { ...about, task }, system)
  await takeAlone(ownersOf(folder), 'it', system)
  const run = await openRunFolder({}, system)
  const checkout = join(folder, 'checkout/work')
  await run.note(started(4121), 'X=1', { agent: 'claude', cwd: checkout, folder: checkout })
  const events = keepRunEvents({ root, book: 'prd.json', key: 'loop', agent: 'claude' }, () => {}, system)
  return async (...told: readonly (Readonly<Record<string, unknown>> & { event: string })[]) => {
    const at = system.clock.now().toISOString()
    for (const event of told) events.add(JSON.stringify({ at, ...event }), event.event)
    await events.close()
  }
}

/** As `kill -9` does. */
function killRelay(): void {
  world.disk.processes.delete(world.shell.mark.pid)
}

/** What another relay says a minute later. */
async function said(): Promise<readonly string[]> {
  const another = fakeSystem({ disk: world.disk })
  await another.clock.advance(60_000)
  const relay = `pid ${world.shell.mark.pid})`
  return (await workIn(root, another.system)).map(work =>
    workWords(work, another.clock.now()).replace(relay, 'pid RELAY)'),
  )
}

const begun = { event: 'attempt-begun' }
const turn = { event: 'step', step: 'turn' }

describe('what is said of work under way', () => {
  it('is what the run does, for how long, and for which process', async () => {
    const tell = await atWork()
    await tell(begun, turn)
    expect(await said()).toEqual(['claude, US-002 Show it (attempt 2): runs (pid RELAY), 1 min, the agent works'])
    await tell({ event: 'agent-tool', tool: 'rg lock' })
    expect(await said()).toEqual([expect.stringMatching(/: runs \(pid RELAY\), .*, uses rg lock$/)])
    await tell({ event: 'step', step: 'lint' })
    expect(await said()).toEqual([expect.stringMatching(/, checks its work$/)])
  })

  it('is that it waits: for an answer, or for a limit to end', async () => {
    const tell = await atWork()
    const reasons = [{ kind: 'always', text: 'you are asked about every change' }]
    await tell(begun, { event: 'asked', question: 'gate', number: 11, reasons })
    expect(await said()).toEqual(['claude, US-002 Show it (attempt 2): waits for your answer to US-002 (pid RELAY)'])
    expect(await workIn(root, world.system)).toMatchObject([{ asking: { question: 'gate', number: 11, reasons } }])
    await tell({ event: 'answered' }, { event: 'limit-waited', until: '2026-11-20T21:06:00.000Z' })
    expect(await said()).toEqual([expect.stringContaining('waits for a limit of its provider until ')])
  })

  it('is told by the processes that live, whatever was noted last', async () => {
    const tell = await atWork()
    await tell(begun, turn)
    killRelay()
    expect(await said()).toEqual([
      'claude, US-002 Show it (attempt 2): relay is gone, its agent (pid 4121) still runs: `relay recover` ends it',
    ])
    // Another process has the number now.
    world.disk.processes.set(4121, { ...world.shell.mark, pid: 4121, startedAt: 'later' })
    const stopped = 'claude, US-002 Show it (attempt 2): stopped; run the same command again to continue'
    expect(await said()).toEqual([stopped])
    world.disk.processes.delete(4121)
    expect(await said()).toEqual([stopped])
  })

  it('names a run between two tasks', async () => {
    const tell = await atWork({ hasNote: false })
    await tell({ event: 'work-begun' }, { event: 'step', step: 'ship' })
    expect(await said()).toEqual(['claude, prd.json: runs (pid RELAY), 1 min, ships the branch'])
  })

  it('names a question to an agent, and the agent that a question left', async () => {
    const run = await openRunFolder({}, world.system)
    await run.note(started(4122), 'X=1', { agent: 'codex', cwd: '/project/src', title: 'Is it safe?' })
    expect(await said()).toEqual(['codex, Is it safe?: runs (pid RELAY), 1 min, the agent works'])
    killRelay()
    const words = 'codex, Is it safe?: relay is gone, its agent (pid 4122) still runs: `relay recover` ends it'
    expect(await said()).toEqual([words])
    expect(await workIn('/another', world.system)).toEqual([])
  })
})
