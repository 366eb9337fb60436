import { spawn } from 'node:child_process'
import { plainEnv, type RelayEnd, relayCommand } from './real-relay.ts'

/**
 * Runs the real program in a terminal of 80 columns, as `script` makes one, and gives every byte that was sent to it as
 * stdout. Whatever is asked gets the keys in turn, the last one again and again until the end.
 */
export async function runInTerminal(
  args: readonly string[],
  options: { readonly cwd: string; readonly env?: NodeJS.ProcessEnv; readonly keys?: readonly string[] },
): Promise<RelayEnd> {
  const { cwd, env, keys = ['n'] } = options
  const line = [...relayCommand, ...args].map(word => `'${word}'`).join(' ')
  const { PATH = '', ...plain } = plainEnv({ TERM: 'xterm-kitty', FORCE_HYPERLINK: '1', PAGER: 'cat', ...env })
  // The PATH is for relay: what stands around it here finds its programs where they are.
  const child = spawn('script', ['-qefc', `stty cols 80 rows 24; PATH='${PATH}' exec ${line}`, '/dev/null'], {
    cwd,
    env: { ...plain, PATH: process.env['PATH'] },
    stdio: ['pipe', 'pipe', 'pipe'],
  })
  let [stdout, stderr] = ['', '']
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    stdout += text
  })
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    stderr += text
  })
  child.stdin.on('error', () => {})
  let typed = 0
  // What comes in the first half second of a question does not count, so the screen has to stand still for longer; and a
  // key that was too early is followed by the next one.
  let before = ''
  const typing = setInterval(() => {
    if (!asks.test(stdout)) return
    if (stdout !== before) {
      before = stdout
      return
    }
    child.stdin.write(`${keys[Math.min(typed++, keys.length - 1)]}\r`)
  }, 550)
  const [code, signal] = await new Promise<[number | null, NodeJS.Signals | null]>((resolve, reject) => {
    child.once('error', reject)
    child.once('close', (...end) => resolve(end))
  })
  clearInterval(typing)
  return { code, signal, stdout, stderr }
}

const asks = /\/\?\)/
