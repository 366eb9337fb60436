import { execFileSync, spawn, spawnSync } from 'node:child_process'
import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, describe, expect, it } from 'vitest'
import { builtSource } from '../../support/built-source.ts'
import { canRunWith } from '../../support/has-program.ts'
import { isRunning } from '../../support/is-running.ts'
import { type Pane, startPane } from '../../support/tmux-pane.ts'
import { until } from '../../support/until.ts'

const built = builtSource()
const folder = mkdtempSync(join(tmpdir(), 'relay-terminal-'))
const panes: Pane[] = []
let scripts = 0
afterEach(async () => {
  for (const pane of panes.splice(0)) await pane.stop()
})
afterAll(() => {
  built.remove()
  rmSync(folder, { recursive: true, force: true })
})

/** A program that has `terminal` and `interruption`, and whatever the body does with them. */
function program(body: string, options = ''): string {
  const path = join(folder, `script-${++scripts}.mjs`)
  writeFileSync(
    path,
    `import { realSystem } from ${JSON.stringify(built.url('system/system.js'))}
     const interruption = new AbortController()
     const system = realSystem({ version: '0', noInput: false, interruption, ${options} })
     const { terminal } = system
     ${body}`,
  )
  return path
}

/** A shell in a terminal, whose prompt is on the screen. */
async function inShell(settings = ''): Promise<Pane> {
  const pane = startPane(`env -u ENV PS1='shell> ' ${settings} sh -i`, { cwd: folder })
  panes.push(pane)
  await pane.until(/shell>/)
  return pane
}

function inPane(body: string, more: { before?: string; after?: string; env?: Record<string, string> } = {}): Pane {
  const { before = '', after = '', env = {} } = more
  // Alone it is the process of the pane, which a test may tell something.
  const alone = before + after === '' ? 'exec' : ''
  const pane = startPane(`${alone} ${before} ${process.execPath} ${program(body)} ${after}`, { cwd: folder, env })
  panes.push(pane)
  return pane
}

/** Asks, and shows what came back in a form that no echo of keys can be taken for. */
const ask = `const shown = value => terminal.err('got ' + JSON.stringify(value ?? null) + ' aborted ' + interruption.signal.aborted)
const asked = async () => shown(await terminal.ask('Keep this change? (y/n/d/?)'))
`

/** `await told` in a script ends when the test says so with `tell`. */
const told = `const told = new Promise(resolve => {
  const waits = setInterval(() => {}, 1000)
  process.on('SIGUSR2', () => resolve(clearInterval(waits)))
})
`

function tell(pane: Pane): void {
  process.kill(pane.pid, 'SIGUSR2')
}

/** Ends when the question takes keys, with nothing typed: what comes in its first half second is dropped on purpose. */
async function takesKeys(pane: Pane): Promise<void> {
  await pane.until(/\(y\/n\/d\/\?\)/)
  await pane.typeUntil(/\?\) x+$/, 'x')
  await pane.typeUntil(/\?\)$/, 'BSpace')
}

const canRun = canRunWith('tmux')

describe.runIf(canRun)('a text for the clipboard of a real terminal', () => {
  const copy = `terminal.err('sent ' + await terminal.copy('hello ✅\\n'))`
  // What tmux takes for itself from the sequence it takes a moment later.
  const taken = (file: string) => `; until tmux show-buffer > ${file} 2> /dev/null; do sleep 0.05; done; exit`

  it.each([
    ['arrives, as every terminal takes it', 'tmux set -g set-clipboard on; env -u TMUX', 'by-sequence'],
    ['arrives in tmux as that is when nobody has set it up', '', 'by-tmux'],
  ])('%s', async (_, before, name) => {
    const pane = inPane(copy, { before, after: taken(join(folder, name)) })
    await pane.ended()
    expect(readFileSync(join(folder, name), 'utf8')).toBe('hello ✅\n')
    expect(pane.screen()).toMatch(/^sent true\n/)
  })
})

