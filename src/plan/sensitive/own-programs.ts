import { type ConfiguredCommand, commandsOf, type WithCommands } from '../../commands-of.ts'
import { foldPath } from '../fold-path.ts'
import { pathOf } from './place-of.ts'
import { pythonRuns } from './python-runs.ts'

/**
 * Says of a path which command of the configuration runs it, or reads it as its settings; `undefined` for all others.
 *
 * The user has agreed to a command by its text, and relay runs it right after writing: a patch that rewrites the program
 * which stands in it would run unasked. Only what the text names can be told, and no shell is asked how it reads it.
 *
 * Of a script, what package.json makes of a command, only what surely runs counts: bundlers and tests are scripts, and
 * what they are given to work on is what patches are made of. `reached` is what these and others come to.
 */
export function ownPrograms(
  config: WithCommands,
  reached: readonly Program[] = [],
): (path: string) => string | undefined {
  const named = [...programsOf(commandsOf(config), false), ...reached].map(program => ({
    ...program,
    word: foldPath(program.word),
  }))
  const places = new Map<string, string>()
  for (const { word, why } of named) if (!places.has(word)) places.set(word, why)
  const stems = new Map(named.flatMap(({ word, isStem, why }) => (isStem === true ? [[word, why]] : [])))
  const standIns = new Map(named.flatMap(({ word, isName, why }) => (isName === true ? [[word, why]] : [])))
  const elsewhere = named.filter(({ word }) => FROM_ELSEWHERE.test(word))
  const folders = named.filter(({ isFolder }) => isFolder)
  return path => {
    const folded = foldPath(path)
    const standIn = WINDOWS_RUNS.test(folded) ? standIns.get(folded.replace(WINDOWS_RUNS, '')) : undefined
    return (
      places.get(folded) ??
      stems.get(folded.replace(MAY_BE_LEFT_OUT, '')) ??
      (standIn === undefined ? undefined : `${standIn} on Windows, in place of the program`) ??
      elsewhere.find(({ word }) => word.endsWith(`/${folded}`))?.why ??
      folders.find(({ word }) => folded.startsWith(`${word}/`))?.why
    )
  }
}

/** Nobody writes a longer command. */
const MOST_TEXT = 10_000

/** @param folder where the commands run */
export function programsOf(commands: readonly ConfiguredCommand[], isScript: boolean, folder = ''): Program[] {
  return commands.flatMap(({ key, command }) =>
    programsIn(command.slice(0, MOST_TEXT), isScript).map(({ verb, word, ...rest }) => ({
      ...rest,
      word: folder === '' || FROM_ELSEWHERE.test(word) ? word : pathOf(`${folder}/${word}`),
      why: `${verb} \`${key}\``,
    })),
  )
}

/** What the runtimes of JavaScript look for where a file's name has no ending: `node scripts/check`. */
export const SCRIPT = /\.[cm]?[jt]sx?$/

/** What stands without its ending behind other interpreters as well: `ruby -r ./hook`. */
const MAY_BE_LEFT_OUT = /\.(?:[cm]?[jt]sx?|rb|py|lua|pl|php)$/

/**
 * What the shell of Windows starts for a plain name, and looks for in the project before it looks at the PATH: with an
 * `eslint.js` in the root `eslint .` runs that. Its batch files and some others are asked about wherever they are.
 */
const WINDOWS_RUNS = /\.(?:com|exe|js|jse|vbe|wsh|msc)$/

/** Where the project lies is not known here: `$PWD/bin/lint` and `/home/me/project/bin/lint` are told by their ends. */
const FROM_ELSEWHERE = /^(?:[/$%~]|[a-z]:)/

/** A file that is run or loaded without anybody being asked. */
export interface Program {
  /** As a path. */
  readonly word: string
  readonly why: string
  /** With all that is in it. */
  readonly isFolder?: boolean
  /** Its ending may be left out. */
  readonly isStem?: boolean
  /** A program by its name alone. */
  readonly isName?: boolean
}

type Word = Omit<Program, 'why'> & { readonly verb: 'is run by' | 'is read by' }

/**
 * The words of a command that can name a program or its settings. A document or the like that is only looked at
 * (`markdownlint README.md`) is neither, nor is what a linter is given to look at (`shellcheck install.sh`); behind a
 * shell or an interpreter, and behind `<`, every word counts.
 */
