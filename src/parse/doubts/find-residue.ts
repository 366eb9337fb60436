import { isSource } from '../../lines/is-source.ts'
import { isComment } from '../../lines/remark.ts'
import type { Flag } from '../../model/response.ts'

/** What a chat window or a wrong decoding left in a file. */
export interface Residue extends Pick<Flag, 'linterFinds' | 'ifIndented' | 'reason'> {
  readonly flag: 'chat-artifact' | 'encoding'
  /** Every line that holds it, with how many stand above: never empty. */
  readonly lines: readonly { readonly line: number; readonly text: string }[]
}

interface Sign extends Omit<Residue, 'lines'> {
  /** Where it is none, the file is not looked at any further. */
  readonly sign: RegExp
  /** Tells whether it is doubtful in this file. */
  readonly isFor?: (path: string, content: string) => boolean
  /** Tells whether a line holds it, where the sign alone does not. */
  readonly isIn?: (line: string, path: string) => boolean
}

/**
 * Finds what copying leaves in a file. Nothing is taken away: a program may need the very words.
 */
export function findResidue(content: string, path: string): readonly Residue[] {
  const found = SIGNS.filter(({ sign, isFor }) => sign.test(content) && isFor?.(path, content) !== false)
  if (found.length === 0) return []
  const all = content.split('\n')
  return found.flatMap(({ sign, isFor: _, isIn = line => sign.test(line), ...told }) => {
    const lines = all.flatMap((text, line) => (isIn(text, path) ? [{ line, text }] : []))
    return lines.length === 0 ? [] : [{ ...told, lines }]
  })
}

const isPage = (path: string) => /\.x?html?$/i.test(path)
const holdsTexts = (path: string) => isSource(path) || /\.(?:(?:ba|z)?sh|s?css|less|jsonc?)$/i.test(path)
/** Files in which a link of Markdown may stand; elsewhere it may in a comment. */
const isProse = (path: string) => /\.(?:mdx?|mdc|markdown|txt|rst|adoc|org|ipynb|svx)$/i.test(path)
/** The texts in these may be written for a page. */
const holdsMessages = (path: string) =>
  /\.(?:json[c5]?|arb|ya?ml|toml|properties|ini|po|pot|strings|csv|tsv)$/i.test(path)

/** `[https://a.example](https://a.example)`, `[self.name](http://self.name)`: an address, or what looks like one. */
const ownLink =
  /\[(?:https?:\/\/)?([^[\]()\s]{1,300})\]\((?=https?:)(?:https?:\/\/www\.google\.com\/search\?q=)?(?:https?:\/\/)?\1\/?\)/

