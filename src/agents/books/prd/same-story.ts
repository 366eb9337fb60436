import { type JsonObject, type PrdFile, storiesIn } from './prd-file.ts'

/** The stories of a prd.json by their ids, in order; one whose id was there before has a number behind its id. */
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
