import { cleanBlanks } from '../lines/clean.ts'
import { cleanPath, looksLikePath } from '../lines/path.ts'

/** One line or item of a change summary: a verb, if it has one, and what is said behind it. */
export interface SummaryEntry {
  readonly verb: string
  readonly words: string
}

/**
 * What a verb makes of the paths behind it: they have a content afterwards, or none, or change in some way; or they are
 * no files of the patch, since the words are a remark, or say what is run, read, looked up or left alone.
 */
export type Meaning = 'writes' | 'deletes' | 'changes' | 'remark' | 'elsewhere'

const meanings: readonly (readonly [Meaning, RegExp])[] = [
  ['deletes', /^(?:delete[ds]?|remove[ds]?|rm)$/i],
  [
    'writes',
    /^(?:edit(?:ed)?|new|add(?:ed)?|creat(?:ed?)|updated?|modif(?:y|ied)|changed?|fix(?:ed)?|rewritten|rewrite)$/i,
  ],
  ['changes', /^(?:renamed?|moved?|refactor(?:ed)?|replaced?|file|path|from|to|src|target)$/i],
  [
    'remark',
    /^(?:reason|description|desc|why|notes?|summary|details?|message|what|comment|purpose|action|type|op|kind)$/i,
  ],
  [
    'elsewhere',
    /^(?:run|runs|exec|execute|install|command|cmd|see|visit|check|open|url|link|docs?|test|tests|verify|requires?|depends?|unchanged|untouched|unaffected|unmodified|no-?changes?|kept|keeps?|skip(?:ped|s)?|affect(?:s|ed)?|impact(?:s|ed)?|verified|reviewed|uses?|next)$/i,
  ],
]

/** Nothing is known of a word that no table could hold: `backend: src/a.ts`. */
export function meaningOf(verb: string): Meaning | undefined {
  return meanings.find(([, said]) => said.test(verb))?.[0]
}

/** Tells whether a word says that a path changes, whatever becomes of it. */
export function isChange(word: string): boolean {
  const meaning = meaningOf(word)
  return meaning === 'deletes' || meaning === 'writes' || meaning === 'changes'
}

/** Words which say that a path stays as it is: a verb behind it, `src/a.ts: no change`. */
const staying = '(?:unchanged|untouched|unaffected|unmodified|no[- ]?changes?|not (?:changed|modified|touched))'
const isStaying = new RegExp(`^${staying}\\.?$`, 'i')
/** Of more than one path it may be said of the last one, or of the text alone: `src/a.ts -> src/b.ts (unchanged)`. */
const apart = '\\s,;>\u2192'
const severalPaths = new RegExp(`[${apart}]`)
const pathAndStaying = new RegExp(`^([^${apart}]+)(?:: | [-\u2013\u2014] | \\()${staying}[.)]?$`, 'i')

/** What a word or two behind a path say of it, where they say nothing else. */
export function verbBehind(words: string, path = ''): string | undefined {
  const said = words.trim()
  if (isStaying.test(said)) return severalPaths.test(path) ? undefined : 'unchanged'
  return isChange(said) ? said : undefined
}

/** What a line of a list begins with: YAML knows the dash alone, models write the others too. */
export const bullet = /^(?:[-*+\u2022]|\d{1,3}[.)])(?:\s+|$)/
/** `- [x] edit: src/a.ts`, as in a list of things to do. */
const checkbox = /^\[[ xX]?\][ \t]+/
/** `edit: `, `**edit**: `, `"edit": `, `edit：` */
const verbAndColon =
  /^["'\u201c\u2018]?(?:\*\*|__)?([A-Za-z][\w-]{0,40})["'\u201d\u2019]? ?(?:[:\uff1a](?:\*\*|__)?|(?:\*\*|__)[:\uff1a]) ?/

/** A line of a summary, read for its verb and its words alone. */
export function entryOfLine(line: string): SummaryEntry {
  const words = cleanBlanks(line).trim().replace(bullet, '').replace(checkbox, '')
  const match = verbAndColon.exec(words)
  if (match?.[1] !== undefined) return { verb: match[1], words: words.slice(match[0].length).trim() }
  const stays = pathAndStaying.exec(words)
  if (stays?.[1] !== undefined) return { verb: 'unchanged', words: stays[1] }
  // `edit src/a.ts`, without the colon.
  const [verb = '', path = ''] = words.split(/[ \t]+/, 2)
  const isSaid = isChange(verb) && looksLikePath(cleanPath(path))
  return isSaid ? { verb, words: words.slice(verb.length).trim() } : { verb: '', words }
}
