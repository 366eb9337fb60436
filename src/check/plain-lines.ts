/**
 * Cuts an output into lines without colours, links and line ends.
 *
 * Not `stripVTControlCharacters`: what it takes for a colour depends on the version of Node, and text is lost where a
 * sequence is cut short. The patterns here cannot go back over what they have passed.
 */
export function plainLines(output: string): readonly string[] {
  const text = output.includes('\x1b') || output.includes('\x9b') ? withoutColours(output) : output
  return (text.includes('\r') ? text.replace(/\r\n?/g, '\n') : text).split('\n')
}

function withoutColours(text: string): string {
  return text
    .replace(/\x1b\][^\x07\x1b\n]*(?:\x07|\x1b\\)?/g, '')
    .replace(/(?:\x1b\[|\x9b)[0-?]*[ -/]*[@-~]?/g, '')
    .replace(/\x1b[ -/]*[0-~]?/g, '')
}
