import type { Control, Entry, EntryOperation } from './model.ts'

/** A patch's name for people, on one line: what the model called it, else the first thing it said, else what it does. */
export function titleOf({ control, reasoning, operations }: Titled): string {
  const said = oneLine(control.promptSummary ?? '') || oneLine(firstLine(control.gitCommitMsg ?? ''))
  return cut(said || firstSentence(reasoning), LONGEST) || describeOperations(operations)
}

/** The same of a patch that was applied. */
export function titleOfEntry(entry: Entry): string {
  return titleOf({ control: entry, reasoning: entry.reasoning, operations: entry.operations })
}

/** What a name is taken from. */
interface Titled {
  readonly control: Pick<Control, 'promptSummary' | 'gitCommitMsg'>
  readonly reasoning: readonly string[]
  readonly operations: readonly Pick<EntryOperation, 'op' | 'path'>[]
}

const LONGEST = 60

/** How much of the reasoning is looked at: whoever has not come to the point by then never will. */
const ENOUGH = 4_000

/**
 * The first sentence that says something, from the first piece of prose that holds one.
 *
 * Each piece stands below a block of the one before, and the last below them all: what a piece says in one word goes before
 * what a later one says in many.
 */
function firstSentence(reasoning: readonly string[]): string {
  for (const piece of reasoning.join('\0').slice(0, ENOUGH).split('\0')) {
    const sentences = piece
      .split(/\n|(?<=[.!?])\s/)
      .map(sentence => oneLine(withoutMarks(sentence)))
      .filter(sentence => /\p{L}/u.test(sentence) && !PLEASANTRY.test(sentence) && !LEAD_IN.test(sentence))
    const meaningful = sentences.filter(isMeaningful)
    // What is said to the user is about the talk, more often than about the change.
    const found = meaningful.find(sentence => !ADDRESS.test(sentence)) ?? meaningful[0] ?? sentences[0]
    if (found !== undefined) return found
  }
  return ''
}

/** Without headings, list marks, emphasis and back-ticks. */
function withoutMarks(line: string): string {
  return line
    .trim()
    .replace(/^(?:#+|>|[-*+]|\d{1,3}[.)])\s+/, '')
    .replace(/^(?:\*\*|__)?step \d+(?:\*\*|__)?\s?[:.)\u2013\u2014-]\s?/i, '')
    .replace(/\*\*|__|`/g, '')
    .replace(/^(.{3,}[^.])[.:]$/, '$1')
}

function isMeaningful(sentence: string): boolean {
  return /\S\s+\S/.test(sentence)
}

const PLEASANTRY =
  /^(?:sure|certainly|of course|yes|ok|okay|alright|great|perfect|absolutely|got it|no problem|thanks|thank you|understood|good question|sorry|my apologies|i apologi[sz]e|i understand|(?:i )?hope|feel free|(?:i(?:'d|\u2019d| would) be )?happy to|here(?:'s|\u2019s| is| are)|below (?:is|are)|let me|i(?:'ll|\u2019ll| will) (?:walk|go|start|explain))\b/i

/** `I have made the following changes:` */
const LEAD_IN = /\b(?:(?:following|these|the|of|requested) changes|as (?:follows|requested)|step-by-step reasoning)$/i

const ADDRESS = /\byour?\b/i

function describeOperations(operations: Titled['operations']): string {
  const first = operations.find(({ op }) => op !== 'delete') ?? operations[0]
  if (first === undefined) return 'no changes'
  const others = operations.length > 1 ? ` and ${operations.length - 1} more` : ''
  // Not "edit": whether the file is new, nobody knows who has only the operations.
  return `${first.op === 'delete' ? 'delete' : 'write'} ${oneLine(first.path)}${others}`
}

function firstLine(text: string): string {
  return text.trimStart().split(/\r?\n/, 1)[0] ?? ''
}

/** On one line, and with nothing in it that a terminal obeys or the eye does not see; the joiners of emoji may stay. */
function oneLine(text: string): string {
  return text
    .slice(0, ENOUGH)
    .replace(/[\p{Cc}\p{Zl}\p{Zp}\p{Zs}]+/gu, ' ')
    .replace(
      /(?![\u200d\ufe0f])[\p{Cs}\p{Default_Ignorable_Code_Point}\p{Bidi_Control}\p{Noncharacter_Code_Point}]/gu,
      '',
    )
    .trim()
}

/** Cut at the end of a word where there is one, else between characters. */
function cut(text: string, length: number): string {
  const characters = [...text]
  if (characters.length <= length) return text
  // One character more, to see whether a word ends right here.
  const start = characters.slice(0, length + 1).join('')
  const end = start.search(/\s\S*$/)
  const kept = end > 0 ? start.slice(0, end) : characters.slice(0, length).join('')
  return `${kept.replace(/[\s,;:.-]+$/, '')}…`
}
