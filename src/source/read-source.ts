import { resolve } from 'node:path'
import { RelayError } from '../errors.ts'
import { isWindows } from '../ground/paths.ts'
import type { Response } from '../model/response.ts'
import type { System } from '../ports.ts'

/**
 * One response from where the user points: a file, `-` for stdin, which is a paste where somebody sits there, or nothing
 * said: stdin when something is piped into it, else the clipboard.
 *
 * What has more bytes than `most` is not read to its end, however long that is: of stdin, and of what the shell hands
 * over, comes so much that whoever compares finds it too large, and a file is an error.
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
 * The next text that is pasted into the window; `undefined` where nobody can paste.
 *
 * A terminal that is read like a file cuts long lines, and has no key left for a question once it has ended.
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
  // Windows takes both, and the slash needs no quotes where the name is shown as a word of a command.
  const name = isWindows(system.runtime) ? from.replaceAll('\\', '/') : from
  return { text: decode(bytes), source: `file:${name}` }
}

/** More than a byte order mark, which is left out. */
const MARGIN = 8

/** A file that is too large is not read at all, also behind a link; what cannot be found is said by whoever reads it. */
async function mustFit(from: string, path: string, { files }: System, most: number): Promise<void> {
  const real = await files.realPath(path).catch(() => null)
  const stat = real === null ? null : await files.stat(real).catch(() => null)
  if (stat?.kind !== 'file' || stat.size <= most + MARGIN) return
  throw new RelayError('usage', `${from} has ${stat.size} bytes; the limit is ${most} (limits.responseBytes)`, {
    hint: 'Name a file that holds one answer, or raise the limit.',
  })
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
