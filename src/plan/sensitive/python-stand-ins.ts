import { commandsOf, type WithCommands } from '../../commands-of.ts'
import { foldPath } from '../fold-path.ts'
import { placeOf } from './place-of.ts'
import { isPythonModule } from './python-modules.ts'
import { pythonRuns } from './python-runs.ts'
import { foldersOf, inside, simpleCommands } from './simple-commands.ts'

/**
 * Says of a new file that the Python of a command would load it in place of a module of its own; `undefined` for all others.
 *
 * Python looks first in the folder of the script that it runs, or in that where it was called: a new `argparse.py` there
 * runs with `python -m compileall`, though no command names it. A file that was there already is the project's choice.
 */
export function pythonStandIns(config: WithCommands): (path: string) => string | undefined {
  let folders: ReadonlySet<string> | undefined
  return path => {
    if (!path.endsWith('.py')) return undefined
    folders ??= new Set(commandsOf(config).flatMap(({ command }) => lookedIn(command)))
    if (folders.size === 0) return undefined
    const [, folder = '', module = ''] = /^(?:(.+)\/)?([^/]+)$/.exec(path.replace(/(?:\/__init__)?\.py$/, '')) ?? []
    return folders.has(foldPath(folder)) && isPythonModule(module) ? `stands in for Python's own ${module}` : undefined
  }
}

function lookedIn(command: string): readonly string[] {
  const commands = simpleCommands(command)
  const folders = foldersOf(commands)
  return commands.flatMap((words, at) => {
    const looked = pythonRuns(words).folders
    return [...(folders[at] ?? [])].flatMap(folder => looked.map(each => placeOf(inside(folder, each))))
  })
}
