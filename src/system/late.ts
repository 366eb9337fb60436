/**
 * Modules of the runtime that most commands never use. Nearly each of them loads the runtime's streams, which takes
 * as long as writing a few files. So the first use loads them, and not the import.
 */
export const late = {
  get files() {
    return process.getBuiltinModule('node:fs/promises')
  },
  get childProcess() {
    return process.getBuiltinModule('node:child_process')
  },
  get net() {
    return process.getBuiltinModule('node:net')
  },
  get stream() {
    return process.getBuiltinModule('node:stream')
  },
  get tty() {
    return process.getBuiltinModule('node:tty')
  },
}
