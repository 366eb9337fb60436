import { type ConfiguredCommand, commandsOf, type WithCommands } from '../../commands-of.ts'
import { isRecord } from '../../ground/is-record.ts'

/** Whether a command of the configuration may run scripts of package.json. */
export function mayRunScripts(config: WithCommands): boolean {
  return commandsOf(config).some(({ command }) => RUNS_SCRIPTS.test(command))
}

/**
 * The scripts of package.json that a command of the configuration comes to: `npm run lint` runs `prelint`, `lint` and
 * `postlint`, and whatever scripts these run.
 */
export function ownScripts(config: WithCommands, packageJson: string): readonly ConfiguredCommand[] {
  const scripts = scriptsIn(packageJson)
  return commandsOf(config).flatMap(({ key, command }) => {
    const found = new Map<string, string>()
    const texts = [command]
    for (const text of texts) {
      for (const name of namesIn(text, scripts)) {
        const script = scripts.get(name)
        if (script === undefined || found.has(name)) continue
        found.set(name, script)
        texts.push(script)
      }
    }
    return [...found.values()].map(script => ({ key, command: script }))
  })
}

const RUNS_SCRIPTS =
  /(?:^|[\s'"`;&|()/\\])(?:npm|pnpm|yarn|bun|node --run|npm-run-all2?|run-[sp]|concurrently)(?:\.cmd)?\s/

function namesIn(text: string, scripts: ReadonlyMap<string, string>): readonly string[] {
  if (!RUNS_SCRIPTS.test(text)) return []
  const words = text.split(/[\s'"`;&|()]+/).map(word => word.replace(/^npm:/, ''))
  return words.flatMap(word => namedBy(word, scripts)).flatMap(name => [`pre${name}`, name, `post${name}`])
}

/** `npm t` is `npm test`; `run-s lint:*` runs all that begin so. */
function namedBy(word: string, scripts: ReadonlyMap<string, string>): readonly string[] {
  if (word === 't' || word === 'tst') return ['test']
  const [, lead] = /^(\w[\w:-]*:)\*+$/.exec(word) ?? []
  if (lead !== undefined) return [...scripts.keys()].filter(name => name.startsWith(lead))
  return scripts.has(word) ? [word] : []
}

/** None where it cannot be read: then no runner can read it either. */
function scriptsIn(packageJson: string): ReadonlyMap<string, string> {
  try {
    const data: unknown = JSON.parse(packageJson.replace(/^\ufeff/, ''))
    const scripts = isRecord(data) ? data['scripts'] : undefined
    const entries = isRecord(scripts) ? Object.entries(scripts) : []
    return new Map(entries.flatMap(([name, script]) => (typeof script === 'string' ? [[name, script]] : [])))
  } catch {
    return new Map()
  }
}
