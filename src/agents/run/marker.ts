import type { Marker } from '../../model/agent.ts'

/** Reads the last marker out of what an assistant says, piece by piece. */
export class MarkerReader {
  last: Marker | undefined
  #tail = ''

  /** `isWhole`: a message of its own. A marker does not go from one message into the next. */
  read(text: string, isWhole: boolean): void {
    const all = isWhole ? text : this.#tail + text
    this.last = (all.match(marker)?.at(-1)?.slice('<promise>'.length, -'</promise>'.length) as Marker) ?? this.last
    this.#tail = all.slice(-longest)
  }
}

const marker = /<promise>(?:COMPLETE|FAILED|BLOCKED)<\/promise>/g
const longest = '<promise>COMPLETE</promise>'.length
