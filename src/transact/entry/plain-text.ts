/**
 * Whether a text can stand in YAML without quotes, the same to every reader: it begins with a letter, a slash or a dot,
 * and is no word or number to any of them; or it is a uuid or a hash.
 */
export function isPlainText(text: string): boolean {
  if (/^(?:[A-Za-z_/]|\.[A-Za-z])[\x20-\x7e\u00a1-\u02ff]*$/.test(text)) {
    return !/: |:$| #| $/.test(text) && !words.test(text)
  }
  return uuid.test(text) || hash.test(text)
}

/** Older readers take more words than `true` and `false` for a truth, and `e1` for a number. */
const words = /^(?:null|true|false|yes|no|on|off|y|n|\.inf|\.nan|\.?e[-+\d]+)$/i

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/

/** One without any other letter than `e` could be a number. */
const hash = /^(?=[0-9e]*[a-df])[0-9a-f]{64}$/
