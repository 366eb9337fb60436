import { describe, expect, it } from 'vitest'
import { ownFolder } from '../../src/plan/own-folder.ts'
import { newFile } from './absent-place.ts'

function doubtsAbout(paths: readonly string[], folders: readonly string[], beside: readonly string[], id = 'shop') {
  return ownFolder(
    paths.map(path => newFile(path, { missingFolders: folders, beside })),
    id,
  )
}

describe('a doubt about a folder that is called like the project', () => {
  it.each([
    ['shop/src/a.ts', 'shop', 'shop'],
    ['shop/src/a.ts', 'shop', '@acme/shop'],
    ['a/src/a.ts', 'a', 'shop'],
    ['b/src/a.ts', 'b', 'shop'],
  ])('arises for %s where the folder is new, but what it holds stands beside it', (path, top, id) => {
    expect(doubtsAbout([path], [top, `${top}/src`], ['src', 'package.json'], id)).toEqual([
      {
        flag: 'look-alike',
        path,
        reason: `the folder ${top} is new, but src already exists beside it: ${path} may mean src/a.ts`,
      },
    ])
  })

  it.each(['/code/mono/packages/web', 'C:\\code\\packages\\web', '/packages/web'])(
    'arises for a path from above a project in %s',
    root => {
      const [path, folders] = ['packages/web/src/a.ts', ['packages', 'packages/web', 'packages/web/src']]
      const found = [newFile(path, { missingFolders: folders, beside: ['src', 'package.json'] })]
      expect(ownFolder(found, '@acme/site', root)).toEqual([
        {
          flag: 'look-alike',
          path,
          reason: `the folder packages is new, but src already exists beside it: ${path} may mean src/a.ts`,
        },
      ])
      expect(ownFolder(found, '@acme/site', '/code/mono/packages/shop')).toEqual([])
      expect(ownFolder(found, '@acme/site', '/code/web')).toEqual([])
    },
  )

  it('is told once, however many files lie in it', () => {
    expect(doubtsAbout(['shop/src/a.ts', 'shop/src/b.ts'], ['shop', 'shop/src'], ['src'])).toHaveLength(1)
  })

  it.each([
    ['web/src/a.ts', ['web', 'web/src'], ['src']],
    ['shop/core/a.py', ['shop', 'shop/core'], ['tests', 'setup.py']],
    ['shop/src/a.ts', ['shop/src'], ['src']],
    ['src/a.ts', [], ['src']],
    ['src/shop/src/a.ts', ['src/shop', 'src/shop/src'], ['src']],
  ])('does not arise for %s where %j are new', (path, folders, beside) => {
    expect(doubtsAbout([path], folders, beside)).toEqual([])
  })
})
