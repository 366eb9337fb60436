/** A place in a file that a line starts with: `file:3:7: …`, `file:3: …`, `file:3:7 - …`, or only `file:3:7`. */
export interface Place {
  readonly file: string
  readonly line: number
  readonly column: number | undefined
  /** The sign between the place and the rest; empty without a rest. */
  readonly mark: ':' | '-' | ''
  readonly rest: string
}

/**
 * Reads the place at the start of a line.
 *
 * The first colon with a number after it ends the file's name, so that `C:\a.c:1:2: …` is understood. It looks at every
 * character a bounded number of times: an output is as long and as odd as its program likes.
 */
export function readPlace(text: string): Place | undefined {
  for (let colon = text.indexOf(':', 1); colon !== -1; colon = text.indexOf(':', colon + 1)) {
    const numbers = readNumbers(text, colon)
    if (numbers === undefined) continue
    const ending = readEnding(text, numbers.end)
    if (ending === undefined) continue
    const file = text.slice(0, colon)
    if (ending.mark === ':' && !isName(file)) return undefined
    return { file: file.trim(), line: numbers.line, column: numbers.column, ...ending }
  }
  return undefined
}

/** `:3`, `:3:7`, or with the end of the range also `:3:7:3:12`. */
function readNumbers(
  text: string,
  colon: number,
): { line: number; column: number | undefined; end: number } | undefined {
  const numbers: number[] = []
  let end = colon
  while (numbers.length < 4 && text[end] === ':' && isDigit(text, end + 1)) {
    let stop = end + 1
    while (isDigit(text, stop) && stop - end <= 9) stop += 1
    numbers.push(Number(text.slice(end + 1, stop)))
    end = stop
  }
  const [line, column] = numbers
  return line === undefined ? undefined : { line, column, end }
}

function readEnding(text: string, end: number): Pick<Place, 'mark' | 'rest'> | undefined {
  if (end === text.length) return { mark: '', rest: '' }
  if (text[end] === ':') return { mark: ':', rest: text.slice(end + 1).trim() }
  if (text.startsWith(' - ', end)) return { mark: '-', rest: text.slice(end + 3).trim() }
  return undefined
}

/**
 * With other text before it, the place is only mentioned in a message (`Error: src/a.ts:1:1: …`) or shown by a frame.
 */
function isName(file: string): boolean {
  return !/^[\s:]|: | {2}|"/.test(file)
}

function isDigit(text: string, at: number): boolean {
  const code = text.charCodeAt(at)
  return code >= 48 && code <= 57
}
