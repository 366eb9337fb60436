import { isAbsolute, join } from 'node:path'

/** Where programs of this system keep what is the user's and no project's; `undefined` when the user has no home. */
export function stateFolderOf(
  platform: NodeJS.Platform,
  env: Readonly<Record<string, string | undefined>>,
  home: string,
): string | undefined {
  // A relative one is to be ignored, says the standard; it would lie in the project.
  const named = (name: string) => (isAbsolute(env[name] ?? '') ? env[name] : undefined)
  const below = (...parts: readonly string[]) => (isAbsolute(home) ? join(home, ...parts) : undefined)
  const state =
    platform === 'win32'
      ? (named('LOCALAPPDATA') ?? below('AppData', 'Local'))
      : (named('XDG_STATE_HOME') ??
        (platform === 'darwin' ? below('Library', 'Application Support') : below('.local', 'state')))
  return state === undefined ? undefined : join(state, 'relaycode')
}
