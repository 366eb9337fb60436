import { cutBytes } from '../../ground/bytes.ts'
import { fenced } from '../../ground/words.ts'
import { printMarker } from '../../model/marker.ts'
import type { AttemptFacts } from '../../model/task.ts'

/** The rules for every agent that works by itself, whatever the book. */

/** A section of an envelope; empty when there is nothing to say. */
export function section(title: string, ...paragraphs: readonly string[]): readonly string[] {
  const said = paragraphs.filter(text => text.trim() !== '')
  return said.length === 0 ? [] : [`# ${title}`, ...said]
}

/** Cuts a text to at most `most` bytes, and says so in the text. */
export function cutTo(text: string, most: number): string {
  const bytes = Buffer.byteLength(text)
  if (bytes <= most) return text
  const shown = cutBytes(text, most).trimEnd()
  return `${shown}\n[relay left out the rest: these are ${Buffer.byteLength(shown)} of ${bytes} bytes]`
}

/** Tells the agent its folder, and that nobody answers questions. */
export function placeRule(cwd: string): string {
  return [
    `You work in ${cwd}: a private copy of the project. Change files there and nowhere else.`,
    'You work by yourself: nobody answers questions meanwhile. Decide what can be decided, and say what you assumed.',
  ].join('\n')
}

export const gitRule =
  '- Leave git alone: no commit, stash, reset, branch, merge or push, and no pull request. relay checks your work and commits it.'

/** Tells the agent which commands it may run; `any`: the sandbox allows all commands. */
export function commandRule(allow: readonly string[] | 'any'): string {
  if (allow === 'any') return '- You may run any command. Install nothing, and start nothing that goes on running.'
  if (allow.length === 0) return '- You may run no command.'
  return `- You may run these commands, as they stand here, and no others: ${allow.map(inCode).join(', ')}`
}

/** Tells the agent to end with a marker. `where`: the file whose last line must be the marker too. */
export function markerRule(where = ''): string {
  const end =
    where === '' ? 'The last line of your last message' : `The last line of your last message, and of ${where},`
  return [
    `- ${end} is one of these:`,
    `  ${printMarker('COMPLETE')} when all that was asked for is there and the checks pass. relay runs them again.`,
    `  ${printMarker('FAILED')} when it cannot be done; before it a line \`Reason: ...\` that says why.`,
    `  ${printMarker('BLOCKED')} when something is missing that only somebody else can give; before it a line \`Reason: ...\`.`,
  ].join('\n')
}

/** Limits in bytes: one reason, and all reasons together. */
const mostWhy = 20_000
const mostWhys = 40_000

/** Tells the agent why the earlier attempts did not count, oldest first; empty in a first attempt. */
export function beforeSection({
  attempt,
  before,
  isResumed,
}: Pick<AttemptFacts, 'attempt' | 'before' | 'isResumed'>): readonly string[] {
  const stopped = isResumed
    ? 'An earlier run was stopped in the middle of this attempt. What had been changed by then is in your folder: look at it, then go on.'
    : ''
  const head =
    before.length === 0
      ? ''
      : `This is attempt ${attempt}. What was changed before is still in your folder, unless it is said otherwise below. The earlier ones did not count, oldest first:`
  return section('What went wrong before', stopped, head, ...newestWithin(before, mostWhy, mostWhys).map(fenced))
}

/** The newest texts that fit together, in their order, each cut to its own limit. */
function newestWithin(texts: readonly string[], most: number, mostOfAll: number): readonly string[] {
  const kept: string[] = []
  let room = mostOfAll
  for (const text of texts.toReversed()) {
    const cut = cutTo(text.trim(), most)
    room -= Buffer.byteLength(cut)
    if (room < 0) break
    kept.unshift(cut)
  }
  const left = texts.length - kept.length
  return left === 0 ? kept : [`[relay left out the oldest ${left} of ${texts.length}]`, ...kept]
}

const mostSaid = 8_000

/** Tells the agent what the user said while an agent worked. */
export function saidSection(said: readonly string[]): readonly string[] {
  const texts = newestWithin(said, mostSaid, mostSaid)
  return section('What the user said meanwhile', ...texts.map(text => text.replaceAll(/^/gm, '> ')))
}

function inCode(command: string): string {
  return command.includes('`') ? `"${command}"` : `\`${command}\``
}
