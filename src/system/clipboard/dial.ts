import { late } from '../late.ts'
import { type Door, hungUp, type Line, type LineListener } from './line.ts'

/** Calls a server; the listener is told how that went, after this has returned. Throws where the door cannot be one. */
export function dial(door: Door, first: LineListener): Line {
  let listener: LineListener | undefined = first
  const socket = late.net.connect(door)
  socket.setNoDelay(true)
  const closed = (reason: Error) => {
    listener?.closed(reason)
    listener = undefined
  }
  socket.once('connect', () => {
    // Another machine may go without a word.
    socket.setKeepAlive(true, 30_000)
    listener?.opened()
  })
  socket.on('data', piece => {
    try {
      listener?.received(piece)
    } catch (error) {
      // What this piece made of its hearer is the end of the line, not of the watch.
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
