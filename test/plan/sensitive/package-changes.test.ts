import { describe, expect, it } from 'vitest'
import type { Change, PathState } from '../../../src/model/plan.ts'
import { packageChanges } from '../../../src/plan/sensitive/package-changes.ts'

const file = (text: string): PathState => ({ kind: 'file', bytes: Buffer.from(text), mode: 0o644 })

function brings(before: object | string | null, after: object | string, ...commands: readonly string[]) {
  const text = (data: object | string) => (typeof data === 'string' ? data : JSON.stringify(data))
  const change = { path: 'package.json', before: before === null ? null : file(text(before)), after: file(text(after)) }
  return packageChanges(change as Change, commands)
}

describe('packageChanges', () => {
  it.each([
    ['a script that a person calls', { scripts: { start: 'node src/main.ts' } }],
    ['a name', { name: 'x', version: '2.0.0', type: 'module', exports: './a.js' }],
    ['no dependency', { dependencies: {} }],
  ])('has nothing to ask about %s', (_what, after) => {
    expect(brings({}, after, 'eslint .')).toBe('')
    expect(brings(null, after, 'eslint .')).toBe('')
  })

  it('has nothing to ask about what goes, or is only written in another way', () => {
    expect(brings({ scripts: { prepare: 'x' }, dependencies: { zod: '1' } }, { scripts: {} })).toBe('')
    expect(brings('{"dependencies":{"zod":"1"}}', '{\n  "dependencies": { "zod": "1" }\n}\n')).toBe('')
  })

  it.each([
    [{ dependencies: { zod: '^4' } }, 'adds dependency zod'],
    [{ devDependencies: { zod: '^4' } }, 'adds dependency zod'],
    [{ scripts: { postinstall: 'node x' } }, 'adds script postinstall'],
    [{ scripts: { prepare: 'node x', lint: 'true' } }, 'adds script prepare'],
    [{ workspaces: ['a'] }, 'adds workspaces'],
    [{ eslintConfig: {} }, 'adds eslintConfig'],
    [{ scripts: 'x' }, 'adds scripts'],
    [
      { dependencies: { a: '1', b: '1', c: '1', d: '1', e: '1', f: '1' } },
      'adds dependency a, adds dependency b, adds dependency c, adds dependency d, and 2 more',
    ],
  ])('names what npm installs or runs: %j', (after, words) => {
    expect(brings({}, after)).toBe(words)
  })

  it('says what is changed', () => {
    expect(brings({ dependencies: { zod: '3' } }, { dependencies: { zod: '4' } })).toBe('changes dependency zod')
  })

  it.each([
    'npm run --silent check',
    'yarn check',
    'node --run check',
    'run-s check',
    'npm-run-all "che*"',
    'npx turbo check',
    'cd a && npm run check && true',
  ])('names a script that a command of the configuration runs: %s', command => {
    expect(brings({}, { scripts: { check: 'true' } }, command)).toBe('adds script check')
  })

  it('names what such a script runs, and what npm runs before and behind it', () => {
    const scripts = { check: 'npm run deep', deep: 'npm run deeper', deeper: 'true', precheck: 'true', other: 'true' }
    expect(brings({}, { scripts }, 'npm run check')).toBe(
      'adds script check, adds script deep, adds script deeper, adds script precheck',
    )
    expect(brings({ scripts }, { scripts: { ...scripts, deeper: 'evil' } }, 'npm run check')).toBe(
      'changes script deeper',
    )
    expect(brings({}, { scripts: { prepare: 'npm run build', build: 'evil' } })).toBe(
      'adds script prepare, adds script build',
    )
  })

  it.each([
    ['before', '{', '{}'],
    ['after', '{}', 'no JSON'],
    ['a list', '{}', '[]'],
  ])('does not know where a text is no package.json: %s', (_what, before, after) => {
    expect(brings(before, after)).toBeUndefined()
  })

  it('does not know other files, and one that goes', () => {
    expect(packageChanges({ path: 'a.json', before: null, after: file('{}') } as Change, [])).toBeUndefined()
    expect(packageChanges({ path: 'package.json', before: file('{}'), after: null } as Change, [])).toBeUndefined()
  })
})
