import type { ErrorKind } from '../../errors.ts'
import type { Outcome, SignalName } from '../../model/talk.ts'
import type { System } from '../../ports.ts'

export const exitCodeByKind: Readonly<Record<ErrorKind, number>> = {
  failed: 1,
  usage: 2,
  declined: 3,
  conflict: 5,
  unfinished: 7,
  environment: 8,
  agent: 9,
}

const bySignal: Readonly<Record<SignalName, number>> = { SIGHUP: 129, SIGINT: 130, SIGTERM: 143 }

/** Of an interruption that has come: its reason is the signal's name. */
export function exitCodeOfInterruption({ interruption }: Pick<System, 'interruption'>): number {
  return bySignal[interruption.reason as SignalName]
}

/** 0 done or nothing to do, 3 declined, 4 a command failed, 5 conflict, 6 no patch, refused, or nothing but edits that are there already; signals 129, 130, 143. */
export function exitCodeOf(outcome: Outcome): number {
  switch (outcome.kind) {
    case 'committed':
      return 0
    case 'overlap':
      return 5
    case 'unchanged':
      return outcome.edits === true ? 6 : 0
    case 'skipped':
      return outcome.state === 'committed' ? 0 : 3
    case 'ignored':
    case 'refused':
      return 6
    case 'held':
      return exitCodeByKind.unfinished
    case 'rolled-back':
      return exitCodeOfRollback(outcome)
  }
}

function exitCodeOfRollback({ reason, restoration }: Outcome & { kind: 'rolled-back' }): number {
  if (reason.kind === 'interrupted') return bySignal[reason.signal]
  if (restoration.kept.length > 0) return 5
  switch (reason.kind) {
    case 'declined':
    case 'unasked':
    case 'not-accepted':
      return 3
    case 'command':
      return 4
    case 'conflict':
      return 5
    case 'failed':
      return 'kind' in reason.error ? exitCodeByKind[reason.error.kind as ErrorKind] : 1
  }
}
