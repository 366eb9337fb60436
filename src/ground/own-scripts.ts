import { groupBy } from './group-by.ts'
import { isRecord } from './is-record.ts'
import { scriptsUnder } from './package-scripts.ts'

/** A command, by what makes relay run it. */
interface Keyed<Key> {
  readonly key: Key
  readonly command: string
}

/** Whether a command may run scripts of package.json and the like, or what a Makefile makes of a target. */
export function mayRunScripts(commands: readonly Keyed<unknown>[]): boolean {
  return commands.some(({ command }) => RUNS_SCRIPTS.test(command))
}

/** Where scripts stand, in the root or in a part. */
export const HOLDS_SCRIPTS: ReadonlySet<string> = new Set(
  'package.json composer.json deno.json deno.jsonc Makefile makefile GNUmakefile justfile Justfile .justfile'.split(
    ' ',
  ),
)

/**
 * The scripts that the commands come to: `npm run lint` runs `prelint`, `lint` and `postlint`, and whatever scripts these
 * run; `make lint` what stands below `lint:`. `texts` are those of the files that hold scripts.
 */
export function ownScripts<Key>(commands: readonly Keyed<Key>[], texts: readonly string[]): Keyed<Key>[] {
  const scripts = groupBy(texts.flatMap(scriptsIn), ([name]) => name)
  const byKey = groupBy(commands, ({ key }) => key)
  return [...byKey].flatMap(([key, own]) => {
    const texts = own.map(({ command }) => command)
    return [...runBy(texts, scripts)].map(command => ({ key, command }))
  })
}

type Scripts = ReadonlyMap<string, readonly Named[]>

/** Once for all commands of a key: a Makefile may hold tens of thousands of them. */
function runBy(commands: readonly string[], scripts: Scripts): ReadonlySet<string> {
  const namedBy = namesOf(scripts)
  const names = new Set(commands.flatMap(text => namesIn(text, namedBy)))
  const found = new Set<string>()
  // Whatever is added to the names while they are gone through has its turn as well.
  for (const name of names) {
    for (const [, script] of scripts.get(name) ?? []) {
      if (found.has(script)) continue
      found.add(script)
      for (const named of namesIn(script, namedBy)) names.add(named)
    }
  }
  return found
}

