import type { Attempt, ErrorInPlace } from '../../model/back.ts'
import type { Flag } from '../../model/response.ts'
import { count } from '../text/count.ts'
import { firstOf } from '../text/more-line.ts'
import { visibleOutput } from '../text/visible.ts'
import { firstFlags } from './describe-reason.ts'
import { placeOf } from './error-list.ts'
import { FIRST_LINE, formatRules } from './request.ts'

export interface PresentFile {
  readonly path: string
  /** `null`: there is none. `undefined`: it is not shown. */
  readonly text: string | null | undefined
}

export interface FollowUp {
  readonly text: string
  /** A rough measure: four bytes a token. */
  readonly tokens: number
  readonly errors: number
  /** Files whose present text is in the prompt, whole or in part. */
  readonly files: number
  readonly isCircling: boolean
  /** No fault is known, so the prompt has a place where the user names it. */
  readonly isOpen: boolean
}

/** About 32 kB: a chat takes this much at once, with room for an answer. */
const BUDGET = 8000

/**
 * A prompt that asks the model for a better try: what was tried, what was wrong with it, the present files, and how
 * to answer.
 *
 * It fits a budget: errors first, then whole files. Of a file without room it shows the lines around the errors, or
 * only the name. It says what it cut. No text inside a fence can end that fence.
 */
export function followUp(attempt: Attempt, present: readonly PresentFile[], projectId: string): FollowUp {
  const isCircling = circles(attempt)
  const errors = errorParts(attempt, BUDGET / 2)
  const before = [...introduction(attempt, projectId, isCircling), ...errors.parts]
  const after = [conclusion(attempt), formatRules(projectId), '']
  const room = BUDGET - tokensOf([...before, ...after].join('\n\n'))
  const files = fileParts(attempt, present, room)
  const text = [...before, ...files.parts, ...after].join('\n\n')
  const isOpen = !isKnown(attempt)
  return { text, tokens: tokensOf(text), errors: errors.shown, files: files.shown, isCircling, isOpen }
}

/** The last three tries had the same errors. */
function circles({ errorSets }: Attempt): boolean {
  const [last, ...others] = errorSets.slice(-3)
  return last !== undefined && last !== '' && others.length === 2 && others.every(set => set === last)
}

function tokensOf(text: string): number {
  return Math.ceil(new TextEncoder().encode(text).length / 4)
}

/** A title that was made of the operations says no more than their list. */
function nameOf({ title, operations }: Attempt): string | undefined {
  const [, named = ''] = /^(?:edit|new|delete|rename) (.+)/.exec(title) ?? []
  return operations.some(({ path }) => named.startsWith(path)) ? undefined : title
}

const MOST_OPERATIONS = 50

function introduction(tried: Attempt, projectId: string, isCircling: boolean): readonly string[] {
  const { attempt, operations, leftOut = [], reason } = tried
  const name = nameOf(tried)
  const unwanted = new Set(leftOut)
  const left = tried.why === 'conflict' ? 'none of it is in the files' : 'all files are unchanged'
  const did = firstOf(operations, MOST_OPERATIONS, 'file', ({ op, path }) => {
    return unwanted.has(path) ? `do not ${op} ${path}` : `${op} ${path}`
  })
  return [
    FIRST_LINE,
    `Your last answer was ${fate(tried, JSON.stringify(projectId))}; ${left}.`,
    `What it tried (attempt ${attempt}):${name === undefined ? '' : ` ${name}`}`,
    itemized(did),
    ...(reason === undefined ? [] : [`Reason: ${reason}`]),
    ...(isCircling
      ? ['The last three attempts ended with exactly these errors. Do not repeat them: take another approach.']
      : []),
  ]
}

function fate({ unwritten }: Attempt, projectId: string): string {
  return unwritten === true
    ? `not applied to the project ${projectId}`
    : `applied to the project ${projectId} and then rolled back`
}

