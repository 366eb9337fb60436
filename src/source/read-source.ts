import { resolve } from 'node:path'
import { RelayError } from '../errors.ts'
import { isWindows } from '../ground/is-windows.ts'
import type { Response } from '../model.ts'
import type { System } from '../ports.ts'
import { readPaste } from './read-paste.ts'

/**
 * One response from where the user points: a file, `-` for stdin, which is a paste where somebody sits there, or nothing
 * said: stdin when something is piped into it, else the clipboard.
 *
 * What has more bytes than `most` is not read to its end, however long that is: of stdin, and of what the shell hands
 * over, comes so much that whoever compares finds it too large, and a file is an error.
 */
export async function readSource(from: string | undefined, system: System, most?: number): Promise<Response> {
  const enough = most === undefined ? undefined : most + MARGIN
  if (from === '-' || (from === undefined && system.terminal.piped)) {
    const pasted = system.terminal.piped ? undefined : await readPaste(system)
    if (pasted !== undefined) return { text: pasted, source: 'paste' }
    const bytes = await system.terminal.readStdin(enough)
    return { text: decode(bytes), source: 'stdin' }
  }
  if (from === undefined) return { text: (await system.clipboard.read()) ?? '', source: 'clipboard' }
  const size = enough === undefined ? undefined : (await lookAt(resolve(system.cwd, from), system))?.size
  if (enough !== undefined && size !== undefined && size > enough) {
    throw new RelayError('usage', `${from} has ${size} bytes; the limit is ${most} (limits.responseBytes)`, {
      hint: 'Name a file that holds one answer, or raise the limit.',
    })
  }
  const bytes = await system.files.read(resolve(system.cwd, from), enough).catch(wrongName)
  if (bytes === null) throw new RelayError('usage', `No such file: ${from}`, { hint: nameOne })
  // Windows takes both, and the slash needs no quotes where the name is shown as a word of a command.
  const name = isWindows(system.runtime) ? from.replaceAll('\\', '/') : from
  return { text: decode(bytes), source: `file:${name}` }
}

/** More than a byte order mark, which is left out. */
const MARGIN = 8

/** A file behind its links; what cannot be found is said by whoever reads it. */
async function lookAt(path: string, { files }: System) {
  const real = await files.realPath(path).catch(() => null)
  const stat = real === null ? null : await files.stat(real).catch(() => null)
  return stat?.kind === 'file' ? stat : undefined
}

const nameOne = 'Name a file that holds the answer, or `-` for stdin.'

/** What no file system could read (a folder, a name too long) is a wrong word on the command line. */
function wrongName(error: unknown): never {
  if (!(error instanceof RelayError) || error.kind !== 'failed') throw error
  throw new RelayError('usage', error.message, { hint: nameOne, cause: error })
}

/** As a clipboard would give it: UTF-8, a byte order mark left out. */
function decode(bytes: Uint8Array): string {
  return new TextDecoder().decode(bytes)
}
