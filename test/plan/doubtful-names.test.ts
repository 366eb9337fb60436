import { describe, expect, it } from 'vitest'
import type { Change } from '../../src/model/plan.ts'
import { doubtfulNames } from '../../src/plan/doubtful-names.ts'
import { change } from '../report/samples.ts'
import { newFile, unseen } from './absent-place.ts'
import { ordinaryPaths } from './project-paths.ts'

interface New {
  readonly path: string
  /** Folders to be made. */
  readonly folders?: readonly string[]
  /** What stands in the nearest folder that is there. */
  readonly beside?: readonly string[]
}

function doubtsAbout(files: readonly New[], others: readonly Change[] = []): readonly string[] {
  const found = files.map(({ path, folders = [], beside = [] }) => newFile(path, { missingFolders: folders, beside }))
  return doubtfulNames([...found, ...others.map(unseen)]).map(({ flag, path, reason }) => {
    expect(flag).toBe('look-alike')
    expect([...files.map(file => file.path)]).toContain(path)
    return reason
  })
}

describe('a doubt about the name of a new file', () => {
  it.each<[string, New, string]>([
    [
      'capitals',
      { path: 'docs/Readme.md', beside: ['README.md', 'other.md'] },
      'docs/Readme.md is new, and docs/README.md already exists: they differ only in capitals, and macOS and Windows take them for one file',
    ],
    [
      'capitals, in the root',
      { path: 'Makefile', beside: ['makefile'] },
      'Makefile is new, and makefile already exists: they differ only in capitals, and macOS and Windows take them for one file',
    ],
    [
      'the capitals of a folder',
      { path: 'src/Store/ui.ts', folders: ['src/Store'], beside: ['store', 'ui.ts'] },
      'the folder src/Store is new, and src/store already exists: they differ only in capitals, and macOS and Windows take them for one file',
    ],
    [
      'the capitals of a folder far above',
      { path: 'Src/a/b.ts', folders: ['Src', 'Src/a'], beside: ['src'] },
      'the folder Src is new, and src already exists: they differ only in capitals, and macOS and Windows take them for one file',
    ],
    [
      'Unicode form',
      { path: 'caf\u00e9.md', beside: ['cafe\u0301.md'] },
      'caf\u00e9.md is new, and cafe\u0301.md already exists: the new name has U+00E9 where the other has U+0065, and other systems take them for one file',
    ],
    [
      'what is not seen in the one that is there',
      { path: 'a.ts', beside: ['a\u200b.ts'] },
      'a.ts is new, and a\u200b.ts already exists: the new name has U+002E where the other has U+200B, and other systems take them for one file',
    ],
    [
      'a hyphen that does not break',
      { path: 'src/my\u2011comp.ts', beside: ['my-comp.ts'] },
      'src/my\u2011comp.ts is new, and src/my-comp.ts already exists: they look alike, but the new name has U+2011 where the other has U+002D',
    ],
    [
      'a dash',
      { path: 'src/my-comp.ts', beside: ['my\u2013comp.ts'] },
      'src/my-comp.ts is new, and src/my\u2013comp.ts already exists: they look alike, but the new name has U+002D where the other has U+2013',
    ],
    [
      'letters of another alphabet',
      { path: 'src/\u0441\u043e\u0440\u0443.ts', beside: ['copy.ts'] },
      'src/\u0441\u043e\u0440\u0443.ts is new, and src/copy.ts already exists: they look alike, but the new name has U+0441 where the other has U+0063',
    ],
    [
      'mixed alphabets',
      { path: 'lib/p\u0430ckage.json', beside: [] },
      'lib/p\u0430ckage.json is new, and its name mixes alphabets: U+0430 (Cyrillic) among Latin letters',
    ],
    [
      'the mixed alphabets of a folder',
      { path: 'n\u03bfde/a.ts', folders: ['n\u03bfde'], beside: [] },
      'the folder n\u03bfde is new, and its name mixes alphabets: U+03BF (Greek) among Latin letters',
    ],
    [
      'a Chinese character that looks like a slash',
      { path: 'src\u4e3fa.js', beside: ['src'] },
      'src\u4e3fa.js is new, and its name holds U+4E3F, which looks like a slash but is not one',
    ],
    [
      'its radical',
      { path: 'src\u2f03a.js', beside: ['src'] },
      'src\u2f03a.js is new, and its name holds U+2F03, which looks like a slash but is not one',
    ],
    [
      'a sign that looks like a slash',
      { path: 'src\u2215main.ts', beside: ['src'] },
      'src\u2215main.ts is new, and its name holds U+2215, which looks like a slash but is not one',
    ],
    [
      'one that looks like a backslash, in the name of a folder',
      { path: 'a\u29f5b/c.ts', folders: ['a\u29f5b'] },
      'the folder a\u29f5b is new, and its name holds U+29F5, which looks like a slash but is not one',
    ],
  ])('%s', (_, file, doubt) => {
    expect(doubtsAbout([file])).toEqual([doubt])
  })

  it.each([...'\u2044\u2571\u29f8\u3033'])('is raised for each of the signs: %s', sign => {
    expect(doubtsAbout([{ path: `.github${sign}ci.yml` }])).toHaveLength(1)
  })

  it('is told once for a folder, whatever comes into it', () => {
    const files = ['a', 'b', 'c'].map(name => ({ path: `Src/${name}.ts`, folders: ['Src'], beside: ['src'] }))
    expect(doubtsAbout(files)).toHaveLength(1)
  })

  it('is raised between new files and folders of one patch', () => {
    const files = [
      { path: 'src/A/x.ts', folders: ['src/A'] },
      { path: 'src/a/y.ts', folders: ['src/a'] },
      { path: 'lib/copy.ts' },
      { path: 'lib/\u0441opy.ts' },
    ]
    expect(doubtsAbout(files)).toEqual([
      'the folder src/a is new, and so is src/A: they differ only in capitals, and macOS and Windows take them for one file',
      'lib/\u0441opy.ts is new, and so is lib/copy.ts: they look alike, but the new name has U+0441 where the other has U+0063',
    ])
  })

  it('is none where the patch moves the file from the one name to the other', () => {
    const gone = (path: string) => change(path, 'x\n', null)
    expect(doubtsAbout([{ path: 'Readme.md', beside: ['README.md'] }], [gone('README.md')])).toEqual([])
    const moved = { path: 'Src/lib/a.ts', folders: ['Src', 'Src/lib'], beside: ['src'] }
    expect(doubtsAbout([moved], [gone('src/lib/a.ts')])).toEqual([])
    expect(doubtsAbout([moved], [gone('src/lib/b.ts')])).toHaveLength(1)
  })

  it.each([
    'файл.ts',
    'αβγ.md',
    'Tシャツ.ts',
    '日本語README.md',
    'übung.ts',
    'ñandú.md',
    'отчёт_report.md',
    'Ψ-1.ts',
    'a-б.ts',
    '🚀.md',
  ])('is none for a name in any one alphabet: %s', path => {
    expect(doubtsAbout([{ path, beside: ['readme.md', 'файлы.ts', 'a.ts'] }])).toEqual([])
  })

  it('is none for the paths of real projects beside each other', () => {
    const names = ordinaryPaths.map(path => path.split('/').at(-1) ?? '')
    const files = ordinaryPaths
      .filter(path => !path.includes('/'))
      .map(path => ({ path, beside: names.filter(it => it !== path) }))
    expect(doubtsAbout(files).filter(doubt => !doubt.includes('capitals'))).toEqual([])
  })

  it('is quick for ten thousand new files in a folder of as many', () => {
    const beside = Array.from({ length: 10_000 }, (_, n) => `there${n}.ts`)
    const files = beside.map((_, n) => ({ path: `src/new${n}.ts`, beside }))
    expect(doubtsAbout(files)).toEqual([])
  })
})
