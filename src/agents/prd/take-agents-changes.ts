import { type JsonObject, type PrdFile, type ReadPrd, sameJson, setStory } from './prd-file.ts'
import { storiesById } from './same-story.ts'

/** An agent's changes to prd.json: those that it was allowed to make, and the others. */
export interface AgentsChanges {
  /** The old file with the new `notes` of the agent's story; everything else is put back. */
  readonly file: PrdFile
  /** The agent says that its story passes. The checks decide whether it does; then relay records it. */
  readonly saysPasses: boolean
  /** The other changes, in words; each was put back. */
  readonly putBack: readonly string[]
}

/**
 * Takes from an agent's prd.json only what it may change: `passes` and `notes` of its own story.
 *
 * @param after `undefined`: the file is gone
 */
export function takeAgentsChanges(before: PrdFile, after: ReadPrd | undefined, storyId: string): AgentsChanges {
  if (after === undefined) return { file: before, saysPasses: false, putBack: ['prd.json was deleted'] }
  if (after.kind === 'unreadable') {
    return { file: before, saysPasses: false, putBack: [`prd.json cannot be read: ${after.problems[0]}`] }
  }
  const [old, now] = [storiesById(before), storiesById(after.file)]
  const own = now.get(storyId)
  const notes = own?.['notes']
  const isNoted = typeof notes === 'string' && notes !== (old.get(storyId)?.['notes'] ?? '')
  return {
    file: (isNoted ? setStory(before, storyId, { notes }) : undefined) ?? before,
    saysPasses: own?.['passes'] === true,
    putBack: [
      ...changedKeys(before.value, after.file.value, ['userStories']).map(key => `"${key}" was changed`),
      ...storyChanges(old, now, storyId),
      ...(isReordered(old, now) ? ['the order of the stories was changed'] : []),
    ],
  }
}

function storyChanges(
  old: ReadonlyMap<string, JsonObject>,
  now: ReadonlyMap<string, JsonObject>,
  storyId: string,
): readonly string[] {
  const gone = [...old.keys()].filter(id => !now.has(id)).map(id => `${id} was removed`)
  const others = [...now].flatMap(([id, story]) => {
    const was = old.get(id)
    if (was === undefined) return [`${id} was added`]
    const own = id === storyId ? ['passes', 'notes'] : []
    return changedKeys(was, story, own).map(key => `"${key}" of ${id} was changed`)
  })
  return [...gone, ...others]
}

function changedKeys(old: JsonObject, now: JsonObject, except: readonly string[]): readonly string[] {
  const keys = new Set([...Object.keys(old), ...Object.keys(now)])
  return [...keys].filter(key => !except.includes(key) && !sameJson(old[key], now[key]))
}

function isReordered(old: ReadonlyMap<string, JsonObject>, now: ReadonlyMap<string, JsonObject>): boolean {
  const kept = (ids: Iterable<string>, other: ReadonlyMap<string, JsonObject>) => [...ids].filter(id => other.has(id))
  return !sameJson(kept(old.keys(), now), kept(now.keys(), old))
}
