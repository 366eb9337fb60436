/** Decides by the ending. Shell scripts and data are no source. */
export function isSource(path: string): boolean {
  return sources.test(path)
}

const sources =
  /\.(?:[cm]?[jt]sx?|vue|svelte|astro|py|pyi|rb|go|rs|java|kt|kts|scala|php|cs|fs|swift|dart|c|h|cc|cpp|hpp|m|ex|exs|erl|hs|ml|lua|pl|r|jl|zig|sql)$/i
