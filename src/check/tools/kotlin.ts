import { finding } from '../finding.ts'
import type { Finding, Tool } from '../tool.ts'

/**
 * Kotlin below Gradle. Each target of a project compiles the same files, so the same error at the same place counts once.
 * What `kotlinc` itself prints, `src/a.kt:3:5: error: …`, is read like GCC's.
 */
export const kotlin: Tool = {
  repeats: true,
  start:
    () =>
    ({ text }) =>
      readProblem(text) ?? readCrash(text),
}

/** `e: file:///app/src/A.kt:3:5 Unresolved reference 'x'.`; before Kotlin 1.9 `e: /app/src/A.kt: (3, 5): Unresolved …`. */
function readProblem(text: string): Finding | undefined {
  if (!/^[ew]: /.test(text)) return undefined
  const found = /^[ew]: (\S.*?\.kts?)(?:: \(|:)(\d{1,9})(?:, |:)(\d{1,9})(?:\):|:)? (.*)$/.exec(text)
  if (found === null) return undefined
  const [, name = '', line, column, message = ''] = found
  const file = name.startsWith('file:') ? name.replaceAll('%20', ' ') : name
  return finding(text.startsWith('e'), { file, line: Number(line), column: Number(column) }, '', message)
}

/** `e: org.jetbrains.kotlin.backend.common.BackendException: …` */
function readCrash(text: string): Finding | undefined {
  return /^e: (?:org\.jetbrains\.kotlin|java)\.[\w.$]+/.test(text)
    ? { incomplete: 'the Kotlin compiler broke off' }
    : undefined
}
