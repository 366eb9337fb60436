import { describe, expect, it } from 'vitest'
import type { Hunk } from '../../../src/model/response.ts'
import { placeEdits } from '../../../src/plan/edits/place-edits.ts'

type Asked = readonly string[] | Partial<Hunk>

function hunk(asked: Asked, line = 1): Hunk {
  return { block: 1, line, lines: [], ...(Array.isArray(asked) ? { lines: asked } : (asked as Partial<Hunk>)) }
}

/** What edits of one block make of a file: its text, or why they are refused. */
function place(before: string | Uint8Array | null, ...edits: readonly Asked[]): string {
  return blocks(before, edits)
}

function blocks(before: string | Uint8Array | null, ...asked: readonly (readonly Asked[])[]): string {
  const bytes = before === null ? null : typeof before === 'string' ? Buffer.from(before) : before
  const edits = { blocks: asked.map(each => each.map((one, at) => hunk(one, at + 1))) }
  const placed = placeEdits('a.ts', edits, bytes)
  if (placed.kind === 'refused') return placed.problems.map(({ code }) => code).join(' ')
  const { already, count } = placed
  return `${already > 0 ? `${already} of ${count} there: ` : ''}${Buffer.from(placed.bytes).toString('latin1')}`
}

describe('an edit', () => {
  it.each([
    ['changes its lines', 'a\nb\nc\n', [' a', '-b', '+B', ' c'], 'a\nB\nc\n'],
    ['adds at the beginning', 'a\n', ['+x', ' a'], 'x\na\n'],
    ['adds at the end', 'a\n', [' a', '+x'], 'a\nx\n'],
    ['takes away', 'a\nb\nc\n', [' a', '-b', ' c'], 'a\nc\n'],
    ['takes away all', 'a\nb\n', ['-a', '-b'], ''],
    ['keeps CRLF', 'a\r\nb\r\n', ['-b', '+B', '+C'], 'a\r\nB\r\nC\r\n'],
    ['keeps mixed line ends, those of the line that goes', 'a\r\nb\nc\r\n', ['-b', '+B', ' c'], 'a\r\nB\nc\r\n'],
    ['keeps a missing final newline', 'a\nb', ['-b', '+B'], 'a\nB'],
    ['keeps it where lines are added behind the last one', 'a\r\nb', [' b', '+c'], 'a\r\nb\r\nc'],
    ['keeps a single CR', 'a\rb\nc\n', ['-c', '+C'], 'a\rb\nC\n'],
    ['keeps blanks at the ends of the lines that stay', 'a  \nb\n', [' a', '-b', '+B'], 'a  \nB\n'],
    ['keeps the bytes of what goes and comes back', 'a  \nb\t\n', ['-a', '-b', '+a', '+x', '+b'], 'a  \nx\nb\t\n'],
  ])('%s', (_, before, lines, after) => {
    expect(place(before, lines)).toBe(after)
  })

  it('keeps a byte order mark', () => {
    expect(place(Buffer.from('\ufeffa\nb\n'), ['-a', '+A'])).toBe(Buffer.from('\ufeffA\nb\n').toString('latin1'))
  })

  it('keeps the bytes of a file that is not UTF-8, and brings nothing but ASCII into it', () => {
    const latin1 = Buffer.from('caf\u00e9\nx\n', 'latin1')
    expect(place(latin1, ['-x', '+y'])).toBe('caf\u00e9\ny\n')
    expect(place(latin1, ['-x', '+\u00e9'])).toBe('edit-encoding')
  })

  it('is none for a binary file', () => {
    expect(place(Uint8Array.of(97, 0, 10), ['-a', '+b'])).toBe('edit-binary')
  })

  it('says itself whether the last line has an end, where it reaches the end of the file', () => {
    expect(place('a\nb\n', { lines: ['-b', '+c'], finalNewline: false })).toBe('a\nc')
    expect(place('a\nb', { lines: ['-b', '+c'], finalNewline: true })).toBe('a\nc\n')
    expect(place('a\nb\n', { lines: ['-a', '+c'], finalNewline: false })).toBe('c\nb\n')
  })
})

