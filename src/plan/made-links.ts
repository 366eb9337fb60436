import { protectedPlace } from '../ground/protected-place.ts'
import type { PathFact } from '../model/plan.ts'
import type { Problem } from '../model/response.ts'

/**
 * Where a link leads that stands at a place of the project, by its text: relative to the root, which is the empty path;
 * `undefined` where that is outside, or no text can tell.
 *
 * A `..` may only stand at the beginning: behind the name of another link it would lead elsewhere than the text says.
 */
export function placeOfLink(place: string, to: string): string | undefined {
  if (to === '' || ABSOLUTE.test(to)) return undefined
  const folders = place.split('/').slice(0, -1)
  const parts = to.split('/').filter(part => part !== '' && part !== '.')
  const up = parts.findIndex(part => part !== '..')
  const climbs = up === -1 ? parts.length : up
  const down = parts.slice(climbs)
  if (climbs > folders.length || down.includes('..')) return undefined
  return [...folders.slice(0, folders.length - climbs), ...down].join('/')
}

/** On any system: Windows also takes `\` for a separator, and a drive's letter for a beginning. */
const ABSOLUTE = /^\/|\\|^[a-z]:/i

/**
 * Says what forbids a new link: it may only lead to a place inside the project, and to none that no patch may touch.
 *
 * @param fact what a look at the disk told of the place where it leads; none for the root
 */
export function linkProblem(path: string, to: string, place: string | undefined, fact?: PathFact): Problem | undefined {
  const leads = fact?.leads ?? { kind: 'inside', target: '' }
  if (place === undefined || leads.kind !== 'inside') {
    const message = `This is a link to ${to}. A new link may only lead to a place inside the project; make it by hand if it should be.`
    return { code: 'link-outside', path, message }
  }
  const guarded = fact?.guarded ?? protectedPlace(place) ?? protectedPlace(leads.target)
  if (guarded === undefined) return undefined
  const message = `This is a link to ${to}, which leads into ${guarded}, which no answer may touch. Ask for the change without it.`
  return { code: 'path-protected', path, message }
}
