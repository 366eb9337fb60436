import { commandsOf, type WithCommands } from '../commands-of.ts'
import { foldPath } from './fold-path.ts'

/**
 * Says of a path which command of the configuration runs it, or reads it as its settings; `undefined` for all others.
 *
 * The user has agreed to a command by its text, and relay runs it right after writing: a patch that rewrites the program
 * which stands in it would run unasked. Only what the text names can be told, and no shell is asked how it reads it.
 */
export function ownPrograms(config: WithCommands): (path: string) => string | undefined {
  const named = commandsOf(config).flatMap(({ key, command }) =>
    programsIn(command).map(({ word, verb }) => ({ word, why: `${verb} \`${key}\`` })),
  )
  const places = new Map<string, string>()
  for (const { word, why } of named) if (!places.has(word)) places.set(word, why)
  const elsewhere = named.filter(({ word }) => FROM_ELSEWHERE.test(word))
  return path => {
    const folded = foldPath(path)
    return places.get(folded) ?? elsewhere.find(({ word }) => word.endsWith(`/${folded}`))?.why
  }
}

/** Where the project lies is not known here: `$PWD/bin/lint` and `/home/me/project/bin/lint` are told by their ends. */
const FROM_ELSEWHERE = /^(?:[/$%~]|[a-z]:)/

interface Program {
  /** As a path, folded. */
  readonly word: string
  readonly verb: 'is run by' | 'is read by'
}

/**
 * The words of a command that can name a program or its settings. A file that is only looked at (`eslint a.vue`) is no
 * program; one with a script's ending may be either, and counts.
 */
function programsIn(command: string): Program[] {
  const found: Program[] = []
  let isFirst = true
  let option = ''
  for (const [text, sign, assigned] of command.replace(WRITTEN, ' ').matchAll(/([;&|()`\n])|[^\s'"`;&|()<>=]+(=)?/g)) {
    if (sign !== undefined) {
      isFirst = true
      option = ''
      continue
    }
    const word = placeOf(text)
    if (isFirst || mayRun(word)) found.push({ word, verb: 'is run by' })
    else if (TAKES_SETTINGS.test(option)) found.push({ word, verb: 'is read by' })
    // `NAME=value` may stand before the program.
    isFirst &&= assigned !== undefined || option.endsWith('=')
    option = text
  }
  // A name with blanks in it.
  for (const [, text = ''] of command.matchAll(/["']([^"']*\s[^"']*)["']/g)) {
    if (mayRun(text)) found.push({ word: placeOf(text), verb: 'is run by' })
  }
  return found
}

/** What a command writes into is not run by it: `>> log.js`. */
const WRITTEN = /(?<!=)>[>|&]?\s*[^\s;&|()]+/g

const TAKES_SETTINGS = /^(?:-[cp]|--?(?:project|settings|rcfile|[\w-]*config[\w-]*))=?$/i

/** A word without an ending may be a program as well: `bin/lint`. */
function mayRun(word: string): boolean {
  const ending = /[^/\\]\.([^./\\]+)$/.exec(word)?.[1]
  return ending === undefined || RUNS.has(ending.toLowerCase())
}

const RUNS: ReadonlySet<string> = new Set(
  `js mjs cjs jsx ts mts cts tsx py pyz rb pl php sh bash zsh ksh csh fish nu ps1 bat cmd com vbs exe jar wasm lua awk sed
  tcl r jl go java kts groovy dart swift exs clj mk`.split(/\s+/),
)

/** The one spelling of a word that is a path, `./bin//lint` as `bin/lint`. */
function placeOf(word: string): string {
  const parts: string[] = []
  const text = foldPath(word).replaceAll('\\', '/')
  for (const part of text.split('/')) {
    if (part === '..' && parts.length > 0 && parts.at(-1) !== '..') parts.pop()
    else if (part !== '' && part !== '.') parts.push(part)
  }
  return `${text.startsWith('/') ? '/' : ''}${parts.join('/')}`
}
