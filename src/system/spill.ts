import { closeSync, constants, openSync, rmSync, writeFileSync } from 'node:fs'

/** A file for output that is too large for memory. */
export interface Spill {
  add(bytes: Uint8Array): void
  /** Answers whether the file holds all. Where it does not, the file is removed. */
  end(): boolean
}

/**
 * Makes the file with the first bytes. A full disk, or more than `limit` bytes, is no failure: there is no file in
 * the end.
 */
export function spillTo(path: string, limit: number): Spill {
  let file: number | undefined
  let size = 0
  let done = false

  const giveUp = () => {
    done = true
    if (file !== undefined) closeSync(file)
    file = undefined
    rmSync(path, { force: true })
  }

  return {
    add(bytes) {
      if (done) return
      size += bytes.length
      if (size > limit) return giveUp()
      try {
        if (file === undefined) {
          // An earlier run of the same command left it. A command may have put a link there, which is not followed.
          rmSync(path, { force: true })
          file = openSync(path, NEW, 0o600)
        }
        writeFileSync(file, bytes)
      } catch {
        giveUp()
      }
    },

    end() {
      done = true
      if (file === undefined) return false
      closeSync(file)
      file = undefined
      return true
    },
  }
}

const NEW = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | (constants.O_NOFOLLOW ?? 0)