describe.runIf(canRun)('a question on a real terminal', () => {
  it('gives the line that was typed, and stands on the screen with it', async () => {
    const pane = inPane(`${ask}await asked()`)
    await takesKeys(pane)
    pane.type('y', 'x', 'BSpace', 'Enter')
    expect(await pane.ended()).toEqual({ status: '0', signal: '' })
    expect(pane.screen()).toMatch(/^\? Keep this change\? \(y\/n\/d\/\?\) y\ngot "y" aborted false\n/)
  })

  it('does not take what was typed before it could be read', async () => {
    const pane = inPane(`${ask}${told}
      terminal.err('working')
      await told
      await asked()`)
    await pane.until(/working/)
    pane.type('y', 'Enter', 'y', 'Enter')
    await pane.until(/^y$/m, 2)
    tell(pane)
    // Once, and only of what looked like an answer.
    await pane.until(/could read the question\.\n\? Keep this change\? \(y\/n\/d\/\?\)/)
    await pane.typeUntil(/got/, 'n', 'Enter')
    expect(pane.screen()).toContain('got "n" aborted false')
    expect(pane.screen().match(/could read the question/g)).toHaveLength(1)
  })

  it.each([
    ['does not take a paste, and takes what is typed after it', 'y\ny\n'],
    ['does not take what a paste holds behind the marker of its own end', 'text\x1b[201~y\ny\n'],
  ])('%s', async (_, text) => {
    const pane = inPane(`${ask}await asked()`)
    await takesKeys(pane)
    pane.paste(text)
    await pane.typeUntil(/got/, 'n', 'Enter')
    expect(pane.screen()).toContain('got "n" aborted false')
  })

  it('gives the empty line for Enter alone: nothing is the default', async () => {
    const pane = inPane(`${ask}await asked()`)
    await pane.typeUntil(/got/, 'Enter')
    expect(pane.screen()).toContain('got "" aborted false')
  })

  describe('that takes a single key', () => {
    const single = `const shown = value => terminal.err('got ' + JSON.stringify(value ?? null) + ' aborted ' + interruption.signal.aborted)
      const asked = async () => shown(await terminal.ask('Keep this change? (y/n/d/?)', { singleKey: true }))
      await asked()`

    it('gives it without Enter, and stands on the screen with it', async () => {
      const pane = inPane(single)
      await pane.until(/\(y\/n\/d\/\?\)/)
      await pane.typeUntil(/got/, 'y')
      expect(await pane.ended()).toEqual({ status: '0', signal: '' })
      expect(pane.screen()).toMatch(/^\? Keep this change\? \(y\/n\/d\/\?\) y\ngot "y" aborted false\n/)
    })

    it('does not count what was typed too early, a paste, an arrow or a backspace', async () => {
      const pane = inPane(`${told}
        terminal.err('working')
        await told
        ${single}`)
      await pane.until(/working/)
      pane.type('y')
      await pane.until(/^y$/m)
      tell(pane)
      await pane.until(/could read the question\.\n\? Keep this change\? \(y\/n\/d\/\?\)/)
      // Past the half second in which nothing would count.
      await new Promise(resolve => setTimeout(resolve, 600))
      pane.paste('y')
      pane.type('Up')
      pane.type('BSpace')
      await pane.typeUntil(/got/, 'ä')
      expect(pane.screen()).toContain('got "ä" aborted false')
    })

    it('gives the empty line for Enter, and hears Ctrl+C', async () => {
      const pane = inPane(`${single}; await asked()`)
      await pane.typeUntil(/got/, 'Enter')
      expect(pane.screen()).toContain('got "" aborted false')
      await pane.until(/\(y\/n\/d\/\?\)/, 2)
      pane.type('C-c')
      await pane.ended()
      expect(pane.screen()).toContain('got null aborted true')
    })
  })

  it('takes Ctrl+C at any time for an interruption', async () => {
    const pane = inPane(`${ask}await asked(); await asked()`)
    await pane.until(/\(y\/n\/d\/\?\)/)
    pane.type('C-c')
    expect(await pane.ended()).toEqual({ status: '0', signal: '' })
    expect(pane.screen()).toMatch(
      /^\? Keep this change\? \(y\/n\/d\/\?\)\ngot null aborted true\ngot null aborted true\n/,
    )
  })

  it('ends without an answer at the end of the input, and when relay is interrupted', async () => {
    const pane = inPane(`${ask}await asked()
      setTimeout(() => interruption.abort('SIGTERM'), 300)
      await asked()`)
    await pane.until(/\(y\/n\/d\/\?\)/)
    pane.type('C-d')
    await pane.ended()
    expect(pane.screen()).toContain('got null aborted false')
    expect(pane.screen()).toContain('got null aborted true')
  })

  it('prints lines above it, keeps what was typed, and is as it was', async () => {
    const pane = inPane(`${ask}${told}
      told.then(() => { terminal.err('one more waiting'); terminal.err('and another') })
      await asked()`)
    await takesKeys(pane)
    pane.type('n')
    await pane.until(/\?\) n$/)
    tell(pane)
    await pane.until(/^one more waiting\nand another\n\? Keep this change\? \(y\/n\/d\/\?\) n$/)
    pane.type('Enter')
    await pane.until(/got "n" aborted false/)
  })

  it('can be suspended and resumed, and asks again', async () => {
    const pane = await inShell()
    pane.type(`${process.execPath} ${program(`${ask}await asked(); terminal.err('done')`)}`, 'Enter')
    await pane.until(/\(y\/n\/d\/\?\)/)
    pane.type('C-z')
    await pane.until(/shell>/, 2)
    pane.type('echo suspen""ded', 'Enter')
    await pane.until(/suspended/)
    pane.type('fg', 'Enter')
    await pane.until(/\(y\/n\/d\/\?\)/, 2)
    await pane.typeUntil(/done/, 'y', 'Enter')
    expect(pane.screen()).toContain('got "y" aborted false')
  })

  it('goes on where nobody could resume it', async () => {
    const pane = inPane(`${ask}await asked()`)
    await pane.until(/\(y\/n\/d\/\?\)/)
    pane.type('C-z')
    await pane.typeUntil(/got/, 'y', 'Enter')
    expect(pane.screen()).toContain('got "y" aborted false')
  })

  it('is asked on the terminal itself when stdin is data', async () => {
    const pane = inPane(
      `${ask}terminal.err(JSON.stringify([terminal.piped, terminal.canAsk, String(await terminal.readStdin())]))
      await asked(); await asked()`,
      { before: `printf 'y\\ny\\n' |` },
    )
    await pane.until(/\[true,true,"y\\ny\\n"\]/)
    await pane.typeUntil(/got/, 'n', 'Enter')
    await pane.typeUntil(/got/, 'd', 'Enter')
    expect(pane.screen()).toContain('got "n" aborted false')
    expect(pane.screen()).toMatch(/got "d" aborted false/)
  })

  it('ends without an answer when the terminal is closed, and relay goes on', async () => {
    const told = join(folder, 'hangup')
    const pane = inPane(`${ask}
      import { writeFileSync } from 'node:fs'
      process.on('SIGHUP', () => interruption.abort('SIGHUP'))
      const value = await terminal.ask('Keep this change? (y/n/d/?)')
      terminal.err('to nobody')
      setTimeout(() => writeFileSync(${JSON.stringify(told)}, String(value)), 100)`)
    await pane.until(/\(y\/n\/d\/\?\)/)
    await pane.stop()
    await until(() => existsSync(told) && readFileSync(told, 'utf8') !== '', 'the end after the hangup')
    expect(readFileSync(told, 'utf8')).toBe('undefined')
  })

  it('leaves the terminal as it was, without colour where none is wanted', async () => {
    const pane = await inShell('NO_COLOR=1')
    pane.type(
      `stty -a > before; ${process.execPath} ${program(`${ask}await asked()`)}; stty -a > after; echo en""d`,
      'Enter',
    )
    await pane.typeUntil(/\nend/, 'y', 'Enter')
    expect(readFileSync(join(folder, 'after'), 'utf8')).toBe(readFileSync(join(folder, 'before'), 'utf8'))
  })

  it('says why it is not asked where somebody sits at a terminal that cannot show it', async () => {
    const why = 'terminal.err(JSON.stringify(terminal.whyUnasked ?? null))'
    for (const [before, expected] of [
      ['env TERM=dumb', '"TERM=dumb: this terminal cannot show a question"'],
      ['env TERM=xterm', 'null'],
    ] as const) {
      const pane = inPane(why, { before })
      await pane.ended()
      expect(pane.screen().split('\n')[0]).toBe(expected)
    }
  })

  it('is not asked where nobody is to be asked', async () => {
    const none = `${ask}terminal.err(JSON.stringify(terminal.canAsk)); await asked()`
    for (const more of [
      { after: '< /dev/null' },
      { env: { RELAY_PROMPT_DISABLED: '1' } },
      { before: 'env TERM=dumb' },
      { after: '2> stderr; cat stderr' },
    ]) {
      const pane = inPane(none, more)
      await pane.ended()
      expect(pane.screen()).toMatch(/^false\ngot null aborted false/)
    }
  })
})

