import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { connect } from 'node:net'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { systemClipboard } from '../../src/system/clipboard/system-clipboard.ts'
import { canRunWith } from '../support/has-program.ts'
import { runRelay } from '../support/real-relay.ts'
import { type ScratchProject, scratchProject } from '../support/scratch-project.ts'
import { startXDisplay, type XDisplay } from '../support/x-display.ts'

interface Told {
  readonly ok: boolean
  readonly findings: readonly { readonly subject: string; readonly state: string; readonly says: string }[]
}

// In CI what cannot run is a failure.
describe.runIf(canRunWith('Xvfb', 'xclip'))('relay doctor on a desktop', () => {
  let display: XDisplay
  let project: ScratchProject
  beforeEach(async () => {
    display = await startXDisplay()
    project = scratchProject({ '.gitignore': '.relaycode/\n', '.relaycode/.gitignore': '*\n' }, { linter: 'true' })
  })
  afterEach(async () => {
    project.remove()
    await display.stop()
  })
  const examine = async (...args: readonly string[]) => {
    const { code, stdout, stderr } = await runRelay(['doctor', '--json', ...args], {
      cwd: project.root,
      env: { DISPLAY: display.env['DISPLAY'] },
    })
    expect(stderr).toBe('')
    const { ok, findings } = JSON.parse(stdout) as Told
    return { code, ok, of: (name: string) => findings.filter(({ subject }) => subject === name) }
  }

  it.each([
    ['a text', 'former ✅\r\ntext\n'],
    ['a long one', 'line of text ✅\n'.repeat(60_000)],
  ])('looks at everything, and leaves %s on the clipboard when it has ended', async (_what, former) => {
    await display.own(former)
    const { code, ok, of } = await examine('--yes')
    expect({ code, ok }).toEqual({ code: 0, ok: true })
    expect(of('clipboard')).toMatchObject([{ state: 'ok', says: expect.stringContaining('x11 events on :') }])
    expect(of('round trip')).toMatchObject([{ state: 'ok' }])
    expect(of('linter')).toMatchObject([{ state: 'ok', says: expect.stringMatching(/^0 errors, /) }])
    const isFormer = async () => (await systemClipboard(display.env).read()) === former
    await expect.poll(isFormer).toBe(true)
  })

  it('does not touch the clipboard unasked, and finds what is wrong', async () => {
    await display.own('former')
    project.write('relaycode.config.json', '{"projectId": "demo", "linter": "no-such-linter"}')
    const { code, of } = await examine()
    expect(code).toBe(0)
    expect(of('linter')).toMatchObject([{ state: 'caution', says: expect.stringContaining('not allowed') }])
    expect(of('round trip')).toMatchObject([{ state: 'caution', says: expect.stringContaining('skipped') }])
    project.write('relaycode.config.json', '{')
    expect(await examine()).toMatchObject({ code: 8, ok: false })
  })
})

describe('relay doctor', () => {
  it('says that a display lets nobody in, and ends then', async () => {
    const project = scratchProject()
    // It listens and never takes a call: what is beyond its queue is left to ring.
    const script = `
      const server = require('node:net').createServer().listen({ port: 0, host: '127.0.0.1', backlog: 1 }, () => {
        require('node:fs').writeSync(1, String(server.address().port))
        Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0)
      })`
    const server = spawn(process.execPath, ['-e', script], { stdio: ['ignore', 'pipe', 'inherit'] })
    const port = Number(String(await once(server.stdout, 'data')))
    const callers = [1, 2, 3, 4].map(() => connect(port, '127.0.0.1').on('error', () => {}))
    try {
      const { code, stdout } = await runRelay(['doctor', '--json'], {
        cwd: project.root,
        env: { DISPLAY: `localhost:${port - 6000}` },
      })
      expect(code).toBe(8)
      expect(stdout).toContain('no answer within 2 s')
    } finally {
      for (const caller of callers) caller.destroy()
      server.kill('SIGKILL')
      project.remove()
    }
  })
})
