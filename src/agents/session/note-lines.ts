/** A line of a Markdown note that relay has to act on, or has acted on. */
export type NoteLine =
  /** The line ends with ` /claude`, and nothing has been done about it. */
  | { readonly kind: 'wish'; readonly text: string; readonly agent: string }
  /** The line stands for a session. `isFinished`: the line never changes again. */
  | { readonly kind: 'session'; readonly shortId: string; readonly state: string; readonly isFinished: boolean }

/**
 * The lines of a Markdown file that concern relay, in order. Ignores fenced code and a wish without words.
 *
 * @param agents the names that may stand after the `/`
 */
export function readNote(text: string, agents: readonly string[]): readonly NoteLine[] {
  return outsideOfCode(text).flatMap(({ line }) => readLine(line, agents) ?? [])
}

/** A note with a wish turned into a session; `undefined`: the wish is gone. */
export function withSession(
  text: string,
  wish: { readonly text: string; readonly agent: string },
  session: { readonly shortId: string; readonly state: string },
): string | undefined {
  let isDone = false
  const changed = mapLines(text, line => {
    const found = isDone ? undefined : readLine(line, [wish.agent])
    if (found?.kind !== 'wish' || found.text !== wish.text) return line
    isDone = true
    return printLine(line.slice(0, -suffixOf(line).length), session)
  })
  return isDone ? changed : undefined
}

/** A note with a session's new state; finished lines stay as they are. `undefined`: the session is gone. */
export function withState(
  text: string,
  session: { readonly shortId: string; readonly state: string },
): string | undefined {
  let isDone = false
  const changed = mapLines(text, line => {
    const found = sessionLine.exec(line)
    if (found?.groups?.['id'] !== session.shortId) return line
    isDone = true
    return isFinished(found.groups['state'] ?? '') ? line : printLine(found.groups['text'] ?? '', session)
  })
  return isDone ? changed : undefined
}

function printLine(text: string, { shortId, state }: { readonly shortId: string; readonly state: string }): string {
  return `${text} — ${state.replaceAll(/\s+/g, ' ').replaceAll(' — ', ' - ')} (session ${shortId})`
}

const sessionLine = /^(?<text>.*) — (?<state>\S.*) \(session (?<id>[0-9a-f]{8})\)\s*$/

/** The ` /claude` at the end of a line, with the blanks around it. */
function suffixOf(line: string): string {
  return /[ \t]+\/[\w.-]+[ \t]*$/.exec(line)?.[0] ?? ''
}

function readLine(line: string, agents: readonly string[]): NoteLine | undefined {
  const { state, id } = sessionLine.exec(line)?.groups ?? {}
  if (state !== undefined && id !== undefined) {
    return { kind: 'session', shortId: id, state, isFinished: isFinished(state) }
  }
  const suffix = suffixOf(line)
  const agent = suffix.trim().slice(1)
  const text = `${line.slice(0, line.length - suffix.length)} `.replace(marks, '').trim()
  return suffix !== '' && agents.includes(agent) && text !== '' ? { kind: 'wish', text, agent } : undefined
}

/** The marks of lists, tasks, headings and quotations. */
const marks = /^\s*(?:(?:[-*+]|\d{1,9}[.)]|#{1,6}|>)\s+)*(?:\[[ xX]\]\s+)?/

function isFinished(state: string): boolean {
  return / has finished\. /.test(state)
}

interface Place {
  readonly line: string
  readonly at: number
}

/** The lines outside of fenced code, without their ends. */
function outsideOfCode(text: string): readonly Place[] {
  let fence: string | undefined
  return text.split('\n').flatMap((whole, at) => {
    const line = whole.replace(/\r$/, '').replace(/^\ufeff/, '')
    const found = /^(?:[\s>]|[-*+]\s)*(?<run>`{3,}|~{3,})(?<info>.*)$/.exec(line)?.groups
    const run = found?.['run'] ?? ''
    const info = found?.['info'] ?? ''
    if (fence === undefined) {
      // After a fence of backticks there are no more backticks; otherwise it is inline code.
      const opens = run !== '' && !(run.startsWith('`') && info.includes('`'))
      fence = opens ? run : undefined
      return opens ? [] : [{ line, at }]
    }
    if (run.startsWith(fence) && info.trim() === '') fence = undefined
    return []
  })
}

/** Changes lines outside of fenced code; each keeps its line end. */
function mapLines(text: string, change: (line: string) => string): string {
  const all = text.split('\n')
  for (const { line, at } of outsideOfCode(text)) {
    const changed = change(line)
    const whole = all[at] ?? ''
    if (changed !== line) all[at] = whole.replace(line, () => changed)
  }
  return all.join('\n')
}

/** The longest copied text, in lines, that counts as a wish: a longer one was hardly written as one. */
const mostLines = 20

/** Reads a short text whose last line ends with ` /claude`: the text before that, and the agent. */
export function copiedInstruction(
  text: string,
  agents: readonly string[],
): { readonly text: string; readonly agent: string } | undefined {
  const lines = text.trim().split(/\r?\n/)
  const suffix = suffixOf(lines.at(-1) ?? '')
  const agent = suffix.trim().slice(1)
  const wish = text.trim().slice(0, -suffix.length).trim()
  if (lines.length > mostLines || suffix === '' || !agents.includes(agent) || wish === '') return undefined
  return { text: wish, agent }
}
