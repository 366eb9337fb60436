import type { Prd, Story } from '../../../model/prd.ts'

/** The stories in the order in which they are worked on: the lowest priority number first, equal ones as in the file. */
export function inOrder({ stories }: Prd): readonly Story[] {
  // Not by difference: two without a priority are equal.
  return stories.toSorted((a, b) => (a.priority === b.priority ? 0 : a.priority < b.priority ? -1 : 1))
}

/** The story that is next; `undefined`: all pass. */
export function nextStory(prd: Prd): Story | undefined {
  return inOrder(prd).find(story => !story.passes)
}
