import type { Flag, FlagName } from '../../model/response.ts'
import { type Line, lineEnd, lineStart, nextFilledLine, previousFilledLine, type Span } from '../lines/lines.ts'
import { isEmphasized, isMarker, isNearlyMarker, isPairOfMarkers } from '../lines/marker.ts'
import { headingLevel, isExample, remarkBehind, saysPart } from '../lines/path.ts'
import type { AboveStart } from './above-start.ts'
import { isNearlyMarked, type Meant } from './meant-block.ts'

/** Why it may not be the file, or not all of it; of the doubts about its ends the first one tells. */
export function flagsOf(text: string, meant: Meant, above: AboveStart | undefined, columns: number): readonly Flag[] {
  const { block, line, path, said, isLoose } = meant
  const flags: Flag[] = []
  const add = (flag: FlagName, reason: string) => flags.push({ flag, path, line, reason })
  if ((isPart.test(block.info) && !/\.(?:diff|patch)$/i.test(path)) || saysPart(said, path))
    add('placeholder', 'the words beside its path say that it is only a part')
  const remark = meant.saysChange ? '' : remarkBehind(said, path)
  if (remark !== '') {
    const reason = `${JSON.stringify(remark)} is behind its path, and lines of the file would go: it may be only a part`
    flags.push({ flag: 'placeholder', path, line, reason, ifLinesGo: true })
  }
  if (isLoose) add('summary-mismatch', 'its block has no path, and the words above its reasoning may name another file')
  if (isExample(path)) add('placeholder', 'its path is the one of an example')
  if (!block.hasStart && !isNearlyMarked(meant) && showsUse(block.info, path)) {
    add('placeholder', 'it is a shell block without START: it may show how to use the file')
  }
  if (columns > 0 && block.indent === 0) {
    add(
      'chat-artifact',
      'all of it is indented but its fences are not: relay removed the indentation, which may belong to the file',
    )
  }
  const doubt = doubtfulBeginning(text, above) ?? doubtfulEnd(text, meant)
  if (doubt !== undefined) add('missing-end', doubt)
  return flags
}

/** In the place of a language, what is done with the block: agents and models write it so. */
const isPart = /^(?:append|insert|prepend|add|patch|diff|edit|modify)(?![\w:.-])/i

/** Why the file may begin elsewhere. */
function doubtfulBeginning(text: string, above: AboveStart | undefined): string | undefined {
  const [line] = above?.lines ?? []
  if (line === undefined) return undefined
  const said = JSON.stringify(text.slice(line.from, Math.min(line.to, line.from + 60)).trim())
  return `${said} is above START: relay took it as the first line of the file, but it may not belong to it`
}

/** Why the block may not hold all of its file, or more than that. */
function doubtfulEnd(text: string, meant: Meant): string | undefined {
  const { block, path, span, loneEnd } = meant
  // Real files end with `# End:`, but none begins like that, unless it is a heading; below START nothing like it is meant.
  const isStrayMarker = (words: string, line: Line, word: 'START' | 'END') =>
    isEmphasized(words, line, word) ||
    (word === 'START' && !block.hasStart && !isHeading(words, line, path) && isNearlyMarker(words, line, word, path))
  if (isNearlyMarked(meant)) return 'its markers are not quite START and END: the lines may belong to the file'
  if (block.hasStart && block.how !== 'end') return 'the block has no END marker: it may not be complete'
  if (loneEnd !== undefined) return 'the block has no START marker: it may not be complete'
  if (isOneLine(text, span)) return 'START, text and END are on one line: the copy may have lost line ends'
  if (block.uneven) return 'the fences inside of the block do not match: the file may end elsewhere'
  if (beginsOrEndsWith(text, span, isStrayMarker)) {
    return 'its first or last line is nearly START or END: the line may not belong to the file'
  }
  if (!block.hasStart) return undefined
  // A file may end with an END of its own, in the signs of its comments.
  const start = previousFilledLine(text, span.from, block.body.from)
  const isSecond = (words: string, line: Line, word: 'START' | 'END') =>
    isMarker(words, line, word) && (word === 'START' || start === undefined || isPairOfMarkers(words, start, line))
  if (beginsOrEndsWith(text, span, isSecond)) {
    return 'it has START or END twice: the second one may not belong to the file'
  }
  return holdsTwoParts(text, span)
    ? 'END and another START are in the middle of it: its parts may belong to different places or files'
    : undefined
}

