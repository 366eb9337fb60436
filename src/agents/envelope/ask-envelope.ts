/** What another model is asked about a repository. */
export interface AskParts {
  /** The repository's absolute path. */
  readonly repository: string
  readonly prompt: string
  /** Empty: there is none. */
  readonly context: string
  readonly diff: string
}

/** How much may be sent, in bytes of UTF-8. */
export const mostContextBytes = 200_000
export const mostDiffBytes = 300_000
export const mostPromptBytes = 500_000

/** The text that every agent gets, whichever it is: the same bytes for the same parts. */
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

/** Why a part cannot be sent; `undefined`: it can. */
export function tooLarge(label: string, text: string, most: number): string | undefined {
  const bytes = Buffer.byteLength(text)
  return bytes > most ? `${label} is too large (${bytes} bytes; max ${most} bytes)` : undefined
}
