/** Tells how many tokens a text has. */
export type CountTokens = (text: string) => number

/**
 * Loads the tokenizer of OpenAI's models since GPT-4o (o200k). Its table is large, so it comes only when it is asked for.
 *
 * It takes a long run of signs without a blank, or of blanks alone, for one word, and the time for a word grows with its
 * square. Such a run is counted in pieces, which is off by a token for each of them.
 */
export async function loadTokenizer(): Promise<CountTokens> {
  const { countTokens } = await import('gpt-tokenizer/encoding/o200k_base')
  const count = (text: string) => (text === '' ? 0 : countTokens(text, plainly))
  return text => {
    if (text.length < shortest) return count(text)
    let [tokens, from] = [0, 0]
    for (const { 0: run, index } of text.matchAll(longRun)) {
      tokens += count(text.slice(from, index))
      for (let at = 0; at < run.length; at += piece) tokens += count(run.slice(at, at + piece))
      from = index + run.length
    }
    return tokens + count(text.slice(from))
  }
}

const shortest = 1000
const longRun = /\S{1000,}|\s{1000,}/g
const piece = 500

/** `<|endoftext|>` in a file is text like any other. */
const plainly = { disallowedSpecial: new Set<string>() }
