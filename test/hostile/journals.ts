import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import type { Entry, SnapshotState } from '../../src/model/entry.ts'
import { writeEnding } from '../../src/transact/entry/write-entry.ts'
import { attacks } from '../report/attacks.ts'
import { entryText } from '../support/entry-text.ts'
import { entryWith } from '../support/entry-with.ts'
import { respond, uuid } from '../support/respond.ts'
import type { Surroundings } from './surroundings.ts'

/** A project that came with something in it, and a command that its user runs there. */
export interface HostileProject {
  readonly name: string
  lay(there: Surroundings): void
  readonly runs: readonly HostileRun[]
}

export interface HostileRun {
  readonly args: readonly string[]
  readonly stdin?: string
  /** Runs in a terminal, and types these keys. */
  readonly keys?: readonly string[]
  readonly env?: Readonly<Record<string, string>>
  /** Prints a patch for `git apply`, byte by byte as the files are, to whatever is no terminal. */
  readonly exact?: true
  /** How it may end: nothing is a defect of relay's (1), and nothing hangs. */
  readonly codes: readonly number[]
  readonly says?: RegExp
  /** What of the project is another file afterwards; nothing where it is not named. */
  readonly changes?: readonly string[]
}

const patch = respond({ 'src/a.ts': 'changed\n' }, { uuid: '99999999-7d5e-4f5c-9a0e-2b9a5a6f3a11' })
const sha256 = (text: string) => createHash('sha256').update(text).digest('hex')
const keyOf = (path: string) => sha256(path).slice(0, 32)

const entry = (more: Partial<Entry>) => entryWith({ uuid, ...more })

const ending = writeEnding({
  checks: { before: { errors: 0 }, after: { errors: 0, new: 0, fixed: 0 } },
  written: new Map(),
  outcome: { kind: 'committed', by: 'user', at: '2026-11-20T14:02:12.000Z' },
})

/** As if relay had been killed in the middle of replacing a file there: the old file waits in the stage. */
function unfinished(there: Surroundings, about: Partial<Entry>, paths: readonly string[]): void {
  there.write(`.relaycode/${uuid}.pending.yml`, entryText(entry(about)), 0o600)
  there.write(`.relaycode/${uuid}.stage/staged`, '', 0o600)
  for (const path of paths) there.write(`.relaycode/${uuid}.stage/old.${keyOf(path)}`, 'evil\n', 0o600)
}

const file = (text: string, more: { target?: string; aside?: string } = {}): SnapshotState => ({
  kind: 'file',
  bytes: Buffer.from(text),
  mode: 0o755,
  sha256: sha256(text),
  ...more,
})

// biome-ignore format: a list of words
const forbidden = [
  '../outside/secret', '../home/.bashrc', 'src/../../outside/new', '/tmp/relay-hostile-absolute', '.git/hooks/pre-commit', '.git/config', '.GIT/config', '.git./config', '.git /x', '.git::$DATA',
  'git~1/config', 'GIT~2/config', 'gi7d29~1/config', '.g\u200cit/config', '.g\u0131t/config', '.\uff47it/config', '.git\\hooks\\pre-commit', '..\\outside\\secret',
  'nested/.git/config', 'vendor/library/.git', '.relaycode/history.jsonl', 'relayc~1/x', '.RELAYCODE/x', '.hg/hgrc', 'src/a\0b',
]
/** Innocent by their text: only the disk tells. */
const misled = [
  'link-out',
  'folder-out/file',
  'folder-out/new',
  'hooks-link/pre-commit',
  'git-link/config',
  'home-link/.bashrc',
  'state-link/history.jsonl',
  'here/.git/config',
  'here/folder-out/file',
]

const writes = (path: string) => [{ op: 'write', path, content: 'evil\n' }] as const

/** What an entry would have a recovery do, and an undo, for one place each. */
const ways: readonly { readonly way: string; about(path: string): Partial<Entry> }[] = [
  { way: 'restores', about: path => ({ operations: writes(path), snapshot: new Map([[path, file('evil\n')]]) }) },
  { way: 'removes', about: path => ({ operations: writes(path), snapshot: new Map([[path, { kind: 'absent' }]]) }) },
  { way: 'puts a link at', about: path => ({ operations: writes(path), snapshot: new Map([[path, { kind: 'link', to: '/etc/passwd' }]]) }) },
  { way: 'means by an innocent path', about: path => ({ operations: writes('src/a.ts'), snapshot: new Map([['src/a.ts', file('evil\n', { target: path })]]) }) },
  { way: 'keeps its files in', about: path => ({ operations: writes('src/a.ts'), snapshot: new Map([['src/a.ts', file('evil\n', { aside: path })]]) }) },
  { way: 'had made the folder', about: path => ({ operations: writes('src/a.ts'), snapshot: new Map([['src/a.ts', file('a\n')]]), createdFolders: [path] }) },
  { way: 'had removed the folder', about: path => ({ operations: writes('src/a.ts'), snapshot: new Map([['src/a.ts', file('a\n')]]), removedFolders: new Map([[path, 0o777]]) }) },
] // biome-ignore format: as a table

