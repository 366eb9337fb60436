import { count, describeSize, grouped } from '../text/count.ts'
import { noteLines } from '../text/hanging.ts'
import { firstOf, moreLine } from '../text/more-line.ts'
import { row } from '../text/row.ts'
import type { Style } from '../text/style.ts'
import { visibleLine } from '../text/visible.ts'

/** The contents of a pack, for the user who is about to give it to a model. */
export interface PackFacts {
  readonly bytes: number
  readonly tokens: number
  readonly files: readonly { readonly path: string; readonly tokens: number }[]
  readonly leftOut: readonly { readonly path: string; readonly why: string }[]
}

const mostLeftOut = 10

export function packLines({ bytes, tokens, files, leftOut }: PackFacts, done: string, style: Style): readonly string[] {
  const { paint, sign } = style
  const size = paint.meta(`${describeSize(bytes)}, ${count(tokens, 'token')}`)
  const sizes = files.map(each => ({ path: each.path, size: each.tokens }))
  const names = firstOf(leftOut, mostLeftOut, 'file', ({ path, why }) => `${path} (${why})`)
  return [
    ...row(`${paint.ok(sign.ok)} ${paint.strong(`${done} ${count(files.length, 'file')}`)}`, size, style),
    ...(files.length > 1 ? sizeRows(sizes).map(line => paint.meta(`  ${line}`)) : []),
    ...(leftOut.length > 0 ? noteLines(`left out: ${names.join(', ')}`, style) : []),
  ]
}

const mostSizes = 5

export function sizeRows(files: readonly { readonly path: string; readonly size: number }[]): readonly string[] {
  const largest = files.toSorted((a, b) => b.size - a.size).slice(0, mostSizes)
  const width = grouped(largest[0]?.size ?? 0).length
  return largest.map(({ path, size }) => `  ${grouped(size).padStart(width)}  ${visibleLine(path)}`)
}

const mostSecrets = 10

/** The places and kinds of likely secrets, never the secrets themselves. */
export function secretLines(
  secrets: readonly { readonly path: string; readonly line?: number; readonly kind: string }[],
  style: Style,
): readonly string[] {
  const places = secrets.map(({ path, line, kind }) => {
    return { place: visibleLine(line === undefined ? path : `${path}:${line}`), kind }
  })
  const shown = places.slice(0, mostSecrets)
  const width = Math.max(...shown.map(({ place }) => place.length))
  return [
    ...noteLines('these files seem to hold secrets:', style),
    ...shown.map(({ place, kind }) => `    ${place.padEnd(width)}  ${kind}`),
    ...moreLine(places.length - shown.length, 'secret', style),
  ]
}
