import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { readCheck } from '../../src/check/read-check.ts'
import type { Check, CommandResult } from '../../src/model/check.ts'

const exited = (code: number, output = '', cut = false): CommandResult => ({ end: { kind: 'exit', code }, output, cut })
const recorded = (name: string) => readFileSync(new URL(`../fixtures/lint/${name}.txt`, import.meta.url), 'utf8')
const count = (check: Check) => (check.kind === 'counted' ? check.errors : check)
const files = (check: Check) => (check.kind === 'counted' ? check.list?.map(({ file }) => file) : check)

/** The parser's message goes on at the start of lines, where otherwise files are named. */
const recordedRows = [
  '',
  '/project/src/a.js',
  '  0:0  error  Parsing error: ESLint was configured to run on `a.js`',
  'However, that TSConfig does not include this file',
  '  1:1  error  Unexpected debugger  no-debugger',
  '',
  '✖ 2 problems (2 errors, 0 warnings)',
].join('\n')

describe('readCheck, by how the command ended', () => {
  it.each([
    ['sh: 1: eslint: not found\n'],
    ['/bin/sh: line 1: eslint: command not found\n'],
    ['a line\n/bin/sh: 1: eslint: not found\n'],
  ])('names the program that a shell did not find: %j', output => {
    const check = readCheck({ end: { kind: 'exit', code: 127 }, output, cut: false })
    expect(check).toMatchObject({ kind: 'uncounted', why: 'exit 127: "eslint" was not found' })
  })

  it('counts none when a command ends well and says nothing', () => {
    expect(readCheck(exited(0))).toEqual({ kind: 'counted', errors: 0, list: [], code: 0, failed: [], output: '' })
  })

  it.each([
    ['a signal', { kind: 'signal', signal: 'SIGKILL' }, 'ended by SIGKILL'],
    ['the time limit', { kind: 'time-limit' }, 'no end within the time limit'],
    ['an interruption', { kind: 'aborted' }, 'interrupted'],
    ['126', { kind: 'exit', code: 126 }, 'exit 126: the command cannot be run'],
    ['127', { kind: 'exit', code: 127 }, 'exit 127: the command was not found'],
    ['a signal, by way of a shell', { kind: 'exit', code: 137 }, 'exit 137: ended by SIGKILL'],
    ['Ctrl+C, by way of a shell', { kind: 'exit', code: 130 }, 'exit 130: ended by SIGINT'],
    ['an abort, by way of a shell', { kind: 'exit', code: 134 }, 'exit 134: ended by SIGABRT'],
    ['a crash, by way of a shell', { kind: 'exit', code: 139 }, 'exit 139: ended by SIGSEGV'],
    ['an end that was asked for, by way of a shell', { kind: 'exit', code: 143 }, 'exit 143: ended by SIGTERM'],
    ['silence', { kind: 'exit', code: 1 }, 'exit 1, and no error that relay knows'],
  ] as const)('counts nothing after %s', (_name, end, why) => {
    expect(readCheck({ end, output: '', cut: false })).toEqual({ kind: 'uncounted', why, output: '' })
  })

  it.each([
    [
      'of a stack',
      'node:internal:1\n  throw err;\n  ^\n\nError: Cannot find it\n    at error (a.js:1:1)',
      'Error: Cannot find it',
    ],
    ['of a traceback', '  File "a.py", line 1\n    raise OSError("no")\nOSError: no', 'OSError: no'],
    ['beside a warning', "npm warn Unknown user config\n[lint] ESLint couldn't find it.", "ESLint couldn't find it"],
    ['below tests that passed', '✔ tells an error\nok 1 - unknown\n3 passed, 0 failed\nfatal: no', 'fatal: no'],
    ['beside code', 'throw new Error("code")\n^\n\nError: why', 'Error: why'],
  ])('says why nothing was counted, in the line of the tool: %s', (_name, output, why) => {
    expect(readCheck(exited(1, output))).toMatchObject({ why: `exit 1, and no error that relay knows: ${why}` })
  })

  it.each([
    [
      'a warning beside them',
      6,
      'a.py:1:0: E0602: Undefined variable (undefined-variable)\na.py:2:0: W0612: Unused (unused)',
    ],
    ['nothing beside them', 2, 'a.py:1:0: E0602: Undefined variable (undefined-variable)'],
  ])('knows why Pylint exits with more than for its errors: %s', (_name, code, output) => {
    expect(readCheck(exited(code, output))).toMatchObject({ kind: 'counted', errors: 1, code: 0 })
  })

  it('does not know why Pylint exits with what none of its lines is about', () => {
    const warning = 'a.py:2:0: W0612: Unused (unused)'
    expect(readCheck(exited(6, warning))).toMatchObject({ kind: 'uncounted' })
    expect(readCheck(exited(32 | 2, `a.py:1:0: E0602: Undefined (undefined)`))).toMatchObject({ code: 34 })
  })

  it('counts nothing, even with errors in sight, when the command did not end by itself', () => {
    const output = 'src/a.ts(1,1): error TS2304: Cannot find name.\n'
    for (const end of [{ kind: 'signal', signal: 'SIGSEGV' }, { kind: 'time-limit' }, { kind: 'aborted' }] as const) {
      expect(readCheck({ end, output, cut: false }).kind).toBe('uncounted')
    }
    expect(readCheck(exited(127, output)).kind).toBe('uncounted')
  })

  it('counts nothing in an output of which the middle is missing, however it ended', () => {
    const why = 'its output is too long, and the middle of it is missing'
    expect(readCheck(exited(1, recorded('tsc-5.9-many'), true))).toMatchObject({ kind: 'uncounted', why })
    expect(readCheck(exited(0, '', true))).toMatchObject({ kind: 'uncounted', why })
  })

  it('keeps the output as it was, colours and all', () => {
    const output = recorded('tsc-5.9-many-pretty')
    expect(readCheck(exited(2, output)).kind === 'counted' && readCheck(exited(2, output))).toHaveProperty(
      'output',
      output,
    )
  })

  it('counts nothing of what relay itself has put aside in the project', () => {
    const aside = '/p/.relaycode/rescue/x/a.ts:1:1: error: wrong [x]\n'
    const run = (output: string) => readCheck(exited(1, output), '/p')
    expect(run(aside)).toMatchObject({ kind: 'counted', errors: 0, list: [], code: 0 })
    expect(run(`${aside}/p/a.ts:1:1: error: wrong [x]\n`)).toMatchObject({ errors: 1, list: [{ file: 'a.ts' }] })
  })

  it('counts errors that are clearly said although the exit is 0', () => {
    expect(count(readCheck(exited(0, recorded('tsc-5.9-many'))))).toBe(6)
    expect(count(readCheck(exited(0, recorded('eslint-9.39-many'))))).toBe(6)
  })

  it('does not take lines for errors that do not say so when the exit is 0', () => {
    expect(count(readCheck(exited(0, './main.go:3:2: can inline main\n')))).toBe(0)
    expect(count(readCheck(exited(1, './main.go:3:2: undefined: x\n')))).toBe(1)
  })

  it.each([
    ['a script that is missing', 1, 'error: Script not found "tsc"\n'],
    [
      'a package that is missing',
      1,
      'npm error npx canceled due to missing packages and no YES option: ["tsc@2.0.4"]\n',
    ],
    [
      'a crash',
      2,
      'Oops! Something went wrong! :(\n\nESLint: 9.39.5\n\nTypeError: Cannot read properties of undefined\n',
    ],
    [
      'a Python error',
      1,
      'Traceback (most recent call last):\n  File "/x/lint.py", line 1, in <module>\nModuleNotFoundError: No module named x\n',
    ],
    ['make with nothing to make', 2, "make: *** No rule to make target 'lint'.  Stop.\n"],
    ['a missing Cargo command', 101, 'error: no such command: `clippy`\n\n\thelp: install it\n'],
    ['a missing module', 1, 'go: cannot find main module, but found .git/config in /project\n'],
    ['warnings alone', 1, 'src/a.c:1:1: warning: unused [-Wunused]\n'],
  ])('does not take the exit code of %s for a count', (_name, code, output) => {
    expect(readCheck(exited(code, output)).kind).toBe('uncounted')
  })
})

