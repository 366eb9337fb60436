/** The form of a uuid that can be an entry's: safe as the name of a file, and as a word of a command, on every system. */
export function isId(id: unknown): id is string {
  return typeof id === 'string' && /^[A-Za-z0-9-]{8,64}$/.test(id)
}
