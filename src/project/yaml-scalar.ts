/**
 * A text as a one-line YAML value, quoted only where plain YAML would not read it back as the same text.
 *
 * "Plain YAML" is both of its versions: `no` is a text in YAML 1.2 and `false` in 1.1, which many readers still speak.
 */
export function yamlScalar(text: string): string {
  if (readsBack(text)) return text
  // In single quotes nothing is escaped but the quote itself, which is easier to copy for a model.
  const needsEscapes = unprintable.test(text)
  if (!needsEscapes && /["\\]/.test(text)) return `'${text.replaceAll("'", "''")}'`
  return JSON.stringify(text).replaceAll(beyondJson, sign => `\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}`)
}

/** What no YAML text may hold as it is, or what ends a line in one of the versions. */
const unprintable = /[\p{Cc}\p{Cs}\u2028\u2029\ufeff\ufffe\uffff]/u
/** Those of them that JSON leaves as they are. */
const beyondJson = /[\u007f-\u009f\u2028\u2029\ufeff\ufffe\uffff]/g

function readsBack(text: string): boolean {
  return (
    text !== '' &&
    text === text.trim() &&
    !unprintable.test(text) &&
    // Signs with a meaning of their own at the start; the last three only before a blank.
    !/^[,[\]{}#&*!|>'"%@`]|^[-?:](?:\s|$)/.test(text) &&
    // The end of a key, the start of a comment.
    !/:(?:\s|$)|\s#/.test(text) &&
    // Document marks mean something only at the start of a line, but not every reader looks there.
    !/^(?:---|\.\.\.)/.test(text) &&
    !otherTypes.some(pattern => pattern.test(text))
  )
}

/** What one of the versions takes for a number, a date, a truth value, nothing, or a merge. */
const otherTypes: readonly RegExp[] = [
  /^(?:null|~|true|false|yes|no|on|off|y|n|<<|=)$/i,
  /^[-+]?\.(?:inf|nan)$/i,
  // Decimal, octal, hexadecimal, with exponent, in sixties, dates and times: a digit or point first, and nothing
  // else in it than what such a thing may hold. Takes more than needed, as `3d`: quotes do no harm.
  /^[-+]?[.\d][\dA-FxotzT_.,:+ -]*$/i,
  // An exponent without a number, which some take for one.
  /^[-+]?e[-+]?[\d_]+$/i,
]
