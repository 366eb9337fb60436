import { describe, expect, it } from 'vitest'
import type { Backend } from '../../../src/agents/backends/backend.ts'
import { claude } from '../../../src/agents/backends/claude.ts'
import { agentsOf } from '../../../src/agents/backends/own-agents.ts'
import { agentEnv, keptFor } from '../../../src/agents/run/guard.ts'
import { fakeConfig } from '../../support/fake-project.ts'
import { fakeSystem } from '../../support/fake-system.ts'

const kept = ['PATH', 'npm_config_registry', 'AWS_REGION', 'MAX_TOKENS', 'GIT_CONFIG_GLOBAL', 'AUTHOR', 'TOKENIZER']
const dropped = [
  ...['GITHUB_TOKEN', 'GH_ENTERPRISE_TOKEN', 'GITHUB_PAT', 'GITLAB_PAT', 'GITEA_TOKEN', 'SSH_AUTH_SOCK'],
  ...['CARGO_REGISTRY_TOKEN', 'CARGO_REGISTRIES_MINE_TOKEN', 'PYPI_TOKEN', 'TWINE_PASSWORD', 'VSCE_PAT'],
  ...['HOMEBREW_GITHUB_API_TOKEN', 'ACTIONS_RUNTIME_TOKEN', 'ACTIONS_ID_TOKEN_REQUEST_TOKEN', 'NPM_TOKEN'],
  ...['npm_config__authToken', 'npm_config__auth', 'npm_config_//registry.npmjs.org/:_authToken'],
  ...['NPM_CONFIG_//registry.example.org/:_password', 'GIT_ASKPASS', 'SSH_ASKPASS', 'GIT_CONFIG_PARAMETERS'],
  ...['GIT_CONFIG_COUNT', 'GIT_CONFIG_KEY_0', 'GIT_CONFIG_VALUE_12', 'UV_PUBLISH_TOKEN', 'POETRY_PYPI_TOKEN_PYPI'],
  ...['GEM_HOST_API_KEY', 'NUGET_API_KEY', 'HEX_API_KEY', 'CR_PAT', 'AZURE_DEVOPS_EXT_PAT', 'SYSTEM_ACCESSTOKEN'],
  ...['CODEBERG_TOKEN', 'FORGEJO_TOKEN', 'HUB_TOKEN', 'JSR_TOKEN', 'VERCEL_TOKEN', 'NETLIFY_AUTH_TOKEN'],
  ...['DOCKER_PASSWORD', 'GITHUB_APP_PRIVATE_KEY', 'AWS_SECRET_ACCESS_KEY', 'OPENAI_API_KEY', 'CLIENT_SECRET'],
  ...['db_password', 'Stripe_Secret_Key', 'PGPASSWORD'],
]

describe('the environment of an agent', () => {
  it('has no variable that holds a secret, whatever its case, and all else', () => {
    const env = Object.fromEntries([...kept, ...dropped].map(name => [name, 'x']))
    expect(Object.keys(agentEnv(env, 1, {}))).toEqual([...kept, 'RELAY_AGENT', 'PHONE_A_FRIEND_DEPTH'])
  })

  it('keeps an empty variable, which holds nothing and may say "ask nobody"', () => {
    expect(agentEnv({ GIT_ASKPASS: '', GITHUB_TOKEN: '' }, 1, {})).toMatchObject({ GIT_ASKPASS: '', GITHUB_TOKEN: '' })
  })

  it.each([
    ['claude', ['ANTHROPIC_API_KEY', 'ANTHROPIC_AUTH_TOKEN', 'CLAUDE_CODE_OAUTH_TOKEN']],
    ['codex', ['CODEX_API_KEY', 'MY_HEADER_TOKEN', 'MY_KEY_API_KEY', 'OPENAI_API_KEY']],
    ['gemini', ['GEMINI_API_KEY']],
    ['opencode', ['ANTHROPIC_API_KEY', 'GEMINI_API_KEY', 'MY_KEY_API_KEY', 'MY_OTHER_TOKEN', 'OPENAI_API_KEY']],
    ['copilot', ['COPILOT_GITHUB_TOKEN']],
    ['amp', ['AMP_API_KEY']],
    ['mine', ['MINE_TOKEN']],
    ['like', ['ANTHROPIC_API_KEY', 'ANTHROPIC_AUTH_TOKEN', 'CLAUDE_CODE_OAUTH_TOKEN', 'MINE_TOKEN']],
  ])('has the keys of its own provider: %s', async (name, names) => {
    const secrets = [
      ...['GITHUB_TOKEN', 'NPM_TOKEN', 'ANTHROPIC_API_KEY', 'ANTHROPIC_AUTH_TOKEN', 'CLAUDE_CODE_OAUTH_TOKEN'],
      ...['OPENAI_API_KEY', 'CODEX_API_KEY', 'GEMINI_API_KEY', 'COPILOT_GITHUB_TOKEN', 'AMP_API_KEY'],
      ...['MY_KEY_API_KEY', 'MY_HEADER_TOKEN', 'MY_OTHER_TOKEN', 'MINE_TOKEN', 'AWS_SECRET_ACCESS_KEY'],
    ]
    const content = { provider: { z: { options: { apiKey: '{env:MY_OTHER_TOKEN}' } } } }
    const env = {
      ...Object.fromEntries(secrets.map(each => [each, 'x'])),
      OPENCODE_CONFIG_CONTENT: JSON.stringify(content),
    }
    const { system } = fakeSystem({ home: '/project/home', env, files: usersSettings })
    const agents = {
      mine: { command: 'mine', env: ['mine_token'] },
      like: { like: 'claude', command: 'other', env: ['MINE_TOKEN'] },
    } as const
    const backend = agentsOf(fakeConfig({ agents })).find(each => each.name === name) as Backend
    const given = agentEnv(env, 1, {}, await keptFor(backend, system))
    expect(secrets.filter(each => each in given).toSorted()).toEqual(names)
  })

  it("has Amazon's keys where claude runs at Amazon", () => {
    const env = { CLAUDE_CODE_USE_BEDROCK: '1' }
    expect(claude.keeps.names(env)).toContain('AWS_SECRET_ACCESS_KEY')
  })
})

/** A server of the user's is no provider: what it wants reaches no agent. */
const usersSettings = {
  'home/.codex/config.toml': `[model_providers.x]
env_key = "MY_KEY_API_KEY"
env_http_headers = { "X-Key" = "MY_HEADER_TOKEN" }
[mcp_servers.y]
bearer_token_env_var = "GITHUB_TOKEN"
`,
  'home/.config/opencode/opencode.jsonc': `{ // mine
  "provider": { "x": { "options": { "apiKey": "{env:MY_KEY_API_KEY}" } } },
  "mcp": { "y": { "headers": { "A": "Bearer {env:GITHUB_TOKEN}" } } },
}`,
}
