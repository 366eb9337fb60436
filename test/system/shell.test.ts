import { type ChildProcess, execFileSync, spawn, spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it, vi } from 'vitest'
import type { ProcessMark, RunOptions } from '../../src/ports.ts'
import { late } from '../../src/system/late.ts'
import { systemShell } from '../../src/system/shell.ts'
import { whereMounting } from '../faults/mount.ts'
import { builtSource } from '../support/built-source.ts'
import { diskError } from '../support/fake-disk.ts'
import { fakeSystem } from '../support/fake-system.ts'
import { until } from '../support/until.ts'
import { shellContract } from './shell.contract.ts'

const made: string[] = []
const started: number[] = []
function folder(): string {
  const path = realpathSync(mkdtempSync(join(tmpdir(), 'relay-shell-')))
  made.push(path)
  return path
}
const built = builtSource()
afterAll(() => {
  built.remove()
  for (const pid of started) if (lives(pid)) process.kill(pid, 'SIGKILL')
  for (const path of made) rmSync(path, { recursive: true, force: true })
})

shellContract('real', async () => {
  const cwd = folder()
  return { shell: systemShell, cwd, exists: name => existsSync(join(cwd, name)) }
})

shellContract('fake', async () => {
  const { shell, disk } = fakeSystem({
    autoAdvance: true,
    commands: {
      'echo hello': { output: 'hello\n' },
      'echo bad; exit 3': { output: 'bad\n', exit: 3 },
      'kill -KILL $$': { signal: 'SIGKILL' },
      'sleep 30': { takes: 30_000 },
      'echo > ran': { effect: () => disk.write('ran', '\n') },
    },
  })
  shell.programs.set('sh', '/bin/sh')
  return { shell, cwd: disk.root, exists: name => disk.exists(name) }
})

/** Runs a command line for real. `more` gets the folder, where commands leave their process numbers. */
async function run(command: string, options: Partial<RunOptions> & { cwd: string }) {
  const signal = new AbortController().signal
  return systemShell.run(command, { timeLimit: 30, signal, onStart: async () => {}, ...options })
}

/** Runs it until it has come so far, and then tells it to end. */
async function runUntil(isSo: () => boolean, command: string, options: Partial<RunOptions> & { cwd: string }) {
  const stop = new AbortController()
  const ends = run(command, { ...options, signal: stop.signal })
  await until(isSo, 'the command has come so far').finally(() => stop.abort())
  return ends
}

/** The lines that a command has written so far. */
function linesOf(path: string): readonly string[] {
  return existsSync(path) ? readFileSync(path, 'utf8').split('\n').slice(0, -1) : []
}

