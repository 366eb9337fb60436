import { type JsonObject, type PrdFile, sameJson, withValue } from './prd-file.ts'
import { storiesById } from './same-story.ts'

export interface MergedPrd {
  /** The user's file with the other side's changes. */
  readonly file: PrdFile
  /** Places that both sides changed differently, in words: the user's version stays. */
  readonly conflicts: readonly string[]
}

/**
 * Merges two changes of one prd.json, story by story and key by key.
 *
 * @param base the common starting point
 * @param theirs the agent's version, or relay's own
 * @param users the file as it is now in the user's folder
 */
export function mergePrd(base: PrdFile, theirs: PrdFile, users: PrdFile): MergedPrd {
  const conflicts: string[] = []
  const stories = mergeStories(base, theirs, users, conflicts)
  const merged = mergeKeys(base.value, theirs.value, { ...users.value, userStories: null }, key => {
    if (key !== 'userStories') conflicts.push(`"${key}"`)
  })
  return { file: withValue(users, { ...merged, userStories: stories }), conflicts }
}

function mergeStories(base: PrdFile, theirs: PrdFile, users: PrdFile, conflicts: string[]): readonly JsonObject[] {
  const [old, their, user] = [storiesById(base), storiesById(theirs), storiesById(users)]
  const merged: JsonObject[] = []
  for (const [id, story] of user) {
    const [was, is] = [old.get(id), their.get(id)]
    if (is !== undefined) {
      merged.push(mergeKeys(was ?? {}, is, story, key => conflicts.push(`"${key}" of ${id}`)))
    } else if (was === undefined) merged.push(story)
    else if (!sameJson(was, story)) {
      merged.push(story)
      conflicts.push(`${id}, which was removed`)
    }
  }
  const notYours = [...their].filter(([id]) => !user.has(id))
  const removed = notYours.filter(([id, story]) => old.has(id) && !sameJson(old.get(id), story))
  conflicts.push(...removed.map(([id]) => `${id}, which you removed`))
  return [...merged, ...notYours.filter(([id]) => !old.has(id)).map(([, story]) => story)]
}

function mergeKeys(
  base: JsonObject,
  theirs: JsonObject,
  users: JsonObject,
  onConflict: (key: string) => void,
): JsonObject {
  const keys = new Set([...Object.keys(users), ...Object.keys(theirs)])
  const merged: [key: string, value: unknown][] = []
  for (const key of keys) {
    const [was, is, user] = [base[key], theirs[key], users[key]]
    const takesTheirs = sameJson(was, user)
    if (!takesTheirs && !sameJson(was, is) && !sameJson(is, user)) onConflict(key)
    const value = takesTheirs ? is : user
    if (value !== undefined) merged.push([key, value])
  }
  // Not by assignment: the key `__proto__` would set the prototype.
  return Object.fromEntries(merged)
}
