/** That a question had nobody to answer it, and why, where somebody sits at the terminal all the same. */
export function nobodyAsked(whyUnasked: string | undefined): string {
  return whyUnasked === undefined ? 'nobody could be asked' : `nobody could be asked (${whyUnasked})`
}
