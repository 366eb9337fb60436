import { RAW } from '../report/attacks.ts'

/**
 * What relay itself may send to a terminal: colours, links to files of the project, its title and notifications, the
 * bell that goes with them, what a line for answers needs, and a prompt of relay's own (`# relay…`) for the clipboard, which
 * the user has asked for. Everything else comes from somebody else.
 */
const own = (root: string) => [
  /\x1b\[(?:0|1|2|4|22|24|31|32|33|36|39)?m/,
  new RegExp(String.raw`\x1b\]8;;(?:file://${root.replaceAll('/', '\\/')}[\w%./-]*)?\x1b\\`),
  /\x1b\](?:2;relay|9;relay waits:) [^\p{Cc}]*\x07/u,
  /\x1b\[2[23];2t/,
  /\x1b\]52;c;IyByZWxheS[A-Za-z0-9+/]*={0,2}\x07/,
  /\x1b\[\?(?:7|25|2004|2026)[hl]/,
  /\x1b\[\d{0,3}[KGABCDJ]/,
  /\x07/,
]

/** The first thing in what a terminal was sent that is neither text nor relay's own, with what stands around it. */
export function foreignIn(sent: string, root: string | undefined): string | undefined {
  const signs = root === undefined ? [] : own(root).map(({ source }) => source)
  const text = sent.replace(
    new RegExp([...signs, '\\r?\\n', '\\t', ...(root === undefined ? [] : ['\\r'])].join('|'), 'gu'),
    ' ',
  )
  const found = RAW.exec(text)
  return found === null ? undefined : JSON.stringify(text.slice(Math.max(0, found.index - 60), found.index + 60))
}
