import { isRecord } from './is-record.ts'

/**
 * What stands below these keys of a package.json, or of a file like it, by its name; nothing where that cannot be read: then
 * no runner can read it either.
 */
export function scriptsUnder(
  keys: readonly string[],
  text: string,
): readonly (readonly [name: string, script: unknown])[] {
  try {
    const data: unknown = JSON.parse(text.replace(/^\ufeff/, ''))
    return isRecord(data) ? keys.flatMap(key => (isRecord(data[key]) ? Object.entries(data[key]) : [])) : []
  } catch {
    return []
  }
}
