import { count } from './count.ts'

/** A size in the units people read: `812 bytes`, `1.2 kB`, `53.0 MB`. */
export function describeSize(bytes: number): string {
  if (bytes < 1000) return count(bytes, 'byte')
  if (bytes < 999_950) return `${(bytes / 1000).toFixed(1)} kB`
  return `${(bytes / 1_000_000).toFixed(1)} MB`
}
