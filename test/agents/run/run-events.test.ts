import { describe, expect, it } from 'vitest'
import { keepRunEvents, mostRuns, readRun, runPlaces } from '../../../src/agents/run/run-events.ts'
import { fakeSystem } from '../../support/fake-system.ts'

const about = { root: '/project', book: 'fix login', key: 'raf abcdef-fix-login', agent: 'claude' }
const line = (event: string, more: object = {}) => JSON.stringify({ event, at: '2026-11-20T14:00:00.000Z', ...more })

/** Runs that relay keeps in a world, one after the other. */
function world(given = fakeSystem()) {
  const failures: string[] = []
  const begin = () => keepRunEvents(about, why => failures.push(why), given.system)
  const kept = async () => {
    const places = await runPlaces(given.system)
    return Promise.all(places.map(async place => ({ place, ...(await readRun(place, given.system)) })))
  }
  return { ...given, failures, begin, kept }
}

describe('what a run does, on the disk', () => {
  it('begins with what it is about and who runs it, and has each event', async () => {
    const { begin, kept, system } = world()
    const run = begin()
    run.add(line('work-begun'), 'work-begun')
    run.add(line('step', { step: 'turn' }), 'step')
    await run.close()
    const [found] = await kept()
    expect(found?.head).toEqual({
      ...{ event: 'run', at: expect.any(String), ...about, version: system.version },
      process: await system.shell.self(),
    })
    expect(found?.events?.map(({ event, step }) => [event, step])).toEqual([
      ['work-begun', undefined],
      ['step', 'turn'],
    ])
    expect(found?.place).toMatch(/\/relaycode\/runs\/\d{8}T\d{6}Z-[\da-f-]{36}$/)
  })

  it('makes nothing for a run that never began', async () => {
    const { begin, kept } = world()
    await begin().close()
    expect(await kept()).toEqual([])
  })

  it('is kept for the newest runs, and for those that still go on', async () => {
    const { begin, kept, clock, shell } = world()
    const self = await shell.self()
    const going = begin()
    going.add(line('work-begun'), 'work-begun')
    await going.close()
    shell.self = async () => ({ ...self, pid: 4242 })
    shell.lifeOf = async ({ pid }) => (pid === self.pid ? 'alive' : 'dead')
    for (let each = 0; each < mostRuns + 3; each++) {
      await clock.advance(1000)
      const run = begin()
      run.add(line('work-begun'), 'work-begun')
      await run.close()
    }
    const pids = (await kept()).map(({ head }) => head?.process.pid)
    expect(pids).toEqual([...Array(mostRuns).fill(4242), self.pid])
  })

  it('goes on with the story alone where it gets long', async () => {
    const { begin, kept, system } = world()
    const run = begin()
    run.add(line('agent-tool', { tool: 'x'.repeat(10_000_000) }), 'agent-tool')
    run.add(line('agent-tool', { tool: 'ls' }), 'agent-tool')
    run.add(line('attempt-failed', { why: 'no' }), 'attempt-failed')
    await run.close()
    const [found] = await kept()
    expect(found?.events?.map(({ event }) => event)).toEqual(['agent-tool', 'attempt-failed'])
    expect((await system.files.list(found?.place ?? ''))?.toSorted()).toEqual(['events-2.ndjson', 'events.ndjson'])
  })

  it('says once what cannot be written, ends nothing, and goes on when it can', async () => {
    const { begin, kept, system, failures } = world()
    const { append } = system.files
    const run = begin()
    run.add(line('work-begun'), 'work-begun')
    await run.close()
    system.files.append = async (path, bytes, options) => {
      await append.call(system.files, path, bytes.slice(0, 9), options)
      throw new Error('the disk is full')
    }
    for (const event of ['attempt-begun', 'agent-tool']) run.add(line(event), event)
    await run.close()
    system.files.append = append
    run.add(line('work-ended'), 'work-ended')
    await run.close()
    expect(failures).toEqual(['the disk is full'])
    const [found] = await kept()
    expect(found?.events?.map(({ event }) => event)).toEqual(['work-begun', 'work-ended'])
  })
})
