/** A text as a block of Markdown that ends where the text does: no fence in it is as long as the one around it. */
export function fenced(text: string): string {
  const longest = Math.max(2, ...(text.match(/`+/g) ?? []).map(({ length }) => length))
  const fence = '`'.repeat(longest + 1)
  return `${fence}\n${text}\n${fence}`
}

/**
 * A text as one word of a command that the user may copy into a shell: in quotes where it needs them, and in those that
 * Windows' own shells know as well where no POSIX shell reads anything into them.
 */
export function shellWord(text: string): string {
  if (/^[\w./@%+=:,-]+$/.test(text)) return text
  return /^[\p{L}\p{N}_ ./@%+=:,-]+$/u.test(text) ? `"${text}"` : `'${text.replaceAll("'", "'\\''")}'`
}

/** The form of a uuid that can be an entry's: safe as the name of a file, and as a word of a command, on every system. */
export function isId(id: unknown): id is string {
  return typeof id === 'string' && /^[A-Za-z0-9-]{8,64}$/.test(id)
}

/** The name for people in the mark of a machine, without the hash behind it; empty where there is none. */
export function machineName(mark: string): string {
  return mark.slice(0, Math.max(0, mark.lastIndexOf('-')))
}
