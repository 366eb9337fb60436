import type { Change } from '../../model/plan.ts'
import type { Terminal } from '../../ports.ts'
import { choiceLines } from '../../report/answers/choice-lines.ts'
import { count } from '../../report/text/count.ts'
import { type Keys, keyLines } from '../../report/text/hanging.ts'
import type { Style } from '../../report/text/style.ts'
import { showNotes } from './show-notes.ts'
import { outStyle } from './style-of.ts'

/** What a list of files is for. */
export interface ListWords {
  readonly prompt: string
  /** After the number of ticked files, above the prompt: `to keep`. A number switches a tick, so that has to be seen. */
  readonly ticked: string
  readonly help: Keys
}

/** A longer list goes to the pager. */
const mostLines = 40

/** So many changed lines are shown again, the rest is counted. */
const mostAgain = 10

/**
 * Lets the user tick files in a numbered list; `undefined` when they want none of it.
 *
 * A list of typed numbers, not one with a cursor: it works at any width, without colour, for a screen reader and in a
 * log of the session, and three hundred files are chosen with a few words.
 */
export async function choosePaths(
  files: readonly Change[],
  first: ReadonlySet<string>,
  words: ListWords,
  terminal: Terminal,
  style: Style,
): Promise<readonly string[] | undefined> {
  const ticked = new Set(first)
  const paths = files.map(({ path }) => path)
  const show = (lines: readonly string[]) => {
    for (const line of lines) terminal.err(line)
  }
  const sum = () => show([`  ${ticked.size} of ${count(files.length, 'file')} ${words.ticked}`])
  await showList(files, ticked, terminal, style)
  sum()
  for (let goesOn = false; ; goesOn = true) {
    const typed = await terminal.ask(words.prompt, { goesOn })
    const choice = typed === undefined ? ({ kind: 'leave' } as const) : readChoice(typed, paths)
    switch (choice.kind) {
      case 'leave':
        return undefined
      case 'go-on':
        return paths.filter(path => ticked.has(path))
      case 'help':
        await showList(files, ticked, terminal, style)
        sum()
        show(keyLines(words.help, style))
        break
      case 'numbers':
        for (const number of choice.numbers) toggle(paths[number] ?? '', ticked)
        show(choiceLines(files, ticked, choice.numbers.slice(0, mostAgain), style))
        sum()
        break
      case 'unclear':
        showNotes([choice.why], { terminal })
    }
  }
}

function toggle(path: string, ticked: Set<string>): void {
  if (!ticked.delete(path)) ticked.add(path)
}

async function showList(
  files: readonly Change[],
  ticked: ReadonlySet<string>,
  terminal: Terminal,
  style: Style,
): Promise<void> {
  const all = files.map((_, index) => index)
  if (files.length > mostLines) {
    await terminal.page(choiceLines(files, ticked, all, outStyle(terminal)).join('\n'))
    return
  }
  for (const line of choiceLines(files, ticked, all, style)) terminal.err(line)
}

/** What was typed at a list, understood. */
type Choice =
  /** The files that it means, counted from 0. */
  | { readonly kind: 'numbers'; readonly numbers: readonly number[] }
  | { readonly kind: 'go-on' | 'leave' | 'help' }
  /** For people, without a period. */
  | { readonly kind: 'unclear'; readonly why: string }

/** Reads `2`, `1 4-6`, `*` for all, or a part of a path for every file that has it in its own; or a key. */
export function readChoice(typed: string, paths: readonly string[]): Choice {
  const text = typed.trim()
  if (text === 'y') return { kind: 'go-on' }
  if (text === 'n') return { kind: 'leave' }
  if (text === '' || text === '?') return { kind: 'help' }
  if (text === '*') return { kind: 'numbers', numbers: paths.map((_, index) => index) }
  const words = text.split(/[\s,]+/).filter(Boolean)
  if (words.every(word => /^\d{1,6}(-\d{1,6})?$/.test(word))) return readNumbers(words, paths.length)
  if (text.length === 1) return { kind: 'unclear', why: `type more of a path than "${text}"` }
  const numbers = paths.flatMap((path, index) => (path.includes(text) ? [index] : []))
  return numbers.length > 0
    ? { kind: 'numbers', numbers }
    : { kind: 'unclear', why: `none of these files has "${text}" in its path` }
}

function readNumbers(words: readonly string[], count: number): Choice {
  const numbers = new Set<number>()
  for (const word of words) {
    const [from = 0, to = from] = word.split('-').map(Number)
    if (from < 1 || to > count || from > to)
      return {
        kind: 'unclear',
        why: `there is no file ${word}: type ${count === 1 ? '1' : `a number from 1 to ${count}`}`,
      }
    for (let number = from; number <= to; number++) numbers.add(number - 1)
  }
  return { kind: 'numbers', numbers: [...numbers] }
}
