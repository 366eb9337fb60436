import type { ConfiguredCommand } from '../../commands-of.ts'
import { pathOf } from './place-of.ts'
import { pythonRuns, type StandsIn } from './python-runs.ts'
import { foldersOf, simpleCommands, type Word } from './simple-commands.ts'
import { endingOf, isLookedAt, mayRun } from './word-endings.ts'

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
  /** No file that runs, but a folder in which Python looks for modules first: what a new one there would stand in for. */
  readonly standsIn?: StandsIn
}

/**
 * What commands name as a program or as its settings. A document or the like that is only looked at (`markdownlint
 * README.md`) is neither, nor is what a linter is given to look at (`shellcheck install.sh`); behind a shell or an
 * interpreter, and behind `<`, every word counts.
 *
 * @param isScript of such a command only what surely runs counts
 * @param folder where the commands run
 */
export function programsOf(commands: readonly ConfiguredCommand[], isScript: boolean, folder = ''): Program[] {
  return commands.flatMap(({ key, command }) =>
    namedIn(command.slice(0, MOST_COMMAND), isScript).map(({ verb, ...named }) => ({
      ...below(folder, named),
      why: `${verb} \`${key}\``,
    })),
  )
}

/** Nobody writes a longer command. */
export const MOST_COMMAND = 10_000

/** Where the project lies is not known here: `$PWD/bin/lint` and `/home/me/project/bin/lint` are told by their ends. */
export const FROM_ELSEWHERE = /^(?:[/$%~]|[a-z]:)/

function below<T extends { readonly word: string }>(folder: string, named: T): T {
  if (folder === '' || FROM_ELSEWHERE.test(named.word)) return named
  return { ...named, word: pathOf(`${folder}/${named.word}`) }
}

interface Named extends Omit<Program, 'why'> {
  readonly verb: 'is run by' | 'is read by' | typeof IS_LOOKED_FOR
}

