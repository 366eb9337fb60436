import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { systemPrograms } from '../../src/system/run-program.ts'
import { fakeSystem } from '../support/fake-system.ts'
import { until } from '../support/until.ts'
import { programsContract } from './programs.contract.ts'

const cwd = mkdtempSync(join(tmpdir(), 'relay-programs-'))
afterAll(() => rmSync(cwd, { recursive: true, force: true }))

programsContract('real', async () => ({ programs: systemPrograms, cwd }))

programsContract('fake', async () => {
  const { programs, disk } = fakeSystem({ autoAdvance: true })
  programs.replies.set('sh -c echo one; printf two; exit 3', { out: ['one', 'two'], exit: 3 })
  programs.replies.set('cat', stdin => ({ out: stdin.split('\n') }))
  programs.replies.set('sleep 30', { takes: 30_000 })
  return { programs, cwd: disk.root }
})

const node = process.execPath
const quiet = { cwd, stdin: '', timeLimit: 30, signal: new AbortController().signal, onStart: async () => {} }

describe('a real program', () => {
  it.each(['run', 'start'] as const)(
    'gets its words as they are, and no environment but the one that is given, its folder and its mark: %s',
    async how => {
      const lines: string[] = []
      const script =
        'console.log(JSON.stringify([process.argv.slice(1), process.env.PWD, Object.keys(process.env).sort()]))'
      const words = ['a "b" $HOME', "it's `x`", '', 'new\nline']
      const argv = [node, '-e', script, '--', ...words]
      const options = { ...quiet, env: { ONLY: '1' }, onLine: (line: string) => lines.push(line) }
      const end = how === 'run' ? systemPrograms.run(argv, options) : (await systemPrograms.start(argv, options)).ended
      expect(await end).toEqual({ kind: 'exit', code: 0 })
      expect(lines.map(line => JSON.parse(line))).toEqual([[words, cwd, ['ONLY', 'PWD', 'RELAY_RUN']]])
    },
  )

  it('tells a line of megabytes whole, and one that comes in parts of a sign once', async () => {
    const lines: string[] = []
    const script = [
      "process.stdout.write('x'.repeat(5e6) + '\\n')",
      "const bytes = Buffer.from('é\\n')",
      'process.stdout.write(bytes.subarray(0, 1))',
      'setTimeout(() => process.stdout.write(bytes.subarray(1)), 50)',
    ].join(';')
    const running = await systemPrograms.start([node, '-e', script], {
      ...quiet,
      env: {},
      onLine: line => lines.push(line),
    })
    await running.ended
    expect(lines.map(line => [line.length, line.at(-1)])).toEqual([
      [5_000_000, 'x'],
      [1, 'é'],
    ])
  })

  it('ends with all that it has started', async () => {
    const stop = new AbortController()
    const lines: string[] = []
    const running = await systemPrograms.start(['sh', '-c', 'sleep 300 & echo $!; wait'], {
      ...quiet,
      env: { PATH: process.env['PATH'] ?? '' },
      signal: stop.signal,
      onLine: line => lines.push(line),
    })
    await until(() => lines.length > 0, 'it has started another')
    stop.abort()
    expect(await running.ended).toEqual({ kind: 'aborted' })
    expect(existsSync(`/proc/${lines[0]}/cwd`)).toBe(false)
  })

  it.runIf(process.platform === 'linux').each([
    ['leaves what it started where it ends by itself', 'true', { kind: 'exit', code: 0 }, true],
    ['leaves nothing of that either when it is ended', 'wait', { kind: 'aborted' }, false],
  ])('that is run to its end %s', async (_, last, end, stays) => {
    const stop = new AbortController()
    const lines: string[] = []
    const ended = systemPrograms.run(['sh', '-c', `setsid sleep 300 > /dev/null 2>&1 & echo $!; ${last}`], {
      ...quiet,
      env: { PATH: process.env['PATH'] ?? '' },
      signal: stop.signal,
      onLine: line => lines.push(line),
    })
    await until(() => lines.length > 0, 'it has started another')
    if (last === 'wait') stop.abort()
    expect(await ended).toEqual(end)
    expect(existsSync(`/proc/${lines[0]}/cwd`)).toBe(stays)
    if (stays) process.kill(Number(lines[0]))
  })

  it.runIf(process.platform === 'linux')(
    'that is run to its end is started by relay itself, in a group of its own',
    async () => {
      const lines: string[] = []
      const onLine = (line: string) => lines.push(line)
      await systemPrograms.run(['cat', '/proc/self/stat'], { ...quiet, env: { PATH: '/usr/bin:/bin' }, onLine })
      const [pid, name, , parent, group] = lines[0]?.split(' ') ?? []
      expect([name, Number(parent), group]).toEqual(['(cat)', process.pid, pid])
    },
  )

  it('may end without having read its input', async () => {
    const running = await systemPrograms.start(['true'], {
      ...quiet,
      env: { PATH: process.env['PATH'] ?? '' },
      stdin: 'x'.repeat(5_000_000),
      onLine: () => {},
    })
    expect(await running.ended).toEqual({ kind: 'exit', code: 0 })
  })

  it.each(['.', '', '::', './bin:'])(
    'is looked for in no folder that is not absolute, with the PATH %j',
    async PATH => {
      const project = mkdtempSync(join(cwd, 'project-'))
      writeFileSync(join(project, 'codex'), '#!/bin/sh\necho ran\n', { mode: 0o755 })
      const lines: string[] = []
      const options = { ...quiet, cwd: project, env: { PATH }, onLine: (line: string) => lines.push(line) }
      const { ended } = await systemPrograms.start(['codex'], options)
      expect([await ended, lines.includes('ran')]).toEqual([{ kind: 'exit', code: 127 }, false])
    },
  )

  it('is looked for where the caller says, and gets the PATH of its environment', async () => {
    const lines: string[] = []
    const start = async (path: string) => {
      const env = { PATH: `${cwd}:/usr/bin:/bin` }
      const options = { ...quiet, env, path, onLine: (line: string) => lines.push(line) }
      return (await systemPrograms.start(['sh', '-c', 'echo "$PATH"'], options)).ended
    }
    expect(await start('/usr/bin:/bin')).toEqual({ kind: 'exit', code: 0 })
    expect(lines).toEqual([`${cwd}:/usr/bin:/bin`])
    expect(await start(cwd)).toEqual({ kind: 'exit', code: 127 })
  })

  it('names a folder that is not there', async () => {
    await expect(
      systemPrograms.start(['true'], { ...quiet, cwd: join(cwd, 'gone'), env: {}, onLine: () => {} }),
    ).rejects.toMatchObject({ kind: 'environment', message: expect.stringContaining('Cannot run `true`') })
  })
})
