import type { Surroundings } from '../../src/main.ts'
import type { System } from '../../src/ports.ts'

/** For `main`: the world that it finds is this one. */
export function around(system: System): Surroundings {
  return {
    version: system.version,
    out: text => system.terminal.out(text),
    err: text => system.terminal.err(text),
    open: async () => system,
  }
}
