import { errorAt, summary } from './finding.ts'
import type { Tool } from './tool.ts'

/** `cargo test`: each failed test is an error; one sum per test program. */
export const cargoTest: Tool = {
  trusts: 'summary',
  start: () => line => {
    if (!line.text.startsWith('test ')) return undefined
    if (line.text.endsWith(' ... FAILED')) return errorAt({ file: '' }, 'FAILED', line.text.slice(5, -11))
    return summary(/^test result: \w+\. \d+ passed; (\d+) failed;/.exec(line.text))
  },
}