describe('readCheck, on names of files', () => {
  const eslint = (file: string) =>
    `\n${file}\n  1:1  error  Unexpected debugger  no-debugger\n\n✖ 1 problem (1 error, 0 warnings)\n`

  it.each([
    ['/home/me/app', '/home/me/app/src/a.js', 'src/a.js'],
    ['/home/me/app/', '/home/me/app/src/a.js', 'src/a.js'],
    ['/home/me/app', '/home/me/app2/src/a.js', '/home/me/app2/src/a.js'],
    ['/home/me/app', './src/a.js', 'src/a.js'],
    ['/home/me/app', 'src/with blanks/a.js', 'src/with blanks/a.js'],
    ['/home/me/app', 'src/été/文件.js', 'src/été/文件.js'],
    ['C:\\Users\\me\\app', 'C:\\Users\\me\\app\\src\\a.js', 'src/a.js'],
    ['/home/me/app', 'src\\a.js', 'src/a.js'],
    [undefined, '/home/me/app/src/a.js', '/home/me/app/src/a.js'],
  ])('in %s calls %s %s', (root, file, name) => {
    expect(files(readCheck(exited(1, eslint(file)), root))).toEqual([name])
  })
})

describe('readCheck, on several tools in one output', () => {
  const tsc = recorded('tsc-5.9-many')
  const pretty = recorded('tsc-5.9-many-pretty')
  const eslint = recorded('eslint-9.39-many')
  const biome = recorded('biome-2.6-lint')
  const ruff = recorded('ruff-by-hand-full')
  const mypy = recorded('mypy-1.0-many')
  const cargo = recorded('cargo-1.95-many')
  const vitest = recorded('vitest-4.1-many')
  const pytest = recorded('pytest-7.2-many')

  it.each([
    ['tsc and ESLint', [tsc, eslint], 12],
    ['ESLint and tsc --pretty', [eslint, pretty], 12],
    ['Ruff and mypy', [ruff, mypy], 8],
    ['mypy and Ruff', [mypy, ruff], 8],
    [
      'tsc --pretty, Biome and Ruff, which all say "Found N errors."',
      [recorded('tsc-5.9-build-pretty'), biome, ruff],
      10,
    ],
    ['Biome twice', [biome, biome], 10],
    ['Cargo and tsc', [cargo, tsc], 9],
    ['linters and tests', [tsc, vitest, pytest], 14],
    ['everything', [tsc, eslint, biome, ruff, mypy, cargo, vitest, pytest], 6 + 6 + 5 + 3 + 5 + 3 + 4 + 4],
  ])('adds up %s', (_name, outputs, errors) => {
    const check = readCheck(exited(1, outputs.join('')), '/project')
    expect(count(check)).toBe(errors)
    expect(files(check)).toHaveLength(errors)
  })

  it('counts an error that Cargo prints again for its tests once', () => {
    expect(count(readCheck(exited(101, cargo + cargo)))).toBe(3)
  })

  it('leaves lines about Python that call themselves errors, or name no column, to whose they are', () => {
    expect(readCheck(exited(1, 'a.py:1:1: error[x] odd\n')).kind).toBe('uncounted')
    expect(readCheck(exited(1, 'a.py:1: in test_sum\n')).kind).toBe('uncounted')
    expect(readCheck(exited(1, 'spec/a_spec.lua:5: Expected objects to be equal.\n')).kind).toBe('uncounted')
  })

  it('counts right when the sums come before the errors, as through two streams', () => {
    const lines = biome.split('\n')
    const sum = lines.findIndex(line => line.startsWith('Checked '))
    const first = [...lines.slice(sum, sum + 3), ...lines.slice(0, sum), ...lines.slice(sum + 3)].join('\n')
    expect(count(readCheck(exited(1, first)))).toBe(5)

    const failures = vitest.slice(0, vitest.indexOf(' Test Files '))
    const sums = vitest.slice(vitest.indexOf(' Test Files '))
    expect(count(readCheck(exited(1, sums + failures)))).toBe(4)
  })

  it('trusts a larger sum for the number, and then knows no list', () => {
    const output = eslint.replace('6 errors', '9 errors')
    expect(readCheck(exited(1, output))).toMatchObject({ errors: 9, list: undefined })
  })

  it('does not let tests that print failures count as failures', () => {
    const output = `${pytest}FAILED tests/fake.py::printed - by a test\n`
    expect(readCheck(exited(1, output))).toMatchObject({ errors: 4, list: undefined })
  })

  it.each([
    ['concurrently', '[lint] '],
    ['concurrently, numbered', '[0] '],
    ['run-p --print-label', '[lint      ] '],
  ])('reads lines with the labels of %s', (_name, label) => {
    const output = eslint
      .split('\n')
      .map(line => label + line)
      .join('\n')
    expect(files(readCheck(exited(1, output), '/project'))).toEqual(files(readCheck(exited(1, eslint), '/project')))
  })

  it.each([
    ['pnpm -r', 'packages/a lint$ eslint src\n', 'packages/a lint: '],
    ['Turborepo', 'web:lint: cache miss, executing 1f3a\n', 'web:lint: '],
    ['Turborepo, silent', '', '@acme/web:lint: '],
    ['Turborepo, silent, without blanks at the ends of lines', 'web:lint:\n', 'web:lint: '],
    ['Turborepo with Yarn or Bun', 'web:lint: $ eslint .\n', 'web:lint: '],
    ['nx run-many --outputStyle=stream', '> nx run web:lint\n', 'web: '],
    ['nx run-many, with the task', '> nx run web:lint\n', 'web:lint: '],
    ['nx run-many', '\n> nx run web:lint\n\n> eslint .\n\n', ''],
    ['lerna run --stream', '@acme/web: > @acme/web@1.0.0 lint\n', '@acme/web: '],
    ['nx run-many --outputStyle=stream, without a version', 'web: > web lint\n', 'web: '],
  ])('reads lines with the labels of %s', (_name, introduction, label) => {
    const output =
      introduction +
      eslint
        .split('\n')
        .map(line => label + line)
        .join('\n')
    expect(files(readCheck(exited(1, output), '/project'))).toEqual(files(readCheck(exited(1, eslint), '/project')))
  })
})

