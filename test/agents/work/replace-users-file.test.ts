import { mkdtempSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { editNote } from '../../../src/agents/session/edit-note.ts'
import { removeUsersFile, replaceUsersFile } from '../../../src/agents/work/replace-users-file.ts'
import type { Files } from '../../../src/ports.ts'
import { systemFiles } from '../../../src/system/files/files.ts'

let folder: string
let note: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'relay-users-file-'))
  note = join(folder, 'a.md')
  writeFileSync(note, 'one\n', { mode: 0o640 })
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

/** An editor that saves once, right before or after relay calls one of its doors. */
function doors(call: keyof Files, when: 'before' | 'after', save: () => void) {
  let isSaved = false
  const real = systemFiles(folder)
  const files = new Proxy(real, {
    get(target, name: keyof Files) {
      const method = target[name] as (...args: unknown[]) => Promise<unknown>
      return async (...args: unknown[]) => {
        const act = name === call && !isSaved
        isSaved ||= act
        if (act && when === 'before') save()
        const result = await method.apply(target, args)
        if (act && when === 'after') save()
        return result
      }
    },
  })
  return {
    files,
    clock: { now: () => new Date(), monotonic: () => 0, sleep: async () => {} },
    interruption: new AbortController().signal,
  }
}

const nobody = () => doors('append', 'before', () => {})
const inPlace = () => writeFileSync(note, 'one\nmine\n')
const byReplacing = () => {
  writeFileSync(`${note}~`, 'one\nmine\n', { mode: 0o640 })
  renameSync(`${note}~`, note)
}
const change = (text: string) => text.replace('one', 'ONE')

describe('a note that is changed', () => {
  it.each<[string, keyof Files, 'before' | 'after', () => void]>([
    ['in place, once it was read', 'inspect', 'after', inPlace],
    ['by replacing it, once it was read', 'inspect', 'after', byReplacing],
    ['in place, while relay writes', 'create', 'after', inPlace],
    ['by replacing it, while relay writes', 'create', 'after', byReplacing],
    ['in place, in the last moment', 'link', 'after', inPlace],
    ['by replacing it, right before', 'link', 'before', byReplacing],
    ['by replacing it, once the old file is kept', 'link', 'after', byReplacing],
    ['in place, too late to be seen', 'rename', 'before', inPlace],
    ['in place, right after', 'rename', 'after', inPlace],
  ])('has what an editor saves %s', async (_, call, when, save) => {
    let change_ = change
    if (call === 'rename' && when === 'after') change_ = text => (text.includes('ONE') ? text : change(text))
    expect(await editNote(note, change_, doors(call, when, save))).toBe(true)
    const text = readFileSync(note, 'utf8')
    expect(text).toMatch(/mine/)
    expect(readdirSync(folder)).toEqual(['a.md'])
    expect(statSync(note).mode & 0o777).toBe(0o640)
  })

  it('has the last that an editor saves, where it saves twice', async () => {
    let saves = 0
    const twice = doors('rename', 'after', () => {
      const old = readdirSync(folder).find(name => name.endsWith('.old')) ?? ''
      writeFileSync(join(folder, old), 'one\nfirst\n')
      writeFileSync(note, 'one\nfirst\nsecond\n')
      saves++
    })
    expect(await editNote(note, change, twice)).toBe(true)
    expect([readFileSync(note, 'utf8'), saves, readdirSync(folder)]).toEqual(['ONE\nfirst\nsecond\n', 1, ['a.md']])
  })

  it('is changed once an editor that has it gone for a moment has put it back', async () => {
    const back = () => writeFileSync(note, 'one\nmine\n')
    const gone = doors('link', 'before', () => rmSync(note))
    let pauses = 0
    const clock = { ...gone.clock, sleep: async () => void (++pauses === 2 && back()) }
    expect(await editNote(note, change, { ...gone, clock })).toBe(true)
    expect([readFileSync(note, 'utf8'), readdirSync(folder)]).toEqual(['ONE\nmine\n', ['a.md']])
  })

  it('is left alone where there is nothing to change, and where it is no text', async () => {
    expect(await editNote(note, () => undefined, nobody())).toBe(false)
    writeFileSync(note, Uint8Array.of(0x6f, 0xff))
    await expect(editNote(note, change, nobody())).rejects.toThrow('is not UTF-8')
  })
})

