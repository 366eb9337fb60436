import { isRecord, parseJson } from '../../ground/json.ts'

type Fields = Readonly<Record<string, unknown>>

/** A line of an agent's output as a record; `undefined` when it is no JSON object, such as a log line between the events. */
export function lineFields(line: string): Fields | undefined {
  const value = line.startsWith('{') ? parseJson(line) : undefined
  return isRecord(value) ? value : undefined
}

/** Some members of a record, as far as it has them. */
export function only(fields: Fields, names: readonly string[]): Fields {
  return Object.fromEntries(Object.entries(fields).filter(([name]) => names.includes(name)))
}

/** A member as a record; empty when it is no record: programs change, and any member may be missing. */
export function recordAt(fields: Fields, name: string): Fields {
  const value = fields[name]
  return isRecord(value) ? value : {}
}

/** The records in a list member. */
export function recordsAt(fields: Fields, name: string): readonly Fields[] {
  const value = fields[name]
  return Array.isArray(value) ? value.filter(isRecord) : []
}

export function textAt(fields: Fields, name: string): string | undefined {
  const value = fields[name]
  return typeof value === 'string' ? value : undefined
}

export function numberAt(fields: Fields, name: string): number | undefined {
  const value = fields[name]
  return typeof value === 'number' ? value : undefined
}
