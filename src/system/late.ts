/**
 * Modules of the runtime that most commands never use. The runtime's streams come with nearly each of them, and loading
 * those takes as long as writing a few files: so the first use loads them, and not the import.
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
