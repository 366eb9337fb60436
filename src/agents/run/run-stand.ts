import { isRecord } from '../../ground/json.ts'
import type { OpenQuestion } from '../../model/under-way.ts'
import type { RunEvent } from './run-events.ts'

/** How far a run is, by its events. */
export interface RunStand {
  /** When the attempt that is under way began, or else the run. */
  readonly since: string | undefined
  readonly step: string | undefined
  /** What the agent uses, while it works. */
  readonly tool: string | undefined
  readonly asking: OpenQuestion | undefined
  /** relay waits until then for a limit of the agent's provider. */
  readonly waitsUntil: string | undefined
}

/** Of a run that has told nothing yet. */
export const untold: RunStand = {
  since: undefined,
  step: undefined,
  tool: undefined,
  asking: undefined,
  waitsUntil: undefined,
}

export function standOf(events: readonly RunEvent[]): RunStand {
  return events.reduce(after, untold)
}

function after(stand: RunStand, event: RunEvent): RunStand {
  const text = (name: string) => (typeof event[name] === 'string' ? event[name] : undefined)
  switch (event.event) {
    case 'work-begun':
    case 'attempt-begun':
      return { ...stand, since: event.at, tool: undefined, asking: undefined, waitsUntil: undefined }
    case 'step':
      return { ...stand, step: text('step'), tool: undefined }
    case 'agent-tool':
      return { ...stand, tool: text('tool') }
    case 'limit-waited':
      return { ...stand, waitsUntil: text('until') }
    case 'asked':
      return { ...stand, asking: questionIn(event) }
    case 'answered':
      return { ...stand, asking: undefined }
    default:
      return stand
  }
}

function questionIn({ question, number, reasons }: RunEvent): OpenQuestion {
  const texts = Array.isArray(reasons) ? reasons.filter(isRecord) : []
  return {
    question: String(question),
    number: typeof number === 'number' ? number : null,
    reasons: texts.map(({ kind, text }) => ({ kind: String(kind), text: String(text) })),
  }
}
