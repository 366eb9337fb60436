import type { AttemptFacts } from '../../model/task.ts'
import { beforeSection } from './work-rules.ts'

export interface DelegationParts {
  readonly instructions: string
  readonly extra?: string | undefined
  readonly fromFile?: string | undefined
}

/** The envelope of a delegation, in the words of the `/claude` macro, followed by why earlier attempts did not count. */
export function delegationEnvelope(
  { instructions, extra = '', fromFile = '' }: DelegationParts,
  facts: Pick<AttemptFacts, 'attempt' | 'before' | 'isResumed'>,
): string {
  const part = (title: string, text: string) => (text.trim() === '' ? '' : `\n\n## ${title}\n${text}`)
  const before = beforeSection(facts)
  return [
    instructions,
    part('Additional Instructions', extra),
    part('Instructions from File', fromFile),
    part('Important Guidelines', guidelines.map(line => `- ${line}`).join('\n')),
    ...(before.length === 0 ? [] : ['\n\n', before.join('\n\n')]),
  ].join('')
}

const guidelines = [
  'Make the requested changes to the codebase',
  'Run tests to verify that your changes work',
  'Do NOT perform any git operations (no commit, push, branch, etc.)',
  'When the changes are complete and the tests pass, simply stop',
]