function programsIn(command: string, isScript: boolean): Word[] {
  const found: Word[] = []
  let now = begun()
  /** Where the command has gone: `cd tools && ./lint` */
  let folder = ''
  const add = (text: string, verb?: Word['verb']) => {
    const word = pathOf(text)
    const isStem = endingOf(word) === undefined && (now.runsAll || /^\.\.?[/\\]/.test(text))
    const program = { verb: verb ?? (mayRun(word) ? 'is run by' : 'is read by'), isStem } as const
    found.push({ ...program, word })
    if (folder !== '' && !FROM_ELSEWHERE.test(word)) found.push({ ...program, word: pathOf(`${folder}/${word}`) })
  }
  let isFed = false
  const plain = command.replace(WRITTEN, ' ').replace(SYNTAX_ONLY, LOOKS_ONLY).replace(AS_MODULE, '')
  for (const [text, sign, assigned] of plain.matchAll(/([;&|()`<\n])|[^\s'"`;&|()<>=]+(=)?/g)) {
    if (sign === '<') isFed = true
    else if (sign !== undefined) now = begun()
    if (sign !== undefined) continue
    const { option } = now
    // A text that goes on and on is not followed for ever.
    if (option === 'cd' && folder.length < 200) folder = pathOf(folder === '' ? text : `${folder}/${text}`)
    // `PATH=./bin:$PATH lint`
    if (option === 'PATH=') found.push(...text.split(':').map(each => folderOf(each)))
    if (now.takesFolders && text.startsWith('./')) found.push(folderOf(text))
    // `pnpm test` runs a script, and the tests of a small package are often in `test.js`.
    if (now.isBefore && /^(?!test$)[\w-]+$/.test(text)) {
      found.push({ word: pathOf(text), verb: 'is run by', isName: true })
    }
    // Of a folder the runtimes of JavaScript take its `index.js`.
    if (INTERPRETER.test(option) && endingOf(text) === undefined) add(`${text}/index`, 'is run by')
    if (now.isFirst || now.runsAll) add(text, 'is run by')
    else if (isFed || now.readsAll || takesSettings(option, text) || now.ownOptions.has(option)) add(text, 'is read by')
    else if (TAKES_FOLDER.test(option)) found.push(folderOf(text))
    else if (
      !isScript &&
      !isLookedAt(text) &&
      !(now.onlyLooks && (!option.startsWith('-') || TAKES_NOTHING.test(option)))
    )
      add(text)
    // `-cx.cfg`, `@x.args`
    const behind = /^(?:-\w|@)(.+)$/.exec(text)?.[1]
    if (behind !== undefined && !isScript) add(behind)
    // What stands behind a module's name is its business: `python -m mdformat README.md`.
    now.runsAll = (now.runsAll && text !== '-m') || INTERPRETER.test(text)
    // `NAME=value` may stand before the program, and `<file` as well.
    now.isFirst &&= isFed || assigned !== undefined || option.endsWith('=')
    isFed = false
    // `--addon={"script": "check.py"}`
    now.onlyLooks = (now.onlyLooks || (now.isBefore && ONLY_LOOKS.test(text))) && !text.startsWith('{')
    // Behind `NAME=value` it is not told: the value may be a program's name, or hold blanks.
    now.isBefore &&= BEFORE_PROGRAM.test(text)
    for (const [program, own] of TAKES_SETTINGS_TOO) if (program.test(text)) now.ownOptions.add(own).add(`${own}=`)
    // `$(cat words.txt)`, `cat commands.txt | sh`
    now.readsAll ||= READS_ALL.test(`${option} ${text}`) || (text === 'cat' && !isScript)
    now.takesFolders ||= /^go run$/.test(`${option} ${text}`)
    now.option = text
  }
  // A name with blanks in it.
  for (const [, double, single] of command.matchAll(/"([^"]*)"|'([^']*)'/g)) {
    const text = double ?? single ?? ''
    if (/\s/.test(text) && mayRun(text)) add(text, 'is run by')
  }
  for (const word of pythonRuns(command).modules) found.push({ word, verb: 'is run by' })
  return found
}

