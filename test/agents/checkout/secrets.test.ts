import { expect, it } from 'vitest'
import { hideSecrets } from '../../../src/agents/checkout/secrets.ts'

it.each([
  ['a-token-of-mine', 'no entry with *** at github.com'],
  ['t', 'no entry with a-token-of-mine at github.com'],
])('hides the token "%s", where it is long enough to be one', (token, shown) => {
  expect(hideSecrets('no entry with a-token-of-mine at github.com', { GITHUB_TOKEN: token })).toBe(shown)
})
