import type { Tool } from '../tool.ts'

/** `Found 3 errors.` from a tool whose lines nobody here understood: the number is known, the errors are not. */
export const bareSummary: Tool = {
  start: () => () => undefined,
  sum: /^Found (\d+) errors?\.?$/,
}
