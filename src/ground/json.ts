/** A value that has keys, of anything that was parsed: no list, and not `null`. */
export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** Tells of a value, of anything that was parsed, whether it is what it should be. */
type Fits = (value: unknown) => boolean

/** A record with these members, as far as anything relies on them; others may stand beside. */
export function isShape<T>(members: { readonly [Name in keyof T]?: Fits }): (value: unknown) => value is T {
  const all = Object.entries<Fits | undefined>(members)
  return (value): value is T => isRecord(value) && all.every(([name, fits]) => fits?.(value[name]) !== false)
}

export function listOf(fits: Fits): Fits {
  return value => Array.isArray(value) && value.every(item => fits(item))
}

/** That, or nothing. */
export function maybe(fits: Fits): Fits {
  return value => value === undefined || fits(value)
}

export function oneOf<Word extends string>(...words: readonly Word[]): Fits {
  return value => words.some(word => word === value)
}

export function isText(value: unknown): value is string {
  return typeof value === 'string'
}

export const isWhole: Fits = Number.isSafeInteger

/** What a text says as JSON; `undefined` where it is none. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
