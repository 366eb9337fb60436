import { curlyAttribute, curlyQuote, holdsTexts, isPage } from './curly-quotes.ts'
import { lineEnd, lineStart, linesBefore } from './lines.ts'

/** What a chat window or a wrong decoding left in a file. */
export interface Residue {
  readonly flag: 'chat-artifact' | 'encoding'
  readonly reason: string
  /** Every line that holds it, with how many stand above: never empty. */
  readonly lines: readonly Doubtful[]
}

interface Doubtful {
  readonly line: number
  readonly text: string
}

/** What is looked for in a file. */
interface Look {
  readonly flag: Residue['flag']
  readonly reason: string
  /** Tells by a glance at the whole response whether a file may hold it. */
  readonly mayBeIn?: (text: string) => boolean
  /** Tells whether it is doubtful in this file. */
  readonly isFor?: (path: string, content: string) => boolean
  /** Finds its first place in a text that begins with a line. */
  readonly first: (text: string) => number | undefined
}

interface Doubt extends Pick<Look, 'flag' | 'reason' | 'isFor'> {
  /** They have to stand alone on their line, or at its beginning. */
  readonly alone?: true
  /** Words that only such lines hold; what is found is then looked at closely. */
  readonly signs: readonly Sign[]
}

type Sign = readonly [word: string, whole?: RegExp]

const dunders = "the low lines of Python's own names are lost in the file, as in Markdown that was copied as it shows"

const curlyReason = 'a curly quote stands where the code needs a straight one'

