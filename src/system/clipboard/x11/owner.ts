import type * as wire from './wire.ts'

/** Serves the clipboard while it is ours. */
export interface Owner {
  readonly text: string
  onRequest(request: wire.SelectionRequest): void
  /** Something happened to a property of a window that asked us. */
  onProperty(event: wire.XEvent & { kind: 'property' }): void
}
