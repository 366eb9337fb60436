import { existsSync, mkdirSync, mkdtempSync, realpathSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { inRealFolder, whileInRealFolder } from '../../../src/system/files/real-folder.ts'

describe.runIf(process.platform === 'linux')('a folder that is held', () => {
  let root: string
  beforeEach(() => {
    root = realpathSync(mkdtempSync(join(tmpdir(), 'relay-held-')))
  })
  afterEach(() => rmSync(root, { recursive: true, force: true }))

  it('is not worked in any more once it was moved, nor is what took its place', async () => {
    const folder = join(root, 'folder')
    const elsewhere = join(root, 'elsewhere')
    mkdirSync(folder)
    let letGo = () => {}
    const first = whileInRealFolder(join(folder, 'first'), () => new Promise<void>(resolve => (letGo = resolve)))
    renameSync(folder, elsewhere)
    mkdirSync(folder)
    const second = () => inRealFolder(join(folder, 'second'), place => writeFileSync(place, 'x'))
    expect(second).toThrow(expect.objectContaining({ code: 'EMOVED' }))
    expect([existsSync(join(elsewhere, 'second')), existsSync(join(folder, 'second'))]).toEqual([false, false])
    letGo()
    await first
    second()
    expect(existsSync(join(folder, 'second'))).toBe(true)
  })
})
