/** Replaces secrets in a text by `***`: the tokens of the environment, whatever looks like a token, and passwords in URLs. */
export function hideSecrets(text: string, env: Readonly<Record<string, string>>): string {
  // A shorter one is a placeholder, and part of many words: "t" would spoil "github.com".
  const known = tokenNames.map(name => env[name]?.trim() ?? '').filter(({ length }) => length >= shortest)
  return known
    .reduce((shown, token) => shown.replaceAll(token, '***'), text)
    .replaceAll(tokenLike, '***')
    .replaceAll(userInUrl, '$1***@')
}

const shortest = 8
const tokenNames = ['GITHUB_TOKEN', 'GH_TOKEN', 'GH_ENTERPRISE_TOKEN', 'GITHUB_ENTERPRISE_TOKEN']
const tokenLike = /\b(?:gh[a-z]_[A-Za-z0-9]{16,}|github_pat_\w{16,})/g
/** `git@` alone is no secret: it is in every SSH URL. */
const userInUrl = /(\b[a-z][a-z0-9+.-]{0,20}:\/\/)(?!git@)[^\s/@]+@/gi
