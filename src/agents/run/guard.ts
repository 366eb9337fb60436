/** How many levels deep agents may start each other through relay. */
const mostDepth = 1

/** The depth of the next agent; `undefined`: relay already runs inside an agent, and starts none. */
export function nextDepth(env: Readonly<Record<string, string>>): number | undefined {
  const told = env['PHONE_A_FRIEND_DEPTH'] ?? ''
  const depth = /^\d+$/.test(told) ? Number(told) : 0
  return depth >= mostDepth ? undefined : depth + 1
}

/** The environment for an agent: relay's own without credentials, with the agent's depth. */
export function agentEnv(
  env: Readonly<Record<string, string>>,
  depth: number,
  more: Readonly<Record<string, string>>,
): Readonly<Record<string, string>> {
  return { ...withoutCredentials(env), RELAY_AGENT: '1', PHONE_A_FRIEND_DEPTH: String(depth), ...more }
}

/**
 * Removes the variables with which somebody could push or publish: for agents, and for programs that run the agents' code
 * before anyone has seen it.
 */
export function withoutCredentials(env: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(env).filter(([name]) => !credentials.some(each => each.test(name))))
}

const credentials = [
  /^(?:GH|GITHUB|GITLAB|GITEA|BITBUCKET|NPM|NODE_AUTH|CI_JOB|ACTIONS|CARGO_REGISTR(?:Y|IES)|PYPI)_(?:\w+_)?TOKEN$/,
  /^(?:(?:GITHUB|GITLAB|VSCE)_PAT|TWINE_PASSWORD|HOMEBREW_GITHUB_API_TOKEN)$/,
  // npm passes its settings on like this: npm_config_//registry.npmjs.org/:_authToken.
  /^npm_config_.*_(?:auth|authtoken|password)$/i,
  /^(?:SSH_AUTH_SOCK|GIT_ASKPASS|SSH_ASKPASS)$/,
]
