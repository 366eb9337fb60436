/** No line that a tool writes for an error is longer; what follows is of no use, and some programs print megabytes. */
const longest = 4000

/**
 * Cuts an output into lines without colours, links and line ends.
 *
 * Not `stripVTControlCharacters`: what it takes for a colour depends on the version of Node, and text is lost where a
 * sequence is cut short. The patterns here cannot go back over what they have passed.
 */
export function plainLines(output: string): readonly string[] {
  const text = output.includes('\x1b') || output.includes('\x9b') ? withoutColours(output) : output
  return text.split(/\r\n|\n|\r/).map(line => (line.length > longest && !isJson(line) ? line.slice(0, longest) : line))
}

function withoutColours(text: string): string {
  return text
    .replace(/\x1b\][^\x07\x1b\n]*(?:\x07|\x1b\\)?/g, '')
    .replace(/(?:\x1b\[|\x9b)[0-?]*[ -/]*[@-~]?/g, '')
    .replace(/\x1b[ -/]*[0-~]?/g, '')
}

/** Some tools answer with one line of JSON, however long. */
function isJson(line: string): boolean {
  return line.startsWith('[{')
}
