/** The change about which a relay asks its user, as far as the question is about one. */
export interface AskedChange {
  readonly number?: number | undefined
  readonly title?: string | undefined
}

/** `#22 Add a coupon waits for your answer`. */
export function askedWords({ number, title }: AskedChange): string {
  const change = number === undefined ? 'relay' : [`#${number}`, title].filter(Boolean).join(' ')
  return `${change} waits for your answer`
}
