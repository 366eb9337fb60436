import { attacks } from '../report/attacks.ts'
import { respond, uuid } from '../support/respond.ts'

/** A response that wants what it must not get. */
export interface HostileResponse {
  readonly name: string
  readonly text: string | Uint8Array
  /** How `relay apply` ends without a terminal. */
  readonly code: number
  /** What it says, on one line. */
  readonly says?: RegExp
  /** `--yes` is no answer to what it asks. */
  readonly yes?: true
  /** What of the project is another file afterwards; nothing where it is not named. */
  readonly changes?: readonly string[]
}

// biome-ignore format: one path a line would be three screens
const paths: Readonly<Record<string, readonly string[]>> = {
  'leaves the project': ['../outside/secret', 'src/../../outside/secret', '..\\outside\\secret', 'src/deep/../../../home/.bashrc'],
  'is absolute|another machine|drive letter|begins with ~': [
    '/etc/passwd', '//server/share/x', '\\\\server\\share\\x', '\\\\?\\C:\\x', 'C:\\Windows\\x', 'c:x', '/proc/self/cwd/../x', '~/.bashrc', '~root/.bashrc',
  ],
  'out of the project': ['link-out', 'folder-out/file', 'folder-out/new/deep', 'home-link/.bashrc', 'here/folder-out/file', 'home-link/.ssh/x', 'here/home-link/.bashrc'],
  'where nothing is': ['src/dangling', 'circle-a', 'circle-a/x'],
  'no answer may touch': [
    '.git/hooks/pre-commit', '.GIT/config', '.Git\\config', 'src/../.git/config', '.git./config', '.git /config', '.git . . /config', '.git::$INDEX_ALLOCATION/config', '.git:x',
    'git~1/config', 'GIT~2/config', 'gi7d29~1/config', '.g\u0131t/config', '.\uff47\uff49\uff54/config', '\uff0egit/config', '.gi\u0301t/config',
    'hooks-link/pre-commit', 'git-link/config', 'git-link/hooks/post-checkout', 'here/.git/config', 'here/git-link/config', 'here/here/hooks-link/x',
    'vendor/library/.git', 'vendor/library/.git/config', '.git/modules/vendor/library/hooks/pre-commit', 'nested/.git/config', 'nested/.git/hooks/pre-commit',
    '.relaycode/x.yml', '.RelayCode/history.jsonl', '.relaycode./x', 'relayc~1/x', 'RELAYC~1/lock/x', 'state-link/x', 'here/.relaycode/x', '.hg/hgrc', '.svn/x', '.jj/x',
  ],
  'cannot be seen': ['.g\u200cit/config', 'src/.gi\u2063t/config', 'src/\u202egnp.ts', 'src/a\u2066.ts', 'src/\x1b[2Ja.ts', 'src/\x00a.ts', 'src/a\x07.ts', 'src/a\x9b31m.ts', 'src/a\u{e0041}.ts', 'src/\u00ada.ts'],
  'Windows': ['nul', 'src/con.ts', 'COM1.txt', 'aux/x.ts', 'lpt\u00b9', 'CONIN$', 'src/a.ts.', 'src./x.ts', 'src /x.ts'],
  'name holds': ['src/a.ts:stream', 'src/a.ts::$DATA', 'src/a|b', 'file:///etc/passwd', 'src/\u2025/x', 'src/a\uff0fb'],
  'short form': ['packag~1.jso', 'SRC~1/a.ts'],
  'not a regular file': ['pipe'],
  'folder has this name|names a folder|is a folder': ['src/deep', 'vendor', 'src/', 'src/deep/..', '.', 'here/src'],
  'needs a folder': ['notes.txt/x', 'src/a.ts/x/y'],
  'longer than|limits\\.pathLength': [`src/${'x'.repeat(300)}.ts`, `${'a/'.repeat(2500)}x`, `${'ab/'.repeat(400)}x`],
}

/** Each with a sound file beside it, which must not be written either. */
const byPath = Object.entries(paths).flatMap(([says, list]) =>
  list.map(
    (path): HostileResponse => ({
      name: `path ${JSON.stringify(path.length > 60 ? `${path.slice(0, 60)}…` : path)}`,
      text: respond({ 'src/new.ts': 'sound\n', [path]: 'hostile\n' }),
      code: 6,
      says: new RegExp(says),
    }),
  ),
)

const twins: readonly Readonly<Record<string, string | null>>[] = [
  { 'src/x.ts': '1\n', 'SRC/x.ts': '2\n' },
  { 'src/caf\u00e9.ts': '1\n', 'src/cafe\u0301.ts': '2\n' },
  { 'src/stra\u00dfe': '1\n', 'src/STRASSE': '2\n' },
  { 'src/a.ts': '1\n', 'here/src/a.ts': '2\n' },
  { 'src/deep/b.ts': '1\n', 'here/src/deep/b.ts': null },
  { 'src/y': '1\n', 'src/y/z': '2\n' },
]

