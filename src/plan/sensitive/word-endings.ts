/** A document or the like, at which a command that names it looks, or which it writes. */
export function isLookedAt(word: string): boolean {
  return LOOKED_AT.has(endingOf(word) ?? '')
}

/** A word without an ending may be a program as well: `bin/lint`. */
export function mayRun(word: string): boolean {
  const ending = endingOf(word)
  return ending === undefined || RUNS.has(ending)
}

export function endingOf(word: string): string | undefined {
  return /[^/\\]\.([^./\\]+)$/.exec(word)?.[1]?.toLowerCase()
}

const RUNS: ReadonlySet<string> = new Set(
  `js mjs cjs jsx ts mts cts tsx py pyz rb pl php sh bash zsh ksh csh fish nu ps1 bat cmd com vbs exe jar wasm lua awk sed
  tcl r jl go java kts groovy dart swift exs clj mk`.split(/\s+/),
)

/** Documents, pages, pictures, tables. */
const LOOKED_AT: ReadonlySet<string> = new Set(
  `md mdx markdown rst adoc txt html htm css scss sass less svg vue svelte astro png jpg jpeg gif webp ico pdf csv tsv sql
  graphql proto log lock`.split(/\s+/),
)
