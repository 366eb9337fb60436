import type { AgentEvent, TurnEnd } from '../../model/agent.ts'
import type { PrdFinding } from '../../model/prd.ts'
import type { System } from '../../ports.ts'
import type { Backend } from '../backends/backend.ts'
import { runAgent } from '../run/run-agent.ts'
import { checkPrd } from './check-prd.ts'
import { printPrd, readPrd } from './prd-file.ts'
import { conversionPrompt, findingWords, jsonIn } from './prd-prompts.ts'

/** The agent that writes, and its limits in seconds. */
export interface WriterOptions {
  readonly backend: Backend
  readonly model: string | undefined
  readonly depth: number
  readonly timeout: number
  readonly silence: number
  readonly grace: number
}

/** Runs one turn of an agent without tools: text in, text out. */
export type AskWriter = (prompt: string) => Promise<TurnEnd>

export function writerTurn(
  { backend, model, ...limits }: WriterOptions,
  cwd: string,
  system: System,
  onEvent: (event: AgentEvent) => void,
): AskWriter {
  return prompt =>
    runAgent(
      backend,
      { prompt, title: 'prd.json', sandbox: 'read-only', model, cwd, allow: [], textOnly: true },
      { ...limits, system, onEvent },
    )
}

export type WrittenPrd =
  /** `findings` are the rules that the PRD still breaks. */
  | { readonly kind: 'prd'; readonly text: string; readonly findings: readonly PrdFinding[] }
  | { readonly kind: 'unreadable'; readonly answer: string; readonly problems: readonly string[] }
  | { readonly kind: 'failed'; readonly end: TurnEnd }

/**
 * Has the agent convert a PRD to a prd.json. Checks it by the rules, and lets the agent fix it once where these find a problem.
 */
export async function convertPrd(markdown: string, ask: AskWriter): Promise<WrittenPrd> {
  let written: WrittenPrd | undefined
  for (let turn = 0; turn < 2; turn++) {
    const end = await ask(conversionPrompt(markdown, problemsOf(written)))
    if (end.status !== 'ok') return written?.kind === 'prd' ? written : { kind: 'failed', end }
    written = judged(end.text)
    if (written.kind === 'prd' && written.findings.length === 0) return written
  }
  return written as WrittenPrd
}

function judged(answer: string): WrittenPrd {
  const read = readPrd(jsonIn(answer))
  if (read.kind === 'unreadable') return { kind: 'unreadable', answer, problems: read.problems }
  const text = printPrd(read.file.value)
  return { kind: 'prd', text, findings: checkPrd(read.file) }
}

function problemsOf(written: WrittenPrd | undefined) {
  if (written === undefined || written.kind === 'failed') return undefined
  return written.kind === 'prd'
    ? { answer: written.text, problems: written.findings.map(findingWords) }
    : { answer: written.answer, problems: written.problems }
}
