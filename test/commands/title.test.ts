import { describe, expect, it } from 'vitest'
import { FakeDisk } from '../support/fake-disk.ts'
import { journalWorld, uuidOf } from '../support/journal-world.ts'
import { atEach, stepsBetween } from '../support/steps.ts'

const entry = `.relaycode/${uuidOf(1)}.yml`

async function world() {
  const made = journalWorld({ a: 'one\n' }, { disk: new FakeDisk() })
  await made.patch({ a: 'two\n' })
  return made
}

describe('relay title', () => {
  it('gives a change another title, for log, show and undo', async () => {
    const { run } = await world()
    expect(await run(['title', '1', ' Add\n dark mode '])).toMatchObject({
      code: 0,
      stdout: '',
      stderr: '✔ #1 is now "Add dark mode"\n',
    })
    expect((await run(['log'])).stdout).toContain('Add dark mode')
    expect(JSON.parse((await run(['show', '1', '--json'])).stdout).title).toBe('Add dark mode')
    expect((await run(['undo', '--yes'])).stderr).toContain('Add dark mode')
  })

  it('is the last line of the entry, which is otherwise as it was, and comes once', async () => {
    const { run, disk } = await world()
    const before = disk.text()[entry]
    await run(['title', '1', 'no'])
    expect(disk.text()[entry]).toBe(`${before}title: "no"\n`)
    await run(['title', '1', 'Add "dark" mode: é😀'])
    expect(disk.text()[entry]).toBe(`${before}title: "Add \\"dark\\" mode: é😀"\n`)
    expect((await run(['recover', '--dry-run'])).code).toBe(0)
  })

  it.each([
    [['title', '9', 'x'], 'There is no change 9; the newest is #1'],
    [['title', '1', ' '], 'A title has 1 to 200 letters'],
    [['title', '1', 'x'.repeat(201)], 'A title has 1 to 200 letters'],
    [['title', '1'], "missing required argument 'title'"],
  ])('refuses %j', async (args, message) => {
    const { run, disk } = await world()
    const before = disk.text()[entry]
    const { code, stderr } = await run(args)
    expect({ code, stderr }).toMatchObject({ code: 2, stderr: expect.stringContaining(message) })
    expect(disk.text()[entry]).toBe(before)
  })

  it('is the old or the new one, wherever relay is killed', async () => {
    const whole = await world()
    const from = whole.disk.calls
    await whole.run(['title', '1', 'New'])
    await atEach(stepsBetween(1, whole.disk.calls - from), async step => {
      const { disk, run } = await world()
      const before = disk.text()[entry] ?? ''
      disk.crashAt(disk.calls + step)
      await run(['title', '1', 'New']).catch(() => undefined)
      disk.onCall = undefined
      expect([before, `${before}title: New\n`], `step ${step}`).toContain(disk.text()[entry])
    })
  })
})