const byPending: readonly HostileProject[] = [...forbidden, ...misled].flatMap((path, at) =>
  ways
    .filter((_, index) => index < 2 || (at + index) % 3 === 0 || misled.includes(path))
    .map(
      ({ way, about }): HostileProject => ({
        name: `an unfinished transaction that ${way} ${JSON.stringify(path)}`,
        lay: there => unfinished(there, about(path), [path, 'src/a.ts']),
        runs: [
          { args: ['recover', '--dry-run'], codes: [0, 5, 7] },
          { args: ['recover'], codes: forbidden.includes(path) ? [7] : [0, 5, 7, 8] },
          { args: ['apply'], stdin: patch, codes: [0, 5, 7, 8], changes: ['src/a.ts'] },
        ],
      }),
    ),
)

const byApplied: readonly HostileProject[] = [...forbidden, ...misled].flatMap((path, at) =>
  ways
    .filter((_, index) => index < 2 || (at + index) % 3 === 0)
    .map(
      ({ way, about }): HostileProject => ({
        name: `a kept transaction that ${way} ${JSON.stringify(path)}`,
        lay: there => there.write(`.relaycode/${uuid}.yml`, entryText(entry(about(path))) + ending, 0o600),
        runs: [
          { args: ['undo', '--yes'], codes: [0, 3, 5, 7], changes: ['src/a.ts'] },
          { args: ['show', '--patch'], codes: [0], exact: true },
          { args: ['revert', '1', '--yes'], codes: [0, 3, 5, 7], changes: ['src/a.ts'] },
        ],
      }),
    ),
)

/** What stands where relay keeps its state, and how. */
const shapes: readonly { readonly shape: string; make(there: Surroundings, path: string): void }[] = [
  { shape: 'a link to a folder outside', make: (there, path) => there.link(join(there.base, 'outside/folder'), path) },
  { shape: 'a link to a file outside', make: (there, path) => there.link(join(there.base, 'outside/secret'), path) },
  { shape: 'a link to nothing outside', make: (there, path) => there.link(join(there.base, 'outside/nothing'), path) },
  { shape: 'a pipe', make: (there, path) => execFileSync('mkfifo', [join(there.root, path)]) },
  { shape: 'a folder', make: (there, path) => void mkdirSync(join(there.root, path)) },
  { shape: 'a file', make: (there, path) => there.write(path, 'not what you think\n') },
]

const kept = [
  '',
  '/lock',
  '/rescue',
  '/output',
  '/declined',
  '/watch',
  '/ask',
  '/history.jsonl',
  '/last-declined.yml',
  '/last-checks.json',
  '/declined-offer',
  `/${uuid}.yml`,
  `/${uuid}.pending.yml`,
  `/${uuid}.stage`,
  `/output/${uuid}`,
  '/.gitignore',
  '/history.jsonl.tmp',
]

const byShape: readonly HostileProject[] = kept.flatMap(place =>
  shapes.map(
    ({ shape, make }): HostileProject => ({
      name: `.relaycode${place} is ${shape}`,
      lay: there => {
        if (place !== '') mkdirSync(join(there.root, '.relaycode'), { mode: 0o700 })
        if (place.startsWith('/output/')) {
          mkdirSync(join(there.root, '.relaycode/output'), { mode: 0o700 })
          there.write(`.relaycode/${uuid}.yml`, entryText(entry({ operations: writes('src/a.ts') })) + ending, 0o600)
        }
        make(there, `.relaycode${place}`)
      },
      runs: [
        ...[['status'], ['log'], ['show'], ['recover']].map(args => ({ args, codes: [0, 2, 5, 7, 8] })),
        { args: ['apply'], stdin: patch, codes: [0, 7, 8], changes: ['src/a.ts'] },
        { args: ['undo', '--yes'], codes: [0, 2, 5, 7, 8], changes: ['src/a.ts'] },
        { args: ['prune', '--keep', '0', '--yes'], codes: [0, 2, 7, 8], changes: ['src/a.ts'] },
      ],
    }),
  ),
)

