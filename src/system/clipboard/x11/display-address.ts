import type { Door } from '../line.ts'

export interface DisplayAddress {
  /** `0` in `:0.1`. It selects the cookie as well. */
  readonly number: string
  /** `undefined`: this machine, through a socket of the file system. */
  readonly host: string | undefined
  /** Relay tries the doors in this order. */
  readonly doors: readonly Door[]
}

/**
 * Reads a value of `DISPLAY`: `:0`, `unix:0.0`, `localhost:10.0` (ssh -X), `[::1]:0`, `tcp/host:0`, or the path of a
 * socket. `undefined` for any other value.
 */
export function readDisplay(display: string): DisplayAddress | undefined {
  const found = /^(?:(unix|tcp|inet6?)\/)?(.*):(\d{1,5})(?:\.\d+)?$/.exec(display)
  const [, protocol, where = '', number = ''] = found ?? []
  if (found === null) return undefined
  if (where.startsWith('/'))
    return { number, host: undefined, doors: [{ path: display }, { path: `${where}:${number}` }] }
  const isLocal = protocol === undefined ? where === '' || where === 'unix' : protocol === 'unix'
  if (isLocal) {
    const socket = `/tmp/.X11-unix/X${number}`
    // The second is the same name outside of any file system. It exists in containers that share only the network.
    return { number, host: undefined, doors: [{ path: socket }, { path: `\0${socket}` }] }
  }
  const port = 6000 + Number(number)
  if (where === '' || port > 65_535) return undefined
  const host = where.replace(/^\[(.*)\]$/, '$1')
  return { number, host, doors: [{ host, port }] }
}
