import * as v from 'valibot'
import { configSchema, userSchema } from './config-schema.ts'

/** One key of a configuration, as messages describe it. */
export interface ConfigKey {
  /** Includes the keys above it: `policy.ask`. */
  readonly key: string
  /** `undefined` when there is none. */
  readonly default: unknown
  /** The allowed values, in words. */
  readonly allowed: string
  readonly description: string
  /** The key holds further keys, which follow it in the list. */
  readonly holdsKeys: boolean
}

/** Every key of a project's file in the order of the schema, each object before the keys in it. */
export const configKeys: readonly ConfigKey[] = keysOf(configSchema.entries, '')

/** The same of the user's file. */
export const userKeys: readonly ConfigKey[] = keysOf(userSchema.entries, '')

function keysOf(entries: Readonly<Record<string, v.GenericSchema>>, above: string): ConfigKey[] {
  return Object.entries(entries).flatMap(([name, schema]) => {
    const key = above + name
    const inner = 'wrapped' in schema ? (schema.wrapped as v.GenericSchema) : schema
    // An object schema of valibot's has entries, but its general type does not say so.
    const below = 'entries' in inner ? (inner.entries as Record<string, v.GenericSchema>) : undefined
    const keys = below === undefined ? [] : keysOf(below, `${key}.`)
    return [
      {
        key,
        default: v.getDefault(schema),
        allowed: String(v.getMetadata(inner)['allowed']),
        description: v.getDescription(inner) ?? '',
        holdsKeys: below !== undefined,
      },
      ...keys,
    ]
  })
}
