import { someOf } from './words.ts'

/**
 * The one list of variables that hold a secret, or lead to one: with them somebody could push, publish, log in or read a
 * password. They reach no agent, and no command that runs an agent's work before anybody has agreed to it.
 */
const secretNames: readonly RegExp[] = [
  /(?:TOKEN|_PAT|PASSWORD|SECRET|_AUTH|(?:API|SECRET|PRIVATE|ACCESS)_?KEY)$/i,
  /^POETRY_PYPI_TOKEN_/i,
  // Settings of git in variables can hold a header with a login.
  /^GIT_CONFIG_(?:COUNT|KEY_\d+|VALUE_\d+|PARAMETERS)$/i,
  /^(?:GIT_ASKPASS|SSH_ASKPASS|SSH_AUTH_SOCK)$/i,
]

/** Those of an environment, sorted, but for the ones that somebody may keep. An empty variable holds nothing. */
export function secretsIn(
  env: Readonly<Record<string, string | undefined>>,
  kept: readonly string[] = [],
): readonly string[] {
  const isKept = new Set(kept.map(name => name.toUpperCase()))
  const isSecret = (name: string) => secretNames.some(each => each.test(name)) && !isKept.has(name.toUpperCase())
  return Object.keys(env)
    .filter(name => (env[name] ?? '') !== '' && isSecret(name))
    .sort()
}

/** Names the variables that a failed command was not given, and the setting that gives them; nothing where it had all. */
export function withoutWords(names: readonly string[] | undefined): string | undefined {
  if (names === undefined || names.length === 0) return undefined
  return `without ${someOf(names, mostNames)}: \`checkout.env\``
}

const mostNames = 5
