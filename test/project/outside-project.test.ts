import { expect, it } from 'vitest'
import { outsideProject } from '../../src/project/outside-project.ts'
import { fakeSystem } from '../support/fake-system.ts'

const files = {
  '/work/repo/.git/HEAD': '',
  '/work/repo/app/relaycode.config.json': '{}',
  '/work/repo/app/src/a.js': '',
  '/work/repo/bin/git': '',
  '/home/me/.local/bin/codex': '',
}

it.each([
  ['/work/repo/app/src', '.::bin:/usr/bin:node_modules/.bin', '/usr/bin'],
  ['/work/repo/app/src', '/work/repo/app/node_modules/.bin:/work/repo/bin:/work/other/bin', '/work/other/bin'],
  ['/work/repo/app/src', '/opt/linked:/usr/bin', '/usr/bin'],
  ['/work/repo/app/src', '/work/repo/../repo/bin:/work/repository/bin', '/work/repository/bin'],
  ['/home/me', '/home/me/.local/bin:.', '/home/me/.local/bin'],
  ['/', '/usr/bin', '/usr/bin'],
])('about %s the PATH %s leads to %s', async (folder, PATH, expected) => {
  const { system, disk } = fakeSystem({ files, env: { PATH } })
  disk.symlink('/work/repo/bin', '/opt/linked')
  expect((await outsideProject(folder, system)).env['PATH']).toBe(expected)
})
