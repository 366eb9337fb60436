/** The address of a server: a socket of this machine, or a port of any machine. */
export type Door = { readonly path: string } | { readonly host: string; readonly port: number }

export interface LineListener {
  opened(): void
  received(piece: Buffer): void
  /** Called once, and last of all, but not when this side hung up. `reason`: why, where that is known. */
  closed(reason: Error): void
}

/** A stream of bytes to a server and back. */
export interface Line {
  /** Pieces that are sent together leave as one packet. */
  send(...pieces: readonly Uint8Array[]): void
  /** From then on another listener hears it. */
  handTo(listener: LineListener): void
  hangUp(): void
}

/** The reason where the other side has ended the line. */
export function hungUp(): Error {
  return new Error('the server closed the connection')
}
