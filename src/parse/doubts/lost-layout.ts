import { isDocument } from '../../lines/is-document.ts'
import type { Flag } from '../../model/response.ts'
import type { FoundControl } from '../control/find-control.ts'
import type { FileBlock } from '../files/file-block.ts'
import { type LineOf, linesBefore } from '../lines/lines.ts'
import type { Residue } from './find-residue.ts'

/**
 * Finds in a file of code what a page leaves out of a text that it shows without its layout: the blanks and tabs in front of
 * every line. Only bodies tell of it, which no style of any language puts at the margin throughout a file.
 */
export function findLostMargin(content: string, path: string): readonly Residue[] {
  if (isDocument(path) || data.test(path)) return []
  if (makefile.test(path)) return lostTabs(content)
  if (indented.test(content) || !lineEndOfOpener.test(content)) return []
  const { opens, often } = openers.find(({ files }) => files.test(path)) ?? anyOpener
  const lines = linesBelow(content, (above, line) => opens.test(above.trimEnd()) && !noBody.test(line))
  return lines.length < often
    ? []
    : [{ flag: 'chat-artifact', reason: flat, linterFinds: true, ifIndented: true, lines }]
}

/** Programs write these without any layout. */
const data =
  /\.(?:diff|patch|\w*json\w*|ipynb|webmanifest|har|toml|lock|ini|cfg|cnf|conf|properties|plist|dat|data|dot|gv|edn)$/i

/** The lines that tell something by themselves and the line right above. */
function linesBelow(content: string, isOne: (above: string, line: string) => boolean): Residue['lines'] {
  const all = content.split('\n')
  return all.flatMap((text, line) => (isOne(all[line - 1] ?? '', text) ? [{ line, text }] : []))
}

const indented = /^[ \t]+\S/m
/** A glance at the whole file, since trying each of its lines takes ten times as long. */
const lineEndOfOpener = /(?:[([{:]|; (?:then|do))[^\S\n]*$/m
const flat = 'none of its lines is indented, not even in a body: the copy may have lost spaces'

/** What opens a body, and how often it has to: a key of YAML may just have no value, a list of texts its own layout. */
interface Opener {
  readonly files: RegExp
  readonly opens: RegExp
  readonly often: number
}

const openers: readonly Opener[] = [
  {
    files: /\.py[iwx]?$/i,
    opens: /^(?:async |class|def|if|elif|else|for|while|try|except|finally|with|match|case)\b.*:$|[([{]$/,
    often: 1,
  },
  { files: /\.ya?ml$/i, opens: /^[\w."'/-]+:$/, often: 2 },
]
/** The bodies of namespaces stand at the margin in many styles. */
const anyOpener: Opener = {
  files: /./,
  opens: /^(?![+-])(?!.*\b(?:namespace|extern|module)\b).*(?:[([{]|; (?:then|do))$/,
  often: 2,
}
const noBody = /^(?:\s*$|[)\]}#]|- |(?:done|fi|end)\b)/

const makefile = /(?:^|\/)(?:GNU)?makefile$|\.mk$/i
const noTabs = 'its recipes do not begin with a tab, which make needs: the copy may have lost tabs'

/** A recipe may only stand right below its rule where that is not the beginning of a longer line. */
function lostTabs(content: string): readonly Residue[] {
  if (/^\t|^\.RECIPEPREFIX/m.test(content)) return []
  const lines = linesBelow(content, (above, line) => rule.test(above) && /^(?: +[^\s#]|@)/.test(line))
  return lines.length === 0 ? [] : [{ flag: 'chat-artifact', reason: noTabs, lines }]
}

const rule = /^[^\s#:=][^#:=]*:(?![:=])[^=]*(?<!\\)$/

/**
 * Doubts an answer that has a blank line between any two lines, or none at all: a page puts them between its paragraphs,
 * and leaves out those that hold nothing.
 *
 * An answer that a model wrote has its marker right below the fence, and a blank line between its words and the block.
 */
export function lostLines(
  text: string,
  files: readonly FileBlock[],
  control: FoundControl,
  lineOf: LineOf,
): readonly Flag[] {
  const written = files.filter(({ operation }) => operation.op === 'write' && operation.content !== '')
  if (isDoubled(text.slice(control.from, control.to))) {
    return written.flatMap(({ block, operation: { path } }) => {
      if (!isDoubled(text.slice(block.start, block.after))) return []
      return [{ flag: 'chat-artifact', path, line: lineOf(block.start), reason: doubled }]
    })
  }
  const first = written[0]?.block.start ?? 0
  const above = text.slice(text.lastIndexOf('\n', first - 2) + 1, first)
  if (above.trim() === '' || /^[ \t]*(?:```|~~~)/.test(above)) return []
  const isLong = ({ operation }: FileBlock) =>
    operation.op === 'write' && linesBefore(operation.content, operation.content.length) >= fewestLines
  if (!written.some(isLong)) return []
  const shown = text.slice(first, Math.max(control.to, written.at(-1)?.block.after ?? 0)).trimEnd()
  return /\n[^\S\n]*\n/.test(shown) ? [] : [{ flag: 'chat-artifact', line: lineOf(first), reason: noBlankLine }]
}

const doubled = 'every second line of its block is blank, as in a text that was copied with the mouse'
const noBlankLine = 'the answer has no blank line: the copy may have lost those of its files'

/** A shorter file may do without. */
const fewestLines = 8

/** No filled line follows another one. */
function isDoubled(text: string): boolean {
  return !/\S[^\S\n]*\n[^\S\n]*\S/.test(text.trim())
}
