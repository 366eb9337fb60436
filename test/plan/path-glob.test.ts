import { describe, expect, it } from 'vitest'
import { firstGlob, pathGlob } from '../../src/plan/path-glob.ts'

describe('pathGlob', () => {
  it.each([
    // a name without a slash counts in every folder, and covers what is in it
    ['*.sql', 'a.sql', true],
    ['*.sql', 'db/deep/a.sql', true],
    ['*.sql', 'db/a.sqlx', false],
    ['secrets', 'secrets', true],
    ['secrets', 'src/secrets/a.ts', true],
    ['secrets', 'src/secrets.ts', false],
    ['secrets/', 'src/secrets/a.ts', true],
    // with a slash it begins at the root
    ['src/a.ts', 'src/a.ts', true],
    ['src/a.ts', 'x/src/a.ts', false],
    ['/a.ts', 'a.ts', true],
    ['/a.ts', 'src/a.ts', false],
    ['./src/*.ts', 'src/a.ts', true],
    ['src/*', 'src/a/b.ts', true],
    ['src', 'src/a/b.ts', true],
    ['src/**', 'src/a/b.ts', true],
    ['**/x/**', 'a/x/b', true],
    ['src/{a,b}.ts', 'src/b.ts', true],
    ['src/{a,b}.ts', 'src/c.ts', false],
    // hidden files, case, Unicode forms, names with special characters
    ['src/**', 'src/.hidden/.x', true],
    ['*', '.env', true],
    ['SRC/**', 'src/a.ts', true],
    ['docs/café.md', 'docs/cafe\u0301.md', true],
    ['app/[slug]/page.tsx', 'app/[slug]/page.tsx', true],
    ['app/(group)/page.tsx', 'app/(group)/page.tsx', true],
    ['secret.ts', 'src/\u017fecret.ts', true],
    // turned round
    ['!src/**', 'src/a.ts', false],
    ['!src/**', 'README.md', true],
    // empty, broken
    ['', 'a', false],
    ['  ', 'a', false],
    ['/', 'a', false],
    ['[', 'a', false],
  ])('%s on %s: %s', (glob, path, matches) => {
    expect(pathGlob(glob)(path)).toBe(matches)
  })

  it('takes brackets that belong to a name as they stand, and as a group', () => {
    const matches = pathGlob('app/(shop)/**')
    expect(['app/(shop)/page.tsx', 'app/shop/page.tsx', 'app/other/page.tsx'].map(matches)).toEqual([true, true, false])
  })

  it.each(['(a+)+$', '(a|aa)+$', '\\'.repeat(999)])('is no regular expression that takes for ever: %s', glob => {
    expect(pathGlob(glob)(`${'a'.repeat(100)}c`)).toBe(false)
  })
})

it.each([
  [['migrations'], ['db/migrations/1.sql'], 'migrations'],
  [['*.sql'], ['db/1.SQL'], '*.sql'],
  [['x/**', 'src/pay/'], ['src/pay/a.ts'], 'src/pay/'],
  [['a/**', '**'], ['b/1.ts', 'a/1.ts'], 'a/**'],
  [['docs/**', '', ' '], ['src/a.ts'], undefined],
])('of the globs %j the first that matches one of %j is %s', (globs, paths, first) => {
  expect(firstGlob(globs)(...paths)).toBe(first)
})
