import { spawnSync } from 'node:child_process'
import { chmodSync, chownSync, cpSync, mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { hasProgram } from './has-program.ts'
import { plainEnv, relayBinary, relayCommand } from './real-relay.ts'

const nobody = 65534
const isRoot = process.getuid?.() === 0

/** Somebody whom permissions hold: root ignores them. */
export interface OrdinaryUser {
  /** What stands before the arguments of `relay`. */
  readonly command: readonly [string, ...string[]]
  /** Where this user's programs keep their state. */
  readonly env: Readonly<Record<string, string>>
  /** Gives a folder, and all that is in it, to this user. */
  own(folder: string): void
  remove(): void
}

/** Why there is none here, if so. */
export function ordinaryUserMissing(): string | undefined {
  if (!isRoot) return undefined
  if (!hasProgram('setpriv')) return 'needs setpriv'
  const node = spawnSync('setpriv', [...asNobody, process.execPath, '-e', '0'], { cwd: '/', env: plainEnv() })
  return node.status === 0 ? undefined : 'node cannot be started by an ordinary user'
}

/**
 * Root's tests run as the user nobody, with a copy of the program that everybody can read; anybody else's run as who
 * they are.
 */
export function ordinaryUser(): OrdinaryUser {
  if (!isRoot) return { command: relayCommand, env: {}, own: () => {}, remove: () => {} }
  const copy = mkdtempSync(join(tmpdir(), 'relay-copy-'))
  chmodSync(copy, 0o755)
  if (relayBinary !== undefined) cpSync(relayBinary, join(copy, 'relay'))
  else for (const name of ['dist', 'package.json']) cpSync(resolve(name), join(copy, name), { recursive: true })
  const program = relayBinary === undefined ? [process.execPath, join(copy, 'dist/relay.cjs')] : [join(copy, 'relay')]
  const state = join(copy, 'state')
  mkdirSync(state)
  giveTo(state)
  return {
    env: { XDG_STATE_HOME: state },
    command: ['setpriv', ...asNobody, ...program],
    own: giveTo,
    remove: () => rmSync(copy, { recursive: true, force: true }),
  }
}

const asNobody = [`--reuid=${nobody}`, `--regid=${nobody}`, '--clear-groups']

function giveTo(path: string): void {
  chownSync(path, nobody, nobody)
  for (const entry of readdirSync(path, { withFileTypes: true })) {
    if (entry.isDirectory()) giveTo(join(path, entry.name))
    else chownSync(join(path, entry.name), nobody, nobody)
  }
}
