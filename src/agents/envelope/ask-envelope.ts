/** The parts of a question to another model about a repository. */
export interface AskParts {
  /** The repository's absolute path. */
  readonly repository: string
  readonly prompt: string
  /** May be empty, like `diff`. */
  readonly context: string
  readonly diff: string
}

/** Limits in bytes of UTF-8. */
export const mostContextBytes = 200_000
export const mostDiffBytes = 300_000
export const mostPromptBytes = 500_000

/** The envelope of `relay ask`, the same for every agent. The same parts always give the same bytes. */
export function askEnvelope({ repository, prompt, context, diff }: AskParts): string {
  const section = (title: string, text: string) => (text.trim() === '' ? [] : ['', title, text.trim()])
  return [
    'You are helping another coding agent by reviewing or advising on work in a local repository.',
    `Repository path: ${repository}`,
    'Use the repository files for context when needed.',
    'Respond with concise, actionable feedback.',
    ...section('Request:', prompt),
    ...section('Additional Context:', context),
    ...section('Git Diff:', diff),
  ]
    .join('\n')
    .trim()
}

/** An error message for a part that is too large; `undefined` when it fits. */
export function tooLarge(label: string, text: string, most: number): string | undefined {
  const bytes = Buffer.byteLength(text)
  return bytes > most ? `${label} is too large (${bytes} bytes; max ${most} bytes)` : undefined
}
