/** A key that stands more than once in one object, with the lines of a later one and of the first; both count from 1. */
export interface RepeatedKey {
  readonly key: string
  readonly line: number
  readonly firstLine: number
}

/**
 * Finds every key of a JSON text that stands twice in one object. `JSON.parse` takes the last one without a word: of two
 * rules the laxer one could win unseen.
 *
 * @param json a text that is known to be JSON
 */
export function repeatedKeys(json: string): readonly RepeatedKey[] {
  const found: RepeatedKey[] = []
  /** For each object and list around this place the keys with their lines. */
  const open: Map<string, number>[] = []
  const token = /\n|[{}[\]]|"(?:[^"\\]+|\\.)*"(\s*:)?/g
  let line = 1
  for (let match = token.exec(json); match !== null; match = token.exec(json)) {
    const [sign, colon] = match
    if (sign === '\n') line++
    else if (sign === '{' || sign === '[') open.push(new Map())
    else if (sign === '}' || sign === ']') open.pop()
    else if (colon !== undefined) {
      const key: string = JSON.parse(sign.slice(0, -colon.length))
      const firstLine = open.at(-1)?.get(key)
      if (firstLine === undefined) open.at(-1)?.set(key, line)
      else found.push({ key, line, firstLine })
      line += colon.split('\n').length - 1
    }
  }
  return found
}
