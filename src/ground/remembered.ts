/** What a function answers is worked out once for each key, and known from then on; with a `WeakMap` as long as the key is. */
export function remembered<K, V>(work: (key: K) => V, known: Known<K, V> = new Map<K, V>()): (key: K) => V {
  return key => {
    if (!known.has(key)) known.set(key, work(key))
    return known.get(key) as V
  }
}

type Known<K, V> = Pick<Map<K, V>, 'has' | 'get'> & { set(key: K, value: V): unknown }
