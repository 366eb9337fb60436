import { type DoctorFinding, ok } from './finding.ts'

/** Which agents are there, by their names. All else works without any: none is no fault. */
export function agentFinding(names: readonly string[]): DoctorFinding {
  const there = names.length === 0 ? 'none; only agent commands need one' : names.join(', ')
  return ok('agents', `${there} (\`relay agents\` tells more)`)
}
