import { cutBytes } from '../../ground/bytes.ts'
import { firstSentence } from '../../model/title.ts'
import { taskOf } from './names.ts'
import { summaryOf } from './outcome.ts'
import type { ReadProject } from './read-project.ts'

const mostOfInput = 4_000

/** The text of a plan's pull request: what was asked for, what was done, and how to review it. */
export function planPullRequest({ input = '', state, outcomes }: ReadProject): string {
  const done = state.tasks.map(({ id, title, status }) => {
    const outcome = outcomes.findLast(({ name }) => taskOf(name)?.id === id)?.text ?? ''
    const what = firstSentence([summaryOf(outcome)])
    return `- **${id} ${title}**${what === '' ? '' : `: ${what}`}${status === 'completed' ? '' : ` (${status})`}`
  })
  return [
    '## Summary',
    cutBytes(input.trim(), mostOfInput) || 'The tasks below.',
    '## Changes',
    done.join('\n'),
    '## Test Plan',
    'Each task is a commit of its own, with its outcome: look at them one by one.',
    '',
  ].join('\n\n')
}
