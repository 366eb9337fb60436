import { placeOf } from './place-of.ts'
import { inside, type Word } from './simple-commands.ts'

/** What a simple command makes Python run, and where that looks for a module before it looks among its own. */
export interface PythonRuns {
  /** The files that a module's name can mean, where it runs or on PYTHONPATH: `python -m tools.lint`. Folded. */
  readonly modules: readonly string[]
  /** `''` is where the command runs. Folded. */
  readonly folders: readonly string[]
}

export function pythonRuns(words: readonly Word[]): PythonRuns {
  const runs = words.map((word, at) => runAt(word, words, at))
  const modules = runs.flatMap(run => run.modules)
  const folders = runs.flatMap(run => run.folders)
  const searched = words.flatMap(word => (isPath(word) ? placesOnPath(word) : [])).slice(0, MOST_SEARCHED)
  return { modules: ['', ...searched].flatMap(folder => modules.map(module => inside(folder, module))), folders }
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
const STANDARD_INPUT: PythonRuns = { modules: [], folders: [''] }

function runAt(word: Word, words: readonly Word[], at: number): PythonRuns {
  const { text, before } = word
  if (/^--load-plugins=?$/.test(before)) return { modules: text.split(',').flatMap(placesOfModule), folders: [] }
  if (isPath(word)) return { modules: [], folders: placesOnPath(word) }
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
  if (mode === 'm') return { modules: placesOfModule(behind || (words[at + 1]?.text ?? '')), folders: [''] }
  if (mode === 'c' || text === '-' || isFed) return STANDARD_INPUT
  const folder = placeOf(`${text}/..`)
  if (SCRIPT.test(text)) return { modules: [], folders: [folder] }
  return takesAnyFile ? { modules: [placeOf(`${text}/__main__.py`)], folders: [folder, placeOf(text)] } : NOTHING
}

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
