import type { Marker } from './agent.ts'

export function lastMarker(text: string): Marker | undefined {
  return (text.match(marker)?.at(-1)?.slice('<promise>'.length, -'</promise>'.length) as Marker) ?? undefined
}

export function printMarker(what: Marker): string {
  return `<promise>${what}</promise>`
}

const marker = /<promise>(?:COMPLETE|FAILED|BLOCKED)<\/promise>/g