describe.runIf(canRun)('a paste into the window', () => {
  const told = join(folder, 'pasted')
  /** Shows how long each pasted text is, keeps the last one in a file, and shows each key. */
  const pastes = `${ask}
    import { writeFileSync } from 'node:fs'
    process.on('SIGINT', () => interruption.abort('SIGINT'))
    const pasted = text => {
      writeFileSync(${JSON.stringify(told)}, text)
      terminal.err('pasted ' + text.length)
    }
    const end = terminal.listen({ pasted, unmarked: () => terminal.err('unmarked'), pressed: key => terminal.err('pressed ' + key) })
    terminal.err('ready')
    const interrupted = new Promise(resolve => interruption.signal.addEventListener('abort', resolve))
    `
  const all = `${pastes} await interrupted; end(); terminal.err('end')`

  it('leaves Ctrl+C and Ctrl+Z what they are where no signal can be sent: Windows', async () => {
    const windows = `Object.defineProperty(process, 'platform', { value: 'win32' })
      process.kill = (_pid, signal) => { if (signal !== 'SIGINT') throw new Error('unknown signal'); process.exit(1) }
      process.on('SIGINT', () => interruption.abort('SIGINT'))`
    const pane = inPane(`${windows}\n${all}`)
    await pane.until(/ready/)
    pane.type('C-z')
    pane.paste('still here')
    await pane.until(/pasted 10/)
    pane.type('C-c')
    expect(await pane.ended()).toEqual({ status: '0', signal: '' })
    expect(pane.screen()).toMatch(/^ready\npasted 10\nend\n/)
  })

  it('is a text, and no keys', async () => {
    const pane = inPane(all)
    await pane.until(/ready/)
    pane.type('y', 'Enter', 'x')
    pane.paste('one\n\ttwo ✅\n\n')
    await pane.until(/pasted 12/)
    expect(readFileSync(told, 'utf8')).toBe('one\n\ttwo ✅\n\n')
    pane.paste('y\n')
    await pane.until(/pasted 2/)
    pane.type('C-c')
    await pane.until(/end/)
    expect(await pane.ended()).toEqual({ status: '0', signal: '' })
    expect(pane.screen()).toMatch(/^ready\npasted 12\npasted 2\nend\n/)
  })

  it('arrives byte for byte, also when it is a megabyte', async () => {
    const pane = inPane(all)
    await pane.until(/ready/)
    const text = Array.from({ length: 40_000 }, (_, line) => `${line}\twörld ✅ \\x1b[20  \n`).join('')
    expect(Buffer.byteLength(text)).toBeGreaterThan(1_000_000)
    pane.paste(text)
    await pane.until(new RegExp(`pasted ${text.length}`))
    expect(readFileSync(told, 'utf8') === text).toBe(true)
  })

  it('is told of, and dropped, where the terminal does not mark it', async () => {
    const pane = inPane(all)
    await pane.until(/ready/)
    pane.type('-l', 'y'.repeat(1000))
    await pane.until(/unmarked/)
    pane.type('C-c')
    await pane.until(/end/)
    expect(pane.screen()).not.toContain('pressed')
  })

  it('is no answer while a question is open', async () => {
    const pane = inPane(`${pastes} await asked(); await interrupted`)
    await takesKeys(pane)
    pane.paste('y\ny\n')
    await pane.until(/pasted 4/)
    expect(pane.screen()).not.toContain('got')
    await pane.typeUntil(/got/, 'n', 'Enter')
    expect(pane.screen()).toContain('got "n" aborted false')
    pane.paste('after it\n')
    await pane.until(/pasted 9/)
  })

  it('can be made after Ctrl+Z and fg, and the shell gets its terminal back each time', async () => {
    const pane = await inShell()
    pane.type(`stty -a > before; ${process.execPath} ${program(all)}`, 'Enter')
    await pane.until(/ready/)
    pane.type('C-z')
    await pane.until(/shell>/, 2)
    pane.type('stty -a > stopped; echo suspen""ded', 'Enter')
    await pane.until(/suspended/)
    pane.type('fg', 'Enter')
    await pane.until(/suspended\n.*fg\n/)
    await until(() => {
      pane.paste('12345')
      return /pasted 5/.test(pane.screen())
    }, 'a paste')
    // One that comes together with the last of these pastes would be a part of it.
    await pane.typeUntil(/end\nshell>/, 'C-c')
    pane.type('stty -a > after; echo do""ne', 'Enter')
    await pane.until(/done/)
    const mode = readFileSync(join(folder, 'before'), 'utf8')
    expect(readFileSync(join(folder, 'stopped'), 'utf8')).toBe(mode)
    expect(readFileSync(join(folder, 'after'), 'utf8')).toBe(mode)
  })

  it.each([
    ['throws', `throw new Error('defect')`],
    ['exits', 'process.exit(3)'],
  ])('leaves the terminal as it was when relay %s', async (_how, ending) => {
    const pane = await inShell()
    const script = program(`${pastes} setTimeout(() => { ${ending} }, 300); await interrupted`)
    pane.type(`stty -a > before; ${process.execPath} ${script}; stty -a > after; echo en""d`, 'Enter')
    await pane.until(/\nend/)
    expect(readFileSync(join(folder, 'after'), 'utf8')).toBe(readFileSync(join(folder, 'before'), 'utf8'))
    // Marked no longer: the shell would show the marks.
    pane.paste('echo plain')
    await pane.until(/shell> echo plain/)
  })

  it('does not stop relay in the background of a shell', async () => {
    const pane = await inShell()
    pane.type(
      `${process.execPath} ${program(`${pastes} setTimeout(() => process.exit(), 500)`)} & wait; echo en""d`,
      'Enter',
    )
    await pane.until(/\nend/)
    expect(pane.screen()).not.toMatch(/Stopped/)
    expect(pane.screen()).toMatch(/ready/)
  })

  it('cannot be made where nobody is to be asked', async () => {
    const pane = inPane(`terminal.err(String(terminal.listen({ pasted() {}, unmarked() {}, pressed() {} })))`, {
      env: { RELAY_PROMPT_DISABLED: '1' },
    })
    await pane.ended()
    expect(pane.screen()).toMatch(/^undefined/)
  })
})

