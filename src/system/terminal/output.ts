import { writeSync } from 'node:fs'
import { mayBeTerminal } from './is-terminal.ts'

export interface Output {
  readonly isTTY: boolean
  /** `undefined` where this is no terminal; 0 for a terminal that does not say. */
  readonly columns: number | undefined
  readonly rows: number | undefined
  write(text: string): void
}

/**
 * Writes to a file or a pipe at once, without Node's stream: making that stream takes half the time of `relay
 * --version`. A terminal keeps its stream, which knows how large it is.
 */
export function output(file: 1 | 2): Output {
  const isTTY = mayBeTerminal(file) && streamOf(file).isTTY === true
  if (!isTTY) return { isTTY, columns: undefined, rows: undefined, write: text => writeNow(file, text) }
  const stream = streamOf(file)
  // The terminal may be closed. Then there is nobody left to tell.
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
 * Writes past any stream, so no other printing to a terminal may be under way.
 *
 * A reader of relay's output may stop at any time (`| head`), and then there is nobody left to tell. Any other error
 * is told at the end, because it must not cut off relay's work.
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
      // The pipe is full, and it was set not to let writers wait.
      Atomics.wait(pause, 0, 0, 5)
    }
  }
}

/**
 * Tells a terminal something at the end of the process, when only a write at once arrives. The terminal may be gone.
 */
export function writeLast(sequence: string): void {
  try {
    writeSync(2, sequence)
  } catch {}
}

/**
 * Brings a terminal's cursor to the start of an empty line. A terminal shows Ctrl+C as `^C` at the cursor, for
 * instance behind a live line. The next text, or the shell's prompt, should not stand behind that.
 */
export function lineStart({ isTTY }: Output): string {
  if (!isTTY) return ''
  return process.env['TERM'] === 'dumb' ? '\n' : '\r\x1b[K'
}

let lost: unknown

/** Why some output to stdout was lost; `undefined` where all of it arrived. */
export function lostOutput(): unknown {
  return lost
}

const pause = new Int32Array(new SharedArrayBuffer(4))