/** The only line begins with START and ends with END, with a text between. */
function isOneLine(text: string, { from, to }: Span): boolean {
  const line = nextFilledLine(text, from, to)
  if (line === undefined || nextFilledLine(text, line.end + 1, to) !== undefined) return false
  const end = text.slice(Math.max(line.start, line.end - 40), line.end)
  return /^[^\p{L}\p{N}]+START\b/u.test(text.slice(line.start, line.start + 40)) && /\bEND[^\p{L}\p{N}]*$/u.test(end)
}

/** `# Start` in Markdown. */
function isHeading(text: string, line: Line, path: string): boolean {
  return /\.(?:md|mdx|markdown)$/i.test(path) && headingLevel(text.slice(line.start, line.start + 100).trimStart()) > 0
}

/** A block of commands, or of what they print, for a file of another kind. Settings are often called a shell's. */
function showsUse(info: string, path: string): boolean {
  return shells.test(info) && /[^/]\.\w+$/.test(path) && !shellFiles.test(path)
}

const shells =
  /^(?:bash|sh|shell|zsh|fish|console|terminal|shell-?session|shellsession|powershell|pwsh|ps1?|cmd|bat|output)\b/i
const shellFiles =
  /\.(?:(?:ba|z|fi|k|c)?sh|bats|ps[md]?1|cmd|bat|command|conf|cfg|cnf|ini|env\w*|properties|service|timer|rc|txt|log|out|md|mdx|example|sample|local|template|tpl|tmpl|dist|mk)$/i

/** Tells whether its first line is a START of some kind, or its last one an END. */
function beginsOrEndsWith(
  text: string,
  span: Span,
  isOne: (text: string, line: Line, word: 'START' | 'END') => boolean,
): boolean {
  const first = nextFilledLine(text, span.from, span.to)
  const last = previousFilledLine(text, span.to, span.from)
  return (first !== undefined && isOne(text, first, 'START')) || (last !== undefined && isOne(text, last, 'END'))
}

/** An END that closes nothing in there, and below it another START, with no fence between: two pieces in one block. */
function holdsTwoParts(text: string, { from, to }: Span): boolean {
  const content = text.slice(from, to)
  if (!content.includes('END') || !content.includes('START')) return false
  let open = 0
  let end: number | undefined
  for (const { word, line } of markersIn(content)) {
    if (word === 'END' && open > 0) open--
    else if (word === 'END') end = line.end
    else if (end !== undefined && !/^[ \t]*(?:```|~~~)/m.test(content.slice(end, line.start))) return true
    else [open, end] = [open + 1, undefined]
  }
  return false
}

/** A START above it is the sign of a part of the file. */
export function holdsEnd(text: string, { from, to }: Span): boolean {
  for (const { word } of markersIn(text.slice(from, to))) if (word === 'END') return true
  return false
}

/** The lines of a text that are START or END, from its first to its last. */
function* markersIn(content: string): Generator<{ readonly word: 'START' | 'END'; readonly line: Line }> {
  for (const found of content.matchAll(/\b(?:START|END)\b/g)) {
    const word = found[0] === 'START' ? 'START' : 'END'
    const start = lineStart(content, found.index, 40)
    if (start === undefined) continue
    const line = { start, end: lineEnd(content, found.index) }
    if (isMarker(content, line, word)) yield { word, line }
  }
}
