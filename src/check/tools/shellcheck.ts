import { finding, nothing } from '../finding.ts'
import type { Tool } from '../tool.ts'

/**
 * ShellCheck, in its usual format and as `-f gcc`. It exits with 1 for mere hints too, so hints alone explain that.
 */
export const shellcheck: Tool = {
  explains: (code, warnings) => warnings.length > 0 && code === 1,
  start() {
    let at = { file: '', line: 0 }
    return ({ text, place }) => {
      const heading = /^In (.+) line (\d{1,9}):$/.exec(text)
      if (heading !== null) {
        at = { file: heading[1] ?? '', line: Number(heading[2]) }
        return nothing
      }
      const found = /^ *\^-{0,400}(?:\^|-) (?:-- )?(SC\d{4})(?: \((\w+)\))?: (.*)$/.exec(text)
      if (found !== null) {
        const [, code = '', severity = 'error', message = ''] = found
        return finding(severity === 'error', { ...at, column: text.indexOf('^') + 1 }, code, message)
      }
      if (place?.mark !== ':') return undefined
      const gcc = /^(error|warning|note): (.*) \[(SC\d{4})\]$/.exec(place.rest)
      return gcc === null ? undefined : finding(gcc[1] === 'error', place, gcc[3] ?? '', gcc[2] ?? '')
    }
  },
}
