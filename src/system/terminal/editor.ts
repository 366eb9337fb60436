import { findProgram, withoutProjects } from '../find-program.ts'
import { late } from '../late.ts'
import { outputOf } from '../output-of.ts'
import { endOf, inPlaceOfShell } from './end-of.ts'
import type { Desk } from './lend.ts'

export function chooseEditor(env: NodeJS.ProcessEnv, platform: NodeJS.Platform, setting?: string): string {
  return wishedEditor(env, setting) ?? fallbackEditor(env, platform)
}

/** What is meant for relay alone comes first, and of that the variable, which is meant for now. */
export function wishedEditor(env: NodeJS.ProcessEnv, setting?: string): string | undefined {
  const wishes = [env['RELAY_EDITOR'], setting, env['GIT_EDITOR'], env['VISUAL'], env['EDITOR']]
  return wishes.find(each => each !== undefined && each.trim() !== '')
}

export function fallbackEditor(env: NodeJS.ProcessEnv, platform: NodeJS.Platform): string {
  if (platform === 'win32') return 'notepad'
  return findProgram('vi', env) === null && findProgram('nano', env) !== null ? 'nano' : 'vi'
}

/**
 * Asks the shell whether it knows the program of a command line. It is asked only where the line begins with a plain
 * name.
 */
export async function hasEditor(command: string, platform: NodeJS.Platform): Promise<boolean> {
  const program = /^\s*([\w./+-]+)(?:\s|$)/.exec(command)?.[1]
  if (program === undefined || platform === 'win32') return true
  return (await outputOf('/bin/sh', ['-c', 'command -v "$1"', 'sh', program])) !== ''
}

export interface EditorOptions extends Desk {
  readonly env: NodeJS.ProcessEnv
  readonly platform: NodeJS.Platform
}

/** Opens all files at once, where the editor can, and waits until it ends. `absent`: there is no such program. */
export async function openInEditor(
  command: string,
  paths: readonly string[],
  { keyboard, screen, env: given, platform, interruption }: EditorOptions,
): Promise<'edited' | 'absent'> {
  const env = withoutProjects(given)
  const stdio = [keyboard, screen, 'inherit'] as const
  // As git does: the variable holds a command line, and the shell passes the paths on untouched.
  const begin = () =>
    platform === 'win32'
      ? late.childProcess.spawn(windowsLine(command, paths), {
          shell: true,
          env,
          stdio: [...stdio],
        })
      : late.childProcess.spawn('/bin/sh', ['-c', inPlaceOfShell(`${command} "$@"`), command, ...paths], {
          env,
          stdio: [...stdio],
        })
  const end = await endOf(begin, interruption)
  return end instanceof Error || end === 126 || end === 127 ? 'absent' : 'edited'
}

/** Windows' own editor takes one file, so it is started for each in turn. */
function windowsLine(command: string, paths: readonly string[]): string {
  const files = paths.map(path => `"${path}"`)
  if (!/^\s*notepad(?:\.exe)?\s*$/i.test(command)) return `${command} ${files.join(' ')}`
  return files.map(file => `notepad ${file}`).join(' & ')
}