const doubts: readonly Doubt[] = [
  {
    flag: 'chat-artifact',
    reason: 'a citation of the chat stands in the file',
    signs: [
      ['[cite_start]'],
      ['[cite: ', /^\[cite: ?[\d, ]+\]/],
      ['[cite_end]'],
      ['contentReference[oaicite'],
      ['\u2020source\u3011'],
      ['\ue200', /^\ue200[a-z]+\ue202/],
    ],
  },
  {
    flag: 'chat-artifact',
    reason: 'a button of the chat stands in the file',
    alone: true,
    signs: [
      ['Use code with caution', /^Use code with caution\.?[ \t\r]*(?:\n|$)/],
      ['content_copy', /^content_copy[ \t\r]*(?:\n|$)/],
      ['Copy code', /^Copy code[ \t\r]*(?:\n|$)/],
    ],
  },
  {
    flag: 'chat-artifact',
    reason: 'the file ends with a sign by which a model ends its answer',
    signs: [
      ['<|', /^<\|(?:endoftext|end_of_text|end_of_turn|end|im_end|im_start|eot_id|eom_id|eos|return|call)\|>\s*$/],
      ['<\uff5c', /^<\uff5cend\u2581of\u2581sentence\uff5c>\s*$/],
      ['<end_of_turn>', /^<end_of_turn>\s*$/],
    ],
  },
  {
    flag: 'chat-artifact',
    reason: "the chat's own markup stands in the file",
    signs: [
      ['<xaiArtifact', /^<xaiArtifact [a-z]/],
      ['<antArtifact', /^<antArtifact [a-z]/],
    ],
  },
  {
    flag: 'chat-artifact',
    reason: dunders,
    alone: true,
    signs: [['if name == ', /^if name == (["'])main\1:[ \t\r]*(?:\n|$)/]],
  },
  { flag: 'chat-artifact', reason: dunders, signs: [['if **name** == '], ['def **', /^def \*\*\w+\*\*\(/]] },
  {
    flag: 'encoding',
    reason: 'a character was lost: the sign for an unreadable one (U+FFFD) stands in the file',
    signs: [['\ufffd']],
  },
  { flag: 'encoding', reason: 'the file holds a NUL character', signs: [['\u0000']] },
  {
    flag: 'encoding',
    reason: 'characters were decoded wrongly',
    signs: [
      ['\u00e2\u20ac', /^\u00e2\u20ac[\u0080-\u2122]/],
      ['\u00c3', /^\u00c3[\u0080-\u00bf\u0192\u201a]/],
    ],
  },
  {
    flag: 'encoding',
    reason: 'a line is indented with no-break blanks',
    alone: true,
    isFor: path => !pages.test(path),
    signs: [['\u00a0', /^\u00a0+[ \t]*\S/]],
  },
]
const looksForWords: readonly Look[] = doubts.flatMap(({ signs, alone = false, ...doubt }) =>
  signs.map(sign => ({ ...doubt, mayBeIn: text => text.includes(sign[0]), first: text => firstOf(sign, alone, text) })),
)

/** One glance at the whole text. */
const someWord = new RegExp(
  doubts.flatMap(({ signs }) => signs.map(([word]) => word.replace(/[|[*\]]/g, '\\$&'))).join('|'),
)

/** Files that are laid out with no-break blanks. */
const pages = /\.(?:html?|xhtml|svg|txt)$/i

/**
 * Makes the search for one response: signs that the whole text does not hold are not looked for in each file.
 *
 * Nothing is taken away: a program may need the very words.
 */
export function residueFinder(text: string): (content: string, path: string) => readonly Residue[] {
  const words = someWord.test(text) ? looksForWords : []
  const looks = [...words, ...looksForShapes].filter(({ mayBeIn }) => mayBeIn?.(text) !== false)
  return (content, path) => {
    const found = new Map<string, { readonly flag: Residue['flag']; readonly lines: Map<number, Doubtful> }>()
    for (const { flag, reason, isFor, first } of looks) {
      if (isFor?.(path, content) === false) continue
      const { lines } = found.get(reason) ?? { lines: new Map<number, Doubtful>() }
      // Two signs for one reason on a line are one doubt.
      for (const doubtful of linesWith(first, content)) lines.set(doubtful.line, doubtful)
      if (lines.size > 0) found.set(reason, { flag, lines })
    }
    return [...found].map(([reason, { flag, lines }]) => ({ flag, reason, lines: [...lines.values()] }))
  }
}

/** All lines that hold something, by what finds the first place of it in a text that begins with a line. */
function linesWith(first: (text: string) => number | undefined, content: string): readonly Doubtful[] {
  const found: Doubtful[] = []
  let above = 0
  let rest = content
  for (let at = first(rest); at !== undefined; at = first(rest)) {
    const end = lineEnd(rest, at)
    above += linesBefore(rest, at)
    found.push({ line: above, text: rest.slice(rest.lastIndexOf('\n', at) + 1, end) })
    above++
    rest = rest.slice(end + 1)
  }
  return found
}

function place(found: number): number | undefined {
  return found < 0 ? undefined : found
}

function firstOf([word, whole]: Sign, alone: boolean, content: string): number | undefined {
  for (let at = content.indexOf(word); at >= 0; at = content.indexOf(word, at + 1)) {
    if (alone && at > 0 && content[at - 1] !== '\n') continue
    if (whole === undefined || whole.test(content.slice(at, at + 200))) return at
  }
  return undefined
}

const markdown = /\.(?:md|mdx|markdown)$/i
const disguisedFence = /^[ \t]*(?:(?:\\`){3}|`\u200b`)/m

/** Files in which a link of Markdown may stand; elsewhere it may in a comment. */
const proseFiles = /\.(?:mdx?|mdc|markdown|txt|rst|adoc|org|ipynb|svx)$/i
/** `[https://a.example](https://a.example)`, `[self.name](http://self.name)`: an address, or what looks like one. */
const ownLink =
  /\[(?:https?:\/\/)?([^[\]()\s]{1,300})\]\((?=https?:)(?:https?:\/\/www\.google\.com\/search\?q=)?(?:https?:\/\/)?\1\/?\)/g
const comment = /^[ \t]*(?:\/[/*]|\*|#|--|<!--|;|%)/

/** The first address that is a link to itself, and not within a comment, which may be written in Markdown. */
function linkInCode(content: string): number | undefined {
  for (const { index } of content.matchAll(ownLink)) {
    const start = lineStart(content, index, 200)
    if (start === undefined || !comment.test(content.slice(start, index + 1))) return index
  }
  return undefined
}

/** The texts in these may be written for a page. */
const messageFiles = /\.(?:json[c5]?|arb|ya?ml|toml|properties|ini|po|pot|strings|csv|tsv)$/i

/** What no program has, be it a page or a script, that holds neither of the two signs themselves. */
const encodedCode = /=&gt;|-&gt;|&amp;&amp;|^[ \t]*&lt;[!/\w]/m

const someTurn = /[\u202a-\u202e\u2066-\u2069]/

/** What ends a text or a comment, in nearly any language. */
const someEnd = /["'`]|\*\/|-->|--%>|\*\)|-\}|#\}|\]\]/

/**
 * The first sign that turns the direction of writing and is not turned back within its line, or only behind the end of a
 * text or a comment: code that shows as a comment may run, and the other way round. Texts that mix directions close what
 * they open, and hold none of those ends.
 */
function openTurn(content: string): number | undefined {
  let end = -1
  let open: { readonly at: number; readonly isolates: boolean }[] = []
  for (const { 0: sign, index } of content.matchAll(/[\u202a-\u202e\u2066-\u2069]/g)) {
    if (index > end) {
      if (open[0] !== undefined) return open[0].at
      end = lineEnd(content, index)
      open = []
    }
    const isolates = sign >= '\u2066'
    if (sign !== '\u202c' && sign !== '\u2069') open.push({ at: index, isolates })
    else if (open.at(-1)?.isolates === isolates) {
      const turn = open.pop()
      // The outermost one tells for all that it holds.
      if (turn !== undefined && open.length === 0 && someEnd.test(content.slice(turn.at, index))) return turn.at
    }
  }
  return open[0]?.at
}

/** Node has had it since version 20; the types of this language level do not know it yet. */
function isWellFormed(text: string): boolean {
  return (text as string & { isWellFormed(): boolean }).isWellFormed()
}

const surrogate = /\p{Surrogate}/u

const looksForShapes: readonly Look[] = [
  {
    flag: 'encoding',
    reason: 'half of a character stands in the file',
    mayBeIn: text => !isWellFormed(text),
    first: text => place(text.search(surrogate)),
  },
  {
    flag: 'chat-artifact',
    reason: 'a fence is written with backslashes or invisible signs, as models do to keep it from ending the block',
    isFor: path => markdown.test(path),
    first: text => place(text.search(disguisedFence)),
  },
  {
    flag: 'chat-artifact',
    reason: 'an address stands in the file as a link of Markdown to itself, as chats make of one',
    isFor: path => !proseFiles.test(path),
    first: linkInCode,
  },
  {
    flag: 'chat-artifact',
    reason: 'its signs < and > are written as in the source of a page, as some copies are',
    isFor: (path, content) => !proseFiles.test(path) && !messageFiles.test(path) && !/[<>]/.test(content),
    first: text => place(text.search(encodedCode)),
  },
  {
    flag: 'chat-artifact',
    reason: curlyReason,
    isFor: holdsTexts,
    first: curlyQuote,
  },
  {
    flag: 'chat-artifact',
    reason: curlyReason,
    isFor: isPage,
    first: curlyAttribute,
  },
  {
    flag: 'encoding',
    reason: 'an invisible sign shows the rest of its line in another order than it runs',
    mayBeIn: text => someTurn.test(text),
    first: openTurn,
  },
]
