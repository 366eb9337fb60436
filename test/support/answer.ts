import type { FlagName, Operation } from '../../src/model/response.ts'
import { parseResponse } from '../../src/parse/parse-response.ts'

export const uuid = '005f3a11-4c1d-4a7e-9b3f-a1be458a19d5'

export function control(...entries: readonly string[]): string {
  return `\`\`\`yaml\nprojectId: demo\nuuid: ${uuid}\nchangeSummary:\n${entries.map(each => `  - ${each}\n`).join('')}\`\`\`\n`
}

export function file(path: string, content: string): string {
  return `\`\`\`ts // ${path}\n// START\n\n${content}\n\n// END\n\`\`\`\n`
}

/** What a test asks about: the operations and the names of the flags, or why there are none. */
export function read(text: string, projectId = 'demo') {
  const parsed = parseResponse(text, projectId)
  if (parsed.kind === 'ignored') return parsed.why.kind
  if (parsed.kind === 'refused') return parsed.problems.map(each => each.code)
  return { operations: parsed.patch.operations, flags: parsed.patch.flags.map(each => each.flag) }
}

export function write(path: string, content: string): Operation {
  return { op: 'write', path, content }
}

export function patch(operations: readonly Operation[], ...flags: readonly FlagName[]) {
  return { operations, flags }
}
