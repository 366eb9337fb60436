import { firstSentence } from '../../model/first-sentence.ts'
import { noReport, summaryOf } from './outcome.ts'

/** The longest subject that git shows whole. */
const mostLetters = 72

/**
 * The commit's subject, `RAF[abcdef:0a] Add validation for user input fields`: taken from the outcome's summary, or
 * else from the task's title.
 */
export function commitSubject(projectId: string, taskId: string, outcome: string, title: string): string {
  const head = `RAF[${projectId}:${taskId}] `
  const said = summaryOf(outcome)
  const what = (said === noReport ? '' : firstSentence([said])) || firstSentence([title]) || 'Task done'
  return head + cutAtWord(what, mostLetters - head.length)
}

/** Whether an agent's own subject has the right form for its task and can stay. */
export function isSubjectOf(projectId: string, taskId: string, subject: string): boolean {
  return subject.startsWith(`RAF[${projectId}:${taskId}] `) && /^\S+ [^\p{Cc}]{0,150}\S$/u.test(subject)
}

/** The subject of a commit with a plan. */
export function planSubject(projectId: string, what: 'Plan' | 'Amend', name: string): string {
  return `RAF[${projectId}] ${what}: ${name}`
}

/** The name of the stash with the changes of a failed task in a worktree. */
export function stashName(projectId: string, taskId: string): string {
  return `raf-${projectId}-task-${taskId}-failed`
}

function cutAtWord(text: string, most: number): string {
  const signs = Array.from(text)
  if (signs.length <= most) return text
  const start = signs.slice(0, most + 1).join('')
  const words = /^(.*\S)\s/s.exec(start)?.[1] ?? signs.slice(0, most).join('')
  return words.replace(/[\s,;:–—-]+$/, '')
}