describe.runIf(canRun)('the live line', () => {
  it('stands below the lines that are printed, and goes away', async () => {
    const pane = inPane(`${told}
      terminal.status('lint  tsc')
      setTimeout(() => terminal.err('first line'), 400)
      setTimeout(() => terminal.status('lint  tsc  1 s'), 600)
      setTimeout(() => terminal.err('second line'), 800)
      await told
      terminal.status(undefined)
      terminal.err('kept')`)
    await pane.until(/^first line\nsecond line\n\S lint {2}tsc {2}1 s$/)
    tell(pane)
    await pane.ended()
    expect(pane.screen()).toMatch(/^first line\nsecond line\nkept\n/)
  })

  it('leaves nothing behind, and takes no line away, in a window that becomes narrower or wider', async () => {
    const pane = inPane(`${told}
      terminal.err('above\\n'.repeat(40))
      terminal.status('lint  ' + 'tsc '.repeat(22))
      await told
      terminal.status(undefined)
      terminal.err('kept')`)
    for (const columns of [30, 100, 20, 60]) {
      await pane.until(/\n\S lint/)
      pane.resize(columns)
      await pane.until(new RegExp(`^(above\\n){40}\\S lint.{0,${columns - 6}}$`))
    }
    tell(pane)
    await pane.ended()
    expect(pane.screen()).toMatch(/^(above\n){40}kept\n/)
  })

  it('makes room for a question, and comes back after it', async () => {
    const pane = inPane(`${ask}${told}
      terminal.status('watching')
      await new Promise(resolve => setTimeout(resolve, 300))
      await asked()
      await told
      terminal.status(undefined)
      terminal.err('end')`)
    await pane.until(/\(y\/n\/d\/\?\)/)
    expect(pane.screen()).not.toContain('watching')
    await pane.typeUntil(/watching/, 'y', 'Enter')
    tell(pane)
    await pane.ended()
    expect(pane.screen()).toMatch(/^\? Keep this change\? \(y\/n\/d\/\?\) y\n(y\n)*got "y" aborted false\nend\n/)
  })
})