const line = (more: object) =>
  `${JSON.stringify({ number: 1, uuid, at: '2026-11-20T14:02:11.000Z', outcome: 'committed', operations: 'x', ...more })}\n`

/** Texts that came as relay's own memory. */
const memories: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  'a history that names entries elsewhere': { 'history.jsonl': ['../../outside/secret', '../../home/.bashrc', '/etc/passwd', '../x', '.', ''].map(id => line({ uuid: id })).join('') },
  'a history of wrong kinds': { 'history.jsonl': [{ number: -1 }, { number: 1e300 }, { number: 0.5 }, { number: Number.MAX_SAFE_INTEGER }, { at: 5 }, { at: 'never' }, { at: null }, { outcome: 7 }, { outcome: 'constructor' }, { operations: {} }, { undoes: 3 }, { source: '__proto__' }, { modelUuid: [] }].map(line).join('') },
  'a history that is no text': { 'history.jsonl': '\0\xff{"number":1,"uuid"\n[]\nnull\n"x"\n{"__proto__":{"number":1}}\n' },
  'a history with a line of 8 MB': { 'history.jsonl': `${line({ more: 'x'.repeat(8_000_000) })}${line({})}` },
  'a history with escapes': { 'history.jsonl': attacks.map((text, at) => line({ number: at + 1, uuid: `${uuid.slice(0, -2)}${10 + at}`, at: text, outcome: text, source: text, undoes: text, operations: text })).join('') },
  'an entry of brackets': { [`${uuid}.yml`]: '['.repeat(200_000), [`${uuid}.pending.yml`]: `a: ${'['.repeat(200_000)}` },
  'an entry of dashes': { [`${uuid}.yml`]: '- '.repeat(200_000) },
  'an entry of aliases': { [`${uuid}.yml`]: `version: 1\na: &a [x,x,x,x,x,x,x,x,x]\nb: &b [*a,*a,*a,*a,*a,*a,*a,*a]\nc: &c [*b,*b,*b,*b,*b,*b,*b,*b]\nd: [*c,*c,*c,*c,*c,*c,*c,*c]\n` },
  'an entry of tags': { [`${uuid}.yml`]: entryText(entry({})).replace('number: 1', 'number: !!js/function "x"') + ending },
  'an entry with __proto__': { [`${uuid}.yml`]: `${entryText(entry({}))}${ending}__proto__: {polluted: true}\n` },
  'an entry of wrong kinds': { [`${uuid}.yml`]: (entryText(entry({ operations: writes('src/a.ts') })) + ending).replace('flags: []', 'flags: [1, null, {flag: {}}, [[]]]').replace('changeSummary: []', 'changeSummary: [1, null, {a: {b: [c]}}]').replace(/before:[\s\S]*?after:/, 'before: 5\n  after:') },
  'an entry of another uuid': { [`${uuid}.yml`]: entryText(entry({ uuid: '../../outside/x', operations: writes('src/a.ts') })) + ending },
  'a number that is too large': { [`${uuid}.yml`]: entryText(entry({ number: Number.MAX_SAFE_INTEGER, operations: writes('src/a.ts') })) + ending },
  'bytes that are no text': { [`${uuid}.yml`]: '\0\x01\xff\xfe', 'last-declined.yml': '\0\xff', 'last-checks.json': '\0' },
  'a declined response of wrong kinds': { 'last-declined.yml': 'version: 1\nuuid: 5\nat: [x]\nresponse: {a: b}\nsource: null\n' },
  'a declined response of brackets': { 'last-declined.yml': '['.repeat(200_000) },
  'marks of those who work, watch and ask': { 'lock/1.2.3': '', 'ask/1.2.3.4.5.6': '', 'lock/$(touch ..%2Fran).1.a.b.c.d': '', 'watch/1.2.3.4.5.6': '', 'watch/%zz.%00.1.2.3.4': '' },
  'a stage that names a process': { [`${uuid}.stage/command.json`]: JSON.stringify({ step: 'lint', group: { pid: 1, startedAt: '1', machine: 'x', boot: 'y', space: 'z' } }), [`${uuid}.stage/staged`]: '' },
  'a stage of wrong kinds': { [`${uuid}.stage/command.json`]: '{"step":"lint","group":{"pid":-1,"startedAt":1}}', [`${uuid}.stage/written.json`]: '[[1,2],[null,null],["src/a.ts",5]]', [`${uuid}.stage/question.json`]: '{"reasons":7}', [`${uuid}.pending.yml`]: `${entryText(entry({ operations: writes('src/a.ts'), snapshot: new Map([['src/a.ts', file('a\n')]]) }))}held: true\n` },
} // biome-ignore format: as a table

