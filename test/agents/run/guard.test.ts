import { expect, it } from 'vitest'
import { agentEnv } from '../../../src/agents/run/guard.ts'

it('hands on no token by which an agent could push or publish, and all else', () => {
  const kept = ['PATH', 'OPENAI_API_KEY', 'COPILOT_GITHUB_TOKEN', 'CLAUDE_CODE_OAUTH_TOKEN', 'npm_config_registry']
  const dropped = [
    ...['GITHUB_TOKEN', 'GH_ENTERPRISE_TOKEN', 'GITHUB_PAT', 'GITLAB_PAT', 'GITEA_TOKEN', 'SSH_AUTH_SOCK'],
    ...['CARGO_REGISTRY_TOKEN', 'CARGO_REGISTRIES_MINE_TOKEN', 'PYPI_TOKEN', 'TWINE_PASSWORD', 'VSCE_PAT'],
    ...['HOMEBREW_GITHUB_API_TOKEN', 'ACTIONS_RUNTIME_TOKEN', 'ACTIONS_ID_TOKEN_REQUEST_TOKEN', 'NPM_TOKEN'],
    ...['npm_config__authToken', 'npm_config__auth', 'npm_config_//registry.npmjs.org/:_authToken'],
    'NPM_CONFIG_//registry.example.org/:_password',
  ]
  const env = Object.fromEntries([...kept, ...dropped].map(name => [name, 'x']))
  expect(Object.keys(agentEnv(env, 1, {}))).toEqual([...kept, 'RELAY_AGENT', 'PHONE_A_FRIEND_DEPTH'])
})
