import type { Marker } from './agent.ts'

export function lastMarker(text: string): Marker | undefined {
  return (text.match(marker)?.at(-1)?.slice('<promise>'.length, -'</promise>'.length) as Marker) ?? undefined
}

/**
 * The marker by which a text judges the work that it tells of. FAILED and BLOCKED count wherever the last marker stands;
 * COMPLETE only where the last filled line ends with it, as itself: who names it, quotes it or shows it has not said it.
 */
export function markerOfWork(text: string): Marker | undefined {
  const last = lastMarker(text)
  return last === 'COMPLETE' && !endsComplete(text) ? undefined : last
}

function endsComplete(text: string): boolean {
  const lines = text.trimEnd().split('\n')
  const isQuoted = /^\s*>/.test(lines.at(-1) ?? '')
  const isInFence = lines.filter(line => /^\s*(?:```|~~~)/.test(line)).length % 2 === 1
  return /<promise>COMPLETE<\/promise>[*_]*$/.test(text.trimEnd()) && !isQuoted && !isInFence
}

export function printMarker(what: Marker): string {
  return `<promise>${what}</promise>`
}

const marker = /<promise>(?:COMPLETE|FAILED|BLOCKED)<\/promise>/g
