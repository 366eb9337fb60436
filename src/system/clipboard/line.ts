/** Where a server listens: a socket of this machine, or a port of some machine. */
export type Door = { readonly path: string } | { readonly host: string; readonly port: number }

/** What a line tells. */
export interface LineListener {
  opened(): void
  received(piece: Buffer): void
  /** Once, and last of all; not when it was this side that hung up. `reason`: why, where that is known. */
  closed(reason: Error): void
}

/** A stream of bytes to a server and back. */
export interface Line {
  /** What is sent in one go leaves as one packet. */
  send(...pieces: readonly Uint8Array[]): void
  /** From then on another listener is told. */
  handTo(listener: LineListener): void
  hangUp(): void
}

/** Why a line ended that the other side has ended. */
export function hungUp(): Error {
  return new Error('the server closed the connection')
}
