import { isRecord } from './is-record.ts'
import { parseJson } from './parse-json.ts'

/**
 * What stands below these keys of a package.json, or of a file like it, by its name; nothing where that cannot be read: then
 * no runner can read it either.
 */
export function scriptsUnder(
  keys: readonly string[],
  text: string,
): readonly (readonly [name: string, script: unknown])[] {
  const data = parseJson(text.replace(/^\ufeff/, ''))
  return isRecord(data) ? keys.flatMap(key => (isRecord(data[key]) ? Object.entries(data[key]) : [])) : []
}

/**
 * The scripts of a package.json that a command line may run, by name: `npm run --silent lint && yarn test`. A name that is
 * no script is told as well: `yarn tsc` runs a program where there is no script of that name.
 */
export function scriptsNamed(command: string): readonly string[] {
  return command.split(/[;&|\n]+/).flatMap(part => {
    const [runner = '', first, second] = part.split(/\s+/).filter(word => word !== '' && !word.startsWith('-'))
    if (!/^(?:npm|pnpm|yarn|bun)$/.test(runner) || first === undefined) return []
    if (/^run(?:-script)?$/.test(first)) return second ?? []
    return runner !== 'npm' || /^(?:test|start)$/.test(first) ? first : []
  })
}
