import { describe, expect, it } from 'vitest'
import { findProject, projectFolder } from '../../../src/agents/raf/identifier.ts'
import { decodeTaskId, encodeTaskId, freeProjectId, nextTaskId, projectIdAt } from '../../../src/agents/raf/ids.ts'
import { isName, nameFrom, projectOf, taskOf, titleOfFolder, titleOfName } from '../../../src/agents/raf/names.ts'
import { failure } from '../../support/failure.ts'

const epoch = 1_767_225_600
const thrown = (work: () => unknown) => failure(Promise.resolve().then(work))

describe('the id of a project', () => {
  it.each<[since: number, id: string]>([
    [0, 'aaaaaa'],
    [1, 'aaaaab'],
    [25, 'aaaaaz'],
    [26, 'aaaaba'],
    [60, 'aaaaci'],
    [675, 'aaaazz'],
    [676, 'aaabaa'],
    [1000, 'aaabmm'],
    [494_265, 'abcdef'],
    [3_456_000, 'ahoqlc'],
    [26 ** 5, 'baaaaa'],
    [26 ** 6 - 1, 'zzzzzz'],
  ])('%i seconds after 2026 began is %s', (since, id) => {
    expect(projectIdAt(epoch + since)).toBe(id)
  })

  it.each([
    ['2026-01-06T17:17:45Z', 'abcdef'],
    ['2026-02-09T19:15:34Z', 'ahnres'],
    ['2026-11-20T17:00:00Z', 'cjfhjs'],
    ['2035-10-16T09:56:15Z', 'zzzzzz'],
  ])('at %s is %s', (at, id) => {
    expect(projectIdAt(Date.parse(at) / 1000)).toBe(id)
    expect(projectIdAt(Date.parse(at) / 1000 + 0.9)).toBe(id)
  })

  it('is refused before 2026 and after the last one, never taken from the start again', async () => {
    expect(await thrown(() => projectIdAt(epoch - 1))).toMatchObject({ kind: 'environment' })
    expect(await thrown(() => projectIdAt(Number.NaN))).toMatchObject({ kind: 'environment' })
    expect(await thrown(() => projectIdAt(epoch + 26 ** 6))).toMatchObject({
      kind: 'failed',
      message: 'The ids of projects ended at 2035-10-16T09:56:15Z: six letters hold no more seconds',
    })
  })

  it('is the next free one where others were made in the same second', async () => {
    expect(freeProjectId(epoch + 25, new Set())).toBe('aaaaaz')
    expect(freeProjectId(epoch + 25, new Set(['aaaaaz', 'aaaaba']))).toBe('aaaabb')
    expect(await thrown(() => freeProjectId(epoch + 26 ** 6 - 1, new Set(['zzzzzz'])))).toMatchObject({
      kind: 'failed',
    })
  })
})

describe('the id of a task', () => {
  it.each([
    [0, '00'],
    [1, '01'],
    [9, '09'],
    [10, '0a'],
    [35, '0z'],
    [36, '10'],
    [71, '1z'],
    [1295, 'zz'],
  ])('%i is %s', (number, id) => {
    expect(encodeTaskId(number)).toBe(id)
    expect(decodeTaskId(id)).toBe(number)
    expect(decodeTaskId(id.toUpperCase())).toBe(number)
  })

  it('has its end', async () => {
    expect(await thrown(() => encodeTaskId(1296))).toEqual({
      kind: 'failed',
      message: 'encodeTaskId: value 1296 exceeds max 2-char base36 (1295)',
      hint: 'A project holds so many tasks: plan the rest as a project of its own.',
    })
    for (const none of [-1, 1.5, Number.NaN])
      expect(await thrown(() => encodeTaskId(none))).toMatchObject({ kind: 'failed' })
  })

  it.each(['', '1', '001', 'a-', ' 1', '1\n', 'é1'])('%j is none', id => {
    expect(decodeTaskId(id)).toBeUndefined()
  })

  it.each<[ids: readonly string[], next: string]>([
    [[], '01'],
    [['01', '02'], '03'],
    [['09'], '0a'],
    [['01', '0z', '02'], '10'],
    [['xx!', '04'], '05'],
  ])('after %j comes %s', (ids, next) => {
    expect(nextTaskId(ids)).toBe(next)
  })

  it('has none after the last one', async () => {
    expect(await thrown(() => nextTaskId(['zz']))).toMatchObject({ kind: 'failed' })
  })
})

