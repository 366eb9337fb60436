/** A place in a text that looks like a key, a token or a password. */
export interface FoundSecret {
  readonly line: number
  /** secretlint's name for it, `GITHUB_TOKEN`. */
  readonly kind: string
  /** The secret itself: to compare and to mask, never to show or to keep. */
  readonly text: string
}

/**
 * Finds secrets in a text, by secretlint's recommended rules. They take a moment to load, and are loaded only where one of them
 * could find something.
 *
 * @param path some rules apply only to files of certain names, such as `.npmrc`
 */
export async function findSecrets(path: string, text: string): Promise<readonly FoundSecret[]> {
  if (!signs.test(text)) return []
  const [{ lintSource }, { creator }] = await Promise.all([
    import('@secretlint/core'),
    import('@secretlint/secretlint-rule-preset-recommend'),
  ])
  const ext = /\.[^./]*$/.exec(path)?.[0] ?? ''
  const { messages } = await lintSource({
    source: { filePath: path, content: text, contentType: 'text', ext },
    options: { config: { rules: [{ id: 'recommended', rule: creator, options: {} }] }, noPhysicFilePath: true },
  })
  return messages.map(({ loc, messageId, data, range: [from, to] }) => {
    const said = Object.values(data ?? {}).find(value => isSecretAt(value, text, from, to))
    return { line: loc.start.line, kind: messageId, text: said ?? text.slice(from, to) }
  })
}

/** Some rules begin a range before the secret and so miss its end; then what their message is made of is the secret. */
function isSecretAt(value: unknown, text: string, from: number, to: number): value is string {
  return typeof value === 'string' && value.length >= to - from && text.includes(value, from)
}

/**
 * Where none of these is in a text, no recommended rule can find anything. Linear: each begins with fixed letters, and has an end.
 */
const signs = new RegExp(
  [
    'PRIVATE KEY',
    '(?:SECRET|[Ss]ecret)_?(?:ACCESS|[Aa]ccess)_?(?:KEY|[Kk]ey)["\']?\\s*[:=]',
    ':x-oauth-basic@|_authToken=[^$]',
    '://[^:/\\s]{1,256}:[^@/\\s]{1,256}@',
    '(?:npm|gh[pousr]|github_pat|shp(?:pa|ca|at|ss))_[A-Za-z0-9_]{32}',
    '(?:gsk|hf|glc|glsa|vc[piark])_[A-Za-z0-9+/]{20}',
    'lin_api_|ntn_[0-9]{11}|ops_ey|dckr_pat_|figd_|dapi[A-Fa-f0-9]{32}',
    'xox[abopr]-|xapp-|[Hh][Oo][Oo][Kk][Ss]\\.[Ss][Ll][Aa][Cc][Kk]\\.',
    'T3BlbkFJ|sk-ant-api|SG\\.\\w|glpat-|hv[sbr]\\.[A-Za-z0-9_-]{90}',
  ].join('|'),
)
