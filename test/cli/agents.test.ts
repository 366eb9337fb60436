import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { isRunning } from '../support/is-running.ts'
import { plainEnv, relayCommand, runRelay, testPath } from '../support/real-relay.ts'
import { until } from '../support/until.ts'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'relay-agents-'))
})
afterEach(() => {
  for (const pid of [...noted('claude'), ...noted('codex')]) if (isRunning(pid)) process.kill(pid, 'SIGKILL')
  rmSync(folder, { recursive: true, force: true })
})

/** Puts a program on the PATH, in sh; `$noted` is where it notes the processes that it starts. */
function program(name: string, script: string): void {
  writeFileSync(join(folder, name), `#!/bin/sh\nnoted='${join(folder, `${name}.pids`)}'\n${script}\n`)
  chmodSync(join(folder, name), 0o755)
}

const noted = (name: string) => {
  const path = join(folder, `${name}.pids`)
  return existsSync(path) ? readFileSync(path, 'utf8').trim().split(/\s+/).map(Number) : []
}

const env = () => ({ PATH: `${folder}:${testPath}`, HOME: folder })
const look = (...args: readonly string[]) => runRelay(['agents', ...args], { cwd: folder, env: env() })

/** Notes itself, and never ends. */
const hang = 'echo $$ >> "$noted"; while :; do sleep 1; done'

describe.skipIf(process.platform === 'win32')('relay agents', () => {
  it('shows what it finds, where nothing is a terminal', async () => {
    program('codex', 'echo "codex-cli 0.169.0"')
    program('gemini', 'echo 0.61.0 >&2; exit 3')
    expect(await look()).toMatchInlineSnapshot(`
      {
        "code": 0,
        "signal": null,
        "stderr": "",
        "stdout": "  agent     version       read-only  write     full   logged in
      ○ claude    not found     npm install -g @anthropic-ai/claude-code
      ✔ codex     0.169.0       enforced   enforced  rules  no sign
      ✔ gemini    does not say  rules      rules     rules  no sign
      ○ opencode  not found     npm install -g opencode-ai
      ○ copilot   not found     npm install -g @github/copilot
      ○ amp       not found     npm install -g @sourcegraph/amp (not tried)

      \`relay ask\` asks codex, unless \`--to\` names another.
      enforced: the operating system enforces it. rules: the agent follows it by
      itself. none: nothing enforces it, so relay refuses.
      With rules, an agent that may run commands such as your tests can run any code
      as you: it writes the code that they run.
      ",
      }
    `)
    const { stdout } = await look('--json')
    const { ask, agents } = JSON.parse(stdout)
    expect({ ask, codex: agents[1].path }).toEqual({ ask: 'codex', codex: join(folder, 'codex') })
  })

  it('leaves nothing of what a program starts, and shows its version all the same', async () => {
    program('codex', `echo 1.2.3; (${hang}) & exit`)
    const { code, stdout } = await look()
    expect({ code, stdout }).toEqual({ code: 0, stdout: expect.stringMatching(/codex +1\.2\.3 /) })
    expect(noted('codex').filter(isRunning)).toEqual([])
  })

  it('shows the others while one hangs and hears no TERM, and ends that one', async () => {
    program('claude', `trap '' TERM; ${hang}`)
    program('codex', 'echo 0.169.0')
    const { end, said } = start()
    expect(await said).toMatch(/claude +does not say .*\n.*codex +0\.169\.0 /)
    expect(await end).toEqual([0, null])
    expect(noted('claude')).toHaveLength(1)
    expect(noted('claude').filter(isRunning)).toEqual([])
  })

  it('takes no longer for programs that hang and hear no signal, and warns of nothing', async () => {
    for (const name of ['claude', 'codex', 'gemini', 'opencode', 'copilot', 'amp']) {
      program(name, `trap '' INT TERM; (${hang}) & ${hang}`)
    }
    const begun = performance.now()
    const { code, stderr } = await look()
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    // By signals that a program may answer it would be twenty.
    expect(performance.now() - begun).toBeLessThan(12_000)
    expect(noted('amp').filter(isRunning)).toEqual([])
  })

  it('leaves no program behind where it is killed', async () => {
    program('codex', `trap '' INT TERM; (${hang}) & ${hang}`)
    const { child, end } = start()
    await until(() => noted('codex').length === 2, 'the program has started')
    child.kill('SIGKILL')
    await end
    await until(() => !noted('codex').some(isRunning), 'the end of the program')
  })

  it('ends at once at a second Ctrl+C, with a program that hears no signal', async () => {
    program('claude', `trap '' INT TERM; (${hang}) & ${hang}`)
    const { child, end, said } = start()
    await said
    expect(noted('claude').some(isRunning)).toBe(true)
    // What comes before the first one is heard counts as the same.
    await until(() => !child.kill('SIGINT') || child.exitCode !== null, 'the end of relay')
    expect(await end).toEqual([130, null])
    await until(() => !noted('claude').some(isRunning), 'the end of the program')
  })
})

/** `said` is what it shows before it ends. */
function start() {
  const [command, ...before] = relayCommand
  const child = spawn(command, [...before, 'agents'], { cwd: folder, env: plainEnv(env()) })
  return { child, end: once(child, 'exit'), said: once(child.stdout, 'data').then(String) }
}