describe.runIf(canRun)('a notice that relay waits', () => {
  const notice = `const over = terminal.notice({ project: 'my-app', number: 42, way: 'auto' })
    `

  it('gives the window its title back', async () => {
    const pane = inPane(`${notice}${told}
      terminal.err('waits')
      await told
      over()
      terminal.err('ended')`)
    await pane.until(/waits/)
    expect(pane.title()).toBe('relay ! my-app #42')
    tell(pane)
    await pane.ended()
    expect(pane.title()).not.toContain('relay')
    expect(pane.screen()).toMatch(/^waits\nended(\n|$)/)
  })

  it('does so when relay is stopped at once', async () => {
    const pane = inPane(`${notice}${told}
      terminal.err('waits')
      await told
      process.exit(130)`)
    await pane.until(/waits/)
    expect(pane.title()).toBe('relay ! my-app #42')
    tell(pane)
    await pane.ended()
    expect(pane.title()).not.toContain('relay')
  })
})

describe.runIf(canRun)('the pager', () => {
  const page = `await terminal.page('first\\nsecond\\n', () => 'diff --git\\n'); terminal.err('back')`

  function script(name: string, body: string): string {
    const path = join(folder, name)
    writeFileSync(path, `#!/bin/sh\n${body}\n`)
    chmodSync(path, 0o755)
    return path
  }

  it('is the one that is asked for, with git’s setting for less', async () => {
    const pager = script('pager.sh', 'echo "pager with LESS=$LESS"\ncat')
    const pane = inPane(page, { env: { RELAY_PAGER: pager, GIT_PAGER: 'false', PAGER: 'false' } })
    await pane.until(/back/)
    expect(pane.screen()).toMatch(/^pager with LESS=FRX\nfirst\nsecond\nback(\n|$)/)
  })

  it('starts outside of the project, whose git settings could name a command', async () => {
    const pane = inPane(page, { env: { RELAY_PAGER: script('where.sh', 'pwd; cat') } })
    await pane.until(/back/)
    expect(pane.screen()).toMatch(/^\/\nfirst\nsecond\nback(\n|$)/)
  })

  it('gets what git would print when it is made for that', async () => {
    const delta = script('delta', 'cat; echo end of delta')
    const pane = inPane(page, { env: { GIT_PAGER: delta } })
    await pane.until(/back/)
    expect(pane.screen()).toMatch(/^diff --git\nend of delta\nback(\n|$)/)
  })

  it('prints where there is none', async () => {
    for (const wish of ['', 'cat']) {
      const pane = inPane(page, { env: { PAGER: wish } })
      await pane.until(/back/)
      expect(pane.screen()).toMatch(/^first\nsecond\nback(\n|$)/)
    }
  })

  it('prints where it is missing or does not work, and says so', async () => {
    for (const [command, why] of [
      ['no-such-pager-of-relay 2>/dev/null', 'exit 127'],
      [script('delta-broken', 'exit 2'), 'exit 2'],
    ]) {
      const pane = inPane(page, { env: { RELAY_PAGER: command ?? '' } })
      await pane.until(/back/)
      expect(pane.screen().replace(/\n(?!RELAY|first|second|back)/g, '')).toContain(
        `The pager did not work (${why}): ${command}\nRELAY_PAGER chooses another one.\nfirst\nsecond\nback`,
      )
    }
  })

  it('may be left before it has read all', async () => {
    const pane = inPane(`await terminal.page('x\\n'.repeat(2e6)); terminal.err('back')`, {
      env: { RELAY_PAGER: 'head -n 1' },
    })
    await pane.until(/back/)
    expect(pane.screen()).toMatch(/^x\nback(\n|$)/)
  })

  it('has Ctrl+C to itself, and holds back what is said meanwhile', async () => {
    const pager = script('waits.sh', 'cat; echo shown; exec sleep 600')
    const said = join(folder, 'said')
    const pane = inPane(
      `import { writeFileSync } from 'node:fs'
       process.on('SIGINT', () => interruption.abort('SIGINT'))
       ${told}
       told.then(() => { terminal.err('one more waiting'); writeFileSync(${JSON.stringify(said)}, '') })
       ${page}
       terminal.err('aborted ' + interruption.signal.aborted)
       setInterval(() => {}, 1000)
       interruption.signal.addEventListener('abort', () => process.exit(9))`,
      { env: { RELAY_PAGER: pager } },
    )
    await pane.until(/shown/)
    tell(pane)
    await until(() => existsSync(said), 'what is said meanwhile')
    pane.type('C-c')
    await pane.until(/aborted false/)
    expect(pane.screen()).toMatch(/^first\nsecond\nshown\n\^C\s*one more waiting\nback\naborted false(\n|$)/)
    pane.type('C-c')
    expect(await pane.ended()).toEqual({ status: '9', signal: '' })
  })

  it('is ended by an interruption', async () => {
    const pager = script('is-up.sh', 'trap "echo left; exit" TERM; kill -USR2 "$PPID"; while :; do sleep 0.1; done')
    const pane = inPane(`process.on('SIGUSR2', () => interruption.abort('SIGTERM')); ${page}`, {
      env: { RELAY_PAGER: `${pager} -R` },
    })
    expect(await pane.ended()).toEqual({ status: '0', signal: '' })
    expect(pane.screen()).toMatch(/^left\nback/)
  })
})

