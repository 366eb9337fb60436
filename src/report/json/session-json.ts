import type { Session } from '../../model/session.ts'
import type { UnderWay } from '../../model/under-way.ts'

/** `errorMessage` repeats `error.message`. */
export function sessionJson(session: Session, work?: UnderWay) {
  const { id, status, prUrl, error, gitDirectory, instructions, agent, branch, base, commit } = session
  const { createdAt, startedAt, endedAt, owner, isPushed, homeBranch, remark, note } = session
  return {
    id,
    status,
    prUrl: prUrl ?? null,
    errorMessage: error?.message ?? null,
    error: error ?? null,
    gitDirectory,
    instructions,
    agent,
    branch,
    base: base ?? null,
    createdAt,
    startedAt: startedAt ?? null,
    endedAt: endedAt ?? null,
    pid: owner?.pid ?? null,
    agentPid: work?.agentPid ?? null,
    commit: commit ?? null,
    pushed: isPushed === true,
    homeBranch: homeBranch ?? null,
    remark: remark ?? null,
    note: note?.path ?? null,
  }
}
