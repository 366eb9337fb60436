import { type ConfiguredCommand, commandsOf, type WithCommands } from '../../commands-of.ts'
import { packageScripts } from '../../ground/package-scripts.ts'

/** Whether a command of the configuration may run scripts of package.json. */
export function mayRunScripts(config: WithCommands): boolean {
  return commandsOf(config).some(({ command }) => RUNS_SCRIPTS.test(command))
}

/**
 * The scripts of package.json that a command of the configuration comes to: `npm run lint` runs `prelint`, `lint` and
 * `postlint`, and whatever scripts these run.
 */
export function ownScripts(config: WithCommands, packageJson: string): readonly ConfiguredCommand[] {
  const scripts = packageScripts(packageJson)
  return commandsOf(config).flatMap(({ key, command }) => {
    const found = new Map<string, string>()
    const namedBy = namesOf(scripts)
    const texts = [command]
    for (const text of texts) {
      for (const name of namesIn(text, namedBy)) {
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

type NamedBy = (word: string) => readonly string[]

function namesIn(text: string, namedBy: NamedBy): readonly string[] {
  if (!RUNS_SCRIPTS.test(text)) return []
  const words = text.split(/[\s'"`;&|()]+/).map(word => word.replace(/^npm:/, ''))
  return words.flatMap(namedBy).flatMap(name => [`pre${name}`, name, `post${name}`])
}

/**
 * Tells the scripts that a word names: `npm t` is `npm test`; `run-s lint:*` runs all that begin so. Of a pattern only the
 * first part counts, and that once, so that a text full of them takes no longer than another one.
 */
function namesOf(scripts: ReadonlyMap<string, string>): NamedBy {
  const groups = new Map<string, string[]>()
  for (const name of scripts.keys()) {
    const lead = leadOf(name)
    if (lead === '') continue
    const group = groups.get(lead)
    if (group === undefined) groups.set(lead, [name])
    else group.push(name)
  }
  return word => {
    if (word === 't' || word === 'tst') return ['test']
    if (!word.includes('*')) return scripts.has(word) ? [word] : []
    const lead = leadOf(word)
    const group = groups.get(lead) ?? []
    groups.delete(lead)
    return group
  }
}

/** `lint:` of `lint:types`; of a name without parts nothing. */
function leadOf(name: string): string {
  return name.slice(0, name.indexOf(':') + 1)
}
