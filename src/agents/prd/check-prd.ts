import type { PrdFinding } from '../../model/prd.ts'
import { inOrder } from './next-story.ts'
import { type PrdFile, storiesIn } from './prd-file.ts'
import { fileRules, storyRules } from './prd-rules.ts'

/** Checks a prd.json by the rules of a good one. */
export function checkPrd(file: PrdFile): readonly PrdFinding[] {
  const { stories } = file.prd
  const order = inOrder(file.prd)
  const ofFile = fileRules.flatMap(({ rule, message, found }) => {
    return found(file).map(what => ({ rule, story: undefined, message: withWhat(message, what) }))
  })
  const ofStories = stories.flatMap((story, at) => {
    const value = storiesIn(file.value)[at] ?? {}
    const place = {
      story,
      value,
      above: stories.slice(0, at),
      earlier: order.slice(0, order.indexOf(story)),
      all: stories,
    }
    return storyRules.flatMap(({ rule, message, found }) => {
      return found(place).map(what => ({ rule, story: story.id, message: withWhat(message, what) }))
    })
  })
  return [...ofFile, ...ofStories]
}

function withWhat(message: string, what: string): string {
  // Not as a string: `$&` would be special in it.
  return message.replace('{}', () => what)
}
