import { placeOf } from './place-of.ts'

/** What a command makes Python run, and where that looks for a module before it looks among its own. */
export interface PythonRuns {
  /** The files that a module's name can mean: `python -m tools.lint`. Folded, like the folders. */
  readonly modules: readonly string[]
  /** `''` is where the command runs. */
  readonly folders: readonly string[]
}

/** Like all that is told of a command, only what its text says: `cd tools && python -m lint` is taken for a `lint` here. */
export function pythonRuns(command: string): PythonRuns {
  const runs = command
    .replaceAll(/=["']/g, '=')
    .split(/[;&|()`\n]/)
    .flatMap(part => {
      const words = part.match(/<|[^\s'"<>]+/g) ?? []
      return words.map((_, at) => runAt(words, at))
    })
  return { modules: runs.flatMap(({ modules }) => modules), folders: runs.flatMap(({ folders }) => folders) }
}

const NOTHING: PythonRuns = { modules: [], folders: [] }

function runAt(words: readonly string[], at: number): PythonRuns {
  const word = words[at] ?? ''
  const plugins = /^--load-plugins=?$/.test(words[at - 1] ?? '') ? word : /^--load-plugins=(.+)/.exec(word)?.[1]
  if (plugins !== undefined) return { modules: plugins.split(',').flatMap(placesOf), folders: [] }
  const path = /^PYTHONPATH=(.*)/.exec(word)?.[1]
  if (path !== undefined) return { modules: [], folders: path.split(':').map(placeOf) }
  if (at === 0 && SCRIPT.test(word)) return runOf(words, true)
  if (PYTHON.test(word) || (at === 0 && word === 'py')) return runOf(words.slice(at + 1), true)
  const isRunner = word === 'run' && RUNNER.test(words[at - 1] ?? '')
  return isRunner ? runOf(words.slice(at + 1), false) : NOTHING
}

/** @param takesAnyFile `uv run pytest` runs what is installed, `python pytest` a file or folder of that name */
function runOf(words: readonly string[], takesAnyFile: boolean): PythonRuns {
  for (const [at, word] of words.entries()) {
    if (ISOLATES.test(word)) return NOTHING
    const [, mode, behind] = MODE.exec(word) ?? []
    if (mode === 'm') return { modules: placesOf(behind || (words[at + 1] ?? '')), folders: [''] }
    if (mode === 'c' || word === '-' || word === '<') return { modules: [], folders: [''] }
    if (word.startsWith('-') || TAKES_WORD.test(words[at - 1] ?? '')) continue
    const folder = placeOf(`${word}/..`)
    if (SCRIPT.test(word)) return { modules: [], folders: [folder] }
    return takesAnyFile ? { modules: [placeOf(`${word}/__main__.py`)], folders: [folder, placeOf(word)] } : NOTHING
  }
  return NOTHING
}

const PYTHON = /^(?:.*[/\\])?(?:python[\d.]*w?|pypy[\d.]*)(?:\.exe)?$/i
const RUNNER = /^(?:.*[/\\])?(?:uv|coverage)$/i
const SCRIPT = /\.pyw?$/i
const MODE = /^-[bBdEhiOqRsStuvVx]*([mc])(.*)$/
const TAKES_WORD = /^-[WX]$/

/** With these options Python looks for modules in no folder of the project. */
const ISOLATES = /^-[bBdEhiOqRsStuvVx]*[IP]/

/** Of `a.b` also the package `a`, which is loaded first. */
function placesOf(module: string): string[] {
  const parts = placeOf(module).split('.', 20)
  const names = parts.map((_, at) => parts.slice(0, at + 1).join('/'))
  return [...names.flatMap(name => [`${name}.py`, `${name}/__init__.py`]), `${names.at(-1)}/__main__.py`]
}
