import { commandsOf, type WithCommands } from '../../commands-of.ts'
import { foldPath } from '../fold-path.ts'
import { foldersAbove } from './place-of.ts'
import { FROM_ELSEWHERE, type Program, programsOf } from './programs-of.ts'

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
  const named = [...programsOf(commandsOf(config), false), ...reached]
    .filter(({ standsIn }) => standsIn === undefined)
    .map(program => ({ ...program, word: foldPath(program.word) }))
  const places = new Map<string, string>()
  for (const { word, why } of named) if (!places.has(word)) places.set(word, why)
  const stems = new Map(named.flatMap(({ word, isStem, why }) => (isStem === true ? [[word, why]] : [])))
  const standIns = new Map(named.flatMap(({ word, isName, why }) => (isName === true ? [[word, why]] : [])))
  const elsewhere = named.filter(({ word }) => FROM_ELSEWHERE.test(word))
  const folders = new Map<string, string>()
  for (const { word, why, isFolder } of named) if (isFolder === true && !folders.has(word)) folders.set(word, why)
  return path => {
    const folded = foldPath(path)
    const standIn = WINDOWS_RUNS.test(folded) ? standIns.get(folded.replace(WINDOWS_RUNS, '')) : undefined
    return (
      places.get(folded) ??
      stems.get(folded.replace(MAY_BE_LEFT_OUT, '')) ??
      (standIn === undefined ? undefined : `${standIn} on Windows, in place of the program`) ??
      elsewhere.find(({ word }) => word.endsWith(`/${folded}`))?.why ??
      foldersAbove(folded)
        .map(folder => folders.get(folder))
        .find(why => why !== undefined)
    )
  }
}

/** What stands without its ending behind other interpreters as well: `ruby -r ./hook`. */
const MAY_BE_LEFT_OUT = /\.(?:[cm]?[jt]sx?|rb|py|lua|pl|php)$/

/**
 * What the shell of Windows starts for a plain name, and looks for in the project before it looks at the PATH: with an
 * `eslint.js` in the root `eslint .` runs that. Its batch files and some others are asked about wherever they are.
 */
const WINDOWS_RUNS = /\.(?:com|exe|js|jse|vbe|wsh|msc)$/