const SIGNS: readonly Sign[] = [
  {
    flag: 'chat-artifact',
    reason: 'the file holds a citation mark of the chat',
    sign: /\[cite_start\]|\[cite: ?[\d, ]+\]|\[cite_end\]|contentReference\[oaicite|\u2020source\u3011|\ue200[a-z]+\ue202/,
  },
  {
    flag: 'chat-artifact',
    reason: 'the file holds the label of a chat button',
    sign: /^(?:Use code with caution\.?|content_copy|Copy code)[ \t\r]*$/m,
  },
  {
    flag: 'chat-artifact',
    reason: 'the file ends with a token by which a model ends its answer',
    sign: /<\|(?:endoftext|end_of_text|end_of_turn|end|im_end|im_start|eot_id|eom_id|eos|return|call)\|>\s*$|<\uff5cend\u2581of\u2581sentence\uff5c>\s*$|<end_of_turn>\s*$/,
  },
  {
    flag: 'chat-artifact',
    reason: "the file holds the chat's own markup",
    sign: /<(?:xai|ant)Artifact [a-z]/,
  },
  {
    flag: 'chat-artifact',
    reason: "the underscores of Python's special names are lost, as in rendered Markdown that was copied",
    linterFinds: true,
    sign: /^if name == (["'])main\1:[ \t\r]*$|if \*\*name\*\* == |def \*\*\w+\*\*\(/m,
  },
  {
    flag: 'encoding',
    reason: 'a character was lost: the file holds U+FFFD, which stands for an unreadable one',
    sign: /\ufffd/,
  },
  { flag: 'encoding', reason: 'the file holds a NUL character', sign: /\0/ },
  {
    flag: 'encoding',
    reason: 'characters were decoded wrongly',
    sign: /\u00e2\u20ac[\u0080-\u2122]|\u00c3[\u0080-\u00bf\u0192\u201a]/,
  },
  {
    flag: 'encoding',
    reason: 'a line is indented with no-break blanks',
    linterFinds: true,
    sign: /^\u00a0+[ \t]*\S/m,
    isFor: path => !/\.(?:html?|xhtml|svg|txt)$/i.test(path),
  },
  { flag: 'encoding', reason: 'the file holds half of a character', sign: /\p{Surrogate}/u },
  {
    flag: 'chat-artifact',
    reason: 'a fence is written with backslashes or invisible signs, as models do to keep it from ending the block',
    sign: /^[ \t]*(?:(?:\\`){3}|`\u200b`)/m,
    isFor: path => /\.(?:md|mdx|markdown)$/i.test(path),
  },
  {
    flag: 'chat-artifact',
    reason: 'an address is written as a Markdown link to itself, as chats make it',
    sign: ownLink,
    isFor: path => !isProse(path),
    isIn: (line, path) => ownLink.test(line) && !isComment(line.trim(), path),
  },
  {
    flag: 'chat-artifact',
    reason: 'its < and > are written as HTML entities, as in some copies',
    linterFinds: true,
    // What no program has, be it a page or a script, that holds neither of the two signs themselves.
    sign: /=&gt;|-&gt;|&amp;&amp;|^[ \t]*&lt;[!/\w]/m,
    isFor: (path, content) => !isProse(path) && !holdsMessages(path) && !/[<>]/.test(content),
  },
  {
    flag: 'chat-artifact',
    reason: 'a curly quote is where the code needs a straight one',
    linterFinds: true,
    sign: /[“”„‟‘’‚‛]/,
    isFor: path => holdsTexts(path) || isPage(path),
    isIn: hasCurlyQuote,
  },
  {
    flag: 'encoding',
    reason: 'an invisible character shows its line in another order than the code has',
    sign: /[\u202a-\u202e\u2066-\u2069]/,
    isIn: hasOpenTurn,
  },
]

/**
 * Whether a curly quote begins a text of code: `const a = “x”`, `print(‘y’)`. Words hold such quotes on purpose: so only a
 * line counts that has no other quote and no comment, and ends with the text or with what closes a piece of code.
 */
function hasCurlyQuote(line: string, path: string): boolean {
  // A longer line is data, and nobody reads it.
  if (line.length > 300 || !/[“”„‟‘’‚‛]/.test(line) || isComment(line.trim(), path)) return false
  if (/<\w[^<>]*\s[\w:@.-]+=\s*[“”‘’]/.test(line)) return true
  return !isPage(path) && !/["'`]|<\/|(?<!:)\/\/|\/\*|\s(?:#|--)\s/.test(line) && CURLY.test(line)
}

const CURLY = new RegExp(
  [
    '(?:[=+[{]|\\|\\||&&|\\?\\?|=>|[\\w!)\\]]\\(|\\b(?:print|printf|if|elif|while|switch) \\((?:.*[,=])?|\\([^()]*,|[{,]\\s*[\\w$]+\\s*:)\\s*[“”„‘’‚][^“”‘’]*[“”‘’](?:[^\\p{L}“‘]|[“‘][^”’]*[”’])*$',
    // `“a”: 1`, `name: “…”,`, `"""`, `return “…”;`
    '^\\s*[“”‘’][^“”‘’]{1,60}[“”’]\\s*:\\s*(?:[“”‘’\\d[{-]|(?:true|false|null)\\b)',
    '^\\s*[\\w$-]+\\s*:\\s*[“‘].*[,;{]\\s*$',
    '^\\s*(?:[“”]{3}|[‘’]{3})',
    '^\\s*(?:return|throw|raise|yield|case|echo|puts|print|#\\s*include|import|export|from|require|use)\\b[^“‘]*\\s[“‘].*[“”’]\\s*[;:)]?\\s*$',
  ].join('|'),
  'u',
)

/** What ends a text or a comment, in nearly any language. */
const someEnd = /["'`]|\*\/|-->|--%>|\*\)|-\}|#\}|\]\]/

/**
 * Whether a sign turns the direction of writing and is not turned back within its line, or only behind the end of a text or a
 * comment: code that shows as a comment may run, and the other way round. Texts that mix directions close what they open,
 * and hold none of those ends.
 */
function hasOpenTurn(line: string): boolean {
  const open: { readonly at: number; readonly isolates: boolean }[] = []
  for (const { 0: sign, index } of line.matchAll(/[\u202a-\u202e\u2066-\u2069]/g)) {
    const isolates = sign >= '\u2066'
    if (sign !== '\u202c' && sign !== '\u2069') open.push({ at: index, isolates })
    else if (open.at(-1)?.isolates === isolates) {
      const turn = open.pop()
      // The outermost one tells for all that it holds.
      if (turn !== undefined && open.length === 0 && someEnd.test(line.slice(turn.at, index))) return true
    }
  }
  return open.length > 0
}