describe('where an edit goes', () => {
  it.each([
    ['exactly', '  x\nx\n', ['-x', '+y'], '  x\ny\n'],
    ['past blanks at the end', 'x \nz\n', ['-x', '+y'], 'y\nz\n'],
    [
      'with more indentation, and what comes gets it too',
      '    f()\n      g()\n',
      [' f()', '-  g()', '+  h()', '+', '+k()'],
      '    f()\n      h()\n\n    k()\n',
    ],
    [
      'with less',
      'f()\n  g()\n',
      ['     f()', '-      g()', '+      h()'].map(line => line[0] + line.slice(1)),
      'f()\n  h()\n',
    ],
    ['with tabs', '\t\tx\n', ['-\tx', '+\ty'], '\t\ty\n'],
    [
      'past signs that look alike',
      'say(\u201chi\u201d)\nend\n',
      [' say("hi")', '-end', '+END'],
      Buffer.from('say(\u201chi\u201d)\nEND\n').toString('latin1'),
    ],
    ['past a blank that does not break', 'a\u00a0b\n', ['-a b', '+c'], 'c\n'],
    ['not where the indentation differs from line to line', '  f()\ng()\n', [' f()', '-g()', '+h()'], 'edit-not-found'],
    ['not where what comes has less than is to be taken off', 'f()\n', ['-  f()', '+g()'], 'edit-not-found'],
    ['not by likeness', 'const x = 1\n', ['-const y = 1', '+const z = 1'], 'edit-not-found'],
    ['not to one of several', 'x\na\nx\n', ['-x', '+y'], 'edit-ambiguous'],
    ['not to one of several that are only nearly it', ' x\na\n  x\n', ['-x', '+y'], 'edit-ambiguous'],
    ['not by blank lines alone', 'a\n\nb\n', [' ', '+x'], 'edit-placeless'],
    ['not by nothing', 'a\n', ['+x'], 'edit-placeless'],
    ['not where lines are left out', 'a\nb\nc\nd\n', [' a', ' ...', '-d', '+e'], 'edit-elided'],
    ['not where a comment stands for lines', 'a\nb\nd\n', [' a', ' // ...the rest', '-d', '+e'], 'edit-elided'],
    ['not by a value that is spread, which leaves nothing out', 'a\nb\n', ['-a', ' ...rest,', '+e'], 'edit-not-found'],
    ['not past dots that the file has', 'a\n...\nb\n', [' a', ' c', ' ...', '-b', '+d'], 'edit-not-found'],
    ['but to dots that the file has', 'a\n...\nb\n', [' ...', '-b', '+c'], 'a\n...\nc\n'],
  ])('%s', (_, before, lines, after) => {
    expect(place(before, lines)).toBe(after)
  })

  it('is narrowed down by the line above', () => {
    const file = 'class A:\n  x = 1\n\nclass B:\n  y = 2\n  x = 1\n\nclass C:\n  x = 1\n'
    expect(place(file, { lines: ['-  x = 1', '+  x = 2'], below: ['class B:'] })).toBe(
      'class A:\n  x = 1\n\nclass B:\n  y = 2\n  x = 2\n\nclass C:\n  x = 1\n',
    )
    expect(place(file, { lines: ['-  x = 1', '+  x = 2'], below: ['class'] })).toBe('edit-ambiguous')
    expect(place(file, { lines: ['-  x = 1', '+  x = 2'], below: ['class D:'] })).toBe('edit-ambiguous')
    expect(place(file, { lines: ['-  y = 2', '+  y = 3'], below: ['class D:'] })).toContain('y = 3')
  })

  it('is narrowed down to the only place below, also where that is indented no more', () => {
    const edit = { lines: ['-x=1', '+x=2'], below: ['fn b'] }
    expect(place('fn a\nx=1\nfn b\nx=1\n', edit)).toBe('fn a\nx=1\nfn b\nx=2\n')
    expect(place('fn a\nx=1\nfn b\nx=1\nfn c\nx=1\n', edit)).toBe('edit-ambiguous')
    expect(place('x=1\nfn a\nx=1\n', edit)).toBe('edit-ambiguous')
  })

  it('is not narrowed down to what stands above a line that git would not name', () => {
    const edit = { lines: ['-  x', '+  y'], below: ['Intro'] }
    expect(place('Intro\n  x\n1. One\n  x\n', edit)).toBe('edit-ambiguous')
    expect(place('Intro\n  x\n\u00c9tat\n  x\n', edit)).toBe('edit-ambiguous')
    expect(place('Intro\n  x\nOne\n  x\n', edit)).toBe('Intro\n  y\nOne\n  x\n')
  })

  it('is narrowed down by lines above in one another', () => {
    const file = 'class A:\n  def f():\n    x\n  def g():\n    x\nclass B:\n  def f():\n    x\n'
    expect(place(file, { lines: ['-    x', '+    y'], below: ['class B:', 'def f():'] })).toBe(
      'class A:\n  def f():\n    x\n  def g():\n    x\nclass B:\n  def f():\n    y\n',
    )
  })

  it('is the end of the file, where it says so', () => {
    expect(place('x\na\nx\n', { lines: ['-x', '+y'], atEnd: true })).toBe('x\na\ny\n')
    expect(place('x\n', { lines: ['+y'], atEnd: true })).toBe('x\ny\n')
  })

  it('does not need the blank lines that may only set it apart', () => {
    expect(place('a\nb\n', { lines: ['-a', '+A', ' '], looseBlanks: 1 })).toBe('A\nb\n')
    expect(place('a\n\nb\n', { lines: ['-a', '+A', ' '], looseBlanks: 1 })).toBe('A\n\nb\n')
  })
})

