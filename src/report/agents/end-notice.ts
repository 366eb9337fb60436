import type { WorkEnd } from '../../model/task.ts'
import { jsonText } from '../text/json-text.ts'
import { runEndJson } from './work-events.ts'

/** What a notice says at the end of a run: whether all is done, and for a program everything about it. */
interface EndNotice {
  readonly isDone: boolean
  readonly json: string
}

/** The run that a notice is about. */
interface AboutRun {
  readonly project: string
  readonly root: string
  readonly book: string
  readonly agent: string
}

/** The notice of a run that came to its end, well or at a limit. */
export function noticeOfEnd(about: AboutRun, end: WorkEnd, isDone: boolean): EndNotice {
  return { isDone, json: jsonOf({ ...about, ...runEndJson(end) }) }
}

/** The notice of a run that relay could not carry on with. */
export function noticeOfFailure(about: AboutRun, why: string): EndNotice {
  const nothing = { done: null, failed: null, ms: null, shipped: null }
  return { isDone: false, json: jsonOf({ ...about, stopped: 'failed', why, ...nothing }) }
}

/** Systems limit what a variable of the environment may hold. */
const mostLetters = 1000

function jsonOf(facts: object): string {
  const short = JSON.stringify(facts, (_, value) => (typeof value === 'string' ? value.slice(0, mostLetters) : value))
  return jsonText(JSON.parse(short), 0)
}