function errorParts(attempt: Attempt, budget: number): { readonly parts: readonly string[]; readonly shown: number } {
  const { newErrors, newErrorCount, failed, output, command } = attempt
  const { doubts, asked } = flagsOf(attempt)
  const parts: string[] = []
  let used = 0
  let shown = 0
  for (const error of newErrors) {
    const part = errorPart(error, shown + 1)
    used += tokensOf(part)
    if (used > budget && shown > 0) break
    parts.push(part)
    shown++
  }
  const all = Math.max(newErrorCount, newErrors.length)
  return {
    shown: Math.max(shown, newErrors.length === 0 ? all : 0),
    parts: [
      ...(failed === undefined ? [] : [`${ranCommand(command)}The ${failed}`]),
      ...(all === 0 ? [] : [(failed === undefined ? ranCommand(command) : '') + errorsHeading(all, shown)]),
      ...parts,
      ...(output.trim() === '' ? [] : [said(output, failed === undefined)]),
      ...(asked.length > 0
        ? [`The user must allow changes to these files first:\n${itemized(firstFlags(asked))}`]
        : []),
      ...(doubts.length > 0 ? [`Flagged by the tool:\n${itemized(firstFlags(doubts))}`] : []),
    ],
  }
}

/** The command comes first: the model can tell by it what the messages mean. */
function ranCommand(command = ''): string {
  return command === '' ? '' : `${fenced(command, '')}\n\n`
}

function errorsHeading(all: number, shown: number): string {
  const first = shown === 1 ? 'the first' : `the first ${shown}`
  const some = shown > 0 && shown < all ? `; here ${shown === 1 ? 'is' : 'are'} ${first}` : ''
  return `It introduced ${count(all, 'new error')}${some} (code as in your version):`
}

function said(output: string, isLinters: boolean): string {
  const printed = fenced(tail(visibleOutput(output).trim()), '')
  return isLinters ? `The end of what the linter printed:\n\n${printed}` : printed
}

const LONGEST_MESSAGE = 500
const LONGEST_OUTPUT = 3000

/** The message, below it the place, and then the lines around it with a mark at the wrong one. */
function errorPart(error: ErrorInPlace, number: number): string {
  const { line, code, around, message, why = '' } = error
  const said = [onOneLine(message), ...why.split('\n').map(onOneLine), [placeOf(error), code].join(' ').trim()]
  const [first = '', ...others] = said.filter(text => text !== '')
  const head = [`${number}. ${first}`, ...others.map(text => `   ${text}`)].join('\n')
  if (around === undefined) return head
  const digits = String(around.first + around.lines.length - 1).length
  const lines = around.lines.map((text, index) => {
    const at = around.first + index
    return `${at === line ? '>' : ' '} ${String(at).padStart(digits)} | ${text}`.trimEnd()
  })
  return `${head}\n\n${fenced(lines.join('\n'), '')}`
}

function onOneLine(text: string): string {
  return cut(text.replace(/\s+/g, ' ').trim(), LONGEST_MESSAGE)
}

function fileParts(
  attempt: Attempt,
  present: readonly PresentFile[],
  budget: number,
): { readonly parts: readonly string[]; readonly shown: number } {
  const heading = 'The files as they are now, without your change:'
  const wrong = new Set(attempt.newErrors.map(({ file }) => file))
  const size = ({ text }: PresentFile) => text?.length ?? 0
  // Files with errors come first, and small files before large ones, so that most of them find room.
  const order = present.toSorted((a, b) => Number(wrong.has(b.path)) - Number(wrong.has(a.path)) || size(a) - size(b))
  // There is always room to name each file.
  let room = budget - tokensOf([heading, namesOf(order)].join('\n\n'))
  const parts: string[] = []
  const left: PresentFile[] = []
  for (const file of order) {
    const lines = attempt.newErrors.flatMap(error => (error.file === file.path ? (error.line ?? []) : []))
    const choices = file.text == null ? [] : [whole(file.path, file.text), region(file.path, file.text, lines)]
    const fits = choices.find(part => part !== undefined && tokensOf(part) < room)
    if (fits === undefined) {
      left.push(file)
      continue
    }
    room -= tokensOf(fits) + 1
    parts.push(fits)
  }
  return {
    parts: [...(parts.length > 0 ? [heading, ...parts] : []), ...(left.length > 0 ? [namesOf(left)] : [])],
    shown: parts.length,
  }
}