const RUNS_SCRIPTS =
  /(?:^|[\s'"`;&|()/\\])(?:npm|pnpm|yarn|bun|deno task|node --run|npm-run-all2?|run-[sp]|concurrently|turbo|nx|lerna|composer|@[\w:-]{1,99}|(?:[bgnp]|re|mingw32-)?make|MAKE\)|just)(?:\.cmd)?(?:\s|$)/

type NamedBy = (word: string) => readonly string[]

function namesIn(text: string, namedBy: NamedBy): readonly string[] {
  // Of a recipe each line is a command of its own: `golangci-lint run` makes no target `run`.
  const lines = text.split('\n').filter(line => RUNS_SCRIPTS.test(line))
  // `composer.json` runs another script as `@lint`.
  const words = lines.flatMap(wordsOf).map(word => word.replace(/^(?:npm:|@)/, ''))
  const first = RUNS_FIRST.test(text) ? [FIRST] : []
  const always = RUNS_TARGETS.test(text) ? [ALWAYS] : []
  return [...first, ...always, ...words].flatMap(namedBy).flatMap(name => [`pre${name}`, name, `post${name}`])
}

/** The `run` of `npm run lint` is no target, or script, of that name; that of `make run lint` is. */
function wordsOf(line: string): readonly string[] {
  const plain = RUNS_TARGETS.test(line) ? line : line.replace(/(?<=\s)run\s+(?=\S)/g, '')
  return plain.split(/[\s'"`;&|()]+/)
}

const RUNS_TARGETS = /(?:make|MAKE\)|just)(?:\s|$)/

/** The first target is made where none is named. */
const RUNS_FIRST = /(?:make|just)\s*(?:$|[;&|\n])/
const FIRST = ' first'

/** `VERSION := $(shell tools/version)` is run whatever is made. */
const ALWAYS = ' always'
const SHELLS = /\$[({]shell\s|!=|`/

/**
 * Tells the scripts that a word names: `npm t` is `npm test`; `run-s lint:*` runs all that begin so. Of a pattern only the
 * first part counts, and that once, so that a text full of them takes no longer than another one.
 */
function namesOf(scripts: ReadonlyMap<string, unknown>): NamedBy {
  const groups = groupBy(scripts.keys(), leadOf)
  const taken = new Set([''])
  return word => {
    if (word === 't' || word === 'tst') return ['test']
    if (!word.includes('*')) return scripts.has(word) ? [word] : []
    const lead = leadOf(word)
    if (taken.has(lead)) return []
    taken.add(lead)
    return groups.get(lead) ?? []
  }
}

/** `lint:` of `lint:types`; of a name without parts nothing. */
function leadOf(name: string): string {
  return name.slice(0, name.indexOf(':') + 1)
}

type Named = readonly [name: string, script: string]

function scriptsIn(text: string): readonly Named[] {
  if (!/^\s*\{/.test(text)) return recipesIn(text)
  return scriptsUnder(['scripts', 'tasks', 'wireit'], text).map(([name, script]) => [name, textOf(script)])
}

/** Composer takes several commands, Deno and Wireit one with a description, and tasks that run before it. */
function textOf(script: unknown): string {
  if (!isRecord(script)) return textsIn(script).join('\n')
  const needs = textsIn(script['dependencies']).map(name => `npm run ${name}`)
  return [...needs, ...textsIn(script['command'])].join('\n')
}

function textsIn(value: unknown): readonly string[] {
  const parts: readonly unknown[] = Array.isArray(value) ? value : [value]
  return parts.filter(part => typeof part === 'string')
}

/** Of a Makefile or a justfile: what is indented belongs to the names in front of the colon above it. */
function recipesIn(text: string): Named[] {
  const always: (readonly string[])[] = []
  const values = new Map<string, string>()
  const blocks: { readonly names: readonly string[]; readonly lines: string[] }[] = []
  for (const line of text.replace(/\\\r?\n/g, ' ').split(/\r?\n/)) {
    const [, head, needs = ''] = TARGET.exec(line) ?? []
    const [, name, value] = VARIABLE.exec(line) ?? []
    if (name !== undefined && value !== undefined) values.set(name, value)
    if (!/^[ \t#]/.test(line)) always.push(line.split(SHELLS).slice(1).map(upToClosing))
    // What a target needs is made before it.
    if (head !== undefined) blocks.push({ names: head.trim().split(/\s+/), lines: [`make ${needs} :`] })
    else if (/^[ \t]/.test(line)) blocks.at(-1)?.lines.push(line.trim().replace(/^[@+-]+\s*/, ''))
  }
  const named = blocks.flatMap(({ names, lines }) => {
    const script = lines.map(line => line.replace(VALUE_OF, (whole, name) => values.get(name) ?? whole)).join('\n')
    return names.map((name): Named => [name, script])
  })
  const first: Named[] = named[0] === undefined ? [] : [[FIRST, named[0][1]]]
  return [...first, [ALWAYS, always.flat().join('\n')], ...named]
}

/** What stands behind the parenthesis that ends a `$(shell …)` is no command: `SOURCES := $(shell git ls-files) main.py` */
function upToClosing(text: string): string {
  let depth = 0
  for (const { 0: sign, index } of text.matchAll(/[(){}]/g)) {
    depth += /[({]/.test(sign) ? 1 : -1
    if (depth < 0) return text.slice(0, index)
  }
  return text
}

/** `LINT = python tools/lint.py`, which stands for the program of a recipe: `$(LINT) src`. Nobody writes a longer one. */
const VARIABLE = /^([\w.-]+)\s*(?:[:?]|::)?=\s*(\S.{0,200})$/
const VALUE_OF = /^\$[({]([\w.-]+)[)}]/

/** Neither `name := value` nor `.PHONY:`. */
const TARGET = /^([^\s#:.][^:]*)::?(?!=)(.*)$/