describe('readCheck, on programs that run side by side', () => {
  it('puts the lines of each together again, so that each error is in its own file', () => {
    const output = `web:lint: 
api:lint: 
web:lint: /project/apps/web/a.js
api:lint: /project/apps/api/a.js
web:lint:   1:1  error  'x' is not defined  no-undef
api:lint:   2:1  error  'y' is not defined  no-undef
api:lint: 
api:lint: ✖ 1 problem (1 error, 0 warnings)
web:lint: 
web:lint: ✖ 1 problem (1 error, 0 warnings)
`
    expect(readCheck(exited(1, output), '/project')).toMatchObject({
      errors: 2,
      list: [
        { file: 'apps/web/a.js', line: 1, message: "'x' is not defined" },
        { file: 'apps/api/a.js', line: 2, message: "'y' is not defined" },
      ],
    })
  })
})

describe('readCheck, on what prints like a tool that it knows', () => {
  it.each([
    [
      'next lint',
      "\n./src/a.tsx\n3:5  Error: 'x' is not defined.  no-undef\n4:1  Warning: Unused.  no-unused-vars\n\n./src/b.tsx\n1:1  Error: Bad.  no-bad\n",
      ['./src/a.tsx', './src/b.tsx'].map(file => file.slice(2)),
    ],
    [
      'yamllint',
      'a.yml\n  3:81      error    line too long (90 > 80 characters)  (line-length)\n  4:1       warning  missing document start  (document-start)\n\n',
      ['a.yml'],
    ],
    ['an ESLint message of several lines', recordedRows, ['src/a.js', 'src/a.js']],
    [
      'golangci-lint',
      'main.go:5:2: ineffectual assignment to x (ineffassign)\n\tx := 1\n\t^\n1 issues:\n',
      ['main.go'],
    ],
    ['compact, with hints', 'a.md: line 1, col 1, Info - hm (x)\na.md: line 2, col 1, Error - no (y)\n', ['a.md']],
    ['Go, without columns', '# demo\n./main.go:9: undefined: x\n', ['main.go']],
    ['swiftc', '/project/Sources/a.swift:3:9: error: cannot find x in scope\n', ['Sources/a.swift']],
    [
      'ty',
      'error[invalid-assignment]: Object of type `str` is not assignable\n --> a.py:1:10\n  |\n\nFound 1 diagnostic\n',
      ['a.py'],
    ],
    [
      'an older Cargo, which counts one error too many',
      'error[E0425]: cannot find value `x` in this scope\n --> src/main.rs:1:1\n  |\n\nerror: aborting due to previous error\n\nerror: could not compile `demo` due to 2 previous errors\n',
      ['src/main.rs'],
    ],
    ['black', 'would reformat a.py\nOh no!\n1 file would be reformatted.\n', ['a.py']],
  ])('counts the errors of %s', (_name, output, expected) => {
    expect(files(readCheck(exited(1, output), '/project'))).toEqual(expected)
  })

  it('has no count when Go stops early', () => {
    const why = 'Go stopped after ten errors, so their number is not known'
    expect(readCheck(exited(1, './main.go:3:2: undefined: x\ntoo many errors\n'))).toMatchObject({ why })
  })
})

