import type { WorkEnd } from '../../model/task.ts'
import type { System } from '../../ports.ts'
import { exitCodeByKind, exitCodeOfInterruption } from '../talk/exit-code.ts'

/** 0: all tasks are done. 7: a question is left open. 8: the agent cannot work. 9: work is left. */
export function exitCodeOfWork({ stopped, shipped }: WorkEnd, system: System): number {
  switch (stopped.kind) {
    case 'all-done':
      // The user wanted a merge or a pull request, and it was not possible.
      return shipped?.kind === 'left' && shipped.why !== undefined ? exitCodeByKind.agent : 0
    case 'interrupted':
      return exitCodeOfInterruption(system)
    case 'held':
      return exitCodeByKind.unfinished
    case 'no-agent':
      return exitCodeByKind.environment
    case 'work-left':
      return exitCodeByKind.agent
  }
}
