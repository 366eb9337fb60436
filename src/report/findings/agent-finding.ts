import { type DoctorFinding, ok } from './finding.ts'

/** The agents by their names. To have none is no fault: all else works without. */
export function agentFinding(names: readonly string[]): DoctorFinding {
  const there = names.length === 0 ? 'none; only agent commands need one' : names.join(', ')
  return ok('agents', `${there} (\`relay agents\` tells more)`)
}
