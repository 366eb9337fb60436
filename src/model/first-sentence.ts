import { ENOUGH, oneLine } from './one-line.ts'

/** The first sentence with a letter or a digit, on one line and without Markdown marks; empty when there is none. */
export function firstSentence(reasoning: readonly string[]): string {
  for (const part of reasoning.join('\n').slice(0, ENOUGH).replace(LINE_MARKS, '').split(SENTENCE_END)) {
    const sentence = oneLine(part.replace(/\*\*|`/g, ''))
    if (/[\p{L}\p{N}]/u.test(sentence) && !GREETING.test(sentence)) return sentence.replace(/(?<!\.)[.:。：]$/, '')
  }
  return ''
}

/** A full stop that a small letter follows belongs to an abbreviation. */
const SENTENCE_END = /\n|(?<=[.!?][*"')]*)\s(?!\s*\p{Ll})|(?<=[。！？])/u

/** The marks of Markdown headings, quotations and lists. */
const LINE_MARKS = /^[ \t]*(?:(?:#+|>|[-*+]|\d{1,3}[.)])[ \t]+)+/gm

/** A greeting or a step's number alone does not count as a sentence. */
const GREETING = /^(?:sure|certainly|absolutely|okay|great|step \d+)[!.,]?$/i
