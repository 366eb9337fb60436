import { describe, expect, it } from 'vitest'
import { journalWorld } from '../support/journal-world.ts'

const history = '.relaycode/history.jsonl'

/** A project with three kept patches of one file. */
async function threeKept() {
  const world = journalWorld({ a: '0\n' })
  for (const number of [1, 2, 3]) await world.patch({ a: `${number}\n` })
  return world
}

describe('relay recover', () => {
  it('adds a kept transaction to the history that has lost its line', async () => {
    const { disk, run } = await threeKept()
    const whole = disk.readText(history)
    disk.write(history, whole.replace(/.*"number":3.*\n/, ''))

    const doctor = await run(['doctor'])
    expect(doctor.stdout).toContain('▲ state       not in the history: 1 kept transaction (#3)\n')
    expect((await run(['recover', '--dry-run'])).stderr).toMatchInlineSnapshot(`
      "Nothing is unfinished.
      Not in the history: 1 kept transaction (#3). \`relay recover\` mends that.
      "
    `)
    expect(await run(['recover'])).toMatchObject({
      code: 0,
      stderr: 'Nothing is unfinished.\nPut back into the history: 1 kept transaction (#3).\n',
    })
    expect(disk.readText(history)).toBe(whole)
    expect((await run(['recover'])).stderr).toBe('Nothing is unfinished.\n')
    expect((await run(['doctor'])).stdout).not.toContain('history')
  })
})

describe('a damaged history', () => {
  it.each<[string, (whole: string) => string]>([
    ['empty', () => ''],
    ['garbage', () => 'garbage\n'],
    ['full of NUL', whole => '\0'.repeat(whole.length)],
    ['with NUL at its end', whole => whole.slice(0, -80) + '\0'.repeat(80)],
  ])('hides no kept patch, and gives no number twice: %s', async (_name, damaged) => {
    const { disk, run, patch } = await threeKept()
    const log = (await run(['log'])).stdout
    disk.write(history, damaged(disk.readText(history)))
    expect((await run(['log'])).stdout).toBe(log)
    await patch({ a: '4\n' })
    const numbers = (await run(['log', '--json'])).stdout.match(/(?<="number": )\d+/g)
    expect(numbers).toEqual(['4', '3', '2', '1'])
    expect((await run(['undo', '--yes'])).code).toBe(0)
    expect(disk.readText('a')).toBe('3\n')
  })
})