const byTwins = twins.map(
  (files): HostileResponse => ({
    name: `two names of one file ${JSON.stringify(Object.keys(files))}`,
    text: respond(files),
    code: 6,
  }),
)

function controlled(control: string, body = '```ts // src/a.ts\n// START\n\nhostile\n\n// END\n```'): string {
  return `Text.\n\n${body}\n\n\`\`\`yaml\n${control}\n\`\`\`\n`
}

const bomb = `a: &a [x,x,x,x,x,x,x,x,x]\n${'bcdefghi'
  .split('')
  .map((name, at) => `${name}: &${name} [${`*${'abcdefgh'[at]},`.repeat(9)}]`)
  .join('\n')}`

const plainChange = { code: 0, changes: ['src/a.ts'] } as const

const byControl: readonly HostileResponse[] = [
  {
    name: 'aliases that grow a billionfold',
    text: controlled(`projectId: demo\nuuid: ${uuid}\n${bomb}\nchangeSummary:\n  - edit: src/a.ts`),
    ...plainChange,
  },
  {
    name: 'the same in the summary',
    text: controlled(`projectId: demo\nuuid: ${uuid}\nchangeSummary:\n  - &a [x,x]\n  - edit: *a`),
    code: 3,
  },
  {
    name: 'a tag that would run code',
    text: controlled(`projectId: demo\nuuid: ${uuid}\nchangeSummary: !!js/function 'function(){process.exit(9)}'`),
    code: 3,
  },
  {
    name: 'a merge key',
    text: controlled(`projectId: demo\nuuid: ${uuid}\nchangeSummary:\n  - <<: {edit: src/a.ts}`),
    code: 3,
  },
  {
    name: '__proto__ in the summary',
    text: controlled(`projectId: demo\nuuid: ${uuid}\nchangeSummary:\n  - __proto__: src/a.ts`),
    ...plainChange,
  },
  {
    name: '__proto__ as a key',
    text: controlled(`projectId: demo\nuuid: ${uuid}\n__proto__:\n  polluted: yes\nchangeSummary:\n  - edit: src/a.ts`),
    ...plainChange,
  },
  {
    name: 'brackets 100,000 deep',
    text: controlled(`projectId: demo\nuuid: ${uuid}\nchangeSummary: ${'['.repeat(100_000)}`),
    code: 3,
  },
  {
    name: 'dashes 20,000 deep',
    text: controlled(`projectId: demo\nuuid: ${uuid}\nchangeSummary:\n  ${'- '.repeat(20_000)}x`),
    code: 3,
  },
  {
    name: 'two different uuids',
    text: controlled(
      `projectId: demo\nuuid: ${uuid}\nuuid: 99999999-7d5e-4f5c-9a0e-2b9a5a6f3a11\nchangeSummary:\n  - edit: src/a.ts`,
    ),
    code: 6,
  },
  {
    name: 'two different project ids',
    text: controlled(`projectId: demo\nprojectId: other\nuuid: ${uuid}\nchangeSummary:\n  - edit: src/a.ts`),
    code: 6,
  },
  {
    name: 'two different control blocks',
    text: `${controlled(`projectId: demo\nuuid: ${uuid}\nchangeSummary:\n  - edit: src/a.ts`)}\n\n\`\`\`yaml\nprojectId: demo\nuuid: 99999999-7d5e-4f5c-9a0e-2b9a5a6f3a11\n\`\`\`\n`,
    code: 6,
  },
  {
    name: 'a summary that tells of another file',
    text: controlled(`projectId: demo\nuuid: ${uuid}\nchangeSummary:\n  - edit: src/deep/b.ts`),
    code: 3,
  },
  ...[
    '../../../x',
    '../../home/.bashrc',
    '.',
    '..',
    'a/b',
    'a\\b',
    'null',
    '',
    '~',
    'x'.repeat(65),
    'x',
    'con.yml',
    '0b8f4f62\u0000',
    '\x1b[2J0b8f4f62',
    '{random}',
    '[1, 2]',
    '{a: b}',
    '*x',
    '!!binary aGVsbG8=',
  ].map(
    (id): HostileResponse => ({
      name: `the uuid ${JSON.stringify(id)}`,
      text: controlled(`projectId: demo\nuuid: ${id}\nchangeSummary:\n  - edit: src/a.ts`),
      code: 6,
    }),
  ),
  ...[
    '1e1000000',
    '12345678901234567890',
    '0x0000001f',
    '20261122',
    '2026-11-22',
    'last-declined',
    'LAST-DECLINED',
    'lock-lock',
    '0o777777',
  ].map(
    (id): HostileResponse => ({
      name: `the uuid ${id} is text`,
      text: controlled(`projectId: demo\nuuid: ${id}\nchangeSummary:\n  - edit: src/a.ts`),
      ...plainChange,
    }),
  ),
  ...[
    'null',
    '~',
    '012',
    '1e3',
    'true',
    'Demo',
    'demo2',
    'dem\u043e',
    '[demo]',
    '{demo: 1}',
    '*demo',
    '!!str demo',
    '../demo',
    '\x1b]0;own\x07demo',
  ].map(
    (id): HostileResponse => ({
      name: `the project id ${JSON.stringify(id)} is another one`,
      text: controlled(`projectId: ${id}\nuuid: ${uuid}\nchangeSummary:\n  - edit: src/a.ts`),
      code: 6,
    }),
  ),
]