describe('the real shell', () => {
  it('keeps both outputs in the order they came', async () => {
    const lines = Array.from({ length: 200 }, (_, i) => `line ${i}\n`).join('')
    const command =
      'i=0; while [ $i -lt 200 ]; do if [ $((i % 2)) = 0 ]; then echo line $i; else echo line $i >&2; fi; i=$((i+1)); done'
    expect((await run(command, { cwd: folder() })).output).toBe(lines)
  })

  it('takes a command line as the shell does, whatever is in it', async () => {
    const command = `x='a "b" $HOME'; echo "$x" \\\`  é 'it'"'"'s'; echo "$0 $#" # comment`
    const result = await run(`${command}\nprintf '%s|' one "two  three"`, { cwd: folder() })
    expect(result.output).toBe(`a "b" $HOME \` é it's\n${'/bin/sh'} 0\none|two  three|`)
  })

  it('runs in the folder, with the environment and what is changed in it, and nothing of relay in it', async () => {
    const cwd = folder()
    const result = await run(
      'pwd; echo $EXTRA $HOME; env | grep -ci relay_; (: <&3) 2>&- && echo open || echo closed',
      {
        cwd,
        env: { EXTRA: 'added', HOME: undefined },
      },
    )
    expect(result.output).toBe(`${cwd}\nadded\n0\nclosed\n`)
  })

  it('gives it no terminal and nothing to read', async () => {
    const result = await run('cat; if (: < /dev/tty) 2>/dev/null; then echo terminal; else echo none; fi', {
      cwd: folder(),
    })
    expect(result).toMatchObject({ output: 'none\n', end: { code: 0 } })
  })

  it('says what is missing when it cannot start', async () => {
    await expect(run('true', { cwd: '/no/such/folder' })).rejects.toMatchObject({
      kind: 'environment',
      message: 'Cannot run `true`: no shell, or no folder /no/such/folder',
    })
  })

  it('says so, too, where Node throws at once why it cannot start', async () => {
    await expect(run('true', { cwd: '/', env: { LONG: 'x'.repeat(2 ** 18) } })).rejects.toMatchObject({
      kind: 'environment',
      message: 'Cannot run `true`: E2BIG',
    })
  })

  it.each([
    ['EPERM', 'the system does not allow it', /a sandbox/],
    ['ENOMEM', 'the memory is used up', /Close other programs/],
  ])('says what forbids the start of any program: %s', async (code, text, hint) => {
    const spawn = vi.spyOn(late.childProcess, 'spawn').mockImplementation(() => {
      throw diskError(code)
    })
    await expect(run('true', { cwd: '/' })).rejects.toMatchObject({
      message: `Cannot run \`true\`: ${text}`,
      hint: expect.stringMatching(hint),
    })
    spawn.mockRestore()
  })

  whereMounting('a system without /dev/null')('names /dev/null where that is what is missing', () => {
    const script = `
      import { systemShell } from ${JSON.stringify(built.url('system/shell.js'))}
      const options = { cwd: '/', timeLimit: 9, signal: new AbortController().signal, onStart: async () => {} }
      console.log(await systemShell.run('true', options).then(String, error => error.message))`
    const line = 'mount -t tmpfs none /dev && exec "$0" --input-type=module -e "$1"'
    const output = execFileSync('unshare', ['-m', 'sh', '-c', line, process.execPath, script]).toString()
    expect(output).toBe('Cannot run `true`: no /dev/null\n')
  })

  it('says what to do when no handle is left to start it with', () => {
    const script = `
      import { openSync } from 'node:fs'
      import { systemShell } from ${JSON.stringify(built.url('system/shell.js'))}
      const options = { cwd: '/', timeLimit: 9, signal: new AbortController().signal, onStart: async () => {} }
      await systemShell.run('true', options)
      try { for (;;) openSync('/dev/null') } catch {}
      const { kind, message, hint } = await systemShell.run('true', options).catch(error => error)
      console.log(JSON.stringify({ kind, message, hint }))`
    const args = ['-c', 'ulimit -n 64; exec "$0" --input-type=module -e "$1"', process.execPath, script]
    expect(JSON.parse(execFileSync('sh', args, { timeout: 50_000 }).toString())).toEqual({
      kind: 'environment',
      message: 'Cannot run `true`: too many files are open',
      hint: 'Raise the limit: `ulimit -n 4096`',
    })
  })

  it('says what is missing where it cannot see itself, as without /proc', async () => {
    const own = Object.getOwnPropertyDescriptor(process, 'pid') ?? {}
    Object.defineProperty(process, 'pid', { ...own, value: 2 ** 22 + 1 })
    try {
      await expect(systemShell.self()).rejects.toMatchObject({
        kind: 'environment',
        hint: 'Look whether `ps` shows your own processes here.',
      })
    } finally {
      Object.defineProperty(process, 'pid', own)
    }
  })

  it('keeps the beginning and the end of a long output, in whole lines', async () => {
    const count = 2_000_000
    const result = await run(`seq 1 ${count}`, { cwd: folder() })
    const lines = result.output.split('\n')
    const gap = lines.findIndex(line => line.startsWith('[...'))
    expect(result.cut).toBe(true)
    expect(Buffer.byteLength(result.output)).toBeLessThanOrEqual(10 * 1024 * 1024)
    expect(Buffer.byteLength(result.output)).toBeGreaterThan(10 * 1024 * 1024 - 1000)
    expect(lines.slice(0, 2)).toEqual(['1', '2'])
    expect(lines.slice(-3)).toEqual([String(count - 1), String(count), ''])
    const [last, next] = [Number(lines[gap - 1]), Number(lines[gap + 1])]
    const missing = Array.from({ length: next - last - 1 }, (_, i) => `${last + 1 + i}\n`).join('')
    expect(lines[gap]).toBe(`[... ${missing.length} bytes left out ...]`)
  })

  it('says so when what it prints cannot be read to its end: errors in it would be missed', async () => {
    const { childProcess } = late
    let child: ChildProcess | undefined
    const spawned = vi.spyOn(late, 'childProcess', 'get').mockReturnValue({
      ...childProcess,
      spawn: ((...args: Parameters<typeof spawn>) => {
        child = childProcess.spawn(...args)
        return child
      }) as typeof spawn,
    })
    const breaks = run('echo one', {
      cwd: folder(),
      onStart: async () => void child?.stdout?.destroy(Object.assign(new Error('broken'), { code: 'EIO' })),
    })
    await expect(breaks).rejects.toThrow('Cannot read what `echo one` prints: EIO')
    spawned.mockRestore()
  })

  it('does not wait for a daemon that the command left behind, and leaves it alone', async () => {
    const cwd = folder()
    const result = await run('sleep 60 & echo $! > pid; echo done', { cwd })
    const pid = Number(readFileSync(join(cwd, 'pid'), 'utf8'))
    started.push(pid)
    expect(result).toEqual({ end: { kind: 'exit', code: 0 }, output: 'done\n', cut: false })
    expect(lives(pid)).toBe(true)
  })

  it('ends children and grandchildren, also one in a session of its own and one that ignores TERM', async () => {
    const cwd = folder()
    const stubborn = `trap "" TERM; echo $$ > stubborn; while :; do sleep 1; done`
    const pids = () => ['child', 'session', 'stubborn'].flatMap(name => linesOf(join(cwd, name)).map(Number))
    const command = `echo ready; sleep 60 & echo $! > child; setsid sleep 61 & echo $! > session; sh -c '${stubborn}' & wait`
    const result = await runUntil(() => pids().length === 3, command, { cwd })
    started.push(...pids())
    expect(result).toEqual({ end: { kind: 'aborted' }, output: 'ready\n', cut: false })
    expect(pids().map(lives)).toEqual([false, false, false])
  })

  it('ends also what a child in a session of its own starts while it is being ended', async () => {
    const cwd = folder()
    writeFileSync(join(cwd, 'again.sh'), 'trap : TERM; while :; do sleep 600 & echo $! >> sleeps; wait $!; done')
    const pids = () => ['again', 'sleeps'].flatMap(name => linesOf(join(cwd, name)).map(Number))
    await runUntil(() => pids().length >= 2, 'setsid sh again.sh & echo $! > again; wait', { cwd })
    started.push(...pids())
    expect(pids().length).toBeGreaterThan(2)
    expect(pids().filter(lives)).toEqual([])
  })

  it('ends also what sessions of their own start all the time, until the moment they end', async () => {
    const cwd = folder()
    const restless = 'trap : TERM; while :; do sleep 600 & echo $! >> sleeps; sleep 0.01; kill -9 $!; done'
    writeFileSync(join(cwd, 'restless.sh'), restless)
    const pids = () => linesOf(join(cwd, 'sleeps')).map(Number)
    const command = 'for each in 1 2 3 4; do setsid sh restless.sh & done; wait'
    await runUntil(() => pids().length > 8, command, { cwd })
    const left = pids().filter(lives)
    started.push(...left)
    expect(left).toEqual([])
  })

  it('ends a group whose leader is gone, and only once, when one of it carries the mark', async () => {
    const cwd = folder()
    let group: ProcessMark | undefined
    await run('sleep 60 & echo $! > pid', {
      cwd,
      env: { RELAY_UUID: 'this-one' },
      onStart: async mark => {
        group = mark
      },
    })
    if (group === undefined) throw new Error('never started')
    const pid = Number(readFileSync(join(cwd, 'pid'), 'utf8'))
    started.push(pid)
    expect(await systemShell.lifeOf(group)).toBe('dead')
    expect(await systemShell.endLeftGroup(group, 'RELAY_UUID=another-one')).toBe(false)
    expect(lives(pid)).toBe(true)
    expect(await systemShell.endLeftGroup(group, 'RELAY_UUID=this-one')).toBe(true)
    expect(lives(pid)).toBe(false)
    expect(await systemShell.endLeftGroup(group, 'RELAY_UUID=this-one')).toBe(false)
  })

  it('knows who has started this process', async () => {
    const self = await systemShell.self()
    expect(await systemShell.hasStartedThis({ ...self, pid: process.ppid })).toBe(true)
    expect(await systemShell.hasStartedThis(self)).toBe(false)
  })

  it.runIf(process.platform !== 'win32')('knows who has started this process by way of a shell', async () => {
    const script = `
      import { systemShell } from ${JSON.stringify(built.url('system/shell.js'))}
      console.log(await systemShell.hasStartedThis(JSON.parse(process.argv[1])))`
    const ofThis = JSON.stringify(await systemShell.self())
    const line = '"$0" --input-type=module -e "$1" "$2"; exit'
    const output = execFileSync('sh', ['-c', line, process.execPath, script, ofThis])
    expect(output.toString()).toBe('true\n')
  })

  it("ends nothing for a mark that could be anybody's", async () => {
    const child = spawn('sleep', ['60'], { detached: true, stdio: 'ignore', env: { ...process.env, RELAY_UUID: 'x' } })
    const pid = child.pid ?? -1
    started.push(pid)
    const self = await systemShell.self()
    const mark = { ...self, pid, startedAt: startOf(pid) }
    for (const wrong of [{ startedAt: '' }, { boot: '' }, { pid: 1 }, { pid: 0 }, { pid: -pid }, { startedAt: '1' }]) {
      expect(await systemShell.endLeftGroup({ ...mark, ...wrong }, 'RELAY_UUID=x')).toBe(false)
    }
    expect(lives(pid)).toBe(true)
    expect(await systemShell.endLeftGroup(mark, 'RELAY_UUID=x')).toBe(true)
  })

  it.runIf(canUnshare())('cannot see a process of another container, and does not take it for dead', async () => {
    const script = `
      import { systemShell } from ${JSON.stringify(built.url('system/shell.js'))}
      console.log(JSON.stringify(await systemShell.self()))
      process.stdin.resume()`
    const line = [process.execPath, '--input-type=module', '-e', script]
    const child = spawn('unshare', ['--pid', '--fork', '--kill-child', '--mount-proc', ...line], {
      stdio: ['pipe', 'pipe', 'inherit'],
    })
    const mark = JSON.parse(
      await new Promise<string>(resolve => child.stdout.once('data', data => resolve(String(data)))),
    ) as ProcessMark
    expect(mark.pid).toBe(1)
    expect(await systemShell.lifeOf(mark)).toBe('unseen')
    expect(await systemShell.endLeftGroup(mark, 'A=b')).toBe(false)
    child.stdin.end()
    await new Promise(resolve => child.once('close', resolve))
    expect(await systemShell.lifeOf(mark)).toBe('unseen')
  })

  it.runIf(process.platform === 'linux')(
    'knows a process by what is not hidden of the machine, and of its boot',
    async () => {
      const self = await systemShell.self()
      const machine = self.machine.replace(/-[^-]*$/, '-00000000')
      const life = (changes: Partial<ProcessMark>) => systemShell.lifeOf({ ...self, ...changes })
      const dead = { pid: spawnSync('true').pid }
      expect(await Promise.all([life({ machine }), life({ boot: '' })])).toEqual(['alive', 'alive'])
      expect(await Promise.all([life({ ...dead, machine }), life({ ...dead, boot: '' })])).toEqual(['dead', 'dead'])
      // Where neither tells, it can be another machine of that name.
      expect(await Promise.all([life({ machine, boot: '' }), life({ machine, boot: 'x' })])).toEqual([
        'unseen',
        'unseen',
      ])
      expect(await life({ machine, space: 'x' })).toBe('unseen')
    },
  )

  it('does not take a zombie for alive', async () => {
    const cwd = folder()
    // The parent never asks for its child's end.
    writeFileSync(join(cwd, 'parent.sh'), 'sh -c "echo \\$\\$ > pid; exit 0" & exec sleep 60')
    const parent = spawn('sh', ['parent.sh'], { cwd, stdio: 'ignore' })
    started.push(parent.pid ?? -1)
    await until(
      () => existsSync(join(cwd, 'pid')) && readFileSync(join(cwd, 'pid'), 'utf8') !== '',
      'the child writes its number',
    )
    const pid = Number(readFileSync(join(cwd, 'pid'), 'utf8'))
    await until(() => stateOf(pid) === 'Z', 'the child is a zombie')
    const self = await systemShell.self()
    expect(await systemShell.lifeOf({ ...self, pid, startedAt: startOf(pid) })).toBe('dead')
    parent.kill('SIGKILL')
  })

  it.runIf(process.platform === 'linux')('says that it cannot look when no handle is left, and not "dead"', () => {
    const script = `
      import { openSync } from 'node:fs'
      import { systemShell } from ${JSON.stringify(built.url('system/shell.js'))}
      const self = await systemShell.self()
      try { for (;;) openSync('/dev/null') } catch {}
      const ended = await Promise.all(
        [systemShell.lifeOf(self), systemShell.self()].map(call => call.then(String, error => error.message)),
      )
      console.log(JSON.stringify(ended))`
    const line = 'ulimit -n 64; exec "$0" --input-type=module -e "$1"'
    const output = execFileSync('sh', ['-c', line, process.execPath, script]).toString()
    const said = expect.stringMatching(/^Cannot read \/proc\/\d+\/stat: too many files are open$/)
    expect(JSON.parse(output)).toEqual([said, said])
  })

  it.each([
    ['before the command has begun', 'exhaust()', 30, ''],
    ['when its time is over', 'onStart = () => setTimeout(exhaust, 100)', 0.3, ''],
    ['once all of it is held', 'process.kill = (...to) => { kill(...to); exhaust() }', 1, 'setsid sleep 1000 &'],
  ])('leaves nothing running where no handle is left %s', async (_when, atOnce, timeLimit, elsewhere) => {
    const cwd = folder()
    const command = `${elsewhere} echo $! > pids; echo $$ >> pids; exec sleep 1000`
    const script = `
      import { closeSync, openSync } from 'node:fs'
      import { systemShell } from ${JSON.stringify(built.url('system/shell.js'))}
      const handles = []
      const exhaust = () => { try { for (;;) handles.push(openSync('/dev/null')) } catch {} }
      const kill = process.kill.bind(process)
      let onStart = () => {}
      const running = systemShell.run(${JSON.stringify(command)}, {
        cwd: ${JSON.stringify(cwd)}, timeLimit: ${timeLimit}, signal: new AbortController().signal,
        onStart: async () => onStart(),
      })
      ${atOnce}
      const ended = await running.catch(error => error.message)
      handles.forEach(closeSync)
      console.log(JSON.stringify(ended))`
    const line = 'ulimit -n 64; exec "$0" --input-type=module -e "$1"'
    const args = ['-c', line, process.execPath, script]
    const output = execFileSync('sh', args, { timeout: 50_000 }).toString()
    expect(JSON.parse(output)).toMatch(/^Cannot read \/proc.*: too many files are open$|^EMFILE/)
    const pids = linesOf(join(cwd, 'pids')).filter(Boolean).map(Number)
    started.push(...pids)
    await until(() => !pids.some(lives), 'the command ends')
  })

  it('never runs the command when relay is killed while onStart works', async () => {
    const cwd = folder()
    const script = `
      import { systemShell } from ${JSON.stringify(built.url('system/shell.js'))}
      await systemShell.run('echo > ran', {
        cwd: ${JSON.stringify(cwd)}, timeLimit: 30, signal: new AbortController().signal,
        onStart: async group => { process.stdout.write(JSON.stringify(group)); await new Promise(() => setInterval(() => {}, 1000)) },
      })`
    const relay = spawn(process.execPath, ['--input-type=module', '-e', script], {
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    const group = JSON.parse(
      await new Promise<string>(resolve => relay.stdout.once('data', data => resolve(String(data)))),
    )
    expect(await systemShell.lifeOf(group)).toBe('alive')
    relay.kill('SIGKILL')
    await until(() => !lives(group.pid), 'the command ends with relay')
    expect(existsSync(join(cwd, 'ran'))).toBe(false)
  })

  it('leaves no listeners behind on a signal that lives long', async () => {
    const cwd = folder()
    const warnings: string[] = []
    const warn = (warning: Error) => warnings.push(warning.name)
    process.on('warning', warn)
    const { signal } = new AbortController()
    for (let i = 0; i < 15; i++) await run('true', { cwd, signal })
    process.off('warning', warn)
    expect(warnings).toEqual([])
  })
})

/** Whether this machine lets us make a process namespace, as a container has one. */
function canUnshare(): boolean {
  try {
    execFileSync('unshare', ['--pid', '--fork', '--mount-proc', 'true'], { stdio: 'ignore' })
    return true
  } catch {
    return false
  }
}

function lives(pid: number): boolean {
  const state = stateOf(pid)
  return state !== undefined && state !== 'Z'
}

function stateOf(pid: number): string | undefined {
  return fields(pid)?.[0]
}

function startOf(pid: number): string {
  return fields(pid)?.[19] ?? ''
}

function fields(pid: number): string[] | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  } catch {
    return undefined
  }
}
