import type { Terminal } from '../../ports.ts'

/** Somebody looks at it; else it is a log. */
export function isScreen({ live, canAsk }: Pick<Terminal, 'live' | 'canAsk'>): boolean {
  return live || canAsk
}
