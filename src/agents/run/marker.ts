import type { Marker } from '../../model/agent.ts'
import { lastMarker, printMarker } from '../../model/marker.ts'

/** Reads the last marker out of what an assistant says, piece by piece. */
export class MarkerReader {
  last: Marker | undefined
  #tail = ''

  /** `isWhole`: a message of its own. A marker does not go from one message into the next. */
  read(text: string, isWhole: boolean): void {
    const all = isWhole ? text : this.#tail + text
    this.last = lastMarker(all) ?? this.last
    this.#tail = all.slice(-longest)
  }
}

const longest = printMarker('COMPLETE').length
