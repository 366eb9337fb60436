import { late } from '../late.ts'
import { dialBySystem } from './dial-by-system.ts'
import { type Door, hungUp, type Line, type LineEar } from './line.ts'

/** Calls a server; the ear is told how that went, after this has returned. Throws where the door cannot be one. */
export function dial(door: Door, ear: LineEar): Line {
  return ('path' in door ? dialBySystem(door.path, ear) : undefined) ?? dialByNode(door, ear)
}

function dialByNode(door: Door, first: LineEar): Line {
  let ear: LineEar | undefined = first
  const socket = late.net.connect(door)
  socket.setNoDelay(true)
  const closed = (reason: Error) => {
    ear?.closed(reason)
    ear = undefined
  }
  socket.once('connect', () => {
    // Another machine may go without a word.
    socket.setKeepAlive(true, 30_000)
    ear?.opened()
  })
  socket.on('data', piece => {
    try {
      ear?.received(piece)
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
      if (ear !== undefined) ear = next
    },
    hangUp() {
      ear = undefined
      socket.destroy()
    },
  }
}
