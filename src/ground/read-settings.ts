import { parse } from 'jsonc-parser'
import { parse as parseToml } from 'smol-toml'
import { isRecord } from './json.ts'

/** The settings in a text that may hold comments, and some faults; empty where it holds none. */
export function jsonSettings(text: string): Readonly<Record<string, unknown>> {
  const value: unknown = parse(text, [], { allowTrailingComma: true })
  return isRecord(value) ? value : {}
}

/** The settings in a TOML text; empty where it is none. */
export function tomlSettings(text: string): Readonly<Record<string, unknown>> {
  try {
    return parseToml(text)
  } catch {
    return {}
  }
}
