import { Buffer } from 'node:buffer'
import { existsSync } from 'node:fs'
import { isAbsolute, join } from 'node:path'
import { isSet } from '../../is-set.ts'
import { ByteQueue } from '../byte-queue.ts'
import { dial } from '../dial.ts'

/** A compositor of this machine answers within a millisecond. After this time relay gives up. */
const patienceMs = 500

/** Asks a compositor for the names of its interfaces; none when it does not answer. */
export function waylandInterfaces(socketPath: string): Promise<ReadonlySet<string>> {
  const found = new Set<string>()
  return new Promise(resolve => {
    const end = () => {
      clearTimeout(timer)
      line.hangUp()
      resolve(found)
    }
    const received = new ByteQueue()
    const line = dial(
      { path: socketPath },
      {
        opened: () => line.send(message(display, 1, registry), message(display, 0, done)),
        received(piece) {
          received.add(piece)
          for (let packet = takePacket(received); packet !== undefined; packet = takePacket(received)) {
            // Any other message comes after all of them.
            if (word(packet, 0) !== registry) return end()
            found.add(interfaceIn(packet))
          }
        },
        closed: end,
      },
    )
    const timer = setTimeout(end, patienceMs)
  })
}

/** Our numbers for the three objects in this conversation. The protocol sets the first. */
const [display, registry, done] = [1, 2, 3] as const

function message(object: number, operation: number, argument: number): Buffer {
  return Buffer.from(Uint32Array.of(object, (12 << 16) | operation, argument).buffer)
}

/** The second word of a packet gives its length. */
function takePacket(received: ByteQueue): Buffer | undefined {
  const head = received.peek(8)
  return head === undefined ? undefined : received.take(Math.max(8, word(head, 4) >>> 16))
}

/** The packet holds a number, the name with a NUL, and a version. */
function interfaceIn(packet: Buffer): string {
  return packet.toString('utf8', 16, 16 + word(packet, 12) - 1)
}

/** The protocol speaks in the machine's own byte order, which is little-endian wherever relay runs. */
function word(bytes: Buffer, at: number): number {
  return bytes.readUInt32LE(at)
}

/** The address of the compositor; `undefined` when there is none: a variable that is left over leads nowhere. */
export function waylandSocket(env: NodeJS.ProcessEnv): string | undefined {
  const display = env['WAYLAND_DISPLAY']
  if (!isSet(display)) return undefined
  const path = isAbsolute(display) ? display : join(env['XDG_RUNTIME_DIR'] ?? '', display)
  return existsSync(path) ? path : undefined
}