describe('an edit that is there already', () => {
  it.each([
    ['a change', 'a\nB\nc\n', [' a', '-b', '+B', ' c']],
    ['a line that was added behind', 'a\nx\n', [' a', '+x']],
    ['a line that was added in front', 'x\na\n', ['+x', ' a']],
    ['a line that was added between', 'a\nx\nb\n', [' a', '+x', ' b']],
    ['a line that was taken away', 'a\nc\n', [' a', '-b', ' c']],
    ['with more around it', 'a\nfoo()\nbar()\n', ['-foo()', '+foo()', '+bar()']],
    ['indented', '  a\n  B\n', [' a', '-b', '+B']],
  ])('is not made again: %s', (_, file, lines) => {
    expect(place(file, lines)).toBe(`1 of 1 there: ${file}`)
  })

  it('is not assumed where nothing but a line that stays is left', () => {
    expect(place('}\n', ['-x', ' }'])).toBe('edit-not-found')
    expect(place('B\na\nB\n', ['-b', '+B'])).toBe('edit-not-found')
  })

  it('is no reason to leave others out', () => {
    expect(place('a\nB\nc\n', [' a', '-b', '+B'], ['-c', '+C'])).toBe('1 of 2 there: a\nB\nC\n')
  })

  it('is not assumed beside others where no line that stays tells its place', () => {
    const file = "function a() {\n  log('start')\n  return 1\n}\nfunction b() {\n  return 2\n}\n"
    const wrong = ["-  debug('b')", "+  log('start')"]
    expect(place(file, ['-  return 1', '+  return 10'], wrong)).toBe('edit-not-found')
    expect(blocks(file, [wrong], [['-  return 1', '+  return 10']])).toBe('edit-not-found')
    expect(place(file, ['-  return 3', '+  return 2'], [' }', ' function b() {', '+  run()'])).toBe('edit-not-found')
    expect(place(file, ['-', "-  debug('b')", '+', "+  log('start')"], ['-  return 1'])).toBe('edit-not-found')
    expect(place(file, wrong)).toBe(`1 of 1 there: ${file}`)
  })

  it('is not undone by another of the same block: what one takes away another has brought', () => {
    const moved = [['-f()'], [' b', '+f()']]
    expect(place('f()\na\nb\n', ...moved)).toBe('a\nb\nf()\n')
    expect(place('a\nb\nf()\n', ...moved)).toBe('edit-overlap')
  })

  it('is not assumed where nothing but blanks at the ends of lines are to change', () => {
    expect(place('a\nb  \n', [' a', '-b  ', '+b'])).toBe('a\nb\n')
    expect(place('a\nb\n', [' a', '-b  ', '+b'])).toBe('1 of 1 there: a\nb\n')
  })

  it('is not made in a place that is only nearly its own', () => {
    expect(place('return y\n  return x\n', ['-return x', '+return y'])).toBe('edit-ambiguous')
  })
})

describe('several edits', () => {
  it.each([
    [
      'of one block are placed in the text before it',
      'a\nb\n',
      [
        ['-a', '+b'],
        ['-b', '+c'],
      ],
      'b\nc\n',
    ],
    [
      'may stand in any order',
      'a\nb\nc\n',
      [
        ['-c', '+C'],
        ['-a', '+A'],
      ],
      'A\nb\nC\n',
    ],
    [
      'may share lines that stay',
      'a\nb\nc\n',
      [
        ['-a', '+A', ' b'],
        [' b', '-c', '+C'],
      ],
      'A\nb\nC\n',
    ],
    [
      'may touch',
      'a\nb\n',
      [
        ['-a', '+A'],
        ['+x', ' b'],
      ],
      'A\nx\nb\n',
    ],
    [
      'may not change what another one names',
      'a\nb\nc\n',
      [
        [' a', '-b', '+B'],
        ['-b', '+x', ' c'],
      ],
      'edit-overlap',
    ],
    [
      'may not change a line twice',
      'a\nb\n',
      [
        ['-a', '+A'],
        ['-a', '+x'],
      ],
      'edit-overlap',
    ],
    [
      'may not add at one place',
      'a\nb\n',
      [
        [' a', '+x'],
        ['+y', ' b'],
      ],
      'edit-overlap',
    ],
    [
      'may not add within what another one names',
      'a\nb\nc\n',
      [
        [' a', ' b', '-c', '+C'],
        [' a', '+x'],
      ],
      'edit-overlap',
    ],
    ['are all told where they cannot be placed', 'a\n', [['-x'], ['-y']], 'edit-not-found edit-not-found'],
  ])('%s', (_, before, edits, after) => {
    expect(place(before, ...edits)).toBe(after)
  })

  it('of another block are placed in what the first leaves', () => {
    expect(blocks('a\n', [['-a', '+b']], [['-b', '+c']])).toBe('c\n')
    expect(blocks(null, [{ lines: ['+a'], isNew: true }], [['-a', '+b']])).toBe('b\n')
  })
})

