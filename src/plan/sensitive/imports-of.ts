import { pathOf } from './place-of.ts'

/**
 * The files that a text names by where they lie from it, as paths in the project: `import './rule.js'`.
 *
 * `isSettings`: of a linter, which take plugins and other settings by their paths alone: `plugins: ['./rule.js']`.
 */
export function importsOf(text: string, from: string, isSettings: boolean): ReadonlySet<string> {
  const folder = from.includes('/') ? from.slice(0, from.lastIndexOf('/')) : ''
  const found = new Set<string>()
  for (const [, path = ''] of text.matchAll(isSettings ? NAMED : IMPORTED)) {
    const place = pathOf(`${folder}/./${path}`).replace(/^\//, '')
    if (place !== '' && !place.startsWith('..')) found.add(place)
    if (found.size === MOST) break
  }
  return found
}

const MOST = 500

/** No blank is counted without an end: a text full of them would take for ever. */
const IMPORTED =
  /(?:\bfrom|\bimport|\brequire(?:\.resolve)?)(?:\s|\/\*[^*]{0,99}\*\/){0,9}\(?\s{0,9}["'`](\.\.?\/[^"'`\n]{1,300})["'`]/g

const NAMED = /(?:^|[\s"'`[(,])(\.\.?\/[^\s"'`\],)*{}]{1,300})/g
