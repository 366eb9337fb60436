/**
 * A text as one word of a command that the user may copy into a shell: in quotes where it needs them, and in those that
 * Windows' own shells know as well where no POSIX shell reads anything into them.
 */
export function shellWord(text: string): string {
  if (/^[\w./@%+=:,-]+$/.test(text)) return text
  return /^[\p{L}\p{N}_ ./@%+=:,-]+$/u.test(text) ? `"${text}"` : `'${text.replaceAll("'", "'\\''")}'`
}
