import { lintError } from './lint-error.ts'
import type { Tool } from './tool.ts'

/** `cargo test`: each failed test is an error; one sum per test program. */
export const cargoTest: Tool = {
  name: 'cargo test',
  trusts: 'summary',
  start: () => line => {
    if (!line.text.startsWith('test ')) return undefined
    const sum = /^test result: \w+\. \d+ passed; (\d+) failed;/.exec(line.text)
    if (sum !== null) return { summary: Number(sum[1]) }
    if (!line.text.endsWith(' ... FAILED')) return undefined
    return { errors: [lintError({ file: '' }, 'FAILED', line.text.slice(5, -11))] }
  },
}
