import { clean } from './clean.ts'
import { uncomment } from './comment.ts'
import { type Line, nextFilledLine, previousFilledLine, trimmed } from './lines.ts'
import { cleanPath, looksLikePath, pathFromComment } from './path.ts'

/** How long a line may be that is nothing but a marker. */
const longest = 40

/** Tells whether a line is only the START or END marker, in the comment style of any language. */
export function isMarker(text: string, line: Line, word: 'START' | 'END', bare = false): boolean {
  const said = trimmed(text, line.start, line.end)
  return said.length <= longest && said.includes(word) && says(clean(said), word, bare)
}

function says(said: string, word: 'START' | 'END', bare: boolean): boolean {
  return uncomment(said) === word || (bare && said === word)
}

/** Tells whether a line is a marker in bold, in italics or as code, as some chats and models set it: `**START**`. */
export function isEmphasized(text: string, line: Line, word: 'START' | 'END'): boolean {
  const said = words(text, line) ?? ''
  const inner = withoutEmphasis(uncomment(said) ?? said)
  return inner !== undefined && says(inner, word, true)
}

/**
 * Tells whether a line was meant to be a marker of a path's block, but is not quite one: `// start`, `# --- START ---`,
 * `// FILE END`, `// START: src/a.ts`, `**START**`.
 */
export function isNearlyMarker(text: string, line: Line, word: 'START' | 'END', path: string): boolean {
  if (isEmphasized(text, line, word)) return true
  const written = words(text, line, longest + path.length) ?? ''
  const comment = uncomment(written) ?? dashed.exec(written)?.[1]
  if (comment === undefined) return false
  const name = path.slice(path.lastIndexOf('/') + 1)
  const said = comment.replace(path, '').replace(name, '')
  return nearly[word].test(said)
}

/** Tells whether two lines are START and END between the same signs, be they no comment of any language known here. */
export function isPairOfMarkers(text: string, first: Line, last: Line): boolean {
  const [start = '', end = ''] = [words(text, first), words(text, last)]
  const signs = start.replace('START', '')
  // `&lt;!-- START --&gt;`
  return signs !== start && !/[\p{L}\d]/u.test(signs.replace(/&[lg]t;/g, '')) && end === start.replace('START', 'END')
}

function withoutEmphasis(said: string): string | undefined {
  // Perl and Ruby know the words `__START__` and `__END__`.
  return /^(\*{1,3}|_(?!_)|`)(.+)\1$/.exec(said)?.[2]?.trim()
}

/** `-- START`, of which a program for letters made one dash. */
const dashed = /^[\u2010-\u2015\u2212] ?(.*)$/

const nearly = {
  START: nearlyWord('start|begin(?:ning)?|anfang|beginn|inicio|início|début|inizio|начало|开始|開始|시작'),
  END: nearlyWord('end|ende|fin|fim|fine|конец|结束|結束|終了|끝'),
}

function nearlyWord(words: string): RegExp {
  return new RegExp(
    `^[^\\p{L}\\d_]*(?:(?:file|code)[ \\t]+)?(?:${words})(?: of)?(?: the)?(?: file| code)?[^\\p{L}\\d_]*$`,
    'iu',
  )
}

/**
 * Tells whether a piece of text is the directive to delete the file, and nothing else.
 *
 * Without a comment sign (`bare`) it only counts where the change summary says the same.
 */
export function isDeleteDirective(text: string, from: number, to: number, bare = false): boolean {
  const said = onlyLine(text, from, to, 80)
  const comment = said === undefined ? undefined : (uncomment(said) ?? (bare ? said : undefined))
  return comment !== undefined && /^todo ?:? ?delete this file[.!]?$/i.test(comment)
}

/**
 * Tells whether a piece of text was meant to be the directive, but says it in other words or more than that:
 * `// DELETE THIS FILE`, `//TODO: delete this file - moved to b.ts`.
 */
export function isNearlyDeleteDirective(text: string, from: number, to: number): boolean {
  const said = onlyLine(text, from, to, 400)
  return said !== undefined && nearlyDelete.test(uncomment(said) ?? said)
}

const nearlyDelete =
  /^\W*(?:(?:todo|fixme|note)\b\W*)?(?:(?:please )?(?:deleted?|removed?) (?:(?:this|the|entire|whole) )*file\b|(?:this |the )?file (?:(?:is|was|has been|should be|must be|can be|to be) )?(?:deleted|removed)\b|(?:deleted?|removed?)\W*$)/i

/** Tells whether a piece of text is one comment: where the file goes, that says so in other words or another language. */
export function isOneRemark(text: string, from: number, to: number): boolean {
  const said = onlyLine(text, from, to, 400)
  return said !== undefined && uncomment(said) !== undefined
}

/** What the only filled line of a piece of text says, its blanks made single. */
function onlyLine(text: string, from: number, to: number, limit: number): string | undefined {
  const line = nextFilledLine(text, from, to)
  if (line === undefined || nextFilledLine(text, line.end + 1, to) !== undefined) return undefined
  return words(text, line, limit)?.replace(/[ \t]+/g, ' ')
}

/**
 * The START line that a block begins with: its first line, or the one below a line that names the path.
 *
 * Without a comment sign it only counts where the opening line gives a path, and nothing but that path stands above it: JSON
 * has no comments.
 */
export function startMarker(text: string, from: number, path?: string): Line | undefined {
  let line = nextFilledLine(text, from)
  let bare = path !== undefined
  for (let lines = 0; line !== undefined && text.charCodeAt(line.start) !== 96; lines++) {
    const said = words(text, line, 1024)
    if (said === undefined || said.startsWith('`') || said.startsWith('~~~')) return undefined
    if (said.length <= longest && said.includes('START') && says(said, 'START', bare)) return line
    if (lines === 2 || (uncomment(said) === undefined && !(lines === 0 && isBarePath(said)))) return undefined
    bare &&= (pathFromComment(said) ?? cleanPath(said)) === path
    line = nextFilledLine(text, line.end + 1)
  }
  return undefined
}

/** A path on a line of its own, without a comment sign. */
function isBarePath(said: string): boolean {
  return said.length <= 200 && !/\s/.test(said) && looksLikePath(said)
}

/** The END line that stands right above a line, blank lines aside. */
export function endMarkerAbove(text: string, before: number, from: number, bare: boolean): Line | undefined {
  const line = previousFilledLine(text, before, from)
  return line !== undefined && isMarker(text, line, 'END', bare) ? line : undefined
}

function words(text: string, line: Line, limit = longest): string | undefined {
  const said = trimmed(text, line.start, line.end)
  return said.length > limit ? undefined : clean(said)
}
