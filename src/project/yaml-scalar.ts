/**
 * A text as a one-line YAML value, quoted unless it is made of plain words, or what is no word to every reader: `no` is a
 * text in YAML 1.2 and `false` in 1.1, which many still speak.
 */
export function yamlScalar(text: string): string {
  if (words.test(text) && !otherTypes.test(text)) return text
  // In single quotes nothing is escaped but the quote itself, which is easier to copy for a model.
  const needsEscapes = unprintable.test(text)
  if (!needsEscapes && /["\\]/.test(text)) return `'${text.replaceAll("'", "''")}'`
  return JSON.stringify(text).replaceAll(beyondJson, sign => `\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}`)
}

const words = /^[\p{L}\p{N}_](?:[\p{L}\p{M}\p{N}_/.,'+ -]*[\p{L}\p{M}\p{N}_'+-])?$/u

/**
 * What one of the versions takes for a truth value, nothing, a number or a date: a digit first, and nothing else in it than
 * what such a thing may hold; or an exponent without a number.
 */
const otherTypes = /^(?:(?:null|true|false|yes|no|on|off|y|n)|\d[\dA-FxotzT_.,:+ -]*|e[-+]?[\d_]+)$/i

/** What no YAML text may hold as it is, or what ends a line in one of the versions. */
const unprintable = /[\p{Cc}\p{Cs}\u2028\u2029\ufeff\ufffe\uffff]/u
/** Those of them that JSON leaves as they are. */
const beyondJson = /[\u007f-\u009f\u2028\u2029\ufeff\ufffe\uffff]/g
