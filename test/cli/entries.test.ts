import { spawnSync } from 'node:child_process'
import { afterEach, describe, expect, it } from 'vitest'
import { plainEnv, runRelay } from '../support/real-relay.ts'
import { respond, uuid } from '../support/respond.ts'
import { type ScratchProject, scratchProject } from '../support/scratch-project.ts'

/** Another YAML reader than the one that relay writes for, where it is installed. */
const python = spawnSync('python3', ['-c', 'import yaml'], { env: plainEnv() }).status === 0

let project: ScratchProject
afterEach(() => project.remove())

/** Contents that YAML makes it hard to carry. */
const hard: Readonly<Record<string, string>> = {
  plain: 'one\ntwo\n',
  'no final newline': 'one',
  'many final newlines': 'one\n\n\n',
  empty: '',
  'blank lines first': '\n\n  one\n',
  tabs: '\tone\n\t\ttwo\n',
  'trailing blanks': 'one  \n  \n two \n',
  'looks like YAML': '---\n- a: &x !!str 1\n- *x\n...\n# comment\n? : |\n',
  'looks like a number': '012',
  'carriage returns': 'one\r\ntwo\r\n',
  'other line ends': 'one\u2028two\u2029three\u0085four\n',
  'beyond the first plane': 'café 日本語 👩‍👩‍👧‍👦\n',
  'byte order mark': '\ufeffone\n',
  control: 'bell \u0007 escape \u001b[31m nul \u0000 del \u007f\n',
  'a long line': `${'word '.repeat(500)}\n`,
}

describe('an entry', () => {
  it.skipIf(!python)('is read by another YAML reader, to the byte', async () => {
    const names = Object.keys(hard)
    project = scratchProject(Object.fromEntries(names.map((name, at) => [`f${at}.txt`, hard[name] ?? ''])))
    project.write('raw.txt', Uint8Array.of(0xff, 0xfe, 0, 10, 13))
    const wanted = Object.fromEntries(names.map((name, at) => [`f${at}.txt`, `was ${name}\n`]))
    const { code, stderr } = await runRelay(['apply', '--yes'], {
      cwd: project.root,
      stdin: respond({ ...wanted, 'raw.txt': 'text\n', 'new/x #y.txt': '- 1\n' }),
    })
    expect(stderr).toContain('kept #1')
    expect(code).toBe(0)

    // What comes out is what Python understood, contents as base64 so that nothing on the way can change them.
    const read = spawnSync(
      'python3',
      [
        '-c',
        `import yaml, json, sys, base64
e = yaml.safe_load(open(sys.argv[1], encoding='utf-8', newline=''))
b = lambda t: base64.b64encode(t.encode('utf-8', 'surrogatepass')).decode()
def shot(s):
    if s is None: return None
    return s['content'].replace('\\n', '') if s.get('encoding') == 'base64' else b(s['content'])
print(json.dumps({
  'keys': list(e), 'uuid': e['uuid'], 'number': e['number'], 'version': e['version'], 'createdAt': e['createdAt'],
  'projectId': e['projectId'], 'outcome': e['outcome']['kind'], 'createdFolders': e['createdFolders'],
  'operations': {o['path']: shot(o) for o in e['operations']},
  'snapshot': {p: shot(s) for p, s in e['snapshot'].items()}}))`,
        `${project.root}/.relaycode/${uuid}.yml`,
      ],
      { env: plainEnv() },
    )
    expect(read.stderr.toString()).toBe('')
    const base64 = (text: string) => Buffer.from(text).toString('base64')
    expect(JSON.parse(read.stdout.toString())).toEqual({
      keys: [
        'version',
        'number',
        'uuid',
        'projectId',
        'createdAt',
        'source',
        'changeSummary',
        'promptSummary',
        'reasoning',
        'flags',
        'operations',
        'snapshot',
        'createdFolders',
        'checks',
        'written',
        'outcome',
      ],
      uuid,
      number: 1,
      version: 1,
      createdAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
      projectId: 'demo',
      outcome: 'committed',
      createdFolders: ['new'],
      operations: Object.fromEntries([
        ...names.map((name, at) => [
          `f${at}.txt`,
          base64(
            `${name === 'byte order mark' ? '\ufeff' : ''}was ${name}${name === 'carriage returns' ? '\r' : ''}\n`,
          ),
        ]),
        ['raw.txt', base64('text\n')],
        ['new/x #y.txt', base64('- 1\n')],
      ]),
      snapshot: Object.fromEntries([
        ...names.map((name, at) => [`f${at}.txt`, base64(hard[name] ?? '')]),
        ['raw.txt', Buffer.of(0xff, 0xfe, 0, 10, 13).toString('base64')],
        ['new/x #y.txt', null],
      ]),
    })
  })
})