const fence = '```'

/** Signs in a file that are asked about: a NUL, and what shows a line in another order. */
const asked = ['\0', '\u202e', '\u2067']

/** One text of somebody else's in each place from which relay prints. */
const byText: readonly HostileResponse[] = attacks.flatMap((text, at): HostileResponse[] => {
  const about = `attack ${at + 1}`
  const line = text.replaceAll('\n', ' ')
  const quoted = JSON.stringify(text)
  const block = (info: string, content = 'hostile') => `${fence}${info}\n// START\n\n${content}\n\n// END\n${fence}`
  const control = (more: string) => `${fence}yaml\nprojectId: demo\nuuid: ${uuid}\n${more}\n${fence}`
  const summary = 'changeSummary:\n  - edit: src/a.ts'
  return [
    {
      name: `${about} everywhere at once`,
      text: [
        `${text} reasoning ${text}`,
        block(`${line.slice(0, 20)}ts // src/a.ts`, `content ${text}\n// ... rest of the code ${text}`),
        block(`ts // src/${line.slice(0, 60)}`),
        control(`promptSummary: ${quoted}\ngitCommitMsg: ${quoted}\nchangeSummary:\n  - edit: ${quoted}\n  - ${quoted}: src/a.ts`),
        text,
      ].join('\n\n'),
      code: text === 'a\nb' ? 3 : 6,
    },
    {
      name: `${about} in the project id`,
      text: `Text.\n\n${block('ts // src/a.ts')}\n\n${fence}yaml\nprojectId: ${quoted}\nuuid: ${uuid}\nchangeSummary:\n  - edit: src/a.ts\n${fence}`,
      code: 6,
    },
    {
      name: `${about} in prose, titles and content`,
      text: [`${text} reasoning`, block('ts // src/a.ts', `content ${text}`), control(`promptSummary: ${quoted}\ngitCommitMsg: ${quoted}\n${summary}`)].join('\n\n'),
      ...(asked.some(sign => text.includes(sign)) ? { code: 3 } : plainChange),
    },
  ]
}) // biome-ignore format: as a table

const many = Object.fromEntries(Array.from({ length: 10_001 }, (_, at) => [`src/many/${at}.ts`, '\n']))

const byAmount: readonly HostileResponse[] = [
  { name: '10,001 files', text: respond(many), code: 6, says: /limits\.files/ },
  {
    name: 'more than it may have',
    text: `${respond({ 'src/a.ts': 'x\n' })}\n${'projectId '.repeat(7_000_000)}`,
    code: 6,
    says: /limits\.responseBytes/,
  },
  {
    name: 'a line of 60,000 blanks after a fence',
    text: `${fence}${' '.repeat(60_000)}x\n${respond({ 'src/a.ts': 'x\n' })}`,
    ...plainChange,
  },
  {
    name: '20,000 open fences',
    text: `${`${fence}\n${fence}${fence}ts // x\n`.repeat(10_000)}\n${respond({ 'src/a.ts': 'x\n' })}`,
    code: 6,
  },
  {
    name: '100,000 times the word projectId',
    text: `${'projectId: x\n'.repeat(100_000)}${respond({ 'src/a.ts': 'x\n' })}`,
    ...plainChange,
  },
  { name: 'bytes that are no text', text: Uint8Array.from({ length: 70_000 }, (_, at) => (at * 7919) % 256), code: 6 },
  { name: 'nothing but NULs', text: new Uint8Array(1_000_000), code: 6 },
  { name: 'nothing', text: '', code: 6 },
]

const sensitive = [
  'relaycode.config.json',
  'package.json',
  '.npmrc',
  'bunfig.toml',
  '.env',
  '.envrc',
  'Makefile',
  '.husky/pre-commit',
  '.github/workflows/ci.yml',
  '.vscode/tasks.json',
  '.gitattributes',
  '.gitmodules',
  'CLAUDE.md',
  'here/package.json',
  'nested/package.json',
  'eslint.config.js',
  '.githooks/pre-commit',
  'src/.bashrc',
]

/** What makes commands run is asked about, and `--yes` is no answer to that. */
const bySensitivity = sensitive.map((path): HostileResponse => ({
  name: `the sensitive file ${path}`,
  text: respond({ 'src/new.ts': 'sound\n', [path]: 'hostile\n' }),
  yes: true,
  code: 3,
  says: /nobody could be asked/,
})) // biome-ignore format: a list of words

export const hostileResponses: readonly HostileResponse[] = [
  ...byPath,
  ...byTwins,
  ...byControl,
  ...byText,
  ...byAmount,
  ...bySensitivity,
]
