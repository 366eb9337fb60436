import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import type { Notice } from '../../../src/ports.ts'
import { Notifier } from '../../../src/system/terminal/notifier.ts'
import { until } from '../../support/until.ts'

const folder = mkdtempSync(join(tmpdir(), 'relay-notices-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const notice: Notice = { project: 'my-app', number: 42, way: 'auto' }

/** What is written for a notice, and for its end. */
function written(env: NodeJS.ProcessEnv, about: Partial<Notice> = {}, isTerminal = true): readonly [string, string] {
  let bytes = ''
  const notifier = new Notifier({ env, isTerminal, write: text => (bytes += text), say: () => undefined })
  const over = notifier.notice({ ...notice, ...about })
  const first = bytes
  over()
  return [first, bytes.slice(first.length)]
}

const xterm = { TERM: 'xterm-256color' }
const tmux = { TERM: 'tmux-256color', TMUX: '/tmp/tmux' }
const bell = '\x07'
const title = '\x1b[22;2t\x1b]2;relay ! my-app #42\x07'
const back = '\x1b]2;relay my-app\x07\x1b[23;2t'
const osc = '\x1b]9;relay waits: my-app #42\x07'

describe('a notice', () => {
  it.each<[string, NodeJS.ProcessEnv, Partial<Notice>, string, string]>([
    ['rings, and says it in the title', xterm, {}, bell + title, back],
    [
      'is a notification where the terminal is known to show one',
      { TERM: 'xterm-kitty' },
      {},
      osc + bell + title,
      back,
    ],
    ['is one wherever that is asked for', xterm, { way: 'osc' }, osc + bell + title, back],
    ['is wrapped for tmux', tmux, {}, `\x1bPtmux;\x1b\x1b]9;relay waits: my-app #42\x07\x1b\\${bell}${title}`, back],
    ['is a bell alone', xterm, { way: 'bell' }, bell, ''],
    ['is nothing', xterm, { way: 'off' }, '', ''],
    ['is nothing in CI', { ...xterm, CI: 'true' }, {}, '', ''],
    ['is what the environment says', { ...xterm, RELAY_NOTIFY: 'off' }, { way: 'osc' }, '', ''],
    ['is what the project says when that says nothing', { ...xterm, RELAY_NOTIFY: '' }, { way: 'bell' }, bell, ''],
    ['leaves the title of a console alone', { TERM: 'linux' }, {}, bell, ''],
    ['leaves the title of screen alone', { TERM: 'screen' }, {}, bell, ''],
    [
      'has a name alone where there is no number yet',
      xterm,
      { number: undefined },
      `${bell}\x1b[22;2t\x1b]2;relay ! my-app\x07`,
      back,
    ],
    [
      'cannot be broken out of',
      xterm,
      { project: 'a\x1b\\\x07\x9cb' },
      `${bell}\x1b[22;2t\x1b]2;relay ! a\\b #42\x07`,
      '\x1b]2;relay a\\b\x07\x1b[23;2t',
    ],
  ])('%s', (_, env, about, first, last) => {
    expect(written(env, about)).toEqual([first, last])
  })

  it('is nothing without a terminal', () => {
    expect(written(xterm, { way: 'touch x' }, false)).toEqual(['', ''])
  })

  const ended = (isDone: boolean) => ({ number: undefined, ended: { isDone, json: '{"done":3}' } })
  it.each<[string, NodeJS.ProcessEnv, Partial<Notice>, string]>([
    ['says that a run is done', { TERM: 'xterm-kitty' }, ended(true), `\x1b]9;relay is done: my-app\x07${bell}`],
    ['says that a run stopped', xterm, { ...ended(false), way: 'osc' }, `\x1b]9;relay stopped: my-app\x07${bell}`],
    ['rings for the end of a run', xterm, ended(true), bell],
    ['is nothing for it where that is off', xterm, { ...ended(true), way: 'off' }, ''],
    ['is nothing for it on the screen in CI', { ...xterm, CI: 'true' }, ended(true), ''],
  ])('%s', (_, env, about, first) => {
    expect(written(env, about)).toEqual([first, ''])
  })

  it('runs the command for the end of a run without a terminal and in CI too, with all about it', async () => {
    const path = join(folder, 'ended')
    const way = `printf '%s|' "$RELAY_EVENT" "$RELAY_PROJECT" "$RELAY_JSON" > '${path}.part' && mv '${path}.part' '${path}'`
    expect(written({ ...process.env, CI: 'true' }, { ...ended(true), way }, false)).toEqual(['', ''])
    await until(() => existsSync(path), 'the command')
    expect(readFileSync(path, 'utf8')).toBe('ended|my-app|{"done":3}|')
  })

  it('is a command of the user’s, told by its environment', async () => {
    const path = join(folder, 'told')
    const way = `printf '%s|' "$RELAY_EVENT" "$RELAY_PROJECT" "$RELAY_NUMBER" > '${path}.part' && mv '${path}.part' '${path}'`
    expect(written({ ...process.env, ...xterm, CI: '' }, { way, project: '$(touch owned)' })).toEqual(['', ''])
    await until(() => existsSync(path), 'the command')
    expect(readFileSync(path, 'utf8')).toBe('question|$(touch owned)|42|')
  })

  it('says once that a command does not work', async () => {
    const said: string[] = []
    const options = { env: { ...process.env, CI: '' }, isTerminal: true, write: () => undefined }
    const notifier = new Notifier({ ...options, say: why => said.push(why) })
    for (const way of ['exit 3', 'exit 3']) notifier.notice({ ...notice, way })
    await until(() => said.length > 0, 'the failure')
    await new Promise(resolve => setTimeout(resolve, 200))
    expect(said).toEqual(['exit 3'])
  })
})
