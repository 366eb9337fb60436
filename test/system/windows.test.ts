import { execFileSync } from 'node:child_process'
import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeEach, describe, expect, it } from 'vitest'
import { builtSource } from '../support/built-source.ts'
import { isRunning } from '../support/is-running.ts'

// What Windows does otherwise than the systems that these tests run on, as it was seen there or in wine.

const built = builtSource()
const made: string[] = []
let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'relay-windows-'))
  made.push(folder)
})
afterAll(() => {
  built.remove()
  for (const path of made) rmSync(path, { recursive: true, force: true })
})

/** What a body returns in a process that takes itself for one on Windows; `fs` can be told to fail there. */
function onWindows(body: string, env: NodeJS.ProcessEnv = {}): unknown {
  const script = `
    import { writeSync } from 'node:fs'
    import fs from 'node:fs'
    import { syncBuiltinESMExports } from 'node:module'
    Object.defineProperty(process, 'platform', { value: 'win32' })
    const folder = ${JSON.stringify(folder)}
    const load = module => import(${JSON.stringify(built.url(''))} + '/' + module)
    const failing = (name, code, times) => {
      const real = fs[name]
      fs[name] = (...args) => {
        if (times-- > 0) throw Object.assign(new Error(code), { code })
        return real(...args)
      }
      syncBuiltinESMExports()
    }
    const returned = await (async () => { ${body} })()
    writeSync(1, JSON.stringify(returned ?? null))`
  const said = execFileSync(process.execPath, ['--input-type=module', '-e', script], {
    env: { ...process.env, ...env },
    timeout: 50_000,
  })
  return JSON.parse(said.toString())
}

describe('a file that another program has open', () => {
  const load = `const { systemFiles } = await load('system/files/files.js'); const files = systemFiles(folder)`
  beforeEach(() => writeFileSync(join(folder, 'a'), 'one'))

  it.each([
    ['is moved', 'renameSync', `return files.rename(folder + '/a', folder + '/b')`, 'renamed', { a: false, b: true }],
    ['is removed', 'unlinkSync', `return files.remove(folder + '/a')`, true, { a: false, b: false }],
    [
      'is replaced',
      'renameSync',
      `return files.replace(folder + '/b', Buffer.from('two'), folder + '/t')`,
      null,
      { a: true, b: true, t: false },
    ],
  ])('%s once that lets go of it', (_what, name, body, returned, there) => {
    for (const code of ['EPERM', 'EBUSY', 'EACCES']) {
      rmSync(join(folder, 'b'), { force: true })
      writeFileSync(join(folder, 'a'), 'one')
      expect(onWindows(`${load}; failing('${name}', '${code}', 3); ${body}`)).toBe(returned)
      for (const [file, isThere] of Object.entries(there)) expect(existsSync(join(folder, file))).toBe(isThere)
    }
  })

  it('is told of, with what helps there, when that goes on', () => {
    const body = `${load}; const tries = { EBUSY: 0, EPERM: 0 }
      fs.renameSync = (_from, to) => {
        const code = to.slice(-5)
        tries[code] += 1
        throw Object.assign(new Error(code), { code })
      }
      syncBuiltinESMExports()
      const move = code => files.rename(folder + '/a', folder + '/' + code).catch(error => [error.message, error.hint])
      return { told: await Promise.all(Object.keys(tries).map(move)), tries }`
    expect(onWindows(body)).toEqual({
      told: [
        ['Cannot move a: it is in use', 'Close what uses it, then try again.'],
        [
          'Cannot move a: the operation is not permitted',
          'Close what has it open. If nothing has, look who may change it: `icacls "a"`',
        ],
      ],
      tries: { EBUSY: 28, EPERM: 28 },
    })
  })
})

it('has disks without second names, which say that it is a folder', () => {
  writeFileSync(join(folder, 'a'), 'one')
  const body = `const { systemFiles } = await load('system/files/files.js'); failing('linkSync', 'EISDIR', 1)
    return systemFiles(folder).link(folder + '/a', folder + '/b')`
  expect(onWindows(body)).toBe('unsupported')
})

it('gives PowerShell, by which the library reads, the time that its first start takes', () => {
  const body = `const { default: library } = await load('node_modules/clipboardy/index.js')
    library.read = () => new Promise(resolve => setTimeout(() => resolve('copied'), 2200))
    const { systemClipboard } = await load('system/clipboard/system-clipboard.js')
    return systemClipboard().read()`
  expect(onWindows(body)).toBe('copied')
})

