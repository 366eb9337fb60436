export const atomNames = {
  clipboard: 'CLIPBOARD',
  utf8: 'UTF8_STRING',
  plainUtf8: 'text/plain;charset=utf-8',
  plain: 'text/plain',
  targets: 'TARGETS',
  incremental: 'INCR',
  timestamp: 'TIMESTAMP',
  multiple: 'MULTIPLE',
  pair: 'ATOM_PAIR',
  manager: 'CLIPBOARD_MANAGER',
  saveTargets: 'SAVE_TARGETS',
  transfer: 'RELAY_TRANSFER',
} as const

/** The server's number for each. */
export type Atoms = Readonly<Record<keyof typeof atomNames, number>>
