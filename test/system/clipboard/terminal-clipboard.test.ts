import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { describe, expect, it } from 'vitest'
import { sendToTerminal } from '../../../src/system/clipboard/terminal-clipboard.ts'

/** What a terminal is sent for a text; `null` when that is not sent at all. */
async function sent(text: string, env: NodeJS.ProcessEnv): Promise<string | null> {
  const bytes: string[] = []
  const isSent = await sendToTerminal(text, env, sequence => bytes.push(sequence))
  return isSent ? bytes.join('') : null
}

const xterm = { TERM: 'xterm-256color' }
const hello = '\x1b]52;c;aGVsbG8g4pyFCg==\x07'

describe('a text for the clipboard of the terminal', () => {
  it('is sent by OSC 52, in UTF-8', async () => {
    expect(await sent('hello ✅\n', xterm)).toBe(hello)
  })

  it('is wrapped for a tmux that cannot be asked', async () => {
    const env = { TERM: 'screen', TMUX: '/nowhere,1,0', PATH: '/nowhere' }
    expect(await sent('hello ✅\n', env)).toBe(`\x1bPtmux;\x1b${hello}\x1b\\`)
  })

  it('goes through no tmux that lies in a project', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'relay-tmux-'))
    writeFileSync(join(folder, 'tmux'), '#!/bin/sh\nexit 0\n', { mode: 0o755 })
    const env = { TERM: 'screen', TMUX: '/nowhere,1,0', PATH: relative(process.cwd(), folder) }
    expect(await sent('hello ✅\n', env)).toBe(`\x1bPtmux;\x1b${hello}\x1b\\`)
    expect(await sent('hello ✅\n', { ...env, PATH: folder })).toBe('')
    rmSync(folder, { recursive: true })
  })

  it('goes through GNU screen in pieces that it passes on', async () => {
    const env = { TERM: 'screen', STY: '1.pts' }
    expect(await sent('hello ✅\n', env)).toBe(`\x1bP${hello}\x1b\\`)
    const pieces = ((await sent('x'.repeat(1000), env)) ?? '').split('\x1b\\').slice(0, -1)
    expect(Math.max(...pieces.map(piece => piece.length))).toBe(252)
    const whole = pieces.map(piece => piece.replace(/^\x1bP/, '')).join('')
    expect(whole).toBe(await sent('x'.repeat(1000), xterm))
  })

  it('is not sent when it is longer than terminals take', async () => {
    expect(await sent('x'.repeat(74_994), xterm)).toHaveLength(100_000)
    expect(await sent('x'.repeat(74_995), xterm)).toBeNull()
    expect(await sent('✅'.repeat(25_000), xterm)).toBeNull()
  })
})
