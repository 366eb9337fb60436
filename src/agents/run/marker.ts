import type { Marker } from '../../model/agent.ts'
import { lastMarker, printMarker } from '../../model/marker.ts'

/** Finds the last marker in an assistant's text, which comes in pieces. */
export class MarkerReader {
  last: Marker | undefined
  #tail = ''

  /** `isWhole`: a complete message. A marker never spans two messages. */
  read(text: string, isWhole: boolean): void {
    const all = isWhole ? text : this.#tail + text
    this.last = lastMarker(all) ?? this.last
    this.#tail = all.slice(-longest)
  }
}

const longest = printMarker('COMPLETE').length
