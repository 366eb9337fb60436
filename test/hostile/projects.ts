import { execFileSync } from 'node:child_process'
import { chmodSync, mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { attacks } from '../report/attacks.ts'
import { respond } from '../support/respond.ts'
import type { HostileProject, HostileRun } from './journals.ts'
import type { Surroundings } from './surroundings.ts'

const text = respond({ 'src/a.ts': 'changed\n' })
const kept = { stdin: text, changes: ['src/a.ts'] } as const
const configuration = (there: Surroundings, content: string | Uint8Array) =>
  there.write('relaycode.config.json', content)
const instead = (there: Surroundings, path: string) => rmSync(join(there.root, path), { recursive: true, force: true })

// ── The configuration ──────────────────────────────────────────────────────────────────────────

const refusedTexts: Readonly<Record<string, string>> = {
  'nothing': '', 'no JSON': 'x\x1b[2J', 'NULs': '\0\0', 'brackets without end': '['.repeat(200_000), 'an object of brackets': `{"projectId":"demo","limits":${'['.repeat(100_000)}${']'.repeat(100_000)}}`,
  '8 MB of one text': `{"projectId":"${'x'.repeat(8_000_000)}"}`, 'a list': '[]', 'a number': '7',
  ...Object.fromEntries(attacks.map((attack, at) => [`attack ${at + 1} as every value`, JSON.stringify(Object.fromEntries(['projectId', 'approval', 'linter', 'durability', 'clipboard', 'limits', 'policy', 'singleKey', attack].map(key => [key, attack])))])),
  'commands that are none': '{"projectId":"demo","linter":["touch","../ran"],"preCommand":{"toString":"x"}}', 'a linter with a NUL': '{"projectId":"demo","linter":"touch ../ran\\u0000"}',
  'limits below all': '{"projectId":"demo","limits":{"files":-1,"responseBytes":0}}', 'limits above all': '{"projectId":"demo","limits":{"files":1e300}}',
} // biome-ignore format: as a table

const byText = Object.entries(refusedTexts).map(
  ([name, content]): HostileProject => ({
    name: `a configuration of ${name}`,
    lay: there => configuration(there, content),
    runs: [['status'], ['apply'], ['--init', '--no-copy'], ['watch', '--no-input']].map(args => ({
      args,
      stdin: text,
      codes: [2],
    })),
  }),
)

const byShape: readonly HostileProject[] = [
  { name: 'a link out', make: (there: Surroundings) => there.link('../twin/relaycode.config.json', 'relaycode.config.json'), code: 2 },
  { name: 'a pipe', make: (there: Surroundings) => execFileSync('mkfifo', [join(there.root, 'relaycode.config.json')]), code: 2 },
  { name: 'a folder', make: (there: Surroundings) => void mkdirSync(join(there.root, 'relaycode.config.json')), code: 2 },
  { name: 'a link to a device', make: (there: Surroundings) => there.link('/dev/zero', 'relaycode.config.json'), code: 2 },
].map(({ name, make, code }) => ({
  name: `a configuration that is ${name}`,
  lay: (there: Surroundings) => {
    there.write('../twin/relaycode.config.json', '{"projectId":"demo","linter":"touch ../ran"}')
    instead(there, 'relaycode.config.json')
    make(there)
  },
  runs: [['status'], ['apply'], ['--init', '--no-copy']].map(args => ({ args, stdin: text, codes: [code, 8] })),
})) // biome-ignore format: as a table

/** Nobody has agreed to these; they would leave a file beside the project. */
const byCommand: readonly HostileProject[] = ['linter', 'preCommand', 'postCommand', 'notify'].flatMap(key =>
  ['touch ../ran', ...attacks.slice(0, 3).map(attack => `touch ../ran # ${attack.replaceAll('\0', '')}`)].map(
    (command, at): HostileProject => ({
      name: `a configuration with a command of its own as ${key} (${at})`,
      lay: there => {
        configuration(there, JSON.stringify({ projectId: 'demo', approval: 'no', [key]: command }))
        there.write('../answer.md', text)
      },
      runs: [
        { args: ['apply', '--yes', '--allow-sensitive'], stdin: text, codes: [3] },
        { args: ['watch', '--no-input'], codes: [3] },
        { args: ['undo', '--yes'], codes: [3] },
        { args: ['apply', '../answer.md'], keys: ['?', 'n'], codes: [3] },
        { args: ['watch'], keys: ['n'], codes: [3] },
        ...[['status'], ['log'], ['recover'], ['prompt', '--no-copy']].map(args => ({ args, codes: [0] })),
      ],
    }),
  ),
)

// biome-ignore format: a list of words
const globs = [
  '(a+)+$', '(a|aa)+$', '+(+(+(a)))b', '*(*(*(*(a))))b', '@(a|a|a|aa)+(a|a|a|aa)*(a|a|a|aa)b', '!(!(!(!(a))))', '{1..100000}', '\\'.repeat(999), 'a\\'.repeat(400), '('.repeat(900), '*'.repeat(999), '**/'.repeat(300), '{a,b}'.repeat(100), '[[:alpha:]'.repeat(90), '!'.repeat(999),
  '?'.repeat(60_000), '!'.repeat(50_000), `{${'a,'.repeat(5000)}b}`,
]

const byGlob = globs.map(
  (glob): HostileProject => ({
    name: `the glob ${glob.length > 40 ? `${glob.slice(0, 40)}… of ${glob.length}` : glob}`,
    lay: there => configuration(there, JSON.stringify({ projectId: 'demo', policy: { ask: [glob], deny: [glob] } })),
    runs: [
      {
        args: ['apply'],
        stdin: respond({ 'src/a.ts': 'changed\n', [`src/${'a'.repeat(60)}c`]: 'x\n' }),
        codes: [0, 2, 3, 6],
        changes: ['src/a.ts', `src/${'a'.repeat(60)}c`],
      },
    ],
  }),
)

// ── Setting up ─────────────────────────────────────────────────────────────────────────────────

const set = { args: ['--init', '--no-copy'], changes: ['relaycode.config.json', '.gitignore'] } as const

const beside: Readonly<Record<string, string>> = {
  'package.json': '../outside/secret',
  '.gitignore': '../outside/secret',
  'tsconfig.json': '../outside/secret',
  'relaycode.config.json': '../outside/new',
  'Cargo.toml': '/dev/zero',
  '.relaycode': '../outside/folder',
}

const byInit: readonly HostileProject[] = [
  ...attacks.map((attack, at): HostileProject => ({
    name: `a package.json whose name is attack ${at + 1}`,
    lay: there => {
      instead(there, 'relaycode.config.json')
      there.write('package.json', JSON.stringify({ name: attack, scripts: { lint: attack, test: 'touch ../ran' } }))
    },
    runs: [
      { ...set, codes: [0] },
      { args: ['prompt', '--no-copy'], codes: [0], changes: set.changes },
    ],
  })),
  ...Object.entries(beside).flatMap(([path, to]): HostileProject[] => [
    {
      name: `${path} as a link to ${to}, at --init`,
      lay: there => {
        instead(there, 'relaycode.config.json')
        there.link(to, path)
      },
      runs: [{ ...set, codes: [0, 2, 8] }],
    },
    {
      name: `${path} as a pipe, at --init`,
      lay: there => {
        instead(there, 'relaycode.config.json')
        execFileSync('mkfifo', [join(there.root, path)])
      },
      runs: [{ ...set, codes: [0, 2, 8] }],
    },
  ]),
  {
    name: 'a package.json of brackets without end, at --init',
    lay: there => {
      instead(there, 'relaycode.config.json')
      there.write('package.json', `{"name":${'['.repeat(200_000)}`)
    },
    runs: [{ ...set, codes: [2] }],
  },
] // biome-ignore format: as a table

// ── What lies around and would be run, or believed ─────────────────────────────────────────────

const programs = [
  'sh',
  'bash',
  'git',
  'ps',
  'node',
  'npx',
  'tsc',
  'less',
  'head',
  'delta',
  'cat',
  'vi',
  'xclip',
  'xsel',
  'wl-paste',
  'wl-copy',
  'stty',
  'env',
  'relay',
]

const byProgram: readonly HostileProject[] = [
  {
    name: 'programs with the names of those that relay uses, and a PATH that looks in the project',
    lay: there => {
      for (const folder of ['', 'node_modules/.bin/']) for (const name of programs) {
        there.write(`${folder}${name}`, '#!/bin/sh\n: > ../ran\n: > ../../../ran\n', 0o755)
        chmodSync(join(there.root, `${folder}${name}`), 0o755)
      }
      there.write('../answer.md', text)
    },
    runs: [
      { args: ['apply'], ...kept, env: { PATH: `.::node_modules/.bin:./:${process.env['PATH']}` }, codes: [0] },
      { args: ['diff'], keys: ['q'], env: { PATH: `.::node_modules/.bin:./:${process.env['PATH']}`, PAGER: 'head' }, codes: [0], changes: ['src/a.ts'] },
      ...[['diff'], ['log'], ['undo']].map((args): HostileRun => ({ args, keys: ['d', 'n'], env: { PATH: `.::node_modules/.bin:./:${process.env['PATH']}`, RELAY_PAGER: '' }, codes: [0, 3, 8, 130], changes: ['src/a.ts'] })),
    ],
  },
  {
    name: 'settings of git that run commands',
    lay: there => {
      const evil = join(there.root, 'evil.sh')
      there.write('evil.sh', `#!/bin/sh\n: > ${there.base}/ran\ncat\n`, 0o755)
      there.write('.git/config', `[core]\n\tpager = ${evil}\n\tfsmonitor = ${evil}\n\teditor = ${evil}\n\tsshCommand = ${evil}\n\thooksPath = .\n[pager]\n\tdiff = ${evil}\n[diff]\n\texternal = ${evil}\n[interactive]\n\tdiffFilter = ${evil}\n[include]\n\tpath = ../more\n`)
      there.write('more', `[core]\n\tpager = ${evil}\n`)
      there.write('.gitattributes', '* diff=evil filter=evil\n')
    },
    runs: [
      { args: ['apply'], ...kept, codes: [0] },
      ...[['diff'], ['show'], ['undo']].map((args): HostileRun => ({ args, keys: ['d', 'n'], env: { PAGER: 'cat' }, codes: [0, 3], changes: ['src/a.ts'] })),
    ],
  },
  {
    name: 'files that runtimes read by themselves',
    lay: there => {
      const code = 'require("fs").writeFileSync("../ran", "")\n'
      for (const path of ['.env', '.env.local']) there.write(path, 'RELAY_PAGER=touch ../ran\nRELAY_NOTIFY=touch ../ran\nRELAY_PROMPT_DISABLED=1\nEDITOR=touch\nNODE_OPTIONS=--require ./evil.js\nXDG_STATE_HOME=/tmp\n')
      for (const path of ['evil.js', 'node_modules/yaml/index.js', 'node_modules/clipboardy/index.js', 'index.js']) there.write(path, code)
      there.write('bunfig.toml', 'preload = ["./evil.js"]\n')
      there.write('.npmrc', 'node-options=--require ./evil.js\nscript-shell=./evil.sh\n')
      there.write('package.json', '{"type":"module","imports":{"#x":"./evil.js"},"main":"evil.js"}')
      there.write('tsconfig.json', '{"extends":"/dev/zero"}')
    },
    runs: [
      { args: ['apply'], ...kept, codes: [0] },
      { args: ['status'], codes: [0], changes: ['src/a.ts'] },
      { args: ['undo'], keys: ['d', 'n'], codes: [0, 3], changes: ['src/a.ts'] },
    ],
  },
] // biome-ignore format: as a table

// ── What commands and names say ────────────────────────────────────────────────────────────────

const bySpeech = attacks.map((attack, at): HostileProject => {
  const name = Buffer.from(attack.replaceAll(/[\0/\n]/g, ' ').slice(0, 80)).toString()
  return {
    name: `commands, and names of files, that say attack ${at + 1}`,
    lay: there => {
      there.configure({ approval: 'no', preCommand: 'cat out.txt', linter: 'cat lint.txt; exit 1', postCommand: `cat out.txt; echo more >> src/a.ts; for name in names/*; do echo more >> "$name"; done; exit 1` })
      there.write('out.txt', `${attack}\n${attack}${attack}\r\n`)
      there.write('lint.txt', `src/a.ts(1,1): error TS1: ${attack}\n${name}(2,1): error ${name}: ${attack}\n${attack}\n`)
      there.write(`names/${name}`, 'a name\n')
      there.write('../answer.md', text)
    },
    runs: [
      { args: ['apply'], stdin: text, codes: [3, 4], changes: [`names/${name}`] },
      { args: ['apply', '--again', '../answer.md'], keys: ['d', 'r', 'c', 'n'], codes: [3], changes: [`names/${name}`] },
      { args: ['followup', '--no-copy'], codes: [0, 2], changes: [`names/${name}`], exact: true },
      { args: ['apply', '--again', '--yes'], stdin: text, codes: [0, 4], changes: ['src/a.ts', `names/${name}`] },
      ...[['show', '--output'], ['show'], ['log'], ['status']].map(args => ({ args, codes: [0, 2], changes: ['src/a.ts', `names/${name}`] })),
    ],
  }
}) // biome-ignore format: as a table

export const hostileProjects: readonly HostileProject[] = [
  ...byText,
  ...byShape,
  ...byCommand,
  ...byGlob,
  ...byInit,
  ...byProgram,
  ...bySpeech,
]