describe('a program that has the terminal', () => {
  const lend = (...argv: readonly string[]) => `
    const { writeFileSync } = await import('node:fs')
    process.chdir(${JSON.stringify(folder)})
    const argv = ${JSON.stringify(argv)}
    const onStart = async ({ pid }, entry) => writeFileSync('noted', (pid === process.pid) + ' ' + entry)
    const options = { cwd: ${JSON.stringify(folder)}, env: { PATH: process.env.PATH, GIVEN: 'this' }, onStart }
    terminal.err('came back: ' + await terminal.lend(argv, options))`

  it('reads the keyboard and draws, with an environment of its own', async () => {
    const pane = inPane(
      lend('sh', '-c', 'test -t 0 && test -t 1 && echo "name? ($GIVEN$HOME)"; read name; echo "hello $name"'),
    )
    await pane.until(/name\?/)
    pane.type('you', 'Enter')
    await pane.until(/came back/)
    expect(pane.screen()).toMatch(/^name\? \(this\)\nyou\nhello you\ncame back: ended(\n|$)/)
  })

  it('begins when it is noted, under a mark by which it can be found', async () => {
    const pane = inPane(lend('sh', '-c', 'test "$(cat noted)" = "true RELAY_RUN=$RELAY_RUN" && echo noted'))
    await pane.until(/came back/)
    expect(pane.screen()).toMatch(/^noted\n/)
  })

  it('has Ctrl+C to itself', async () => {
    const body = lend('sh', '-c', 'trap "echo caught; exit 0" INT; echo ready; read name')
    const pane = inPane(`process.on('SIGINT', () => interruption.abort('SIGINT'));${body}
      terminal.err('aborted ' + interruption.signal.aborted)`)
    await pane.until(/ready/)
    pane.type('C-c')
    await pane.until(/aborted/)
    expect(pane.screen()).toMatch(/caught\ncame back: ended\naborted false(\n|$)/)
  })

  it.runIf(process.platform === 'linux')('leaves nothing behind', async () => {
    const pid = join(folder, 'left.pid')
    const pane = inPane(
      lend('sh', '-c', `setsid sh -c 'echo $$ > ${pid}; exec sleep 600' & until test -s ${pid}; do :; done`),
    )
    await pane.until(/came back/)
    expect(isRunning(Number(readFileSync(pid, 'utf8')))).toBe(false)
  })

  it('is missing, and so is a terminal', async () => {
    const pane = inPane(lend('no-such-program'))
    await pane.until(/came back: absent/)
    const { stderr } = spawnSync(process.execPath, [program(lend('sh', '-c', 'echo no'))], { encoding: 'utf8' })
    expect(stderr).toBe('came back: absent\n')
  })
})

