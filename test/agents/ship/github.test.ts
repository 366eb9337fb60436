import { expect, it } from 'vitest'
import { gitHubRepository } from '../../../src/agents/ship/github.ts'

it.each([
  ['git@github.com:owner/repo.git', 'owner/repo'],
  ['git@github.com:owner/repo', 'owner/repo'],
  ['github.com:owner/my.repo.git', 'owner/my.repo'],
  ['git@work.github.com:owner/repo.git', 'owner/repo'],
  ['git@github.com-work:owner/repo.git', 'owner/repo'],
  ['ssh://git@github.com/owner/repo.git', 'owner/repo'],
  ['ssh://git@ssh.github.com:443/owner/repo.git', 'owner/repo'],
  ['https://github.com/owner/repo', 'owner/repo'],
  ['https://github.com/owner/repo.git/', 'owner/repo'],
  ['https://user:token@github.com/owner/repo.git', 'owner/repo'],
  ['https://www.github.com/Owner/Repo', 'Owner/Repo'],
  ['https://gitlab.com/owner/repo.git', undefined],
  ['https://github.com.example.com/owner/repo', undefined],
  ['https://example.com/github.com/owner/repo', undefined],
  ['https://evil.com@x/github.com/owner/repo', undefined],
  ['git@notgithub.com:owner/repo.git', undefined],
  ['https://github.com/owner', undefined],
  ['https://github.com/owner/repo/tree/main', undefined],
  ['/srv/git/repo.git', undefined],
  ['', undefined],
])('finds the repository on GitHub of %s', (url, expected) => {
  const found = gitHubRepository(url)
  expect(found && `${found.owner}/${found.name}`).toBe(expected)
})
