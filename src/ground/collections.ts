/** `Map.groupBy`, which node has from version 21 on. It keeps the order of the items. */
export function groupBy<Item, Key>(
  items: Iterable<Item>,
  keyOf: (item: Item) => Key,
): ReadonlyMap<Key, readonly Item[]> {
  const groups = new Map<Key, Item[]>()
  for (const item of items) {
    const key = keyOf(item)
    const group = groups.get(key)
    if (group === undefined) groups.set(key, [item])
    else group.push(item)
  }
  return groups
}

/** Calls the function once for each key and remembers the answer; with a `WeakMap`, as long as the key lives. */
export function remembered<K, V>(work: (key: K) => V, known: Known<K, V> = new Map<K, V>()): (key: K) => V {
  return key => {
    if (!known.has(key)) known.set(key, work(key))
    return known.get(key) as V
  }
}

type Known<K, V> = Pick<Map<K, V>, 'has' | 'get'> & { set(key: K, value: V): unknown }

/** Lets a fixed number of works run at a time. The others wait their turn, first come, first served. */
export function turnstile(places: number): <T>(work: () => Promise<T>) => Promise<T> {
  let free = places
  const waiting: (() => void)[] = []

  return async work => {
    if (free > 0) free--
    else await new Promise<void>(go => waiting.push(go))
    try {
      return await work()
    } finally {
      const next = waiting.shift()
      if (next === undefined) free++
      else next()
    }
  }
}

/** Which of some stored things go: each rule counts by itself. */
export interface AgeRules {
  /** Those from before this moment. */
  readonly before?: Date | undefined
  /** The oldest beyond this size of all, in bytes. */
  readonly mostBytes?: number | undefined
  /** The oldest beyond this number. */
  readonly most?: number | undefined
}

/** Those that the rules remove; all are given newest first. */
export function oldAmong<Item extends { readonly bytes: number; readonly at: Date }>(
  all: readonly Item[],
  { before, mostBytes, most }: AgeRules,
): readonly Item[] {
  let bytes = 0
  return all.filter((item, index) => {
    bytes += item.bytes
    const isTooOld = before !== undefined && item.at < before
    return isTooOld || (most !== undefined && index >= most) || (mostBytes !== undefined && bytes > mostBytes)
  })
}
