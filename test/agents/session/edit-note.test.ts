import { mkdtempSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { editNote } from '../../../src/agents/session/edit-note.ts'
import type { Files } from '../../../src/ports.ts'
import { systemFiles } from '../../../src/system/files/files.ts'

let folder: string
let note: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'relay-note-'))
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

const inPlace = () => writeFileSync(note, 'one\nmine\n')
const byReplacing = () => {
  writeFileSync(`${note}~`, 'one\nmine\n', { mode: 0o640 })
  renameSync(`${note}~`, note)
}
const change = (text: string) => text.replace('one', 'ONE')

describe('a note that is changed', () => {
  it.each<[string, keyof Files, 'before' | 'after', () => void]>([
    ['in place, once it was read', 'read', 'after', inPlace],
    ['by replacing it, once it was read', 'read', 'after', byReplacing],
    ['in place, while relay writes', 'create', 'after', inPlace],
    ['by replacing it, while relay writes', 'create', 'after', byReplacing],
    ['in place, in the last moment', 'link', 'after', inPlace],
    ['by replacing it, right before', 'link', 'before', byReplacing],
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
      writeFileSync(join(folder, '.a.md.relay-old'), 'one\nfirst\n')
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
    const nobody = doors('append', 'before', () => {})
    expect(await editNote(note, () => undefined, nobody)).toBe(false)
    writeFileSync(note, Uint8Array.of(0x6f, 0xff))
    await expect(editNote(note, change, nobody)).rejects.toThrow('is not UTF-8')
  })
})
