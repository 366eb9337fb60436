import { uncomment } from './comment.ts'
import { lineEnd, linesBefore, seeker } from './lines.ts'
import { mayBeInAnotherTongue, saysItInAnotherTongue } from './other-tongues.ts'

/** A line of a file that stands for code which was left out. */
export interface Placeholder {
  /** 0-based line within the content. */
  readonly line: number
  readonly text: string
}

const none: readonly Placeholder[] = []

/** So many different ones are told apart; from there on one more is enough to know. */
const most = 100

/** A longer line explains something. */
const longest = 160

const documents = /\.(?:md|mdx|markdown|txt|rst|adoc|asciidoc)$/i
const scripts = /\.(?:vb|vbs|bas|vim|m|tex|sty|erl|hrl|lisp|clj|cljs|el|scm|ini|asm|s)$/i

/** Languages in which a line of three dots is neither code nor part of a text that a program holds. */
const bareDotsMeanNothing = /\.(?:jsonc?|s?css|less)$/i

/** The first letters of the lines that are looked at: comment signs, brackets and dots. */
const beginnings = '/#-<;%{(（*."…[\''
const begun = new RegExp(`\\n[ \\t]*[${beginnings.replace(/[-[]/g, '\\$&')}]`, 'g')

/**
 * Finds the lines that say "rest of the code" instead of giving it.
 *
 * Only whole lines count, and only words that models use for this: code that spreads with `...`, a Python body of `...`,
 * a text of dots and a sentence that happens to hold "the rest of the code" are none.
 */
export function findPlaceholders(content: string, path: string): readonly Placeholder[] {
  const found = new Map<string, Placeholder>()
  const isDocument = documents.test(path)
  const nextInline = seeker(content, '/*')
  const longCommentAt = longComments(content, path)
  const mayHoldInline = !isDocument && nextInline(0) < content.length
  let quotedTo = 0
  let before = ''

  for (let start = 0; start < content.length && found.size < most; ) {
    const next = content.indexOf('\n', start)
    const end = next < 0 ? content.length : next
    let at = start
    while (at < end && (content.charCodeAt(at) === 32 || content.charCodeAt(at) === 9)) at++
    if (at === end || at < quotedTo || end - at > longest) before = ''
    else if (beginnings.includes(content.charAt(at))) {
      const words = content.slice(at, end).trimEnd()
      const long = longCommentAt(at, end)
      quotedTo = long?.end ?? quotedTo
      if (mayStandForCode(long?.words ?? words) && !found.has(words)) {
        const comment = long?.words ?? commentOf(words, path, isDocument)
        const below = lineAt(content, long === undefined ? end + 1 : lineEnd(content, long.end) + 1)
        if (comment !== undefined && standsForCode(comment, before, below)) add(words, start, end)
      }
      before = words
    } else {
      const inline = mayHoldInline && nextInline(at) < end ? inlineComment(content.slice(at, end)) : undefined
      if (inline !== undefined && standsForCode(inline, '', '}')) add(content.slice(at, end), start, end)
      before = ''
    }
    start = mayHoldInline || before !== '' ? end + 1 : nextBegun(content, end)
  }
  return found.size === 0 ? none : [...found.values()]

  function add(words: string, start: number, end: number) {
    if (!found.has(words)) found.set(words, { line: linesBefore(content, start), text: content.slice(start, end) })
  }
}

/** Where the next line begins that is looked at, below the one that ends at `end`. */
function nextBegun(content: string, end: number): number {
  begun.lastIndex = end
  const found = begun.exec(content)
  return found === null ? content.length : found.index + 1
}

