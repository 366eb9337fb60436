/** A word of a command. What stands behind a `=` is one by itself: `--config=x.json` are `--config=` and `x.json`. */
export interface Word {
  readonly text: string
  /** The word in front of it, which may be its option; empty for the first. */
  readonly before: string
  /** Behind a `<`. */
  readonly isFed: boolean
}

/**
 * Cuts a command where a shell begins another one, and each of these into its words.
 *
 * A quote only ends a word, since what it holds may be a command again: `sh -c "cd . && ./lint"`. What is written into
 * (`>> log.js`) is left out. No variable is followed.
 */
export function simpleCommands(command: string): (readonly Word[])[] {
  const commands: Word[][] = [[]]
  let isFed = false
  for (const [token, ends, text] of command.matchAll(TOKENS)) {
    const words = commands.at(-1)
    if (text !== undefined) words?.push({ text, before: words.at(-1)?.text ?? '', isFed })
    if (ends !== undefined) commands.push([])
    isFed = token.startsWith('<')
  }
  return commands
}

/** A file that is written, but not the `=>` of JavaScript; what ends a command; what a file is read for; a word. */
const TOKENS = /(?<!=)>[>|&]?\s*[^\s;&|()]+|([;&|()`\n])|<[<&]*|([^\s'"`;&|()<>=]+=?)/g
