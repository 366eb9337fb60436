/**
 * What a program said last on stderr: the last line that begins like a sentence or an option, since indented lines and single
 * brackets belong to an earlier message. After a crash Node prints its version last, which is skipped.
 */
export function lastMessage(stderr: string): string | undefined {
  const lines = stderr.replaceAll(colour, '').split(/\r?\n/)
  return lines.findLast(line => /^[\w-]/.test(line) && !/^Node\.js v\d/.test(line))?.trimEnd()
}

const colour = /\x1b\[[0-9;]*m/g