/** What a line says when it is a comment, or bare words in dots where no language has such a line. */
function commentOf(words: string, path: string, isDocument: boolean): string | undefined {
  // Dots alone are in a document part of what it shows.
  if (words.startsWith('<!--')) return isDocument && !/\p{L}/u.test(words) ? undefined : uncomment(words)
  // No language has a line of plain words in brackets, but lists of Lisp.
  const inBrackets = scripts.test(path) ? undefined : bracketed.exec(words)?.slice(1).join('').trim().toLowerCase()
  if (inBrackets !== undefined && (isWholeCode(inBrackets) || saysItInAnotherTongue(inBrackets, false))) {
    return `(${inBrackets})`
  }
  if (words.startsWith('{ /*') && /\p{L}/u.test(words)) return /^\{ \/\*([^*]+)\*\/ \}$/.exec(words)?.[1]
  const dotted =
    /^(?:\.{3}|…)(?:[ \t([]|$|[\w'/-]+ [\w'/ -]+(?:\.{3}|…)$)|^[[(](?:\.{3}|…)|^[<{] ?(?:\.{3}|…) \w+ /.test(words) &&
    !/[,;]$/.test(words) &&
    !isSpread(words)
  if (isDocument) return dotted && /[a-z]/i.test(words) ? words : undefined
  if (dotted) return /[a-z]/i.test(words) || bareDotsMeanNothing.test(path) ? words : undefined
  if (/^(?:\/\/[/!]|"""|'''|"|'|\[|\(?[^*(]?$)/.test(words)) return undefined
  if (/^[;%]/.test(words) && !scripts.test(path)) return undefined
  return uncomment(words)
}

const bracketed = /^(?:\[([\p{L}' ]+)\]|\(([\p{L}' ]+)\)|<([\p{L}' ]+)>|\{\{?([\p{L}' ]+)\}?\}|（([^（）]+)）)$/u

/** `(...args) =>`, `...(extra && { extra })`: code that spreads a value. */
function isSpread(words: string): boolean {
  return /^[[({]?\.{3}(?:[\w$]+(?:[)\]}.,;(&=?[]|[ \t]*(?:=>|[&|?=]{1,2}|as\b)|$)|[([][^)\]]*[&|?=!<>{])/.test(words)
}

/** A comment or a documentation text of several lines: where it ends, and what all of it says. */
interface LongComment {
  readonly end: number
  readonly words: string
}

/** What stands within one is an example, not the program; but all of it may stand for code. */
function longComments(content: string, path: string): (at: number, lineEnd: number) => LongComment | undefined {
  const nextClose = seeker(content, '*/')
  const nextQuotes = seeker(content, '"""')
  const isPython = /\.pyi?$/.test(path)
  return (at, end) => {
    const isCode = content.startsWith('/*', at)
    if (!isCode && !(isPython && content.startsWith('"""', at))) return undefined
    const close = isCode ? nextClose(at + 2) : nextQuotes(at + 3)
    if (close < end || close === Number.POSITIVE_INFINITY) return undefined
    const words = close - at > longest ? '' : content.slice(at + (isCode ? 2 : 3), close)
    const said = words.replace(/^[ \t]*\*+/gm, '').replace(/\s+/g, ' ')
    return { end: close, words: /[a-z]/i.test(said) ? said.trim() : '' }
  }
}

/** A comment alone between braces on a line of code: `render() { /* unchanged *\/ }`. */
function inlineComment(line: string): string | undefined {
  return /\{\s?\/\*([^*]{1,100})\*\/\s?\}/.exec(line)?.[1]?.trim()
}

function lineAt(content: string, start: number): string {
  if (start >= content.length) return ''
  const end = content.indexOf('\n', start)
  return content.slice(start, end < 0 ? content.length : Math.min(end, start + longest)).trim()
}

const set = (words: string) => new Set(words.split(/\s+/))

/** Words that say of something that it is left out. */
const leftOut = set(
  'rest remaining remainder existing unchanged unmodified untouched omitted elided truncated previous original same unaltered skipped abbreviated',
)

/** One of those words, or dots: without them a line is none, and nearly none has them. */
const hint =
  /\.{3}|…|rest|remain|existing|un(?:changed|modified|touched|altered)|omitted|elided|truncated|previous|original|same|skipped|abbreviated|no change|everything else|snip|continue/i

function mayStandForCode(words: string): boolean {
  return hint.test(words) || mayBeInAnotherTongue(words)
}

/** What is left out. */
const things = set(
  `code codes file files function functions method methods class classes component components implementation implementations
   import imports logic content contents style styles rule rules test tests route routes field fields property properties
   prop props variable variables constant constants config configuration option options setting settings handler handlers
   helper helpers type types interface interfaces definition definitions declaration declarations module modules script
   scripts section sections body markup html css jsx tsx json yaml state hook hooks line lines item items entry entries case
   cases column columns table tables key keys dependency dependencies setup stuff part parts member members endpoint
   endpoints element elements selector selectors export exports statement statements query queries schema document page
   template readme text data init initialization initializers constructor getters setters attributes parameters params
   arguments args values details block blocks program package fixtures mocks models views controllers services utilities
   reducers actions effects events listeners middleware migrations translations messages strings labels assertions`,
)

/** Words around them. */
const around = set(
  `the a an your this our my all any other more additional old above below of from in for and or with to it its
   is are was were be being been remain remains remained stay stays stayed keep keeps kept leave leave leaves left as
   before here there goes go follow follows continue continues continued brevity shown not no change changes changed needed
   required intact identical exactly like current etc so on now still unaffected just both these those that which have has
   already defined elsewhere everything else add put insert paste copy include included implement`,
)

function standsForCode(comment: string, before: string, after: string): boolean {
  const raw = comment.trim()
  if (raw === '' || isRuler(raw)) return false
  const dots = /\.{3}|…/.test(raw)
  // Brackets or dashes around all of it say the same as dots.
  const framed = /^(?:\(.*\)|\[.*\]|<.*>|（.*）|【.*】|-{2,}.*-{2,})$/.test(raw)
  const leading = framed || /^[[({<（【*\-=_\s]*(?:\.{3}|…)/.test(raw)
  const trailing = framed || /(?:\.{3}|…)[\])}>）】*\-=_\s]*$/.test(raw)
  const core = raw
    .toLowerCase()
    .replace(/\.{2,}|…/g, ' ')
    .replace(/[^\p{L}\p{N}'/]+/gu, ' ')
    .trim()
  if (core === '') return dots && /^[\s.…[\](){}*-]+$/.test(raw) && !isComment(before) && !isComment(after)
  if (raw.endsWith(':') || raw.endsWith('?')) return false
  if (saysItInAnotherTongue(core, framed ? dots || namesCode.test(core) : leading || trailing)) return true
  if (leftOutPhrase.test(core) || isExistingPart(core, raw, after)) return true
  if (/^[a-z_]+$/i.test(core) && !dots) return false

  const words = core.split(' ')
  if (words.length > 14) return false
  if (/^no changes?(?: here| needed| required)?$/.test(core)) return standsAlone(after)
  const strong = words.some(word => leftOut.has(word))
  const unknown = words.filter(word => !leftOut.has(word) && !things.has(word) && !around.has(word)).length
  const named = words.some(word => things.has(word))
  if (framed && !dots)
    return strong && unknown === 0 && (isWholeCode(core) || (!raw.startsWith('-') && standsAlone(after)))
  if (dots && (leading || trailing)) {
    if (strong && leading && trailing) return unknown <= 4
    if (strong && leading) return unknown <= 2 && !isSentence(raw) && (isKnown(words.at(-1)) || unknown <= 1)
    if (leading) return named && unknown === 0 && !/[={]/.test(raw)
    return strong && unknown === 0 && named
  }
  if (!strong || unknown > 0 || raw.endsWith('.') !== /\.$/.test(raw)) return false
  return isPlainWords(core) && (isWholeCode(core) || standsAlone(after))
}

const namesCode = /code|c[óo]dig|код|代码|代碼|程式碼|コード|코드/

/** What says all by itself that something was left out, whatever comes below; with one word more it explains code. */
const leftOutPhrase = new RegExp(
  `^(?:unchanged|omitted|snip|snipped|same as before|no changes? (?:here|below|above)|${[
    'no changes? to the (?:rest|remainder)(?: of (?:the|this) (?:code|file))?',
    '(?:keep|leave) (?:everything else|the rest|all else) (?:as is|as it is|unchanged|the same)',
    'everything else (?:is|stays|remains) (?:as is|as it is|as before|unchanged|the same)',
    '(?:to be |file |code )?continue[ds]? in (?:the |my |a )?(?:(?:next|second|following|another) (?:message|response|reply|answer|part|block)|part \\d+)',
    'code continues(?: here| below)?',
    'truncated for (?:length|brevity|space)',
    '(?:see|as in|same as in) (?:the |my |our )?(?:previous|last|earlier) (?:message|response|answer|reply)(?: for .{1,40})?',
  ].join('|')})$`,
)

/** "existing imports": in their place, unless they follow or it heads a section, which begins with a large letter. */
function isExistingPart(core: string, raw: string, after: string): boolean {
  const part = /^(?:your )?existing (imports|styles|css|jsx|html|markup)$/.exec(core)?.[1]
  if (part === undefined || (part === 'imports' && isImport(after))) return false
  return standsAlone(after) || !/^\W*E/.test(raw)
}

function isImport(line: string): boolean {
  return /^(?:(?:import|from|use|using|require|[#@](?:include|import|use))\b|const .*\brequire\()/.test(line)
}

/** A line drawn with dots. */
function isRuler(raw: string): boolean {
  return /^\W*\.{6}[\s.]*\W*$/.test(raw)
}

/** "… of the code": what no section of a complete file is headed with. */
function isWholeCode(core: string): boolean {
  return (
    /\b(?:rest|remainder) of (?:the |your |this |my )?(?:existing |original |current |previous )?(?:code|file|implementation|function|class|component|module|script|method|logic|html|jsx|markup|css)\b/.test(
      core,
    ) ||
    /^(?:the |your |all |all the |keep |keep the |keep all |keep your )*(?:existing|previous|original|remaining) (?:code|implementation|logic)\b/.test(
      core,
    ) ||
    /\b(?:code|content|contents|implementation|logic|file|methods|functions|everything else|rest|remainder)\b.*\b(?:unchanged|unmodified|omitted|untouched|truncated|the same|same as before|as before)\b/.test(
      core,
    ) ||
    /\bomitted for brevity\b/.test(core)
  )
}

/** Words of the kind, without dots: a thing that is left out, or what happens to it. */
function isPlainWords(core: string): boolean {
  return (
    isWholeCode(core) ||
    /^(?:the )?(?:rest|remainder) of (?:the |your |this )?[a-z/ ]+$/.test(core) ||
    /^(?:the |your |all |all other |other |all the )*(?:existing|remaining|previous|original) [a-z/ ]+(?:here|unchanged|remain|remains|stay|stays|go here|goes here|the same|as before)[a-z ]*$/.test(
      core,
    ) ||
    /^(?:unchanged|no changes?(?: here| needed)?|same as (?:before|above)|remains? (?:unchanged|the same)|stays? the same|omitted)(?: from (?:the )?(?:original|previous|existing)[a-z ]*| code| section)?$/.test(
      core,
    )
  )
}

/** A comment with nothing right below it heads nothing. */
function standsAlone(after: string): boolean {
  return after === '' || /^(?:[)\]}>;,]+|<\/|end\b|END\b|fi$|done$|esac$|\*\/|-->)/.test(after)
}

function isComment(line: string): boolean {
  return /^(?:\/\/|\/\*|#(?!!)|--|<!--|;|%|\*)/.test(line.trim()) && /[a-z]/i.test(line)
}

/** "... and then the rest is sent": words with a verb that says more than "stays". */
function isSentence(raw: string): boolean {
  return /\b(?:then|will|would|should|must|can|when|if|because|so that|and the)\b/i.test(raw)
}

function isKnown(word: string | undefined): boolean {
  return word !== undefined && (things.has(word) || leftOut.has(word) || around.has(word))
}
