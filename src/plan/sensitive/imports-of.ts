import { pathOf } from './place-of.ts'

/** The files that a text imports by where they lie from it, as paths in the project: `import './rule.js'`. */
export function importsOf(text: string, from: string): ReadonlySet<string> {
  return placesBy(IMPORTED, text, from)
}

/** All that it names so: linters take plugins and other settings by their paths alone, as in `plugins: ['./rule.js']`. */
export function placesIn(text: string, from: string): ReadonlySet<string> {
  return placesBy(NAMED, text.replace(WORKED_ON, ' '), from)
}

function placesBy(sign: RegExp, text: string, from: string): ReadonlySet<string> {
  const folder = from.includes('/') ? from.slice(0, from.lastIndexOf('/')) : ''
  const found = new Set<string>()
  for (const [, path = ''] of text.matchAll(sign)) {
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

/** What the linter is to look at or to leave out, and short names for folders, unless something is loaded in them. */
const WORKED_ON =
  /\b(?:files|excludedFiles|ignores|ignorePatterns|root|alias)["']?\s{0,9}:\s{0,9}(?:\[[^[\]()]{0,9999}\]|\{(?:(?!require|import)[^{}]){0,9999}\}|"[^"\n]{0,300}"|'[^'\n]{0,300}')/g

const NAMED = /(?:^|[\s"'`[(,])(\.\.?\/[^\s"'`\],)*{}]{1,300})/g
