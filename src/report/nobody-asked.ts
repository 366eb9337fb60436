/** That a question had nobody to answer it, and why, where somebody sits at the terminal all the same. */
export function nobodyAsked(whyUnasked: string | undefined): string {
  return whyUnasked === undefined ? 'nobody could be asked' : `nobody could be asked (${whyUnasked})`
}

/** Why a question has no answer: there was nobody to ask, or the input ended (Ctrl+D) when it was asked. */
export function noAnswer(terminal: { readonly canAsk: boolean; readonly whyUnasked: string | undefined }): string {
  return terminal.canAsk ? 'the input was closed at the question' : nobodyAsked(terminal.whyUnasked)
}
