import { pathOf } from './place-of.ts'

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
  for (const [token, ends, text] of command.replace(/\\\r?\n/g, '').matchAll(TOKENS)) {
    const words = commands.at(-1)
    if (text !== undefined) words?.push({ text, before: words.at(-1)?.text ?? '', isFed })
    if (ends !== undefined) commands.push([])
    isFed = token.startsWith('<')
  }
  return commands
}

/** A file that is written, but not the `=>` of JavaScript; what ends a command; what a file is read for; a word. */
const TOKENS = /(?<!=)>[>|&]?\s*[^\s;&|()]+|([;&|()`\n])|<[<&]*|([^\s'"`;&|()<>=]+=?)/g

/**
 * Where each command may run, seen from where the first one does: `cd tools && ./lint`, `make -C tools lint`, and behind
 * `cd "$(dirname tools/x)"`, which is cut into two. Always there as well, and in the last folder by itself: only a shell
 * could tell where `(cd web && ./lint)` ends.
 */
export function foldersOf(commands: readonly (readonly Word[])[]): readonly ReadonlySet<string>[] {
  let gone: readonly string[] = ['']
  return commands.map(words => {
    const to = folderBehind(GOES, words) ?? folderOf(folderBehind(/^dirname$/, words))
    const led = folderBehind(LEADS, words)
    if (to !== undefined) gone = ['', to, inside(gone.at(-1) ?? '', to)]
    return new Set(led === undefined ? gone : [...gone, ...gone.map(folder => inside(folder, led))])
  })
}

export function inside(folder: string, path: string): string {
  // A text that goes on and on is not followed for ever.
  return folder === '' || folder.length >= 200 ? path : pathOf(`${folder}/${path}`)
}

/** What is named behind a sign, if with an option between the two: `cd -P tools`, `cd /d tools` */
function folderBehind(sign: RegExp, words: readonly Word[]): string | undefined {
  const at = words.findIndex(({ text }) => sign.test(text))
  const word = at === -1 ? undefined : words.slice(at + 1).find(({ text }) => !/^(?:-|\/d$)/i.test(text))
  return word === undefined ? undefined : pathOf(word.text)
}

function folderOf(path: string | undefined): string | undefined {
  return path?.slice(0, Math.max(0, path.lastIndexOf('/')))
}

const GOES = /^(?:cd|chdir|pushd|set-location)$/i

/** For one command. */
const LEADS = /^(?:-C|--(?:chdir|cwd|dir|directory|prefix))=?$/
