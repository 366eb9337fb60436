import type { Trace } from '../ports.ts'

/** Reports each span as it ends: its begin since the start of the process, and its length, in milliseconds. */
export function tellingTrace(tell: (line: string) => void): Trace {
  return {
    async span(name, work) {
      const began = performance.now()
      try {
        return await work()
      } finally {
        const took = performance.now() - began
        tell(`trace  at ${inMs(began)}  took ${inMs(took)}  ${name}`)
      }
    },
  }
}

export const silentTrace: Trace = {
  span: async (_name, work) => work(),
}

function inMs(value: number): string {
  return `${value.toFixed(1).padStart(7)} ms`
}
