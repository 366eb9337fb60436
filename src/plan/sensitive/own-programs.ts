import { type PackageScript, scriptsRunBy } from '../../ground/package-scripts.ts'
import { agentCommandsOf, commandsOf, type WithCommands } from '../../model/commands-of.ts'
import { foldPath } from '../fold-path.ts'
import { pathOf } from '../path-policy.ts'

/**
 * Says of a path which command of the configuration names it; `undefined` for all others.
 *
 * The user has agreed to a command by its text, and relay runs it right after writing: a patch that rewrites a program or
 * settings that stand in it would have its say unasked. The texts of the scripts that a command runs count as well, one
 * step deep. Every word is taken for a path from the root, and no shell is asked how it reads it.
 */
export function ownPrograms(
  config: WithCommands,
  scripts: readonly PackageScript[] = [],
): (path: string) => string | undefined {
  const places = new Map<string, string>()
  for (const { key, command } of [...commandsOf(config), ...agentCommandsOf(config)]) {
    for (const word of wordsIn(command)) if (!places.has(word)) places.set(word, `is named by \`${key}\``)
    for (const [name, text] of scriptsRunBy(command, scripts)) {
      const why = `is named by the script "${name}" that \`${key}\` runs`
      for (const word of wordsIn(text)) if (!places.has(word)) places.set(word, why)
    }
  }
  return path => (LOOKED_AT.test(path) ? undefined : places.get(foldPath(path)))
}

/**
 * What stands between blanks, quotes and a shell's own signs; behind a `=` as well: `--config=x.json`. What a command writes
 * (`>> log.js`) is none of its words.
 */
function wordsIn(command: string): readonly string[] {
  return command
    .replace(/>[>&|]?\s*[^\s;&|]+/g, ' ')
    .split(/[\s'"`;&|()<>=,]+/)
    .map(word => foldPath(pathOf(word)))
}

/** Documents, pages, pictures and tables: commands look at them (`markdownlint README.md`), and run nothing of them. */
const LOOKED_AT = /\.(?:mdx?|markdown|rst|adoc|txt|html?|css|s[ac]ss|less|svg|png|jpe?g|gif|webp|ico|pdf|csv|tsv)$/i