function namedIn(command: string, isScript: boolean): Named[] {
  const commands = simpleCommands(TAKES_COMMANDS.test(command) ? command.replace(/["']/g, '\n') : command)
  const folders = foldersOf(commands)
  const interpreted = commands.map(words => new Set(givenToInterpreter(words)))
  const found = commands.flatMap((words, at) => {
    const given = interpreted[at] ?? new Set()
    const attached = isScript ? [] : attachedTo(words, given)
    const python = [...modules(words), ...searched(words)]
    const loaded = [...indexes(given), ...names(words), ...tasks(words), ...loadedFolders(words), ...python]
    return inEach([...ofWords(words, given, isScript), ...attached, ...loaded], folders[at])
  })
  const interprets = interpreted.some(({ size }) => size > 0)
  const quoted = namesWithBlanks(command).map(text => fileNamed(text, interprets, 'is run by'))
  return [...found, ...inEach(quoted, folders.at(-1))]
}

/** Each of its texts is a command: `concurrently "./lint" "node check"`. */
const TAKES_COMMANDS = /\bconcurrently\s/

function inEach(named: readonly Named[], folders: ReadonlySet<string> = new Set()): Named[] {
  return [...folders].flatMap(folder => named.map(each => below(folder, each)))
}

/** What each word of a simple command stands for: the first rule that knows it decides. */
function ofWords(words: readonly Word[], interpreted: ReadonlySet<Word>, isScript: boolean): Named[] {
  const run = new Set([...upToProgram(words), ...interpreted])
  const read = new Set([...settings(words), ...ownSettings(words), ...readWhole(words, isScript)])
  const looked = new Set(givenToLinter(words))
  return words.flatMap(word => {
    const { text } = word
    const isStem = interpreted.has(word)
    if (run.has(word)) return fileNamed(text, isStem, 'is run by')
    if (read.has(word)) return fileNamed(text, isStem, 'is read by')
    return isScript || looked.has(word) || isLookedAt(text) ? [] : fileNamed(text, isStem)
  })
}

/** The program, and what stands in front of it: `LINTER=./lint make`, `if timeout 5 ./lint`. */
function upToProgram(words: readonly Word[]): readonly Word[] {
  const at = words.findIndex(({ text, before, isFed }) => {
    const isBefore = isFed || text.endsWith('=') || before.endsWith('=')
    return !isBefore && !STARTS.test(text) && !TAKES_WORD.test(before)
  })
  // Behind `$(CC)`, of which nothing is known, `main.c` stands first.
  const isSource = (text: string) => COMPILED.test(text) && !/^\.{0,2}\//.test(text)
  return words
    .slice(0, at === -1 ? undefined : at + 1)
    .filter(({ text, before }) => !TAKES_WORD.test(before) && !isSource(text))
}

/** What starts what stands behind it, whatever that is, with options and numbers of its own. */
const STARTS =
  /^(?:[!{]|if|then|elif|else|while|until|do|time|exec|eval|command|env|cross-env|dotenv|nohup|setsid|nice|ionice|stdbuf|timeout|sudo|xargs|npm|npx|bunx|pnpm|yarn|uvx?|pdm|pipx|poetry|pipenv|bundle|run|call|cmd(?:\.exe)?|\/c|\d[\d.]*[smhd]?|-.*)$/i

/** Options of these: `sudo -u me ./lint`, `npx -p tool ./lint` */
const TAKES_WORD = /^(?:-[pu]|--(?:package|user|with[\w-]*))$/

/** What stands behind a module's name is its business: `python -m mdformat README.md`. */
function givenToInterpreter(words: readonly Word[]): readonly Word[] {
  let isGiven = false
  return words.filter(({ text, before }) => {
    if (SYNTAX_ONLY.test(`${before} ${text}`)) isGiven = false
    const wasGiven = isGiven || RUNS_SCRIPT.test(`${before} ${text}`)
    isGiven = INTERPRETER.test(text) || RUNS_NEXT.test(`${before} ${text}`) || (isGiven && text !== '-m')
    return wasGiven
  })
}

/** What runs the files that it is given, whatever their names. */
const INTERPRETER =
  /^(?:\.|source|(?:.*\/)?(?:(?:ba|z|da|k|c|tc|fi)?sh|node|deno|bun|tsx|ts-node(?:-esm|-dev)?|vite-node|babel-node|swc-node|nodemon|jiti|zx|python[\d.]*|pypy\d?|ruby|perl|raku|@?php|lua(?:jit|[\d.]*)|rscript|julia|octave|osascript|pwsh|powershell|tclsh|expect|elixir|escript|java|jbang|groovy|scala(?:-cli)?|bb|ocaml|run(?:ghc|haskell)|guile|racket|swipl|rdmd|rust-script|qjs)(?:\.exe)?)$/i

/** What does so behind a word of its own, or with a script alone: `go run tools/check.go`, `dart tool/check.dart`. */
const RUNS_NEXT = /^(?:go|dart|zig|crystal|nim|v|mix|dotnet) (?:run|r|script|fsi)$/
const RUNS_SCRIPT = /^(?:dart \S+\.dart|swift \S+\.swift|dotnet \S+\.cs)$/

/** An interpreter that is told to look at the syntax alone. */
const SYNTAX_ONLY = /^(?:node (?:--check|-c)|deno (?:check|lint|fmt)|php -l|ruby -w?c|(?:ba|da|k|z)?sh -n)(?= |$)/

function settings(words: readonly Word[]): readonly Word[] {
  return words.filter(({ text, before, isFed }, at) => {
    const isOther = before === '-c' && (COMPILED.test(text) || SYNTAX_ONLY.test(`${words[at - 2]?.text} -c`))
    return isFed || (TAKES_SETTINGS.test(before) && !isOther)
  })
}

const TAKES_SETTINGS =
  /^(?:-[cfp]|--?(?:project|settings|rcfile|makefile|init-script|[\w-]*(?:config|requirement|constraint)[\w-]*))=?$/i

/** `cc -c main.c`, as each Makefile does it. */
const COMPILED = /\.(?:c|cc|cpp|cxx|cu|mm?|s|asm|f|f9[05]|hs|ml)$/i

function ownSettings(words: readonly Word[]): readonly Word[] {
  return TAKES_SETTINGS_TOO.flatMap(([program, option]) =>
    behind(words, ({ text }) => program.test(text)).filter(({ before }) => before.replace(/=$/, '') === option),
  )
}

/** In other programs they mean something else: `grep -r`, `gcc -I`, `cspell --file`. */
const TAKES_SETTINGS_TOO: readonly (readonly [program: RegExp, option: string])[] = [
  [/(?:^|[/\\])pip(?:[\d.]*|-\w+)(?:\.exe)?$/i, '-r'],
  [/(?:^|[/\\])gradlew?(?:\.bat)?$/i, '-I'],
  [/(?:^|[/\\])(?:[gmn]?awk|g?sed|g?make)(?:\.exe)?$/i, '--file'],
  [/(?:^|[/\\])(?:emacs|nvim)$/, '-l'],
  [/(?:^|[/\\])(?:emacs|sbcl)$/, '--load'],
  [/(?:^|[/\\])n?vim$/, '-S'],
  [/(?:^|[/\\])sbcl$/, '--script'],
  [/(?:^|[/\\])kotlinc$/, '-script'],
]

/** `$(cat words.txt)`, `cat commands.txt | sh` */
function readWhole(words: readonly Word[], isScript: boolean): readonly Word[] {
  return behind(words, ({ text, before }) => READS_ALL.test(`${before} ${text}`) || (text === 'cat' && !isScript))
}

/** `pip-sync a.txt b.txt`, `uv pip sync lock.txt`, `tsc -b app.json test.json` */
const READS_ALL = /(?:^|[ /\\])pip[ -]sync(?:\.exe)?$|tsc (?:-b|--build)$/i

/** What a linter is told to look at. An option may give it something to run: `eslint -f report.js`. */
function givenToLinter(words: readonly Word[]): readonly Word[] {
  const text = textOf(words)
  const runners = runnersOf(text)
  const rest = text.slice(runners.length)
  const [linter] = SYNTAX_ONLY.exec(rest) ?? ONLY_LOOKS.exec(rest) ?? []
  if (linter === undefined) return []
  const named = countOf(linter)
  // `--addon={"script": "check.py"}`
  const inBraces = words.findIndex(({ text }) => text.startsWith('{'))
  return words
    .slice(countOf(runners), inBraces === -1 ? undefined : inBraces)
    .filter(({ before }, at) => at <= named || !before.startsWith('-') || TAKES_NOTHING.test(before))
}

/** What starts the program behind it. Behind `NAME=value` that is not told: the value may be its name, or hold blanks. */
const RUNNERS =
  /^(?:(?:npx|bunx|pnpm|yarn|uv|uvx|pdm|pipx|poetry|pipenv|bundle|exec|run|--no-install|python[\d.]* -m) )*/

function runnersOf(text: string): string {
  return RUNNERS.exec(text)?.[0] ?? ''
}

/** What runs none of the files that it is given; a compiler only where no `-fplugin=…` stands before `-fsyntax-only`. */
const ONLY_LOOKS =
  /^(?:(?:(?:\.\/)?(?:node_modules\/\.bin|\.?venv\/bin)\/)?(?:tsc|vue-tsc|eslint|oxlint|biome|prettier|ruff|flake8|pylint|mypy|pyright|basedpyright|pyflakes|pycodestyle|py_compile|black|isort|shellcheck|rubocop|luacheck|cppcheck|gofmt|javac)|(?:gcc|g\+\+|cc|c\+\+|clang|clang\+\+)(?: -W[\w-]+| -std= [\w+]+)* -fsyntax-only)(?= )/

const TAKES_NOTHING = /^(?:--(?:no[A-Z-]\w*|check|fix|quiet|strict|write)|-W[\w-]+|-Xlint[\w:,-]*)$/

/** `-cx.cfg`, `@x.args`, `-rhook` */
function attachedTo(words: readonly Word[], interpreted: ReadonlySet<Word>): Named[] {
  return words.flatMap(word => {
    const [, text] = /^(?:-\w|@)(.+)$/.exec(word.text) ?? []
    return text === undefined ? [] : fileNamed(text, interpreted.has(word))
  })
}

/** What is a program by its name alone. `pnpm test` runs a script, and the tests of a small package are often in `test.js`. */
function names(words: readonly Word[]): Named[] {
  return words
    .slice(0, countOf(runnersOf(textOf(words))) + 1)
    .filter(({ text }) => /^(?!test$)\w[\w-]*$/.test(text))
    .map(({ text }) => ({ word: pathOf(text), verb: 'is run by', isName: true }))
}

/** What Invoke takes by itself as a Makefile; elsewhere these are an app's own. */
function tasks(words: readonly Word[]): Named[] {
  const at = countOf(runnersOf(textOf(words)))
  if (!/^inv(?:oke)?$/.test(words[at]?.text ?? '')) return []
  return [fileNamed('tasks.py', false), folderNamed('tasks')]
}

/** Of a folder the runtimes of JavaScript take its `index.js`. */
function indexes(interpreted: ReadonlySet<Word>): Named[] {
  return [...interpreted]
    .filter(({ text, before }) => INTERPRETER.test(before) && endingOf(text) === undefined)
    .map(({ text }) => fileNamed(`${text}/index`, true, 'is run by'))
}

/** `PATH=./bin:$PATH lint`, `go run ./tools/lint`, `cd tools && go run .`, `eslint --rulesdir tools/rules` */
function loadedFolders(words: readonly Word[]): Named[] {
  const paths = words.filter(({ before }) => before === 'PATH=').flatMap(({ text }) => text.split(':'))
  const packages = behind(words, ({ text, before }) => before === 'go' && text === 'run')
  const local = packages.flatMap(({ text }) => (/^\.(?:\/|$)/.test(text) ? [text] : []))
  const given = words.flatMap(({ text, before }) => (TAKES_FOLDER.test(before) ? [text] : []))
  return [...paths, ...local, ...given].map(folderNamed)
}

/** Each file in the folder behind it is loaded. */
const TAKES_FOLDER = /^--?(?:rules?|plugins?)-?dir=?$/i

/** `python -m tools.lint`, `pylint --load-plugins=tools.lint` */
function modules(words: readonly Word[]): Named[] {
  return pythonRuns(words).modules.map(word => ({ word, verb: 'is run by' }))
}

function searched(words: readonly Word[]): Named[] {
  return pythonRuns(words).folders.map(({ folder: word, standsIn }) => ({ word, verb: IS_LOOKED_FOR, standsIn }))
}

/** Of a new module; then the command. */
export const IS_LOOKED_FOR = 'is new where Python first looks for the modules of'

/** A name with blanks in it has to be in quotes. */
function namesWithBlanks(command: string): readonly string[] {
  return [...command.matchAll(/"([^"]*)"|'([^']*)'/g)]
    .map(([, double, single]) => double ?? single ?? '')
    .filter(text => /\s/.test(text) && mayRun(text))
}

/** @param isStem whatever it looks like; `./hook` may always stand for `hook.js` */
function fileNamed(text: string, isStem: boolean, verb?: Named['verb']): Named {
  const word = pathOf(text)
  return {
    word,
    verb: verb ?? (mayRun(word) ? 'is run by' : 'is read by'),
    isStem: endingOf(word) === undefined && (isStem || /^\.\.?[/\\]/.test(text)),
  }
}

/** All that is in a folder; of the root itself, and of one outside, nothing. */
function folderNamed(text: string): Named {
  return { word: pathOf(text.replace(/^\$(?:PWD|\{PWD\})\//, '')), verb: 'is run by', isFolder: true }
}

/** The words after the first that a rule knows. */
function behind(words: readonly Word[], knows: (word: Word) => boolean): readonly Word[] {
  const at = words.findIndex(knows)
  return at === -1 ? [] : words.slice(at + 1)
}

function textOf(words: readonly Word[]): string {
  return words.map(({ text }) => text).join(' ')
}

function countOf(text: string): number {
  return text.split(' ').filter(Boolean).length
}
