import { commandsOf, type WithCommands } from '../../commands-of.ts'
import { foldPath } from '../fold-path.ts'
import { APP } from './app-folders.ts'
import { type Program, programsOf } from './programs-of.ts'
import { isPythonModule } from './python-modules.ts'
import { isToolModule } from './python-tool-modules.ts'

/**
 * Says of a new file that the Python of a command would load it in place of a module of its own, or may in place of one of
 * a tool's; `undefined` for all others.
 *
 * Python looks first in the folder of the script that it runs, or in that where it was called: a new `argparse.py` there
 * runs with `python -m compileall`, and a new `click.py` with `python -m black`, though no command names it. What a script
 * among tools loads nobody can list, so there any new module is asked about; but not where tests are run, which load it
 * anyway, nor where a script of the app's is. A file that was there already is the project's choice.
 *
 * `reached` is what the commands come to by way of other files.
 */
export function pythonStandIns(
  config: WithCommands,
  reached: readonly Program[] = [],
): (path: string) => string | undefined {
  let folders: Folders | undefined
  return path => {
    if (!path.endsWith('.py')) return undefined
    const [, folder = '', module = ''] = /^(?:(.+)\/)?([^/]+)$/.exec(path.replace(/(?:\/__init__)?\.py$/, '')) ?? []
    folders ??= searchedFolders([...programsOf(commandsOf(config), false), ...reached])
    const place = foldPath(folder)
    if (folders.all.has(place) && isPythonModule(module)) return `stands in for Python's own ${module}`
    if (NO_TOOLS.test(module)) return undefined
    return folders.ofScripts.get(place) ?? (isToolModule(module) ? folders.ofTools.get(place) : undefined)
  }
}

/** No tool loads a module of such a name, or could. */
const NO_TOOLS = /\W|^(?:test_.*|.*_test|__init__|__main__)$/

interface Folders {
  readonly all: ReadonlySet<string>
  /** Those in which scripts among tools may look for any module, each with the reason. */
  readonly ofScripts: ReadonlyMap<string, string>
  /** Those in which tools of others look for theirs. */
  readonly ofTools: ReadonlyMap<string, string>
}

function searchedFolders(programs: readonly Program[]): Folders {
  const searched = programs.filter(({ standsIn }) => standsIn !== undefined)
  const isOfScript = ({ word, standsIn }: Program) => standsIn === 'script' && word !== '' && !APP.test(`/${word}/`)
  const reasons = (some: readonly Program[]) => new Map(some.map(({ word, why }) => [foldPath(word), why]))
  return {
    all: new Set(searched.map(({ word }) => foldPath(word))),
    ofScripts: reasons(searched.filter(isOfScript)),
    ofTools: reasons(searched.filter(({ standsIn }) => standsIn === 'tools')),
  }
}
