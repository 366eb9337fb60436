import { Buffer } from 'node:buffer'
import { connect } from 'node:net'
import { ByteQueue } from '../byte-queue.ts'

/** A compositor of this machine answers within a millisecond; one that does not answer at all is not waited for. */
const patienceMs = 500

/** The names of what a compositor offers, asked from itself; none when it does not answer. */
export function waylandInterfaces(socketPath: string): Promise<ReadonlySet<string>> {
  const found = new Set<string>()
  return new Promise(resolve => {
    const socket = connect({ path: socketPath })
    const end = () => {
      clearTimeout(timer)
      socket.destroy()
      resolve(found)
    }
    const timer = setTimeout(end, patienceMs)
    const received = new ByteQueue()
    socket.on('error', end).on('close', end)
    socket.on('connect', () => socket.write(Buffer.concat([message(display, 1, registry), message(display, 0, done)])))
    socket.on('data', piece => {
      received.add(piece)
      for (;;) {
        const head = received.peek(8)
        const packet = head === undefined ? undefined : received.take(Math.max(8, word(head, 4) >>> 16))
        if (packet === undefined) return
        const sender = word(packet, 0)
        if (sender === registry) found.add(interfaceIn(packet))
        else return end()
      }
    })
  })
}

/** Our numbers for the three objects in this conversation; the first is the protocol's. */
const [display, registry, done] = [1, 2, 3] as const

function message(object: number, operation: number, argument: number): Buffer {
  return Buffer.from(Uint32Array.of(object, (12 << 16) | operation, argument).buffer)
}

/** Its number, its name with a NUL, its version. */
function interfaceIn(packet: Buffer): string {
  return packet.toString('utf8', 16, 16 + word(packet, 12) - 1)
}

/** The protocol speaks in the machine's own byte order, which is little-endian wherever relay runs. */
function word(bytes: Buffer, at: number): number {
  return bytes.readUInt32LE(at)
}
