import type { ChildProcess } from 'node:child_process'
import type { Readable } from 'node:stream'
import { StringDecoder } from 'node:string_decoder'
import { RelayError } from '../errors.ts'
import type { CommandResult } from '../model/check.ts'
import type { ApartOptions, ProcessMark, ProgramOptions, Programs, Running, StartOptions } from '../ports.ts'
import { atExit } from './at-exit.ts'
import { findProgram, withoutProjects } from './find-program.ts'
import { begin, endOf, endOfUnnoted, passGate, waitForWord } from './gate.ts'
import { late } from './late.ts'
import { atOnce, endCarriers, endLeftGroup, endLeftIn, gently, killAtOnce, type Signals } from './processes.ts'

/** The limit of one line in UTF-16 units; the rest of the line is dropped. */
const longestLine = 64 * 1024 * 1024

export const systemPrograms = programsEndedBy(gently)

export function programsEndedBy(signals: Signals): Programs {
  return {
    run: (argv, options) => run(argv, options, signals),
    start: (argv, options) => start(argv, options, signals),
    endLeft,
    endLeftIn,
    startApart,
  }
}

async function run(argv: readonly string[], options: ProgramOptions, signals: Signals): Promise<CommandResult['end']> {
  mustBePosix(argv)
  const { cwd, env, signal } = options
  if (signal.aborted) return { kind: 'aborted' }
  const [name = '', ...words] = argv
  const file = findProgram(name, { PATH: options.path ?? env['PATH'] })
  if (file === null) {
    options.onLine(`${name}: not found`, 'err')
    return { kind: 'exit', code: 127 }
  }
  const [mark, entry] = newEntry()
  let off = () => {}
  const spawn = () => {
    // relay's own PWD would name another folder.
    const child = late.childProcess.spawn(file, words, {
      cwd,
      env: { ...withoutProjects(env), PWD: cwd, ...mark },
      detached: true,
      stdio: ['pipe', 'pipe', 'pipe'],
    })
    // Both at this moment: if relay ends now, no program runs on, or runs without its input.
    if (child.pid !== undefined) off = endsWithRelay(child.pid, entry)
    giveInput(child, options)
    return child
  }
  try {
    const begun = await begin(name, spawn, cwd)
    const flush = tellOutput(begun.child, options)
    const end = await endOfUnnoted(begun, options, { entry, signals })
    flush()
    return end
  } finally {
    off()
  }
}

/** A shell opens the gate and then becomes the program. It expands none of the words. */
async function start(argv: readonly string[], options: StartOptions, signals: Signals): Promise<Running> {
  mustBePosix(argv)
  const { cwd, isBrief = false } = options
  const [mark, entry] = newEntry()
  const spawn = () =>
    late.childProcess.spawn(
      '/bin/sh',
      ['-c', `${waitForWord}; ${isBrief ? endWithRelay : ''}exec "$@" 3<&-`, 'sh', ...wordsOf(argv, options)],
      {
        cwd,
        env: { ...withoutProjects(options.env), ...mark },
        detached: true,
        stdio: ['pipe', 'pipe', 'pipe', 'pipe'],
      },
    )
  const gate = { ...options, holdsGate: isBrief, onStart: (group: ProcessMark) => options.onStart(group, entry) }
  const begun = await passGate(argv[0] ?? '', spawn, 3, gate)
  giveInput(begun.child, options)
  const off = endsWithRelay(begun.group.pid, entry)
  if (isBrief) void begun.exited.then(() => begun.child.stdio[3]?.destroy())
  const flush = tellOutput(begun.child, options)
  const ending = {
    signals: isBrief ? atOnce : signals,
    entry,
    folder: options.folder,
    ...(isBrief && { rest: atOnce }),
  }
  const ended = endOf(begun, gate, ending).then(end => {
    off()
    flush()
    return end
  })
  return { group: begun.group, ended }
}

function mustBePosix([program]: readonly string[]): void {
  if (process.platform !== 'win32') return
  throw new RelayError('environment', `Cannot start \`${program}\` on Windows`, { hint: 'Use WSL.' })
}

/** As an object, and as `NAME=value`. */
function newEntry() {
  const value = crypto.randomUUID()
  return [{ RELAY_RUN: value }, `RELAY_RUN=${value}`] as const
}

/** A user who presses Ctrl+C twice wants relay to end at this moment. No program may go on without it. */
function endsWithRelay(leader: number, entry: string): () => void {
  return atExit(() => killAtOnce(leader, entry))
}

function giveInput({ stdin }: ChildProcess, options: Pick<ProgramOptions, 'stdin'>): void {
  // A program may end, or close its input, before it has read all of it.
  stdin?.on('error', () => {})
  stdin?.end(options.stdin)
}

/** Passes on each line as it comes. The answered function passes on the last ones, which have no line end. */
function tellOutput({ stdout, stderr }: ChildProcess, { onLine }: Pick<ProgramOptions, 'onLine'>): () => void {
  const flushes = [tellLines(stdout, 'out', onLine), tellLines(stderr, 'err', onLine)]
  return () => {
    for (const flush of flushes) flush()
  }
}

/** Waits at the gate until relay closes it or dies, and then ends the whole group. */
const endWithRelay = '(read -r end <&3; kill -9 0) > /dev/null 2>&1 & '

function wordsOf(argv: readonly string[], { path }: StartOptions): readonly string[] {
  const [program = '', ...words] = argv
  if (path === undefined || program.includes('/')) return argv
  // A program that is on no PATH is in the root as little as anywhere.
  return [findProgram(program, { PATH: path }) ?? `/${program}`, ...words]
}

async function startApart(words: readonly string[], { cwd, env, log }: ApartOptions): Promise<void> {
  const [, script = ''] = process.argv
  // In a single binary the script is a part of the program.
  const before = script.startsWith('/$bunfs/') ? [] : [script]
  const file = await late.files.open(log, 'a', 0o600)
  try {
    const child = late.childProcess.spawn(process.execPath, [...before, ...words], {
      cwd,
      env,
      detached: true,
      stdio: ['ignore', file.fd, file.fd],
    })
    await new Promise<void>((resolve, reject) => {
      child.once('spawn', resolve)
      child.once('error', cause => {
        reject(new RelayError('environment', `Cannot start relay once more: ${cause.message}`, { cause }))
      })
    })
    child.unref()
  } finally {
    await file.close()
  }
}

async function endLeft(group: ProcessMark, entry: string, folder?: string): Promise<boolean> {
  const isEnded = await endLeftGroup(group, entry)
  return (await endCarriers(entry, group, folder)) || isEnded
}

/** Passes on each line as it comes. The answered function passes on the last one, which has no line end. */
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
    onLine(line, from)
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
