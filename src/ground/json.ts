/** No list, and not `null`. */
export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** Tells whether a parsed value has the expected form. */
type Fits = (value: unknown) => boolean

/** A record with these members. Other members may stand beside them. */
export function isShape<T>(members: { readonly [Name in keyof T]?: Fits }): (value: unknown) => value is T {
  const all = Object.entries<Fits | undefined>(members)
  return (value): value is T => isRecord(value) && all.every(([name, fits]) => fits?.(value[name]) !== false)
}

export function listOf(fits: Fits): Fits {
  return value => Array.isArray(value) && value.every(item => fits(item))
}

/** Fits, or is absent. */
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

/** `undefined` where the text is no JSON. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
