import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { Operation } from '../../src/model/response.ts'
import { judgeOperations, judgePath } from '../../src/plan/path-policy.ts'
import { fc } from '../support/chance.ts'
import { ordinaryPaths } from './project-paths.ts'

describe('judgePath', () => {
  it('knows at least 180 real paths', () => {
    expect(new Set(ordinaryPaths).size).toBeGreaterThan(180)
  })

  it.each([...ordinaryPaths, 'src/.hidden/file.ts', 'src/..foo/bar.ts', 'src/.gitty/a.ts'])(
    'lets %s pass as it is',
    path => {
      expect(judgePath(path)).toEqual({ kind: 'sound', path })
    },
  )

  it.each([
    ['./src/a.ts', 'src/a.ts'],
    ['src//a.ts', 'src/a.ts'],
    ['src/./a.ts', 'src/a.ts'],
    ['src/../a.ts', 'a.ts'],
    ['src/b/../../a.ts', 'a.ts'],
    ['src\\b\\a.ts', 'src/b/a.ts'],
    ['.\\src\\..\\a.ts', 'a.ts'],
    ['././a.ts', 'a.ts'],
  ])('gives %s its one spelling', (path, spelling) => {
    expect(judgePath(path)).toEqual({ kind: 'sound', path: spelling })
  })

  it.each(
    Object.entries({
      'path-empty': ['', ' ', '\t', '\n'],
      'path-absolute': [
        '/etc/passwd', '\\windows\\x', 'C:/x', 'c:\\x', 'C:x', 'z:', 'a:b', '//server/share/x', '\\\\server\\share\\x', '\\\\?\\C:\\x',
        '\\\\.\\pipe\\x', '///x', '/', '/../x',
      ],
      'path-outside': [
        '..', '../x', '../../x', 'a/../../x', './../x', 'a\\..\\..\\x', '..\\x', 'a/b/../../../x', '../demo/src/a.ts', '../',
        'src/../../demo/a.ts',
      ],
      'path-folder': ['.', './', 'src/', 'src\\', 'src/.', 'src/..', 'src//', 'a/b/..', 'src/../.', './.'],
      'path-home': ['~', '~/x', '~root/x', '~\\x', './~/x', 'a/../~/x', '~$doc.md'],
      'path-invisible': [
        'a\0.ts', 'a\u0000', 'a\x1b[31m.ts', 'a\n.ts', 'a\r.ts', 'a\tb.ts', 'a\x7f.ts', 'a\x85.ts', 'a\x9b31m.ts', 'a\u202ets.exe',
        'a\u2066b.ts', 'a\u2069.ts', 'a\u200e.ts', 'a\u061c.ts', 'a\u200b.ts', 'a\u200c.ts', 'a\u200d.ts', 'a\ufeff.ts', 'a\u2060.ts',
        'a\u00ad.ts', 'a\u180e.ts', 'a\u3164.ts', 'a\u115f.ts', 'a\u2800.ts', 'a\u00a0b.ts', 'a\u202fb.ts', 'a\u2003b.ts', 'a\u2028.ts',
        'a\u2029.ts', 'a\u{e0041}.ts', 'a\ufe0f.ts', 'a\u{e0100}.ts', 'a\ud800.ts', 'a\ufffd.ts', 'a\uffff.ts', '.g\u200cit/config',
        '.gi\u200dt/hooks/pre-commit', '\ufeffsrc/a.ts', 'a\u034f.ts', 'a\ufff9.ts',
      ],
      'path-protected': [
        '.git/config', '.git', '.GIT/config', '.Git/hooks/pre-commit', 'sub/.git/config', '.git./config', '.git /config',
        '.git. . ./x', '.git...', '.git::$INDEX_ALLOCATION/config', '.git:x', '.git::$DATA', 'git~1/config', 'GIT~1/config', 'git~2',
        'gi7d29~1/x', 'GI1234~3/x', '.g\u0131t/config', '.G\u0130T/config', '.\uff27\uff49\uff54/config', '\uff0egit/config',
        '\u2024git/x', '.g\u00eft/config', '.\u24d6it/config', 'a/b/.gIt/c/d', '.relaycode/x.yml', '.RelayCode/x', 'sub/.relaycode/x',
        '.relaycode', '.relaycode./x', '.relaycode::$DATA', 'relayc~1/x', 'RELAYC~1/x', 're12ab~1/x', '.hg/hgrc', '.HG/hgrc', '.svn/x',
        '.\u017fvn/x', 'hg~1/hgrc', 'svn~1/x', '.jj/repo/config.toml', '.sl/config', '.bzr/x', '_darcs/prefs/defaults', 'src\\.git\\config',
        'x/../.git/config', './/.git//config',
      ],
      'path-device': [
        'con', 'CON', 'nul', 'NUL.txt', 'aux.c', 'prn.log', 'com1', 'COM9.tar.gz', 'lpt1', 'LPT9.x', 'com\u00b9', 'LPT\u00b3.txt', 'com0',
        'src/con/a.ts', 'src/nul', 'conin$', 'CONOUT$', 'clock$', 'con .txt', 'a/aux/b', '\uff43on.txt',
      ],
      'path-ending': ['a.', 'a ', 'a.ts.', 'a.ts ', 'src./a.ts', 'src /a.ts', 'a. .', '...', 'a/.../b', ' a.ts', 'src/ a.ts'],
      'path-character': [
        'ab:c', 'a.ts:stream', 'a.ts::$DATA', 'a<b', 'a>b', 'a"b', 'a|b', 'a?b', 'a*b', 'src/*.ts', 'file:///etc/passwd',
        'https://x.y/z', 'a\uff0fb', '..\uff0fx', '\u2025/x', 'a\uff3cb', '<path>',
      ],
      'path-short-name': ['packag~1.jso', 'PACKAG~1.JSO', 'src/ENV~1', 'claude~1.md', 'AB1234~1.TS', 'node_m~1/x'],
      'path-too-long': ['a'.repeat(256), `src/${'ä'.repeat(128)}`, `${'a/'.repeat(2048)}b`, 'x'.repeat(1_000_000)],
    }).flatMap(([code, paths]) => paths.map(path => [JSON.stringify(path).slice(0, 40), code, path] as const)),
    // biome-ignore format: above, one path a line would be ten screens
  )('refuses %s: %s', (_, code, path) => {
    const judged = judgePath(path)
    expect(judged).toMatchObject({ kind: 'unsafe', problem: { code } })
    if (judged.kind === 'unsafe') expect(judged.problem.message).toMatch(/^(The path|A name) .*\. Ask for .*\.$/s)
  })

  it('says what is wrong, what was expected, and which path it was', () => {
    expect(judgePath('a\u202ets.exe')).toEqual({
      kind: 'unsafe',
      problem: {
        code: 'path-invisible',
        path: 'a\u202ets.exe',
        message:
          'The path holds the character U+202E, which cannot be seen. Ask for a name that every system can hold and show.',
      },
    })
  })

  it('takes names and paths up to the limit', () => {
    const name = 'a'.repeat(255)
    expect(judgePath(name)).toEqual({ kind: 'sound', path: name })
    const path = `${'a/'.repeat(2047)}bb`
    expect(path.length).toBe(4096)
    expect(judgePath(path)).toEqual({ kind: 'sound', path })
  })

  it('does not repeat a huge path in its problem', () => {
    const judged = judgePath('x'.repeat(1_000_000))
    expect(judged.kind === 'unsafe' && judged.problem.path?.length).toBe(201)
  })

  const piece = fc.oneof(
    fc.constantFrom(
      '.', '..', '', '/', '\\', '.git', '.GIT', '.g\u200cit', '.g\u0131t', '\uff0egit', 'git~1', '.relaycode', '.ReLaYcOdE', '~', 'C:', 'con',
      ' ', '\u00a0', 'a', 'src', '.gi', 't', ':', '::$INDEX_ALLOCATION', '\u202e', '\0', '\ud83d', '\u0307', 'ſ', '😀', '\u200d',
    ), // biome-ignore format: a list of nasty bits
    fc.string({ unit: 'binary', maxLength: 6 }),
  )
  const hostile = fc
    .array(fc.tuple(piece, fc.constantFrom('', '/', '\\', '//')), { maxLength: 8 })
    .map(pieces => pieces.flat().join(''))

  it('changes nothing about a path that it has called sound', () => {
    fc.assert(
      fc.property(hostile, path => {
        const judged = judgePath(path)
        if (judged.kind === 'sound') expect(judgePath(judged.path)).toEqual(judged)
      }),
      { numRuns: 20_000 },
    )
  })

  it('never lets a path out of the root, nor into git or relay by any folding', () => {
    const foldings = [
      (text: string) => text,
      (text: string) => text.normalize('NFC'),
      (text: string) => text.normalize('NFKC'),
      (text: string) => text.normalize('NFKD'),
      (text: string) => text.replace(/[\u200c-\u200f\u202a-\u202e\u206a-\u206f\ufeff]/g, ''),
    ]
    const cases = [
      (text: string) => text.toLowerCase(),
      (text: string) => text.toUpperCase().toLowerCase(),
      (text: string) => text.toLowerCase().replace(/\u0307/g, ''),
    ]
    fc.assert(
      fc.property(hostile, path => {
        const judged = judgePath(path)
        if (judged.kind === 'unsafe') return
        expect(join('/root/project', judged.path)).toBe(`/root/project/${judged.path}`)
        for (const fold of foldings) {
          for (const lower of cases) {
            const parts = lower(fold(judged.path)).split(/[/\\]/)
            expect(parts.filter(part => /^\.(git|relaycode)[ .]*(:|$)|^(git|relayc)~\d+[ .]*(:|$)/.test(part))).toEqual(
              [],
            )
          }
        }
      }),
      { numRuns: 20_000 },
    )
  })
})

