/** The items that occur once, with their places, in the order of the list. */
export function onlyOnes<Item>(items: readonly Item[]): ReadonlyMap<Item, number> {
  const places = new Map<Item, number>()
  for (const [at, item] of items.entries()) places.set(item, places.has(item) ? -1 : at)
  for (const [item, at] of places) if (at < 0) places.delete(item)
  return places
}