const everyLook: readonly (readonly string[])[] = [
  ['status'],
  ['status', '--json'],
  ['log'],
  ['log', '--all', '--json'],
  ['show'],
  ['show', '1', '--json'],
  ['show', '--reasoning'],
  ['show', '--output'],
  ['followup', '--no-copy'],
  ['recover', '--dry-run'],
]

const byMemory: readonly HostileProject[] = Object.entries(memories).map(
  ([name, files]): HostileProject => ({
    name: `.relaycode with ${name}`,
    lay: there => {
      mkdirSync(join(there.root, '.relaycode'), { mode: 0o700 })
      for (const [path, text] of Object.entries(files)) there.write(`.relaycode/${path}`, text, 0o600)
    },
    runs: [
      ...everyLook.map(args => ({ args, codes: [0, 2, 6, 7, 8] })),
      { args: ['apply', '--last', '--no-input'], codes: [0, 2, 3, 6, 7, 8], changes: ['src/a.ts'] },
      { args: ['prune', '--keep', '1', '--yes'], codes: [0, 2, 7, 8], changes: ['src/a.ts'] },
      { args: ['undo', '--yes'], codes: [0, 2, 5, 7, 8], changes: ['src/a.ts'] },
      { args: ['recover'], codes: [0, 7], changes: ['src/a.ts'] },
      { args: ['apply'], stdin: patch, codes: [0, 7, 8], changes: ['src/a.ts'] },
    ],
  }),
)

/** Somebody else's text wherever an entry holds any. */
function entryOf(text: string, createdAt: string): string {
  const path = text.replaceAll(/[\0\n]/g, ' ')
  const about = entry({
    projectId: text,
    createdAt,
    source: `file:${text}`,
    changeSummary: [text, { [text]: text }],
    promptSummary: text,
    gitCommitMsg: text,
    reasoning: [text, `${text}\n${text}`],
    flags: [{ flag: 'placeholder', path: text, text, reason: text }],
    operations: [...writes('src/a.ts'), { op: 'write', path: `src/${path}`, content: `${text}\n` }],
    snapshot: new Map([
      ['src/a.ts', file(`${text}\n`)],
      [`src/${path}`, file(`b ${text}\n`)],
    ]),
  })
  const end = writeEnding({
    checks: { before: { errors: null, uncounted: text }, after: { errors: null, uncounted: text } },
    written: new Map(),
    outcome: { kind: 'committed', by: 'user', at: '2026-11-20T14:02:12.000Z' },
  })
  return entryText(about) + end
}

const byText: readonly HostileProject[] = attacks.flatMap((text, at) => {
  const looks = [...everyLook,  ['prune', '--keep', '0', '--no-input'], ['undo', '--no-input'], ['parse', `.relaycode/${uuid}.yml`]]
  return [
    {
      name: `.relaycode with an entry of attack ${at + 1}`,
      lay: (there: Surroundings) => {
        there.write(`.relaycode/${uuid}.yml`, entryOf(text, at % 2 === 0 ? text : '2026-11-20T14:02:11.000Z'), 0o600)
        there.write(`.relaycode/output/${uuid}/lint.txt`, `${text}\n${text}`, 0o600)
      },
      runs: [
        ...looks.map(args => ({ args, codes: [0, 2, 3, 5, 6] })),
        { args: ['diff'], codes: [0], exact: true },
        ...[['diff'], ['show', '--patch'], ['undo']].map(args => ({ args, keys: ['d', 'n'], codes: [0, 3, 5] })),
      ],
    },
    {
      name: `.relaycode with an unfinished transaction of attack ${at + 1}`,
      lay: (there: Surroundings) => there.write(`.relaycode/${uuid}.pending.yml`, `${entryOf(text, text)}held: true\n`, 0o600),
      runs: [
        ...[['status'], ['recover', '--dry-run'], ['recover', '--no-input'], ['log']].map(args => ({ args, codes: [0, 5, 7] })),
        { args: ['recover'], keys: ['d', 'q'], codes: [0, 3, 5, 7, 8], changes: ['src/a.ts'] },
      ],
    },
  ]
}) // biome-ignore format: as a table

export const hostileJournals: readonly HostileProject[] = [
  ...byPending,
  ...byApplied,
  ...byShape,
  ...byMemory,
  ...byText,
]
