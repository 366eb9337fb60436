import { existsSync } from 'node:fs'
import { isAbsolute, join } from 'node:path'

/** Where the compositor listens; `undefined` when there is none: a variable that is left over leads nowhere. */
export function waylandSocket(env: NodeJS.ProcessEnv): string | undefined {
  const display = env['WAYLAND_DISPLAY']
  if (display === undefined || display === '') return undefined
  const path = isAbsolute(display) ? display : join(env['XDG_RUNTIME_DIR'] ?? '', display)
  return existsSync(path) ? path : undefined
}