/** All that is in a folder; of the root itself, and of one outside, nothing. */
function folderOf(text: string): Word {
  return { word: pathOf(text.replace(/^\$(?:PWD|\{PWD\})\//, '')), verb: 'is run by', isFolder: true }
}

/** What is known of a single command before its first word; `;`, `|` and the like begin another one. */
function begun() {
  return {
    isFirst: true,
    /** The program runs whatever it is given. */
    runsAll: false,
    readsAll: false,
    /** `go run ./tools/lint` */
    takesFolders: false,
    /** `npx --no-install` and the like: the program is still to come. */
    isBefore: true,
    onlyLooks: false,
    /** Options that take settings because of the program before them. */
    ownOptions: new Set<string>(),
    /** The word before. */
    option: '',
  }
}

/** What runs the files that it is given, whatever their names. */
const INTERPRETER =
  /^(?:\.|source|(?:.*\/)?(?:(?:ba|z|da|k|c|tc|fi)?sh|node|deno|bun|tsx|ts-node(?:-esm|-dev)?|vite-node|babel-node|swc-node|nodemon|jiti|zx|python[\d.]*|pypy\d?|ruby|perl|php|lua(?:jit|[\d.]*)|rscript|osascript|pwsh|powershell|tclsh)(?:\.exe)?)$/i

/** What runs none of the files that it is given. Behind an option it may: `eslint -f report.js`. */
const ONLY_LOOKS =
  /^(?:(?:\.\/)?(?:node_modules\/\.bin|\.?venv\/bin)\/)?(?:tsc|vue-tsc|eslint|oxlint|biome|prettier|ruff|flake8|pylint|mypy|pyright|basedpyright|pyflakes|pycodestyle|black|isort|shellcheck|rubocop|luacheck|cppcheck|gofmt|javac)$/

/** The like for what runs or builds a file, told to look at its syntax alone; `-fplugin=…` is none of these options. */
const SYNTAX_ONLY =
  /(?<![^\s;&|(])(?:node (?:--check|-c)|deno (?:check|lint|fmt)|php -l|ruby -w?c|(?:ba|da|k|z)?sh -n|python[\d.]* -m py_compile|(?:gcc|g\+\+|cc|c\+\+|clang|clang\+\+)(?: -W[\w-]+| -std=[\w+]+)* -fsyntax-only)(?= )/g

const LOOKS_ONLY = 'cppcheck'

/** `python -m pylint` is `pylint`. What its name makes Python load is told from the command as it is. */
const AS_MODULE = /(?<![^\s;&|(])python[\d.]* -m (?=\w)/g

const BEFORE_PROGRAM = /^(?:npx|bunx|pnpm|yarn|uv|uvx|poetry|pipenv|bundle|exec|run|--no-install)$/

const TAKES_NOTHING = /^(?:--(?:no[A-Z-]\w*|check|fix|quiet|strict|write)|-W[\w-]+|-Xlint[\w:,-]*)$/

/** What a command writes into is not run by it: `>> log.js`. */
const WRITTEN = /(?<!=)>[>|&]?\s*[^\s;&|()]+/g

const TAKES_SETTINGS =
  /^(?:-[cfp]|--?(?:project|settings|rcfile|makefile|init-script|[\w-]*(?:config|requirement|constraint)[\w-]*))=?$/i

function takesSettings(option: string, text: string): boolean {
  return TAKES_SETTINGS.test(option) && !(option === '-c' && COMPILED.test(text))
}

/** `cc -c main.c`, as each Makefile does it. */
const COMPILED = /\.(?:c|cc|cpp|cxx|cu|mm?|s|asm|f|f9[05]|hs|ml)$/i

/** In other programs they mean something else: `grep -r`, `gcc -I`, `cspell --file`. */
const TAKES_SETTINGS_TOO: readonly (readonly [program: RegExp, option: string])[] = [
  [/(?:^|[/\\])pip(?:[\d.]*|-\w+)(?:\.exe)?$/i, '-r'],
  [/(?:^|[/\\])gradlew?(?:\.bat)?$/i, '-I'],
  [/(?:^|[/\\])(?:[gmn]?awk|g?sed|g?make)(?:\.exe)?$/i, '--file'],
]

/** `pip-sync a.txt b.txt`, `uv pip sync lock.txt`, `tsc -b app.json test.json` */
const READS_ALL = /(?:^|[ /\\])pip[ -]sync(?:\.exe)?$|tsc (?:-b|--build)$/i

/** Each file in the folder behind it is loaded. */
const TAKES_FOLDER = /^--?(?:rules?|plugins?)-?dir=?$/i

export function isLookedAt(word: string): boolean {
  return LOOKED_AT.has(endingOf(word) ?? '')
}

/** A word without an ending may be a program as well: `bin/lint`. */
function mayRun(word: string): boolean {
  const ending = endingOf(word)
  return ending === undefined || RUNS.has(ending)
}

function endingOf(word: string): string | undefined {
  return /[^/\\]\.([^./\\]+)$/.exec(word)?.[1]?.toLowerCase()
}

const RUNS: ReadonlySet<string> = new Set(
  `js mjs cjs jsx ts mts cts tsx py pyz rb pl php sh bash zsh ksh csh fish nu ps1 bat cmd com vbs exe jar wasm lua awk sed
  tcl r jl go java kts groovy dart swift exs clj mk`.split(/\s+/),
)

/** Documents, pages, pictures, tables: a command that names one looks at it, or writes it. */
const LOOKED_AT: ReadonlySet<string> = new Set(
  `md mdx markdown rst adoc txt html htm css scss sass less svg vue svelte astro png jpg jpeg gif webp ico pdf csv tsv sql
  graphql proto log lock`.split(/\s+/),
)
