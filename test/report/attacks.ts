/** Everything at once: it steers, erases, links, renames the window, reorders, hides, and breaks lines. */
export const evil =
  'A\x1b[2J\x1b]0;own\x07\x1b]8;;http://x\x1b\\B\x9b31m\x90\0\b\r\x7f\u202e\u2066\u200f\u200b\u2028\u2029\ufeff\u{e0041}\ud800\n\tZ'

/** Each kind of attack alone as well, since one could hide another. */
export const attacks = [
  evil,
  '\x1b',
  '\x9b',
  '\x07',
  '\r',
  '\u202e',
  '\u2067',
  '\u200d',
  '\u2028',
  '\x1b[31m',
  'a\nb',
  '\x1b['.repeat(500),
]

/** Controls (also line ends, since these are single lines), what reorders, what hides, and halves of pairs. */
export const RAW =
  /[\x00-\x1f\x7f-\x9f\u061c\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff\u{e0000}-\u{e007f}]|[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/u
