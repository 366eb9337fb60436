import { isSource } from '../ground/is-source.ts'
import { lineEnd, lineStart } from './lines.ts'

/** Whether a text of code may stand in a file: no page or document, and none where curly quotes are as good as others. */
export function holdsTexts(path: string): boolean {
  return isSource(path) || others.test(path)
}

const others = /\.(?:(?:ba|z)?sh|s?css|less|jsonc?)$/i

/**
 * The first curly quote that stands where only the sign that begins a text can: `const a = “x”`, `print(‘y’)`.
 *
 * Words hold curly quotes on purpose, in a text, a comment or between the tags of a page. So only a line counts that has
 * no quote of code, is no comment, and has in front of its first curly quote what code has there and a sentence has not.
 */
export function curlyQuote(content: string): number | undefined {
  return firstWhere(content, beginsText)
}

/** The same in a page, whose words are none of code's: `<a href=“x”>`. */
export function curlyAttribute(content: string): number | undefined {
  return firstWhere(content, before => ATTRIBUTE.test(before))
}

/** Whether a file is a page of HTML. */
export function isPage(path: string): boolean {
  return /\.x?html?$/i.test(path)
}

function firstWhere(content: string, begins: (before: string, rest: string) => boolean): number | undefined {
  let end = -1
  for (const { index } of content.matchAll(curly)) {
    if (index <= end) continue
    end = lineEnd(content, index)
    const start = lineStart(content, index, LONGEST)
    if (start === undefined || end - start > LONGEST) continue
    if (begins(content.slice(start, index), content.slice(index, end))) return index
  }
  return undefined
}

const curly = /[“”„‟‘’‚‛]/g

/** A longer line is data, and nobody reads it. */
const LONGEST = 300

function beginsText(before: string, rest: string): boolean {
  if (comment.test(before)) return false
  if (ATTRIBUTE.test(before)) return true
  if (/["'`]/.test(before + rest) || /<\//.test(rest)) return false
  if ([ASSIGNED, OPERAND, ARGUMENT, MEMBER].some(place => place.test(before))) return true
  if (before.trim() === '') return PAIR.test(rest) || LONG_TEXT.test(rest)
  if (/=\s*$/.test(before)) return /[“”’];\s*$/.test(rest)
  return (KEY.test(before) && /[,;{]\s*$/.test(rest)) || (WORD.test(before) && /[“”’]\s*[;:)]?\s*$/.test(rest))
}

/** Also behind code: `a = 1 // as in “b”`. The address of a page has such a sign as well. */
const comment = /^[ \t]*(?:\/[/*]|\*|#(?!\s*include\b)|--|<!--|;|%)|(?<!:)\/\/|\/\*|\s(?:#|--)\s/

/** `const a: A = “`, `a.b += “`: few words stand in front of it. */
const ASSIGNED = /^\s*(?:[\w.]+[\s*&]+){0,2}[\w.$[\]-]+(?:\s*:\s*[^\s=]+)?\s*[-+:?|&.]?=\s*$/

/** `a == “`, `() => “`, `a + “`, `a || “`, `a ?? “`. */
const OPERAND = /(?:[=!]==?|=>|\|\||&&|\?\?|[\w\])]\s*\+)\s*$/

/** `<a href=“`. */
const ATTRIBUTE = /<\w[^<>]*\s[\w:@.-]+=\s*$/

/** `f(“`, `f(a, “`, `f(a=“`, `[“`, `{“`. */
const ARGUMENT = /(?:[\w!]|\b(?:print|printf|if|elif|while|switch) )\((?:[^()]*[,=]\s*)?$|(?:^|[=(,[{]\s*)[[{]\s*$/

/** `a[“`, `{ a: “`. */
const MEMBER = /(?:[\w$)\]]\[|[{,]\s*[\w$]+\s*:)\s*$/

/** Python's `"""`. */
const LONG_TEXT = /^(?:[“”]{3}|[‘’]{3})/

/** `“a”: 1` */
const PAIR = /^[“”‘’][^“”‘’]{1,60}[“”’]\s*:\s*(?:[“”‘’\d[{-]|(?:true|false|null)\b)/

/** `name: “…”,` */
const KEY = /^\s*[\w$-]+\s*:\s*$/

/** `return “…”;` */
const WORD =
  /^\s*(?:return|throw|raise|yield|case|echo|puts|print|#\s*include|(?:import|export|from|require|require_once|include|use)\b(?:.*\bfrom)?)\s+$/
