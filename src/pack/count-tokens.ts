export type CountTokens = (text: string) => number

/**
 * Loads the tokenizer of OpenAI's models since GPT-4o (o200k). Its table is large, so it is loaded only when needed.
 *
 * The time for a word grows with the square of its length, and a long run of characters without a blank, or of blanks
 * alone, counts as one word. Such a run is counted in pieces, which is off by at most a token for each.
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