describe('judgeOperations', () => {
  const write = (path: string, content = 'x\n'): Operation => ({ op: 'write', path, content })
  const remove = (path: string): Operation => ({ op: 'delete', path })
  const codes = (...operations: Operation[]) => {
    const judged = judgeOperations(operations)
    return judged.kind === 'sound' ? judged.operations : judged.problems.map(({ code, path }) => `${code} ${path}`)
  }

  it('gives every path its one spelling and keeps the order', () => {
    expect(codes(write('./b.ts'), remove('src\\a.ts'), write('c/../a.ts'))).toEqual([
      write('b.ts'),
      remove('src/a.ts'),
      write('a.ts'),
    ])
  })

  it('takes a patch without operations, and one of ten thousand', () => {
    expect(codes()).toEqual([])
    const many = Array.from({ length: 10_000 }, (_, at) => write(`src/f${at % 100}/file${at}.ts`))
    expect(codes(...many)).toEqual(many)
  })

  it('lists every problem', () => {
    expect(codes(write('../a'), write('ok.ts'), write('.git/x'), remove('con'), write('B.ts'), write('b.ts'))).toEqual([
      'path-outside ../a',
      'path-protected .git/x',
      'path-device con',
      'same-file b.ts',
    ])
  })

  it('takes the same change twice as one', () => {
    expect(codes(write('a.ts'), write('./a.ts'), remove('b'), remove('b'))).toEqual([write('a.ts'), remove('b')])
  })

  it.each([
    ['two contents for one file', [write('a.ts', '1'), write('./a.ts', '2')], ['written-twice a.ts']],
    ['a write and a delete of one file', [write('a.ts'), remove('x/../a.ts')], ['write-and-delete a.ts']],
    ['two writes that differ in case', [write('a.ts'), write('A.ts')], ['same-file A.ts']],
    ['two deletes that differ in case', [remove('a.ts'), remove('A.ts')], ['same-file A.ts']],
    ['folders that differ in case around one name', [write('Src/a.ts'), write('src/a.ts')], ['same-file src/a.ts']],
    ['composed and decomposed letters', [write('caf\u00e9'), write('cafe\u0301')], ['same-file cafe\u0301']],
    [
      'delete and write that differ in composition',
      [remove('caf\u00e9'), write('cafe\u0301')],
      ['same-file cafe\u0301'],
    ],
    ['sharp s', [write('straße'), write('STRASSE')], ['same-file STRASSE']],
    ['long s', [write('\u017fa.ts'), write('sa.ts')], ['same-file sa.ts']],
    ['the Kelvin sign', [write('\u212a.ts'), write('k.ts')], ['same-file k.ts']],
    ['final sigma', [write('ΟΔΟΣ'), write('οδος')], ['same-file οδος']],
    [
      'three of a kind',
      [remove('STRASSE'), write('strasse'), write('straße')],
      ['same-file strasse', 'same-file straße'],
    ],
    ['a file and a folder', [write('a'), write('a/b')], ['file-and-folder a/b']],
    ['a file and a folder of other case', [write('a'), write('A/b')], ['file-and-folder A/b']],
    ['a deleted file as a folder', [remove('a'), write('a/b/c')], ['file-and-folder a/b/c']],
    ['a file in the place of a folder', [remove('a/b'), write('a')], ['file-and-folder a/b']],
  ] satisfies [string, Operation[], string[]][])('refuses %s', (_, operations, problems) => {
    expect(codes(...operations)).toEqual(problems)
  })

  it.each([
    ['a rename in case only', [remove('File.ts'), write('file.ts')]],
    ['a rename in case only, the other way round', [write('file.ts'), remove('File.ts')]],
    ['a folder renamed in case only', [remove('Src/a.ts'), write('src/a.ts')]],
    ['two spellings of a folder with different files', [write('Src/a.ts'), write('src/b.ts')]],
    ['names that begin alike', [write('a'), write('a.b'), write('a-b/c'), write('ab/c')]],
    ['deep neighbours', [write('a/b'), write('a/b.c/d'), write('a/bc')]],
  ] satisfies [string, Operation[]][])('lets pass %s', (_, operations) => {
    expect(codes(...operations)).toEqual(operations)
  })

  it('names both files of a clash', () => {
    expect(judgeOperations([write('Src/A.ts'), write('src/a.ts')])).toEqual({
      kind: 'refused',
      problems: [
        {
          code: 'same-file',
          path: 'src/a.ts',
          message:
            'This path and Src/A.ts are one file on systems that ignore case or Unicode forms. Ask for one block for one file, under one name.',
        },
      ],
    })
  })

  it('says to delete first where a file and a folder change places', () => {
    expect(judgeOperations([remove('a'), write('a/b')])).toMatchObject({
      problems: [{ message: expect.stringContaining('Ask for the deletion alone') }],
    })
  })

  it('stays linear with long paths', () => {
    const deep = 'a/'.repeat(1500)
    const many = Array.from({ length: 2_000 }, (_, at) => write(`${deep}f${at}`))
    expect(codes(...many)).toHaveLength(2_000)
  })
})
