import type { Prd, Story } from '../../model/prd.ts'

/** The stories in working order: the lowest priority number first, equal numbers as in the file. */
export function inOrder({ stories }: Prd): readonly Story[] {
  // Not by subtraction: a missing priority is infinite, and the difference of two would be NaN.
  return stories.toSorted((a, b) => (a.priority === b.priority ? 0 : a.priority < b.priority ? -1 : 1))
}

/** The next story to work on; `undefined` when all pass. */
export function nextStory(prd: Prd): Story | undefined {
  return inOrder(prd).find(story => !story.passes)
}
