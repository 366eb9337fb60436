import { resolve } from 'node:path'
import { RelayError } from '../errors.ts'
import { isWindows } from '../ground/paths.ts'
import type { Response } from '../model/response.ts'
import type { System } from '../ports.ts'

/**
 * Reads one response from a file; from stdin for `-`, which is a paste on a terminal; and without a name from stdin if
 * something is piped into it, else from the clipboard.
 *
 * Reads no more than a little over `most` bytes of stdin or a pipe, so that the caller finds the text too large; a file
 * that is too large is an error.
 */
export async function readSource(from: string | undefined, system: System, most?: number): Promise<Response> {
  if (from === '-' || (from === undefined && system.terminal.piped)) return readStdin(system, most)
  if (from === undefined) return { text: (await system.clipboard.read()) ?? '', source: 'clipboard' }
  return readFile(from, system, most)
}

async function readStdin(system: System, most: number | undefined): Promise<Response> {
  const { terminal } = system
  const pasted = terminal.piped ? undefined : await readPaste(system)
  if (pasted !== undefined) return { text: pasted, source: 'paste' }
  return { text: decode(await terminal.readStdin(most && most + MARGIN)), source: 'stdin' }
}

/**
 * The next text that is pasted into the window; `undefined` if nobody can paste.
 *
 * Reading a terminal like a file would cut long lines, and after its end no key could answer a question.
 */
function readPaste({ terminal, interruption }: System): Promise<string | undefined> {
  return new Promise((resolve, reject) => {
    const end = (settle: () => void) => {
      interruption.removeEventListener('abort', stop)
      leave?.()
      settle()
    }
    const stop = () => end(() => reject(new RelayError('usage', 'Nothing was pasted')))
    const leave = terminal.listen({
      pasted: text => end(() => resolve(text)),
      unmarked: () => end(() => reject(new RelayError('usage', ...UNMARKED))),
      pressed: () => {},
    })
    if (leave === undefined) return resolve(undefined)
    terminal.err('Paste the answer here; Ctrl+C ends.')
    interruption.addEventListener('abort', stop)
    if (interruption.aborted) stop()
  })
}

const UNMARKED = [
  'relay cannot tell a paste from typing in this terminal',
  { hint: 'Save the answer, and run `relay apply <file>`.' },
] as const

async function readFile(from: string, system: System, most: number | undefined): Promise<Response> {
  const path = resolve(system.cwd, from)
  if (most !== undefined) await mustFit(from, path, system, most)
  const bytes = await system.files.read(path, most && most + MARGIN).catch(wrongName)
  if (bytes === null) throw new RelayError('usage', `No such file: ${from}`, { hint: nameOne })
  // Windows takes both, and a name with slashes needs no quotes when a message shows it in a command.
  const name = isWindows(system.runtime) ? from.replaceAll('\\', '/') : from
  return { text: decode(bytes), source: `file:${name}` }
}

/** More than the bytes of a byte order mark, which does not count. */
const MARGIN = 8

/** Refuses a file that is too large before reading it, also behind a link. A missing file is no error here. */
async function mustFit(from: string, path: string, { files }: System, most: number): Promise<void> {
  const real = await files.realPath(path).catch(() => null)
  const stat = real === null ? null : await files.stat(real).catch(() => null)
  if (stat?.kind !== 'file' || stat.size <= most + MARGIN) return
  throw new RelayError('usage', `${from} has ${stat.size} bytes; the limit is ${most} (limits.responseBytes)`, {
    hint: 'Name a file that holds one answer, or raise the limit.',
  })
}

const nameOne = 'Name a file that holds the answer, or `-` for stdin.'

/** If no file system could read it (a folder, a name too long), the word on the command line is wrong. */
function wrongName(error: unknown): never {
  if (!(error instanceof RelayError) || error.kind !== 'failed') throw error
  throw new RelayError('usage', error.message, { hint: nameOne, cause: error })
}

/** Like a text from the clipboard: UTF-8, without a byte order mark. */
function decode(bytes: Uint8Array): string {
  return new TextDecoder().decode(bytes)
}
