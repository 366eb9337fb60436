interface Program {
  readonly name: string
  readonly runs: string | null
  readonly own?: string
  readonly near?: string
}

/** What runs under a name, or that nothing does. One line without a period. */
export function runWords(program: Program): string {
  const { name, runs, near } = program
  if (runs !== null) return shadowWords(program)[0] ?? `${name} runs ${runs}`
  const why = `${name} is not found, neither on PATH nor among the project's own programs`
  return near === undefined ? why : `${why}; did you mean \`${near}\`?`
}

/** Said only where a program of the project gives way to one on PATH. */
export function shadowWords({ name, runs, own }: Program): readonly string[] {
  if (own === undefined || runs === null || runs === own) return []
  return [`${name} runs ${runs}, which PATH has first, and not ${own}`]
}
