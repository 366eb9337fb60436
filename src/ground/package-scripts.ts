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
