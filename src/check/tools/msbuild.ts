import { finding, nothing } from '../finding.ts'
import type { At } from '../lint-error.ts'
import type { Finding, Tool } from '../tool.ts'

/**
 * MSBuild and its compilers: `dotnet build`, `dotnet format --verify-no-changes`.
 *
 * It prints each error again at its end, word for word, and counts it once. For two projects, or two frameworks, an error
 * counts twice: these lines differ.
 */
export const msbuild: Tool = {
  /** `    2 Error(s)`; the newer logger: `Build failed with 2 error(s) and 1 warning(s) in 1.2s`. */
  sum: /^(?: {4}(?=\d{1,9} Error\(s\)$)|Build failed with (?=\d{1,9} error\(s\)))(\d+)/,
  start() {
    const known = new Set<string>()
    return line => {
      // Indented, or behind the number of the process that found it: `     1>/app/A.cs(5,13): error …`.
      const text = line.text.replace(/^ {0,20}(?:\d{1,4}>)?/, '')
      const problem = readProblem(text)
      if (problem === undefined) return undefined
      if (known.has(text)) return nothing
      known.add(text)
      return problem
    }
  },
}

/** `/app/A.cs(5,13): error CS0103: The name 'x' does not exist [/app/a.csproj]`; `CSC : error CS5001: …` has no place. */
function readProblem(text: string): Finding | undefined {
  const said =
    /(?:(\)): (?:[a-z]+ )?| : (?=(?:error|warning) [A-Z]{2,20}\d))(error|warning) ([A-Z]{2,20}\d{0,6}): (.*?)(?: \[[^[\]]+\])?$/.exec(
      text,
    )
  if (said === null) return undefined
  const [, bracket, severity, code = '', message = ''] = said
  const isError = severity === 'error'
  // Errors of the build itself: what comes after them is not compiled.
  if (isError && /^(?:MSB|NU|NETSDK)\d/.test(code)) return { incomplete: `the build stopped at ${code}: ${message}` }
  const at = bracket === undefined ? { file: '' } : placeBefore(text.slice(0, said.index))
  return at && finding(isError, at, code, message)
}

/** `/app/A.cs(5,13`, `A.cpp(5`, `A.cs(5,13,5,20`. */
function placeBefore(text: string): At | undefined {
  const found = /^(\S.*)\((\d{1,9})(?:[,-]\d{1,9}){0,3}$/.exec(text)
  const column = /\(\d{1,9},(\d{1,9})/.exec(text.slice(text.lastIndexOf('(')))?.[1]
  if (found === null) return undefined
  return { file: found[1] ?? '', line: Number(found[2]), column: column === undefined ? undefined : Number(column) }
}
