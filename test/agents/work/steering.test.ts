import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeEach, describe, expect, it } from 'vitest'
import { leaveSentence, waitingSentences, withdrawSentence } from '../../../src/agents/work/steering.ts'
import { placeOfWork, workFolder } from '../../../src/agents/work/work-note.ts'
import { builtSource } from '../../support/built-source.ts'
import { driverIn, type KillAt, WorkWorld } from './world.ts'

const built = builtSource()
const folder = mkdtempSync(join(tmpdir(), 'relay-steering-'))
const driver = driverIn(folder, built.url)
afterAll(() => {
  built.remove()
  rmSync(folder, { recursive: true, force: true })
})

let world: WorkWorld
let place: string
beforeEach(() => {
  world = new WorkWorld(driver).commit({ 'a.txt': 'a\n', '.gitignore': '/.relaycode/\n' })
  place = placeOfWork(world.top, 'numbers', world.keeping)
})
afterEach(() => world.remove())

const leave = async (text: string) => {
  await workFolder(world.top, 'numbers', world.keeping)
  return leaveSentence(place, text, world.keeping)
}
/** How many envelopes of each call hold the sentence. */
const heard = () => world.calls.map(call => call.split('The user says: Use tabs').length - 1)

describe('what the user says to a run from elsewhere', () => {
  it('is in the next envelope, in no other, and nothing of it is left', async () => {
    await leave('Use tabs')
    await leave('And no semicolons')
    world.agent('echo "$N" >> a.txt', 'I am not sure.')
    const { err, events } = await world.run({ attempts: 2 })
    expect(err).toBe('')
    expect(world.calls).toEqual([
      'TASK 01\nattempt 1\nThe user says: Use tabs\nThe user says: And no semicolons',
      'TASK 01\nattempt 2\nThe agent did not say that it is done.',
    ])
    expect(events).toContainEqual({
      kind: 'user-note',
      sentences: ['Use tabs', 'And no semicolons'],
      isTold: true,
    })
    expect(world.state.filter(path => path.startsWith('work/'))).toEqual([])
  })

  it('is private, and can be withdrawn until a run has claimed it', async () => {
    const sentence = await leave('Use tabs')
    const path = join(place, 'said', `${sentence.id}.json`)
    expect([readFileSync(path, 'utf8'), statSync(path).mode & 0o777]).toEqual(['{"text":"Use tabs"}\n', 0o600])
    expect(statSync(join(place, 'said')).mode & 0o777).toBe(0o700)
    expect(await withdrawSentence(sentence, place, world.keeping)).toBe(true)
    expect([
      await withdrawSentence(sentence, place, world.keeping),
      await waitingSentences(place, world.keeping),
    ]).toEqual([false, []])
  })

  const kills: readonly [KillAt, readonly number[]][] = [
    [{ step: 'make the envelope', when: 'before' }, [1, 0]],
    [{ step: 'note the turn', when: 'after' }, [1, 0]],
    // Nobody knows what came of that turn: its attempt is made again, with the same envelope.
    [{ step: 'run the turn', when: 'after' }, [1, 1, 0]],
  ]
  it.each(kills)('is in the envelope of one attempt after a kill at %o', async (kill, calls) => {
    await leave('Use tabs')
    world.agent('echo "$ID" >> a.txt')
    expect((await world.run({ tasks: 2, kill })).signal).toBe('SIGKILL')
    expect((await world.run({ tasks: 2 })).end?.stopped).toEqual({ kind: 'all-done' })
    expect(heard()).toEqual(calls)
    expect(world.state).toEqual([])
  })

  it('is named at the end where no turn came after it', async () => {
    world.agent(`mkdir '${place}/said'; echo '{"text":"Use tabs"}' > '${place}/said/1.json'`)
    const { end, events } = await world.run()
    expect([heard(), end?.stopped]).toEqual([[0], { kind: 'all-done' }])
    expect(events.at(-2)).toEqual({ kind: 'user-note', sentences: ['Use tabs'], isTold: false })
    expect(world.state).toEqual([])
  })

  it('ends the run after the turn, whose work lands, and the next run goes on', async () => {
    world.agent(`echo "$ID" >> a.txt; echo '{}' > '${place}/stop.json'`)
    const { end } = await world.run({ tasks: 2 })
    const why = '`relay stop` ended it; the same command goes on from here'
    expect(end).toMatchObject({ stopped: { kind: 'work-left', why }, tasks: [{ result: { kind: 'landed' } }] })
    expect(world.state).toEqual([])
    world.agent('echo "$ID" >> a.txt')
    expect((await world.run({ tasks: 2 })).end?.stopped).toEqual({ kind: 'all-done' })
    expect(world.calls.map(call => call.split('\n')[0])).toEqual(['TASK 01', 'TASK 02'])
  })
})
