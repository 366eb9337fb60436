import { firstSentence } from '../../../model/title.ts'
import { noReport, summaryOf } from './outcome.ts'

/** As git shows one whole. */
const mostLetters = 72

/** `RAF[abcdef:0a] Add validation for user input fields`: what was done, from an outcome's summary, else the task's title. */
export function commitSubject(projectId: string, taskId: string, outcome: string, title: string): string {
  const head = `RAF[${projectId}:${taskId}] `
  const said = summaryOf(outcome)
  const what = (said === noReport ? '' : firstSentence([said])) || firstSentence([title]) || 'Task done'
  return head + cutAtWord(what, mostLetters - head.length)
}

/** Whether an agent's own subject has the right form for its task, so that it can stay. */
export function isSubjectOf(projectId: string, taskId: string, subject: string): boolean {
  return subject.startsWith(`RAF[${projectId}:${taskId}] `) && /^\S+ [^\p{Cc}]{0,150}\S$/u.test(subject)
}

/** Of what was planned. */
export function planSubject(projectId: string, what: 'Plan' | 'Amend', name: string): string {
  return `RAF[${projectId}] ${what}: ${name}`
}

/** What a failed task left in a worktree is stashed under this name. */
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