describe('a name', () => {
  it.each([
    ['Fix the Login!', 'fix-the-login'],
    ['  --Add   OAuth2 / SSO--  ', 'add-oauth2-sso'],
    ['snake_case.name', 'snake-case-name'],
    ['../../etc/passwd', 'etc-passwd'],
    ['a'.repeat(60), 'a'.repeat(50)],
    [`${'a'.repeat(49)} bc`, 'a'.repeat(49)],
    ['Привет', ''],
    ['', ''],
  ])('is made of %j', (text, name) => {
    expect(nameFrom(text)).toBe(name)
  })

  it.each<[text: string, is: boolean]>([
    ['fix-login', true],
    ['Fix_Login2', true],
    ['9lives', true],
    ['a'.repeat(50), true],
    ['a'.repeat(51), false],
    ['-x', false],
    ['_x', false],
    ['a b', false],
    ['a/b', false],
    ['a\n', false],
    ['', false],
  ])('%j may be taken as it is: %j', (text, is) => {
    expect(isName(text)).toBe(is)
  })

  it('is read as a title', () => {
    expect(titleOfName('merge-guardian')).toBe('Merge guardian')
    expect(titleOfName('button-colors')).toBe('Button colors')
    expect(titleOfFolder('021b5g-merge-guardian')).toBe('Merge guardian')
    expect(titleOfFolder('ahnres-add_login')).toBe('Add login')
  })

  it('is known in folders and files', () => {
    expect(projectOf('abcdef-fix-stuff')).toEqual({ id: 'abcdef', name: 'fix-stuff' })
    for (const none of ['abcdef', 'abcdef-', 'abcde-x', 'ABCDEF-x', '021b5g-x', 'notes']) {
      expect(projectOf(none)).toBeUndefined()
    }
    expect(taskOf('0a-add-login.md')).toEqual({ id: '0a', name: 'add-login' })
    for (const none of ['001-x.md', '1-x.md', '01.md', '01-x.txt', '01-x.md~', '.01-x.md', '0A-x.md']) {
      expect(taskOf(none)).toBeUndefined()
    }
  })
})

describe('a project that somebody means', () => {
  const folders = ['abcdef-fix-login', 'abcdeg-login', 'abcdeh-dark-mode', 'abcdei-action', 'action-old-things']

  it.each<[identifier: string, folder: string]>([
    ['abcdef-fix-login', 'abcdef-fix-login'],
    ['ABCDEF-Fix-Login', 'abcdef-fix-login'],
    ['abcdeh', 'abcdeh-dark-mode'],
    ['ABCDEH', 'abcdeh-dark-mode'],
    // An id comes before a name, and a whole name before a part of one.
    ['action', 'action-old-things'],
    ['login', 'abcdeg-login'],
    ['Dark', 'abcdeh-dark-mode'],
    ['fix', 'abcdef-fix-login'],
    [' dark-mode ', 'abcdeh-dark-mode'],
    // As a shell completes it.
    ['RAF/abcdeh-dark-mode/', 'abcdeh-dark-mode'],
    ['/home/me/app/RAF/abcdeh-dark-mode', 'abcdeh-dark-mode'],
  ])('%j is %s', (identifier, folder) => {
    expect(findProject(identifier, folders)).toEqual({ kind: 'project', folder })
    expect(projectFolder(identifier, folders)).toBe(folder)
  })

  it.each(['', ' ', 'bcde', 'abc', 'xxxxxx', 'dark mode'])('%j is none', identifier => {
    expect(findProject(identifier, folders)).toEqual({ kind: 'none' })
  })

  it.each<[identifier: string, folders: readonly string[]]>([
    ['log', ['abcdef-fix-login', 'abcdeg-login']],
    ['O', folders],
  ])('%j may be several', (identifier, several) => {
    expect(findProject(identifier, folders)).toEqual({ kind: 'ambiguous', folders: several })
  })

  it('may be several by its id or its name as well', () => {
    const copies = ['abcdef-one', 'abcdef-two', 'abcdeg-two']
    expect(findProject('abcdef', copies)).toEqual({ kind: 'ambiguous', folders: ['abcdef-one', 'abcdef-two'] })
    expect(findProject('two', copies)).toEqual({ kind: 'ambiguous', folders: ['abcdef-two', 'abcdeg-two'] })
  })

  it('is asked for again, with what there is', async () => {
    expect(await thrown(() => projectFolder('log', folders))).toEqual({
      kind: 'usage',
      message: '"log" may be any of abcdef-fix-login, abcdeg-login',
      hint: 'Name one of them by its id or its whole folder.',
    })
    expect(await thrown(() => projectFolder('nope', folders.slice(0, 2)))).toEqual({
      kind: 'usage',
      message: 'There is no plan "nope" in RAF/',
      hint: 'There are abcdef-fix-login, abcdeg-login.',
    })
    expect(await thrown(() => projectFolder('nope', []))).toMatchObject({ hint: 'Make one: `relay plan <name>`' })
    const many = Array.from({ length: 13 }, (_, at) => `aaaaa${String.fromCharCode(97 + at)}-x`)
    expect((await thrown(() => projectFolder('nope', many))).hint).toBe(
      `There are 3 older ones, ${many.slice(3).join(', ')}.`,
    )
  })
})
