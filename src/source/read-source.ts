import { resolve } from 'node:path'
import { RelayError } from '../errors.ts'
import type { Response } from '../model.ts'
import type { System } from '../ports.ts'

/**
 * One response from where the user points: a file, `-` for stdin, or nothing said: stdin when something is piped into
 * it, else the clipboard.
 */
export async function readSource(from: string | undefined, system: System): Promise<Response> {
  if (from === '-' || (from === undefined && system.terminal.piped)) {
    return { text: decode(await system.terminal.readStdin()), source: 'stdin' }
  }
  if (from === undefined) return { text: (await system.clipboard.read()) ?? '', source: 'clipboard' }
  const bytes = await system.files.read(resolve(system.cwd, from)).catch(wrongName)
  if (bytes === null) throw new RelayError('usage', `No such file: ${from}`, { hint: nameOne })
  return { text: decode(bytes), source: `file:${from}` }
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
