import { RelayError } from '../errors.ts'
import { isWindows } from '../ground/paths.ts'
import type { System } from '../ports.ts'
import type { DelegateOptions } from './delegate/options.ts'

/**
 * `relay delegate`: an agent carries out an instruction in a clone, and its work becomes a branch and a pull request. Also the
 * commands for sessions: list, status, cancel, retry, clean.
 */
export async function delegate(system: System, words: readonly string[], options: DelegateOptions): Promise<number> {
  if (isWindows(system.runtime)) {
    throw new RelayError('environment', 'relay delegate does not run on Windows', { hint: 'Use WSL.' })
  }
  const [first = '', second, ...more] = words
  const isCommand = first in commands && more.length === 0
  if (options.note !== undefined) {
    if (words.length > 0) throw new RelayError('usage', '--note goes with no instructions: they stand in the note')
    return (await import('./delegate/delegate-note.ts')).delegateNote(options.note, options, system)
  }
  if (options.watch === true) throw new RelayError('usage', '--watch goes with --note alone')
  if (isCommand) return commands[first as keyof typeof commands](second, options, system)
  if (words.length > 1) {
    throw new RelayError('usage', `The instructions are one text: relay delegate ${JSON.stringify(words.join(' '))}`)
  }
  const { delegateOne } = await import('./delegate/delegate-one.ts')
  return delegateOne(words[0], options, system)
}

type Own = (name: string | undefined, options: DelegateOptions, system: System) => Promise<number>

const ofSessions = () => import('./delegate/session-commands.ts')

const commands: Readonly<Record<'list' | 'status' | 'cancel' | 'retry' | 'clean' | 'run', Own>> = {
  list: async (name, options, system) => (await ofSessions()).listAll(name, options, system),
  status: async (name, options, system) => (await ofSessions()).showOne(name, options, system),
  cancel: async (name, options, system) => (await ofSessions()).cancel(name, options, system),
  retry: async (name, options, system) => (await import('./delegate/delegate-one.ts')).retry(name, options, system),
  clean: async (name, options, system) => (await ofSessions()).clean(name, options, system),
  // relay itself calls this one, in the background.
  run: async (name, options, system) => (await import('./delegate/delegate-one.ts')).runApart(name, options, system),
}