/** Doors that are gone after some calls: relay was killed. */
function killedAfter(calls: number, { files, clock }: ReturnType<typeof doors>) {
  let left = calls
  const dying = new Proxy(files, {
    get(target, name: keyof Files) {
      const method = target[name] as (...args: unknown[]) => Promise<unknown>
      return async (...args: unknown[]) => {
        if (left-- <= 0) throw new Error('killed')
        return method.apply(target, args)
      }
    },
  })
  return { files: dying, clock, isOver: () => left >= 0 }
}

describe('what lies beside a file that is replaced', () => {
  it('is not removed where it is not what relay put there', async () => {
    const names = ['.a.md.relay-new', '.a.md.relay-old', '.a.md.relay-mine.old']
    for (const name of names) writeFileSync(join(folder, name), 'mine\n')
    expect(await editNote(note, change, nobody())).toBe(true)
    expect(readdirSync(folder).toSorted()).toEqual([...names, 'a.md'].toSorted())
  })

  it.each([
    ['in place, before the link', 'link', 'before', inPlace],
    ['by replacing it, before the link', 'link', 'before', byReplacing],
    ['in place, after the link', 'link', 'after', inPlace],
  ] as const)('brings back what was saved %s, wherever relay was killed', async (_, call, when, save) => {
    for (let calls = 0; ; calls++) {
      writeFileSync(note, 'one\n')
      let isSaved = false
      const dying = killedAfter(
        calls,
        doors(call, when, () => {
          isSaved = true
          save()
        }),
      )
      await replaceUsersFile(note, text => change(text ?? ''), dying).catch(() => undefined)
      await replaceUsersFile(note, text => change(text ?? ''), nobody())
      expect([calls, readFileSync(note, 'utf8'), readdirSync(folder)]).toEqual([
        calls,
        isSaved ? 'ONE\nmine\n' : 'ONE\n',
        ['a.md'],
      ])
      if (dying.isOver()) return
    }
  })

  it('stays under a name that can be seen, where the file was saved again after the kill', async () => {
    const dying = killedAfter(100, doors('link', 'before', inPlace))
    const rename = dying.files.rename
    const files = new Proxy(dying.files, {
      get(target, name: keyof Files) {
        if (name !== 'rename') return target[name]
        return async (from: string, to: string) => {
          await rename(from, to)
          throw new Error('killed')
        }
      },
    })
    await expect(replaceUsersFile(note, () => 'relay\n', { ...dying, files })).rejects.toThrow('killed')
    writeFileSync(note, 'later\n')
    await replaceUsersFile(note, text => `${text}relay\n`, nobody())
    expect(readFileSync(note, 'utf8')).toBe('later\nrelay\n')
    const [saved = '', ...others] = readdirSync(folder).filter(name => name !== 'a.md')
    expect([saved, others]).toEqual([expect.stringMatching(/^a\.md\.saved-[\da-f]{8}$/), []])
    expect(readFileSync(join(folder, saved), 'utf8')).toBe('one\nmine\n')
  })
})

describe('a file that is not there', () => {
  it('is made, with its folders', async () => {
    const path = join(folder, 'b/c/d.txt')
    expect(await replaceUsersFile(path, text => (text === undefined ? 'new\n' : undefined), nobody())).toBe(true)
    expect([readFileSync(path, 'utf8'), readdirSync(join(folder, 'b/c'))]).toEqual(['new\n', ['d.txt']])
  })

  it('is changed instead where somebody makes it at this moment', async () => {
    const path = join(folder, 'b.md')
    const made = doors('link', 'before', () => writeFileSync(path, 'mine\n'))
    expect(await replaceUsersFile(path, (text = '') => (text.includes('relay') ? text : `${text}relay\n`), made)).toBe(
      true,
    )
    expect([readFileSync(path, 'utf8'), readdirSync(folder).toSorted()]).toEqual(['mine\nrelay\n', ['a.md', 'b.md']])
  })
})

describe('a file that is removed', () => {
  it('goes only with the text that was seen', async () => {
    expect(await removeUsersFile(note, 'another\n', nobody())).toBe(false)
    expect(await removeUsersFile(note, 'one\n', doors('inspect', 'after', inPlace))).toBe(false)
    expect([readFileSync(note, 'utf8'), readdirSync(folder)]).toEqual(['one\nmine\n', ['a.md']])
    expect(await removeUsersFile(note, 'one\nmine\n', nobody())).toBe(true)
    expect(readdirSync(folder)).toEqual([])
  })
})
