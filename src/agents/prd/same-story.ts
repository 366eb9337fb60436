import { type JsonObject, type PrdFile, storiesIn } from './prd-file.ts'

/** The stories of a prd.json by id, in order; a repeated id gets a number, `US-001 (2)`. */
export function storiesById({ value }: PrdFile): ReadonlyMap<string, JsonObject> {
  const found = new Map<string, JsonObject>()
  for (const story of storiesIn(value)) {
    const id = String(story['id'])
    let name = id
    for (let copy = 2; found.has(name); copy++) name = `${id} (${copy})`
    found.set(name, story)
  }
  return found
}
