import { describe, expect, it } from 'vitest'
import { noteCommit } from '../../src/flows/note-in-entry.ts'
import { FakeDisk } from '../support/fake-disk.ts'
import { fakeProject, fakeTalk } from '../support/fake-project.ts'
import { fakeSystem } from '../support/fake-system.ts'
import { journalWorld, uuidOf } from '../support/journal-world.ts'
import { atEach, stepsBetween } from '../support/steps.ts'

const sha = '1234567890123456789012345678901234567890'
const entry = `.relaycode/${uuidOf(1)}.yml`

async function world() {
  const made = journalWorld({ a: 'one\n' }, { disk: new FakeDisk() })
  await made.patch({ a: 'two\n' })
  const note = (which: string | number = 1, commit = sha) => {
    return noteCommit(which, commit, fakeProject(), fakeSystem({ disk: made.disk }).system, fakeTalk())
  }
  return { ...made, note }
}

describe('the commit of an entry', () => {
  it('stands behind all else, which stays as it was', async () => {
    const { disk, note, run } = await world()
    const before = disk.text()[entry]
    await note()
    expect(disk.text()[entry]).toBe(`${before}commit: "${sha}"\n`)
    await note(uuidOf(1))
    expect(disk.text()[entry]).toBe(`${before}commit: "${sha}"\n`)
    await note(1, 'abcdef0')
    expect(disk.text()[entry]).toBe(`${before}commit: abcdef0\n`)
    expect((await run(['recover', '--dry-run'])).code).toBe(0)
  })

  it('is told by relay show and relay log', async () => {
    const { note, run } = await world()
    await note()
    expect((await run(['show'])).stdout).toContain(`\n  commit    ${sha} in git\n`)
    expect(JSON.parse((await run(['show', '--json'])).stdout).commit).toBe(sha)
    expect(JSON.parse((await run(['log', '--json'])).stdout).transactions).toMatchObject([{ number: 1, commit: sha }])
  })

  it('is said to stay by an undo, and not by the redo', async () => {
    const { note, run, disk } = await world()
    await note()
    expect((await run(['undo', '--yes'])).stderr).toContain(
      '\n    commit 1234567 stays in git: commit these files to undo it there too\n',
    )
    expect(disk.text()['a']).toBe('one\n')
    const { code, stderr } = await run(['redo', '--yes'])
    expect(code).toBe(0)
    expect(stderr).not.toContain('git')
  })

  it('says nothing of git where every file is as before already', async () => {
    const { note, run, disk } = await world()
    await note()
    disk.write('a', 'one\n')
    expect((await run(['undo', '--yes'])).stderr).not.toContain('git')
  })

  it.each([
    [9, sha, 'There is no change 9; the newest is #1'],
    [1, '$(id)', '"$(id)" names no commit'],
  ])('is not noted for %s, %s', async (which, commit, message) => {
    const { disk, note } = await world()
    const before = disk.text()[entry]
    await expect(note(which, commit)).rejects.toMatchObject({ message })
    expect(disk.text()[entry]).toBe(before)
  })

  it('is not read where it is no commit: the entry is none then', async () => {
    const { disk, run } = await world()
    disk.write(entry, `${disk.text()[entry]}commit: "x; rm -rf ~"\n`)
    expect((await run(['undo', '--yes'])).code).toBe(2)
  })

  it('is there or not, wherever relay is killed, and the entry is whole', async () => {
    const whole = await world()
    const from = whole.disk.calls
    await whole.note()
    await atEach(stepsBetween(1, whole.disk.calls - from), async step => {
      const { disk, note, run } = await world()
      const before = disk.text()[entry] ?? ''
      disk.crashAt(disk.calls + step)
      await note().catch(() => undefined)
      disk.onCall = undefined
      expect([before, `${before}commit: "${sha}"\n`], `step ${step}`).toContain(disk.text()[entry])
      await note()
      expect(JSON.parse((await run(['show', '--json'])).stdout).commit, `step ${step}`).toBe(sha)
      expect(Object.keys(disk.text()).filter(path => path.endsWith('.tmp'))).toEqual([])
    })
  })
})

describe('the title of an entry', () => {
  it('stands beside its commit, in any order', async () => {
    const { disk, note, run } = await world()
    const before = disk.text()[entry]
    await run(['title', '1', 'New'])
    await note(1, 'abcdef0')
    await run(['title', '1', 'Newer'])
    expect(disk.text()[entry]).toBe(`${before}commit: abcdef0\ntitle: Newer\n`)
  })
})
