import { late } from '../late.ts'
import { type Door, hungUp, type Line, type LineListener } from './line.ts'

/**
 * Calls a server, and tells the listener the result after it has returned. Throws where the door is no possible one.
 */
export function dial(door: Door, first: LineListener): Line {
  let listener: LineListener | undefined = first
  const socket = late.net.connect(door)
  socket.setNoDelay(true)
  const closed = (reason: Error) => {
    listener?.closed(reason)
    listener = undefined
  }
  socket.once('connect', () => {
    // The other machine may vanish without a word.
    socket.setKeepAlive(true, 30_000)
    listener?.opened()
  })
  socket.on('data', piece => {
    try {
      listener?.received(piece)
    } catch (error) {
      // An error of the listener ends this line, not the watch.
      socket.destroy()
      closed(error as Error)
    }
  })
  socket.on('error', closed).on('close', () => closed(hungUp()))
  return {
    send(...pieces) {
      if (socket.writableCorked === 0) {
        socket.cork()
        process.nextTick(() => socket.uncork())
      }
      for (const piece of pieces) socket.write(piece)
    },
    handTo(next) {
      if (listener !== undefined) listener = next
    },
    hangUp() {
      listener = undefined
      socket.destroy()
    },
  }
}
