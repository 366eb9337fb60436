import type { Readable } from 'node:stream'
import { StringDecoder } from 'node:string_decoder'
import { RelayError } from '../errors.ts'
import type { Programs, Running, StartOptions } from '../ports.ts'
import { endOf, passGate, waitForWord } from './gate.ts'
import { late } from './late.ts'

/** So much of one line is kept, in UTF-16 units: the rest of it is dropped. */
const longestLine = 64 * 1024 * 1024

/** The programs of this machine. */
export const systemPrograms: Programs = { start }

/** A shell opens the gate and becomes the program then: it reads none of the words. */
async function start(argv: readonly string[], options: StartOptions): Promise<Running> {
  if (process.platform === 'win32') {
    throw new RelayError('environment', `Cannot start \`${argv[0]}\` on Windows`, { hint: 'Use WSL.' })
  }
  const { cwd, env } = options
  const spawn = () =>
    late.childProcess.spawn('/bin/sh', ['-c', `${waitForWord}; exec "$@" 3<&-`, 'sh', ...argv], {
      cwd,
      env,
      detached: true,
      stdio: ['pipe', 'pipe', 'pipe', 'pipe'],
    })
  const begun = await passGate(argv[0] ?? '', spawn, 3, options)
  const { stdin, stdout, stderr } = begun.child
  // A program may end, or close its input, without having read all of it.
  stdin?.on('error', () => {})
  stdin?.end(options.stdin)
  const flushes = [tellLines(stdout, 'out', options.onLine), tellLines(stderr, 'err', options.onLine)]
  const ended = endOf(begun, options).then(end => {
    for (const flush of flushes) flush()
    return end
  })
  return { group: begun.group, ended }
}

/** Tells each line as it comes; what it gives tells the last one, which has no end. */
function tellLines(stream: Readable | null, from: 'out' | 'err', onLine: StartOptions['onLine']): () => void {
  const decoder = new StringDecoder('utf8')
  let pieces: string[] = []
  let length = 0
  const keep = (piece: string) => {
    const fits = piece.slice(0, longestLine - length)
    length += fits.length
    if (fits !== '') pieces.push(fits)
  }
  const tell = () => {
    const line = pieces.join('')
    pieces = []
    length = 0
    onLine(line.endsWith('\r') ? line.slice(0, -1) : line, from)
  }
  stream?.on('data', (chunk: Buffer) => {
    const [first = '', ...more] = decoder.write(chunk).split('\n')
    keep(first)
    for (const piece of more) {
      tell()
      keep(piece)
    }
  })
  stream?.on('error', () => {})
  return () => {
    keep(decoder.end())
    if (pieces.length > 0) tell()
  }
}
