import { writeSync } from 'node:fs'
import { mayBeTerminal } from './is-terminal.ts'

/** stdout or stderr. */
export interface Output {
  readonly isTTY: boolean
  /** Of a terminal; 0 when it does not say, `undefined` for what is none. */
  readonly columns: number | undefined
  readonly rows: number | undefined
  write(text: string): void
}

/**
 * What is a file or a pipe is written to at once, without Node's stream for it: making that takes as long as half of
 * `relay --version`. A terminal has its stream, which knows how large it is.
 */
export function output(file: 1 | 2): Output {
  const isTTY = mayBeTerminal(file) && streamOf(file).isTTY === true
  if (!isTTY) return { isTTY, columns: undefined, rows: undefined, write: text => writeNow(file, text) }
  const stream = streamOf(file)
  // A terminal that is closed: there is nobody left to tell.
  if (stream.listenerCount('error') === 0) stream.on('error', () => {})
  return {
    isTTY,
    get columns() {
      return stream.columns
    },
    get rows() {
      return stream.rows
    },
    write: text => void stream.write(text),
  }
}

function streamOf(file: 1 | 2): NodeJS.WriteStream {
  return file === 1 ? process.stdout : process.stderr
}

/**
 * Writes past any stream, so that what else is printed to a terminal must not be under way.
 *
 * Who reads us may stop at any time (`| head`), and then there is nobody left to tell. Whatever else keeps a text from
 * arriving is told at the end, for nothing that relay does must be cut off by it.
 */
export function writeNow(file: 1 | 2, text: string): void {
  let bytes: Uint8Array = Buffer.from(text)
  while (bytes.length > 0) {
    try {
      bytes = bytes.subarray(writeSync(file, bytes))
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException
      if (code !== 'EAGAIN' && code !== 'EINTR') {
        if (file === 1 && code !== 'EPIPE') lost ??= error
        return
      }
      // A pipe that is full, and that somebody has told not to let us wait.
      Atomics.wait(pause, 0, 0, 5)
    }
  }
}

/** What a terminal is told at the end of the process, when only what is written at once arrives; it may be gone. */
export function writeLast(sequence: string): void {
  try {
    writeSync(2, sequence)
  } catch {}
}

/**
 * What brings a terminal's cursor to the start of an empty line. A terminal shows Ctrl+C as `^C` wherever the cursor
 * is, behind a live line for instance; what comes next, be it the shell's prompt, should not stand behind that.
 */
export function lineStart({ isTTY }: Output): string {
  if (!isTTY) return ''
  return process.env['TERM'] === 'dumb' ? '\n' : '\r\x1b[K'
}

let lost: unknown

/** Why not all that was written to stdout has arrived; `undefined` where it has. */
export function lostOutput(): unknown {
  return lost
}

const pause = new Int32Array(new SharedArrayBuffer(4))
