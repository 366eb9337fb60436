import { isRecord } from './is-record.ts'

/** The scripts of a package.json by their names; none where it cannot be read: then no runner can read it either. */
export function packageScripts(text: string): ReadonlyMap<string, string> {
  try {
    const data: unknown = JSON.parse(text.replace(/^\ufeff/, ''))
    const scripts = isRecord(data) ? data['scripts'] : undefined
    const entries = isRecord(scripts) ? Object.entries(scripts) : []
    return new Map(entries.flatMap(([name, script]) => (typeof script === 'string' ? [[name, script]] : [])))
  } catch {
    return new Map()
  }
}
