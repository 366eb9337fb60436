import { isAbsolute, join } from 'node:path'

/**
 * Where programs of this system keep data that belongs to the user and to no project; `undefined` for a user without
 * a home.
 */
export function stateFolderOf(
  platform: NodeJS.Platform,
  env: Readonly<Record<string, string | undefined>>,
  home: string,
): string | undefined {
  // The standard says to ignore a relative folder, which would lie in the project.
  const named = (name: string) => (isAbsolute(env[name] ?? '') ? env[name] : undefined)
  const below = (...parts: readonly string[]) => (isAbsolute(home) ? join(home, ...parts) : undefined)
  const state =
    platform === 'win32'
      ? (named('LOCALAPPDATA') ?? below('AppData', 'Local'))
      : (named('XDG_STATE_HOME') ??
        (platform === 'darwin' ? below('Library', 'Application Support') : below('.local', 'state')))
  return state === undefined ? undefined : join(state, 'relaycode')
}
