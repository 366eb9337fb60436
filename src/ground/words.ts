/** A text as a block of Markdown that ends where the text does: no fence in it is as long as the one around it. */
export function fenced(text: string): string {
  const longest = Math.max(2, ...(text.match(/`+/g) ?? []).map(({ length }) => length))
  const fence = '`'.repeat(longest + 1)
  return `${fence}\n${text}\n${fence}`
}

/**
 * A text as one word of a command that the user may copy into a shell. It is quoted only where it has to be. The
 * quotes are those that Windows' own shells know as well, where no POSIX shell expands anything inside them.
 */
export function shellWord(text: string): string {
  if (/^[\w./@%+=:,-]+$/.test(text)) return text
  return /^[\p{L}\p{N}_ ./@%+=:,-]+$/u.test(text) ? `"${text}"` : `'${text.replaceAll("'", "'\\''")}'`
}

/** The first of many names or paths, and how many more there are. */
export function someOf(names: readonly string[], most: number): string {
  return names.length > most ? `${names.slice(0, most).join(', ')} and ${names.length - most} more` : names.join(', ')
}

/** A uuid of this form can name an entry: on every system it is safe as a file's name, and as a word of a command. */
export function isId(id: unknown): id is string {
  return typeof id === 'string' && /^[A-Za-z0-9-]{8,64}$/.test(id)
}

/** The machine's name from its mark, without the hash; empty where there is none. */
export function machineName(mark: string): string {
  return mark.slice(0, Math.max(0, mark.lastIndexOf('-')))
}