describe('readCheck, on output that means no good', () => {
  const size = 1_000_000
  const fill = (text: string) => text.repeat(Math.ceil(size / text.length)).slice(0, size)

  it.each([
    ['one endless line', 'a'],
    ['colons and numbers', ':1:1'],
    ['places without end', 'a.c:1:1: error: x: a.c:1:1: '],
    ['brackets', '(('],
    ['open places', 'src/a.ts(1,1)'],
    ['short lines', 'a\n'],
    ['empty lines', '\n'],
    ['carriage returns', '\r'],
    ['half colours', '\x1b[1;2;3;'],
    ['open links', '\x1b]8;;'],
    ['escapes', '\x1b'],
    ['blanks', ' '],
    ['blanks and words', '  1:1  error  '],
    ['bars', '━'],
    ['ESLint rows', '  1:1  error  x  y\n'],
    ['open diagnostics', '  x message\n'],
    ['failures without names', ' FAIL  \n'],
    ['open tests', 'not ok 1 - x\n'],
    ['JSON that is none', '[{"filePath":'],
    ['an error after the other', 'src/a.ts(1,1): error TS2304: Cannot find name.\n'],
    ['Pyright without end', '  /a.py:1:1 - error: x\n      y\n'],
    ['mypy without code', 'a.py:1: error: x\ny\n'],
    ['labels side by side', 'a:b: \nc:d: x\n'],
    ['MSBuild without brackets', 'a(1,1): error CS1: x [ a : error CS1: '],
    ['Dart without places', '  error - a - b - '],
    ['PHPStan rows', ' ---\n  Line   a.php\n ---\n  1      x\n         y\n'],
    ['PHPStan JSON that is none', '{"totals":{"errors":'],
    ['Kotlin without places', 'e: a.kt: a.kt'],
    ['Elixir without places', 'error: x\n  y\n  z\n'],
    ['Credo without places', '┃ [R] → x\n┃       y #(\n'],
    ['Credo in one line', '┃ [R] → x #(y #('],
    ['open compiler frames', 'error[E0308]: x\n |\n'],
  ])('is soon done with a megabyte of %s', (_name, text) => {
    readCheck(exited(1, fill(text)))
  })

  it('counts a hundred thousand errors exactly', () => {
    const output = Array.from(
      { length: 100_000 },
      (_, i) => `src/f${i}.ts(${i},1): error TS2304: Cannot find name.`,
    ).join('\n')
    expect(count(readCheck(exited(2, output)))).toBe(100_000)
  })

  it('does not stumble over bytes that are no text', () => {
    expect(readCheck(exited(1, '\u0000\uFFFD\uD800: error: \u202E\n')).kind).toBe('uncounted')
  })

  it.each([
    '[{"filePath":1}]',
    '[{"filePath":"a","messages":[null]}]',
    '[{"filePath":"a","messages":[{"message":1}]}]',
    '[null]',
  ])('does not stumble over JSON of another shape: %s', output => {
    expect(readCheck(exited(1, output)).kind).toBe('uncounted')
  })
})
