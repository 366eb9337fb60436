import type { LendOptions } from '../../ports.ts'
import { late } from '../late.ts'
import { endCarriers, markOf } from '../processes.ts'
import { endOf } from './end-of.ts'

/** Where a program reads the keyboard, and where it draws: file descriptors of the terminal. */
export interface Desk {
  readonly keyboard: number
  readonly screen: number
  readonly interruption: AbortSignal
}

/**
 * Runs a program on the terminal to its end, and ends what it leaves behind. It stays in relay's process group: in
 * another group it could not read the keyboard.
 */
export async function runOnTerminal(
  argv: readonly string[],
  { keyboard, screen, interruption, cwd, env, folder, onStart }: Desk & LendOptions,
): Promise<'ended' | 'absent'> {
  const [program = '', ...words] = argv
  const [name, value] = ['RELAY_RUN', crypto.randomUUID()]
  const entry = `${name}=${value}`
  const self = await markOf(process.pid)
  if (self !== null) await onStart(self, entry)
  const begin = () =>
    late.childProcess.spawn(program, words, {
      cwd,
      env: { ...env, [name]: value },
      stdio: [keyboard, screen, 'inherit'],
    })
  const end = await endOf(begin, interruption)
  if (self !== null) await endCarriers(entry, self, folder)
  return end instanceof Error || end === 126 || end === 127 ? 'absent' : 'ended'
}
