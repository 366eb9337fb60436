/** The number of characters of a text that are looked at. */
export const ENOUGH = 4_000

/** Puts a text on one line and removes control characters and invisible characters, except for the joiners of emoji. */
export function oneLine(text: string): string {
  return text
    .slice(0, ENOUGH)
    .replace(/[\p{Cc}\p{Zl}\p{Zp}\p{Zs}]+/gu, ' ')
    .replace(
      /(?![\u200d\ufe0f])[\p{Cs}\p{Default_Ignorable_Code_Point}\p{Bidi_Control}\p{Noncharacter_Code_Point}]/gu,
      '',
    )
    .trim()
}
