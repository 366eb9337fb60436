/** How deep agents may call each other through relay. */
const mostDepth = 1

/** How deep the next agent stands; `undefined`: relay runs in an agent already, and starts none. */
export function nextDepth(env: Readonly<Record<string, string>>): number | undefined {
  const told = env['PHONE_A_FRIEND_DEPTH'] ?? ''
  const depth = /^\d+$/.test(told) ? Number(told) : 0
  return depth >= mostDepth ? undefined : depth + 1
}

/** What an agent gets of relay's environment, and how deep it stands. */
export function agentEnv(
  env: Readonly<Record<string, string>>,
  depth: number,
  more: Readonly<Record<string, string>>,
): Readonly<Record<string, string>> {
  return { ...withoutCredentials(env), RELAY_AGENT: '1', PHONE_A_FRIEND_DEPTH: String(depth), ...more }
}

/** An environment without what somebody could push or publish with: for agents, and for what runs their code unseen. */
export function withoutCredentials(env: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(env).filter(([name]) => !credentials.some(each => each.test(name))))
}

const credentials = [
  /^(?:GH|GITHUB|GITLAB|GITEA|BITBUCKET|NPM|NODE_AUTH|CI_JOB|ACTIONS|CARGO_REGISTR(?:Y|IES)|PYPI)_(?:\w+_)?TOKEN$/,
  /^(?:(?:GITHUB|GITLAB|VSCE)_PAT|TWINE_PASSWORD|HOMEBREW_GITHUB_API_TOKEN)$/,
  // As npm hands on its settings: npm_config_//registry.npmjs.org/:_authToken.
  /^npm_config_.*_(?:auth|authtoken|password)$/i,
  /^(?:SSH_AUTH_SOCK|GIT_ASKPASS|SSH_ASKPASS)$/,
]
