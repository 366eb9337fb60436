import { APP } from './app-folders.ts'
import { placeOf } from './place-of.ts'
import { isPythonModule } from './python-modules.ts'
import { inside, type Word } from './simple-commands.ts'

/** What a simple command makes Python run, and where that looks for a module before it looks among its own. */
export interface PythonRuns {
  /** The files that a module's name can mean, where it runs or on PYTHONPATH: `python -m tools.lint`. Folded. */
  readonly modules: readonly string[]
  readonly folders: readonly Searched[]
}

/** A folder in which Python looks for modules first; `''` is where the command runs. Folded. */
export interface Searched {
  readonly folder: string
  readonly standsIn: StandsIn
}

/**
 * What a new module there would be loaded in place of: `own` of Python's own, `tools` also of those that tools of others
 * load. `script`: of any where the folder is one of tools; in the root and among the app it is the script's own.
 */
export type StandsIn = 'own' | 'tools' | 'script'

export function pythonRuns(words: readonly Word[]): PythonRuns {
  const runs = words.map((word, at) => runAt(word, words, at))
  const modules = runs.flatMap(run => run.modules)
  const folders = runs.flatMap(run => run.folders)
  const onPath = words.flatMap(word => (isPath(word) ? placesOnPath(word) : [])).slice(0, MOST_SEARCHED)
  return { modules: ['', ...onPath].flatMap(folder => modules.map(module => inside(folder, module))), folders }
}

/** Nobody names more, and each module may be in each of them. */
const MOST_SEARCHED = 8

function isPath({ before }: Word): boolean {
  return before === 'PYTHONPATH='
}

function placesOnPath({ text }: Word): string[] {
  return text.split(':').map(placeOf)
}

const NOTHING: PythonRuns = { modules: [], folders: [] }
const STANDARD_INPUT: PythonRuns = { modules: [], folders: [{ folder: '', standsIn: 'own' }] }

function runAt(word: Word, words: readonly Word[], at: number): PythonRuns {
  const { text, before } = word
  if (/^--load-plugins=?$/.test(before)) return { modules: text.split(',').flatMap(placesOfModule), folders: [] }
  if (isPath(word)) return { modules: [], folders: inFolders(placesOnPath(word), 'own') }
  if (at === 0 && SCRIPT.test(text)) return runOf(words, true)
  if (PYTHON.test(text) || (at === 0 && text === 'py')) return runOf(words.slice(at + 1), true)
  return text === 'run' && RUNNER.test(before) ? runOf(words.slice(at + 1), false) : NOTHING
}

/** @param takesAnyFile `uv run pytest` runs what is installed, `python pytest` a file or folder of that name */
function runOf(words: readonly Word[], takesAnyFile: boolean): PythonRuns {
  const at = words.findIndex(saysWhat)
  const { text, isFed } = words[at] ?? NO_WORD
  if (words.length === 0 && takesAnyFile) return STANDARD_INPUT
  if (text === '' || ISOLATES.test(text)) return NOTHING
  const [, mode, behind] = MODE.exec(text) ?? []
  if (mode === 'm') {
    const module = behind || (words[at + 1]?.text ?? '')
    return { modules: placesOfModule(module), folders: inFolders([''], standsInFor(module)) }
  }
  if (mode === 'c' || text === '-' || isFed) return STANDARD_INPUT
  const folder = placeOf(`${text}/..`)
  const standsIn = RUNS_APP.test(text) ? 'own' : 'script'
  if (SCRIPT.test(text)) return { modules: [], folders: inFolders([folder], standsIn) }
  if (!takesAnyFile) return NOTHING
  return { modules: [placeOf(`${text}/__main__.py`)], folders: inFolders([folder, placeOf(text)], standsIn) }
}

function inFolders(folders: readonly string[], standsIn: StandsIn): readonly Searched[] {
  return folders.map(folder => ({ folder, standsIn }))
}

/** Django's and that of a package, in whatever folder: new modules there are the app. */
const RUNS_APP = /(?:^|[/\\])(?:manage|__main__)\.py$/

function standsInFor(module: string): StandsIn {
  const [top = ''] = module.split('.', 1)
  return isPythonModule(top) || RUNS_CODE.test(top) || LOADS_NOTHING.test(top) || APP.test(`/${top}/`) ? 'own' : 'tools'
}

/** These run what is written in the project: there a new module is one that the tests are about. */
const RUNS_CODE =
  /^(?:pytest|nose2?|ward|behave|robot|twisted|xdoctest|coverage|tox|nox|invoke|django|flask|uvicorn|gunicorn)$/

/** These bring all that they load. */
const LOADS_NOTHING = /^(?:ruff|pip|uv)$/

const NO_WORD: Word = { text: '', before: '', isFed: false }

/** Whether a word decides what Python runs, as all do but most options and what stands behind some of these. */
function saysWhat({ text, before, isFed }: Word): boolean {
  if (isFed || text === '-' || ISOLATES.test(text) || MODE.test(text)) return true
  return !text.startsWith('-') && !TAKES_WORD.test(before)
}

const PYTHON = /^(?:.*[/\\])?(?:python[\d.]*w?|pypy[\d.]*)(?:\.exe)?$/i
const RUNNER = /^(?:.*[/\\])?(?:uv|coverage)$/i
const SCRIPT = /\.pyw?$/i
const MODE = /^-[bBdEhiOqRsStuvVx]*([mc])(.*)$/
const TAKES_WORD = /^-[WX]$|=$/

/** With these options Python looks for modules in no folder of the project. */
const ISOLATES = /^-[bBdEhiOqRsStuvVx]*[IP]/

/** The files that a module may be: of `a.b` also the package `a`, which is loaded first. */
export function placesOfModule(module: string): string[] {
  const parts = placeOf(module).split('.', 20)
  const names = parts.map((_, at) => parts.slice(0, at + 1).join('/'))
  return [...names.flatMap(name => [`${name}.py`, `${name}/__init__.py`]), `${names.at(-1)}/__main__.py`]
}