describe('a new file', () => {
  const whole = { lines: ['+a', '+b'], isNew: true as const }

  it('is made where none is, or an empty one', () => {
    expect(place(null, whole)).toBe('a\nb\n')
    expect(place('', whole)).toBe('a\nb\n')
    expect(place(null, { ...whole, finalNewline: false })).toBe('a\nb')
    expect(place(null, ['+a'])).toBe('a\n')
  })

  it('is there already, or refused where the file has another text', () => {
    expect(place('a\r\nb\r\n', whole)).toBe('1 of 1 there: a\r\nb\r\n')
    expect(place('x\n', whole)).toBe('edit-new-exists')
  })

  it('is what an edit of a file that is not there is not', () => {
    expect(place(null, ['-a', '+b'])).toBe('edit-without-file')
  })
})

describe('a refusal', () => {
  const words = (before: string, asked: Asked) => {
    const placed = placeEdits('src/a.ts', { blocks: [[hunk(asked, 7)]] }, Buffer.from(before))
    return placed.kind === 'refused' ? placed.problems[0] : placed
  }

  it('names the places, and shows the text around', () => {
    const file = Array.from({ length: 30 }, (_, at) => (at % 20 === 9 ? 'x' : `line ${at + 1}`)).join('\n')
    expect(words(file, ['-x', '+y'])).toMatchInlineSnapshot(`
      {
        "around": {
          "from": 5,
          "lines": [
            "line 5",
            "line 6",
            "line 7",
            "line 8",
            "line 9",
            "x",
            "line 11",
            "line 12",
            "line 13",
            "line 14",
            "line 15",
          ],
        },
        "block": 1,
        "code": "edit-ambiguous",
        "line": 7,
        "message": "The edit of src/a.ts fits at lines 10 and 30: relay cannot know which one is meant. Ask for it again with more of the lines around it.",
        "path": "src/a.ts",
      }
    `)
  })

  it('shows the indentation, where nothing else differs', () => {
    const placed = placeEdits('a.ts', { blocks: [[hunk([' f()', '-  g()', '+h()'])]] }, Buffer.from('f()\n    g()\n'))
    expect(placed).toMatchObject({
      problems: [
        {
          message:
            'The edit of a.ts changes lines that are not in the file. The nearest place is line 1; line 2 differs. Ask for it again with the present text.',
          differs: { line: 2, file: '    g()', edit: '  g()' },
        },
      ],
    })
  })

  it('finds the nearest place by words, where no line is there as the edit has it', () => {
    const file = 'const a = 1\n\nexport function add(a: Cents, b: Cents): Cents {\n  return a + b\n}\n'
    const placed = placeEdits(
      'a.ts',
      { blocks: [[hunk(['-export function add(x: Cents, y: Cents): Cents {', '+x'])]] },
      Buffer.from(file),
    )
    expect(placed).toMatchObject({
      problems: [
        {
          differs: {
            line: 3,
            file: 'export function add(a: Cents, b: Cents): Cents {',
            edit: 'export function add(x: Cents, y: Cents): Cents {',
          },
        },
      ],
    })
  })

  it('names the nearest place, and where it differs', () => {
    const file = 'one\ntwo\nfunction f() {\n  return 1\n}\nsix\n'
    expect(words(file, [' function f() {', '-  return 2', '+  return 3', ' }'])).toMatchInlineSnapshot(`
      {
        "around": {
          "from": 1,
          "lines": [
            "one",
            "two",
            "function f() {",
            "  return 1",
            "}",
            "six",
          ],
        },
        "block": 1,
        "code": "edit-not-found",
        "differs": {
          "edit": "  return 2",
          "file": "  return 1",
          "line": 4,
        },
        "line": 7,
        "message": "The edit of src/a.ts changes lines that are not in the file. The nearest place is line 3; line 4 differs. Ask for it again with the present text.",
        "path": "src/a.ts",
      }
    `)
    expect(words('a\n', ['-nothing', '+x'])).toMatchInlineSnapshot(`
      {
        "block": 1,
        "code": "edit-not-found",
        "line": 7,
        "message": "The edit of src/a.ts changes lines that are not in the file, nor any like them. Ask for the whole file.",
        "path": "src/a.ts",
      }
    `)
  })
})
