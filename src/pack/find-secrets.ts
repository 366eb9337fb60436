/** A place in a file that looks like a key, a token or a password; never the secret itself. */
export interface Secret {
  readonly path: string
  /** `undefined` if the file's name gives it away. */
  readonly line?: number
  /** secretlint's name for it, `GITHUB_TOKEN`; or what the file's name says. */
  readonly kind: string
}

export type FindSecrets = (file: { readonly path: string; readonly text: string }) => Promise<readonly Secret[]>

/** Loads secretlint with its recommended rules, which takes a moment. */
export async function loadSecretRules(): Promise<FindSecrets> {
  const [{ lintSource }, { creator }] = await Promise.all([
    import('@secretlint/core'),
    import('@secretlint/secretlint-rule-preset-recommend'),
  ])
  const options = {
    config: { rules: [{ id: 'recommended', rule: creator, options: {} }] },
    noPhysicFilePath: true,
    maskSecrets: true,
  }
  return async ({ path, text }) => {
    const ext = /\.[^./]*$/.exec(path)?.[0] ?? ''
    const { messages } = await lintSource({
      source: { filePath: path, content: text, contentType: 'text', ext },
      options,
    })
    return messages.map(({ loc, messageId }) => ({ path, line: loc.start.line, kind: messageId }))
  }
}
