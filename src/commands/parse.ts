import type { Parsed } from '../model.ts'
import type { System } from '../ports.ts'
import { describeParsed } from '../report/describe-parsed.ts'
import { jsonText } from '../report/text/json-text.ts'
import { readSource } from '../source/read-source.ts'
import { understand } from '../understand.ts'
import { openProject } from './open-project.ts'
import { outStyle } from './say/style-of.ts'

interface ParseOptions {
  readonly json?: boolean
  readonly projectId?: string
}

/** `relay parse`: what relay understands of a response, as far as the text alone tells; exits with 0 whatever it is. */
export async function parse(system: System, from: string | undefined, options: ParseOptions): Promise<number> {
  const projectId = options.projectId ?? (await openProject(system)).config.projectId
  const response = await readSource(from, system)
  const parsed = understand(response.text, projectId)
  if (options.json === true) system.terminal.out(jsonText(asJson(parsed)))
  else for (const line of describeParsed(parsed, projectId, outStyle(system.terminal))) system.terminal.out(line)
  return 0
}

/** One documented object, whatever the verdict. */
function asJson(parsed: Parsed) {
  switch (parsed.kind) {
    case 'patch': {
      const { control, operations, reasoning, flags } = parsed.patch
      return { verdict: 'patch', ...NOTHING, control, operations, reasoning, flags }
    }
    case 'refused': {
      const { control, reasoning, problems } = parsed
      return { verdict: 'refused', ...NOTHING, problems, control, reasoning }
    }
    case 'ignored': {
      const { why } = parsed
      const control = why.kind === 'other-project' ? { projectId: why.projectId, uuid: why.uuid } : null
      return { verdict: 'ignored', ...NOTHING, why: why.kind, control }
    }
  }
}

const NOTHING = { why: null, problems: [], control: null, operations: [], reasoning: [], flags: [] }
