import { describe, expect, it } from 'vitest'
import { pathWith, programFolders, topAround } from '../../src/ground/program-folders.ts'

const disk = (kinds: Readonly<Record<string, number>>) => ({
  stat: async (path: string) => (path in kinds ? { uid: kinds[path] ?? 0 } : null),
})

describe('the folders of a project’s own programs', () => {
  it('are those of packages up to the top of the repository, then those of the project', () => {
    expect(programFolders('/home/me/shop/web', '/home/me/shop')).toEqual([
      '/home/me/shop/web/node_modules/.bin',
      '/home/me/shop/node_modules/.bin',
      '/home/me/shop/web/.venv/bin',
      '/home/me/shop/web/vendor/bin',
    ])
  })

  it('end at the project where it is in no repository, or in one of another user', async () => {
    const root = '/tmp/shop'
    expect(await topAround(root, disk({ [root]: 1 }))).toBe(root)
    expect(await topAround(root, disk({ [root]: 1, '/tmp/.git': 2 }))).toBe(root)
    expect(await topAround(root, disk({ [root]: 1, '/tmp/.git': 1 }))).toBe('/tmp')
  })

  it('stand at the end of PATH, once, and as one folder each', () => {
    expect(pathWith(['/a/bin', '/usr/bin', '/x:/bin'], { PATH: '/usr/bin::/bin', HOME: '/' })).toEqual({
      PATH: '/usr/bin::/bin:/a/bin',
    })
    expect(pathWith(['/a/bin'], {})).toEqual({})
  })
})
