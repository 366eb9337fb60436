/** Clipboard managers take over what was just copied, and some programs copy twice: no new copy. */
const sameCopyMs = 2000

/** Tells a new copy from what has been seen. */
export class CopyMemory {
  #text: string | null = null
  #heardAt: number | undefined

  /** @param heard the desktop says that somebody copied just now: then the same text can be a copy of its own */
  isNew(text: string | null, heard: boolean, now: number): boolean {
    // The first look counts as well: word of what was found there may come late.
    const isRepeat = this.#heardAt !== undefined && now - this.#heardAt < sameCopyMs
    if (heard || this.#heardAt === undefined) this.#heardAt = now
    if (text === null || text === '') return false
    if (text === this.#text) return heard && !isRepeat
    this.#text = text
    return true
  }
}