it('brings to the disk through a handle that may write', () => {
  const flags = `const opened = []; const real = fs.openSync
    fs.openSync = (path, flags) => (opened.push(flags), real(path, flags)); syncBuiltinESMExports()`
  writeFileSync(join(folder, 'a'), 'one')
  const body = `const { systemFiles } = await load('system/files/files.js'); ${flags}
    await systemFiles(folder).sync(folder + '/a'); return opened.includes(fs.constants.O_RDWR)`
  expect(onWindows(body)).toBe(true)
})

describe('a command', () => {
  /** A shell that takes the word and the command as that of Windows does, and notes what it was started with. */
  function shell(): NodeJS.ProcessEnv {
    const path = join(folder, 'cmd.exe')
    const lines = [
      '#!/bin/sh',
      'printf "%s\\n" "$@" > "$0.args"',
      'read -r go && [ "$go" = "$(printf "go\\r")" ] || exit 0',
      'exec /bin/sh -c "$RELAY_COMMAND"',
    ]
    writeFileSync(path, `${lines.join('\n')}\n`)
    chmodSync(path, 0o755)
    return { ComSpec: path, PATH: '/usr/bin:/bin' }
  }
  const run = (command: string, more = '') => `const { systemShell } = await load('system/shell.js')
    return systemShell.run(${JSON.stringify(command)}, { cwd: folder, timeLimit: 30, signal: new AbortController().signal,
      onStart: async () => {}, ${more} })`

  it('is no part of the line that waits for the word, so that nothing in it can end that', () => {
    const env = shell()
    const command = 'echo "a) b & c" & wait; exit 3 # rem )'
    expect(onWindows(run(command), env)).toMatchObject({ end: { kind: 'exit', code: 3 }, output: 'a) b & c\n' })
    const gate = `"set /p RELAY_GO=& if "!RELAY_GO!"=="go" "${env['ComSpec']}" /d /s /c "!RELAY_COMMAND!""`
    expect(readFileSync(`${env['ComSpec']}.args`, 'utf8')).toBe(`/d\n/v:on\n/s\n/c\n${gate}\n`)
  })

  it('never runs when relay gives up before the word', () => {
    const body = run('echo > ran', `onStart: async () => { throw new Error('no') },`)
    expect(onWindows(body.replace('return', 'await').concat('.catch(() => {})'), shell())).toBeNull()
    expect(existsSync(join(folder, 'ran'))).toBe(false)
  })

  it('is ended where there is no taskkill', () => {
    const body = `const over = new AbortController()
      const look = setInterval(() => fs.existsSync(folder + '/pid') && over.abort(clearInterval(look)), 10)
      ${run('echo $$ > new && mv new pid; exec sleep 1000', 'signal: over.signal,')}`
    expect(onWindows(body, shell())).toMatchObject({ end: { kind: 'aborted' } })
    expect(isRunning(Number(readFileSync(join(folder, 'pid'), 'utf8')))).toBe(false)
  })
})

describe('a program', () => {
  const find = (program: string) => `const { findProgram } = await load('system/find-program.js')
    return findProgram('${program}', { PATH: folder, PATHEXT: '.EXE;.CMD' })`

  it('is looked for by the endings that can be started, beside a script for other shells', () => {
    for (const name of ['tsc', 'tsc.CMD']) writeFileSync(join(folder, name), '', { mode: 0o755 })
    expect(onWindows(find('tsc'))).toBe(join(folder, 'tsc.CMD'))
    expect(onWindows(find('tsc.CMD'))).toBe(join(folder, 'tsc.CMD'))
    rmSync(join(folder, 'tsc.CMD'))
    expect(onWindows(find('tsc'))).toBeNull()
  })

  it('that cannot be started without a shell says nothing', () => {
    writeFileSync(join(folder, 'git.CMD'), '', { mode: 0o755 })
    const body = `process.getBuiltinModule('node:child_process').execFile = () => { throw new Error('spawn EINVAL') }
      return (await load('system/output-of.js')).outputOf(folder + '/git.CMD', [])`
    expect(onWindows(body)).toBe('')
  })
})

it('has no Ctrl+Z', () => {
  const body = `process.kill = () => { throw Object.assign(new Error(), { code: 'ERR_UNKNOWN_SIGNAL' }) }
    await (await load('system/terminal/keyboard-mode.js')).suspend({}); return 'goes on'`
  expect(onWindows(body)).toBe('goes on')
})
