import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { keptOutput } from '../../src/system/kept-output.ts'
import { spillTo } from '../../src/system/spill.ts'

describe('what a command prints', () => {
  let folder: string
  let path: string
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'relay-output-'))
    path = join(folder, 'whole')
  })
  afterEach(() => rmSync(folder, { recursive: true, force: true }))

  const lines = Array.from({ length: 100 }, (_, number) => `line ${number}\n`)
  function collect(spill = spillTo(path, 10_000)) {
    const kept = keptOutput(300, spill)
    for (const line of lines) kept.add(Buffer.from(line))
    return { ...kept.text(), whole: spill.end() }
  }

  it('is on the disk as a whole, private, when it is more than is held', () => {
    const { output, cut, whole } = collect()
    expect({ cut, whole }).toEqual({ cut: true, whole: true })
    expect(output).toMatch(/^line 0\n.*bytes left out.*line 99\n$/s)
    expect(readFileSync(path, 'utf8')).toBe(lines.join(''))
    expect(statSync(path).mode & 0o777).toBe(0o600)
  })

  it('is in no file when it is little', () => {
    const spill = spillTo(path, 10_000)
    const kept = keptOutput(300, spill)
    kept.add(Buffer.from('little\n'))
    expect({ ...kept.text(), whole: spill.end() }).toEqual({ output: 'little\n', cut: false, whole: false })
    expect(existsSync(path)).toBe(false)
  })

  it('is in no file when it is more than a file may hold', () => {
    expect(collect(spillTo(path, 500))).toMatchObject({ cut: true, whole: false })
    expect(existsSync(path)).toBe(false)
  })

  it('is in no file when it cannot be written', () => {
    expect(collect(spillTo(join(folder, 'missing', 'whole'), 10_000))).toMatchObject({ cut: true, whole: false })
  })

  it('takes the place of what an earlier run left, and follows no link', () => {
    const other = join(folder, 'other')
    writeFileSync(other, 'mine')
    symlinkSync(other, path)
    expect(collect().whole).toBe(true)
    expect(readFileSync(other, 'utf8')).toBe('mine')
    expect(readFileSync(path, 'utf8')).toBe(lines.join(''))
  })

  it('is not added to when it has ended', () => {
    const spill = spillTo(path, 10_000)
    spill.add(Buffer.from('all\n'))
    expect(spill.end()).toBe(true)
    spill.add(Buffer.from('late\n'))
    expect(readFileSync(path, 'utf8')).toBe('all\n')
  })
})