function whole(path: string, text: string): string {
  return `${path}\n\n${fenced(text.replace(/\n$/, ''), path)}`
}

const AROUND = 15

/** Only the lines near the errors. Their present places are not exactly those in the patch. */
function region(path: string, text: string, lines: readonly number[]): string | undefined {
  if (lines.length === 0) return undefined
  const all = text.split('\n')
  const wanted = new Set<number>()
  for (const line of lines) {
    for (let at = Math.max(1, line - AROUND); at <= Math.min(all.length, line + AROUND); at++) wanted.add(at)
  }
  const shown: string[] = []
  let last = 0
  for (const at of [...wanted].sort((a, b) => a - b)) {
    if (at > last + 1) shown.push('…')
    shown.push(cut(all[at - 1] ?? '', 300))
    last = at
  }
  if (last < all.length) shown.push('…')
  const note = `${path} (only the lines near the errors, of ${count(all.length, 'line')})`
  return `${note}\n\n${fenced(shown.join('\n'), path)}`
}

const MOST_NAMES = 60

/** The names of the files that are not shown, with the reason. */
function namesOf(files: readonly PresentFile[]): string {
  const named = firstOf(files, MOST_NAMES, 'file', ({ path, text }) => {
    if (text === null) return `${path} (does not exist)`
    return text === undefined ? path : `${path} (${count(text.split('\n').length, 'line')})`
  })
  return `Files that are not shown here:\n${itemized(named)}`
}

function itemized(texts: readonly string[]): string {
  return texts.map(text => `- ${text}`).join('\n')
}

/** The doubts about the answer, and the sensitive files that it was not allowed to change when it ended. */
function flagsOf({ flags, why }: Attempt): { readonly doubts: readonly Flag[]; readonly asked: readonly Flag[] } {
  const isOpen = why === 'unasked' || why === 'declined'
  return {
    doubts: flags.filter(({ flag }) => flag !== 'sensitive-path'),
    asked: isOpen ? flags.filter(({ flag }) => flag === 'sensitive-path') : [],
  }
}

/** Something is known that was wrong with it. */
function isKnown(attempt: Attempt): boolean {
  const { newErrors, newErrorCount, failed, conflicts, reason } = attempt
  if (reason !== undefined || failed !== undefined || conflicts !== undefined || isRefused(attempt)) return true
  const { doubts, asked } = flagsOf(attempt)
  return newErrors.length + newErrorCount + doubts.length > 0 || (attempt.why === 'unasked' && asked.length > 0)
}

/** The user did not let it change some of its files. */
function isRefused({ unwritten, leftOut }: Attempt): boolean {
  return unwritten === true && leftOut !== undefined
}

function conclusion(attempt: Attempt): string {
  const { why, conflicts = [] } = attempt
  if (!isKnown(attempt)) return `Reason: (write it here)\n\n${request(', corrected')}`
  if (isRefused(attempt)) return request(', without the files that are not wanted', 'every other file')
  if (why === 'conflict') {
    const changed = itemized(firstOf(conflicts, MOST_OPERATIONS, 'file', path => path))
    return `These files have changed meanwhile:\n${changed}\n\n${request()}`
  }
  if (attempt.unwritten !== true) return request(', corrected')
  if (why === 'unasked') return request(', without these files if possible')
  return request(why === 'command' ? ', so that the command succeeds' : '')
}

function request(how = '', what = 'every file'): string {
  return `Please send the whole change again${how}: ${what} that it needs, based on the files as they are now.`
}

/** The fence is longer than any run of back-ticks in the text, so that nothing in the text ends it. */
function fenced(text: string, path: string): string {
  let longest = 2
  for (const run of text.match(/`+/g) ?? []) longest = Math.max(longest, run.length)
  const fence = '`'.repeat(longest + 1)
  const language = /\.([A-Za-z0-9]{1,10})$/.exec(path)?.[1] ?? ''
  return `${fence}${language}\n${text}\n${fence}`
}

function cut(text: string, length: number): string {
  return text.length > length ? `${text.slice(0, length)}…` : text
}

function tail(text: string): string {
  return text.length > LONGEST_OUTPUT ? `…${text.slice(-LONGEST_OUTPUT)}` : text
}
