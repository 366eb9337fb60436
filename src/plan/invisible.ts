/**
 * Finds the first character in a text that the eye does not see as what it is, as `U+202E`; `undefined` when there is none.
 *
 * Control characters, bidi marks and overrides, zero-width characters, blanks that look like the ordinary one, and what
 * is left of damaged text: with any of them, two names that look alike can be two files, and one line on the screen can
 * read as another. The joiners inside an emoji are no disguise and pass.
 */
export function invisibleIn(text: string): string | undefined {
  const found = INVISIBLE.exec(text.replace(EMOJI, ''))?.[0]
  return found === undefined ? undefined : codePoint(found)
}

/** A character by its number: `U+202E`. */
export function codePoint(sign: string): string {
  return `U+${(sign.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`
}

const INVISIBLE =
  /[\p{Cc}\p{Cs}\p{Default_Ignorable_Code_Point}\p{Bidi_Control}\p{Zl}\p{Zp}\p{Noncharacter_Code_Point}\u2800\ufff9-\ufffd\u00a0\u1680\u2000-\u200a\u202f\u205f]/u

/** Presentation selectors, skin tones and joiners between pictures; key caps. */
const EMOJI =
  /\p{Extended_Pictographic}\p{Emoji_Modifier}?\ufe0f?(?:\u200d\p{Extended_Pictographic}\p{Emoji_Modifier}?\ufe0f?)*|[0-9#*]\ufe0f\u20e3/gu
