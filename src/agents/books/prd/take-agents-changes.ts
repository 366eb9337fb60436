import { type JsonObject, type PrdFile, type ReadPrd, sameJson, setStory } from './prd-file.ts'
import { storiesById } from './same-story.ts'

/** What an agent did to prd.json, as far as that is its business. */
export interface AgentsChanges {
  /** The file as it was, with the `notes` of the agent's story: the rest is put back. */
  readonly file: PrdFile
  /** The agent says that its story passes. Whether it does, the checks say; then relay writes it down. */
  readonly saysPasses: boolean
  /** What else it changed, in words; each was put back. */
  readonly putBack: readonly string[]
}

/**
 * Takes from an agent's prd.json what it may change: `passes` and `notes` of the story that it was given.
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
