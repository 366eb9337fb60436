import { describe, expect, it } from 'vitest'
import { findRaf, rafWorktreeAt } from '../../../src/agents/raf/find-raf.ts'
import { failure } from '../../support/failure.ts'
import { fakeSystem } from '../../support/fake-system.ts'

describe('the plans of a folder', () => {
  it('lie in RAF/, which need not be there', async () => {
    const { system, disk } = fakeSystem()
    expect(await findRaf('/project', system.files)).toEqual({ folder: '/project/RAF', projects: [] })
    disk.folder('RAF/abcdef-fix-login')
    expect(await findRaf('/project', system.files)).toEqual({
      folder: '/project/RAF',
      projects: ['abcdef-fix-login'],
    })
  })

  it('are not looked for behind a link', async () => {
    const { system, disk } = fakeSystem()
    disk.symlink('/etc', 'RAF')
    expect(await failure(findRaf('/project', system.files))).toMatchObject({
      kind: 'usage',
      message: '/project/RAF is a link; relay reads plans from folders alone',
    })
  })
})

it('the work tree of a project lies where RAF has it', () => {
  expect(rafWorktreeAt('/home/me', '/src/myapp', 'abcdef-my-feature')).toBe(
    '/home/me/.raf/worktrees/myapp/abcdef-my-feature',
  )
})