describe('without a terminal', () => {
  const run = (body: string, input = '', options = '') =>
    spawnSync(process.execPath, [program(body, options)], { input, maxBuffer: 2 ** 26, encoding: 'utf8' })

  it('has 80 columns, no live line, no colour, and nobody to ask', () => {
    const { stdout, stderr } = run(`
      const { columns, live, colour, canAsk } = terminal
      terminal.status('never seen')
      const asked = await terminal.ask('Keep?')
      terminal.out(JSON.stringify({ columns, live, colour, canAsk, asked: asked ?? null }))`)
    expect(JSON.parse(stdout)).toEqual({
      columns: 80,
      live: false,
      colour: { out: false, err: false },
      canAsk: false,
      asked: null,
    })
    expect(stderr).toBe('')
  })

  it('ends every text with one newline and keeps the streams apart', () => {
    const { stdout, stderr } = run(`terminal.out('one'); terminal.out('two\\n'); terminal.err(''); terminal.err('x')`)
    expect({ stdout, stderr }).toEqual({ stdout: 'one\ntwo\n', stderr: '\nx\n' })
  })

  it('writes the whole of a long text before it ends', () => {
    const { stdout } = run(`terminal.out('x'.repeat(5_000_000)); process.exitCode = 3`)
    expect(stdout.length).toBe(5_000_001)
  })

  it('says nothing when nobody reads any more', () => {
    const script = program(`for (let i = 0; i < 20000; i++) terminal.out('line ' + i)`)
    const { stderr, stdout } = spawnSync('sh', ['-c', '"$0" "$1" | head -n 1; echo end', process.execPath, script], {
      encoding: 'utf8',
    })
    expect({ stdout, stderr }).toEqual({ stdout: 'line 0\nend\n', stderr: '' })
  })

  it('reads all of stdin, byte for byte', () => {
    const script = program(`process.stdout.write(await terminal.readStdin())`)
    const input = Buffer.from([0xff, 0, 13, 10, ...Buffer.alloc(200_000, 'é')])
    expect(execFileSync(process.execPath, [script], { input }).equals(input)).toBe(true)
  })

  it('reads no stdin to its end that never ends', () => {
    const script = program(`console.log((await terminal.readStdin(1000)).length > 1000)`)
    const { stdout } = spawnSync('sh', ['-c', 'yes | "$0" "$1"', process.execPath, script], { encoding: 'utf8' })
    expect(stdout).toBe('true\n')
  })

  it('takes half of stdin for nothing when it is interrupted', async () => {
    const script = program(`setTimeout(() => interruption.abort('SIGINT'), 100)
      await terminal.readStdin().catch(error => console.log(error.name, error.message))`)
    // Its end never comes.
    const child = spawn(process.execPath, [script], { stdio: ['pipe', 'pipe', 'inherit'] })
    child.stdin.write('half')
    expect((await child.stdout.toArray()).join('')).toBe('RelayError Cannot read stdin: interrupted\n')
  })

  it('prints a page', () => {
    expect(run(`await terminal.page('one\\ntwo')`).stderr).toBe('one\ntwo\n')
  })
})
