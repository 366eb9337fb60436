import { describe, expect, it } from 'vitest'
import type { Entry } from '../../src/model/entry.ts'
import type { Change, PathState } from '../../src/model/plan.ts'
import { lostEdits } from '../../src/plan/lost-edits.ts'

const file = (text: string): PathState => ({ kind: 'file', bytes: Buffer.from(text), mode: 0o644 })

/** What is flagged of a file when relay left `base`, the user made `ours` of it, and a patch writes `theirs`. */
function lost(
  base: string,
  ours: string | null,
  theirs: string | null,
  elsewhere = '',
  name = 'a.ts',
  found?: string,
  edited: readonly string[] = [],
): readonly string[] {
  const entry = {
    number: 7,
    operations: [{ op: 'write', path: name, content: base }],
    snapshot: new Map([[name, found === undefined ? { kind: 'absent' } : file(found)]]),
  } as unknown as Entry
  const change = (path: string, before: PathState, after: PathState): Change => ({
    op: after === null ? 'delete' : 'write',
    path,
    target: path,
    before,
    after,
    effect: after === null ? 'delete' : before === null ? 'create' : 'modify',
  })
  const changes = [
    change(name, ours === null ? null : file(ours), theirs === null ? null : file(theirs)),
    change('b.ts', null, file(elsewhere)),
  ]
  return lostEdits(changes, new Map([[name, [entry]]]), new Set(edited)).map(
    ({ flag, path, reason }) => `${flag} ${path}: ${reason}`,
  )
}

const base = 'one()\ntwo()\nthree()\nfour()\nfive()\n'
const mine = 'one()\ntwo()\nmine(1)\nmine(2)\nthree()\nfour()\nfive()\n'

it.each([
  ['nothing that the answer took over', mine, mine.replace('five', '5')],
  ['nothing where the user did nothing', base, base.replace('three()\n', '')],
  ['nothing where both changed the same line', base.replace('two()', 'two(2)'), base.replace('two()', 'two(3)')],
  ['nothing that was only formatted', base.replace('two()', '  two( );'), base.replace('five', '5')],
  ['nothing of which the answer has a part', mine, mine.replace('mine(2)', 'better(2)')],
  [
    'nothing of which the answer has another version',
    base.replace('three()', 'import { y }\nthree()'),
    base.replace('three()', 'import { y, z }\nthree()'),
  ],
  ['nothing that only moved', `${base.replace('two()\n', '')}two()\n`, base.replace('five', '5')],
  [
    'nothing that the answer adds elsewhere',
    `${base}two()\n`.replace('one()\ntwo()\n', 'one()\n'),
    `two()\n${base.replace('two()\n', '')}two()\n`,
  ],
  [
    'nothing that comes back while more that the user took away does not',
    base.replace('two()\n', '').replace('four()\n', ''),
    base.replace('four()\n', ''),
  ],
])('takes %s for lost', (_, ours, theirs) => {
  expect(lost(base, ours, theirs)).toEqual([])
})

it('takes nothing for lost of a file that is again as relay found it, and all else for an edit', () => {
  const found = base.replace('two()\nthree()\n', 'old()\n')
  const [again, more] = [base.replace('five', '5'), found.replace('old()', 'old(2)')]
  expect(lost(base, found, base, '', 'a.ts', found)).toEqual([])
  expect(lost(base, found, again, '', 'a.ts', found)).toEqual([])
  expect(lost(base, found, again)).toHaveLength(1)
  expect(lost(base, more, again, '', 'a.ts', found)).toHaveLength(1)
})

it('names a line that the patch has as it was before, right beside one that it changes', () => {
  const told = (line: string) => [`lost-edit a.ts: takes back a line that you changed since #7: \`${line}\``]
  expect(lost(base, base.replace('three()', 'three(3)'), base.replace('two()', 'deux()'))).toEqual(told('three(3)'))
  const both = base.replace('two()', 'two(x, y, 1)').replace('three()', 'three(3)')
  expect(lost(base, both, base.replace('two()', 'two(x, y, 2)'))).toEqual(told('three(3)'))
})

it('names the lines that the user took away and the patch has again', () => {
  const told = (what: string) => [`lost-edit a.ts: brings back ${what} \`two()\``]
  expect(lost(base, base.replace('two()\n', ''), base.replace('five', '5'))).toEqual(
    told('a line that you took away since #7:'),
  )
  const less = base.replace('two()\n', '').replace('four()\n', '')
  expect(lost(base, less, base.replace('five', '5'))).toEqual(told('2 lines that you took away since #7, such as'))
})

it('takes nothing for lost of what a formatter broke into lines beside a line that the patch changes', () => {
  const call = 'one()\nsum(alpha, beta, gamma)\nfive()\n'
  const broken = call.replace('(alpha, beta, gamma)', '(\n  alpha,\n  beta,\n  gamma,\n)')
  expect(lost(call, broken, call.replace('one()', 'first()'))).toEqual([])
})

it('takes nothing for lost of what a formatter broke into lines and the patch writes anew', () => {
  const call = 'one()\nsum(alpha, beta, gamma)\nfive()\n'
  expect(
    lost(call, call.replace('(alpha, beta, gamma)', '(\n  alpha,\n  beta,\n  gamma,\n)'), 'one()\nall()\nfive()\n'),
  ).toEqual([])
})

it.each([
  ['an operator', 'if (at < end) two()', 'if (at <= end) two()'],
  ['a sign', 'return at + 1', 'return at - 1'],
  ['a negation', 'if (isOpen) two()', 'if (!isOpen) two()'],
  ['a line that was commented out', 'two()', '// two()'],
  ['a line that was brought back', '# two()', 'two()'],
])('names %s that the patch has as it was before', (_, was, is) => {
  const left = base.replace('two()', was)
  expect(lost(left, left.replace(was, is), left.replace('five', '5'))).toHaveLength(1)
  expect(lost(left, left.replace(was, is), left.replace(was, is).replace('five', '5'))).toEqual([])
})

it.each([
  ['quotes and semicolons', "two('a', \"it's\")", 'two("a", "it\\\'s");'],
  ['brackets and commas', 'const f = x => { two(x) }', 'const f = (\n  x,\n) => {\n  two(x)\n}'],
  ['a union', "type T = 'a' | 'b'", "type T =\n  | 'a'\n  | 'b'"],
  ['an empty element', '<br><Two x="1"/>', '<br />\n<Two x="1" />'],
])('takes nothing for lost where a formatter set anew %s', (_, was, is) => {
  const left = base.replace('two()', was)
  expect(lost(left, left.replace(was, is), left.replace('five', '5'))).toEqual([])
})

it('takes no bullet and no emphasis of a document for an edit', () => {
  const text = '# Title\n\n* one *thing*\n* two\n'
  const set = text.replaceAll('* ', '- ').replace('*thing*', '**thing**')
  expect(lost(text, set, text.replace('two', 'three'), '', 'README.md')).toEqual([])
})

it('names a line that comes back where the file has the same elsewhere, or within another', () => {
  const told = ['lost-edit a.ts: brings back a line that you took away since #7: `two()`']
  const left = base.replace('four()', 'if (x) two()')
  expect(lost(left, left.replace('two()\n', ''), left.replace('five', '5'))).toEqual(told)
})

it('names a line that is taken back where the file has the same within another', () => {
  const left = base.replace('four()', 'if (x) mine()')
  expect(lost(left, left.replace('two()\n', 'two()\nmine()\n'), left.replace('five', '5'))).toHaveLength(1)
})

it('takes nothing for lost of a number that a formatter writes in small letters, but a name', () => {
  const code = 'one()\nconst end = 0xFF\nthree()\nfive()\n'
  expect(lost(code, code.replace('0xFF', '0xff'), code.replace('five', '5'))).toEqual([])
  expect(lost(code, code.replace('end', 'END'), code.replace('five', '5'))).toHaveLength(1)
})

const loop = `def run(items):
    """Adds all.

Then it commits.
    """
    for item in items:
        add(item,
            deep=True)
    # all of them
    commit()
    if done:
        stop()
    tell(1)
`
const jobs = `on: push
jobs:
  build:
    steps:
    - name: one
      run: make
    - name: two
  env:
    A: 1
    B: 2
`

describe('where blanks tell what a line stands in', () => {
  const into = (text: string, line: string) => text.replace(`    ${line}`, `        ${line}`)

  it.each([
    ['a.py', loop, into(loop, 'commit()'), loop.replace('tell(1)', 'tell(2)'), 'a line', '`commit()`'],
    [
      'a.pyi',
      into(loop, 'commit()'),
      loop,
      into(loop, 'commit()').replace('tell(1)', 'tell(2)'),
      'a line',
      '`commit()`',
    ],
    ['a.py', loop, loop.replace('        stop()', '    stop()'), `import x\n${loop}`, 'a line', '`stop()`'],
    [
      'ci.yml',
      jobs,
      jobs.replace(/ {2}env[\s\S]*/, rest => rest.replaceAll(/^/gm, '  ')),
      `${jobs}x: 1\n`,
      'a line',
      '`env:`',
    ],
    ['ci.yaml', jobs, jobs.replace('    B: 2', '  B: 2'), jobs.replace('push', 'pull'), 'a line', '`B: 2`'],
  ])(
    'names what the user put into another block, and the patch has where it was: %s',
    (name, left, ours, theirs, what, line) => {
      expect(lost(left, ours, theirs, '', name)).toEqual([
        `lost-edit ${name}: takes back ${what} that you put into another block since #7: ${line}`,
      ])
      expect(lost(left, ours, ours.replace('tell(1)', 'tell(2)').replace('push', 'pull'), '', name)).toEqual([])
    },
  )

  it('takes nothing for lost where the patch was made from the file as it is, or puts the line elsewhere itself', () => {
    const both = into(into(loop, 'commit()'), 'tell(1)')
    expect(lost(loop, both, into(loop, 'commit()'), '', 'a.py')).toEqual([])
    expect(lost(loop, into(loop, 'commit()'), loop.replace('    commit()', 'commit()'), '', 'a.py')).toEqual([])
    expect(lost(loop, both, both.replace('        tell(1)', '    tell(1)'), '', 'a.py')).toEqual([])
  })

  it.each([
    ['other blanks', 'a.py', loop, loop.replaceAll('    ', '  ')],
    ['tabs', 'a.py', loop, loop.replaceAll('    ', '\t')],
    ['a long text', 'a.py', loop, loop.replace('Then', '    Then')],
    ['a remark', 'a.py', loop, loop.replace('    # all', '        # all')],
    ['brackets', 'a.py', loop, loop.replace('            deep=True', '    deep=True')],
    [
      'brackets that are broken anew',
      'a.py',
      loop,
      loop.replace('add(item,\n            deep=True)', 'add(item, deep=True)'),
    ],
    [
      'lists that are indented',
      'a.yml',
      jobs,
      jobs.replace(/ {4}- [\s\S]*two\n/, list => list.replaceAll(/^(?=.)/gm, '  ')),
    ],
    ['wider steps', 'a.yml', jobs, jobs.replaceAll('  ', '    ')],
  ])('takes nothing for lost where a formatter set anew: %s', (_, name, left, ours) => {
    expect(ours).not.toBe(left)
    expect(lost(left, ours, `${left}more: 1\n`, '', name)).toEqual([])
    expect(lost(ours, left, `${ours}more: 1\n`, '', name)).toEqual([])
  })

  it('takes nothing for lost in a text for people', () => {
    expect(lost(loop, into(loop, 'commit()'), loop.replace('tell(1)', 'tell(2)'), '', 'a.txt')).toEqual([])
  })
})

const braced = `export function run(items: Item[]) {
  for (const item of items) {
    add(item, {
      deep: true,
    })
  }
  commit()
  if (done)
  {
    stop('}')
  }
  // {
  return items.map(each => {
    tell(each)
  })
}
`

describe('where braces tell what a line stands in', () => {
  const into = braced.replace('  }\n  commit()\n', '    commit()\n  }\n')

  it.each(['a.ts', 'a.rs', 'a.java', 'a.css'])('names what the user put into another block: %s', name => {
    const told = [`lost-edit ${name}: takes back a line that you put into another block since #7: \`commit()\``]
    expect(lost(braced, into, braced.replace('tell', 'say'), '', name)).toEqual(told)
    expect(lost(into, braced, into.replace('tell', 'say'), '', name)).toEqual(told)
    expect(lost(braced, into, into.replace('tell', 'say'), '', name)).toEqual([])
  })

  it.each([
    ['other blanks', braced.replaceAll('  ', '\t')],
    ['a brace of its own', braced.replace('if (done)\n  {', 'if (done) {').replace('items) {', 'items)\n  {')],
    [
      'what stands in brackets',
      braced.replace('add(item, {\n      deep: true,\n    })', 'add(\n item, { deep: true })'),
    ],
    ['brackets that are broken anew', braced.replace('return items.map(each', 'return items.map(\n each')],
  ])('takes nothing for lost where a formatter set anew: %s', (_, ours) => {
    expect(ours).not.toBe(braced)
    expect(lost(braced, ours, `${braced}more()\n`)).toEqual([])
    expect(lost(ours, braced, `${ours}more()\n`)).toEqual([])
  })

  it('takes nothing for lost where the brackets do not pair off', () => {
    const odd = 'const opening = /[{(]/\n'
    expect(lost(odd + braced, odd + into, `${odd + braced}more()\n`)).toEqual([])
  })

  it('takes a long line for data, and is soon done with it, whatever stands there', () => {
    for (const data of [`"${'\\"'.repeat(100_000)}`, `"${'x'.repeat(10_000_000)}"`]) {
      const line = `const data = [${data}]\n`
      expect(lost(line + braced, line + into, `${line + braced}more()\n`)).toHaveLength(1)
    }
  }, 30_000)

  it('is soon done, however deep it goes', () => {
    const deep = (open: string, close: string) =>
      Array.from({ length: 5000 }, (_, at) => `line${at}${open}`).join('\n') + close.repeat(5000)
    for (const text of [deep('(', ')'), deep('{', '}'), `${'x'.repeat(1e5)} {\n${'line()\n'.repeat(20_000)}}`]) {
      expect(lost(`${text}\na()\n`, `a()\n${text}\n`, `${text}\na()\nb()\n`)).toEqual([])
    }
  })
})

it('says that a file comes back which the user took away, where the answer takes it for there', () => {
  const told = ['lost-edit a.ts: brings the file back that you took away since #7']
  expect(lost(base, null, base, '', 'a.ts', undefined, ['a.ts'])).toEqual(told)
  expect(lost(base, null, `${base}more()\n`, '', 'a.ts', base, ['a.ts'])).toEqual(told)
  expect(lost(base, null, base, '', 'a.ts', undefined, ['b.ts'])).toEqual([])
  expect(lost(base, base, `${base}more()\n`, '', 'a.ts', undefined, ['a.ts'])).toEqual([])
})

it('says which lines of the user a patch takes back', () => {
  expect(lost(base, mine, base.replace('five', '5'))).toEqual([
    'lost-edit a.ts: takes back 2 lines that you changed since #7, such as `mine(1)`',
  ])
  expect(lost(base, base.replace('two()', `two('${'x'.repeat(60)}')`), base.replace('five', '5'))).toEqual([
    `lost-edit a.ts: takes back a line that you changed since #7: \`two('${'x'.repeat(35)}…\``,
  ])
})

it('sees what the user put beside a line that the patch changes', () => {
  expect(lost(base, mine, base.replace('two()', 'two(2)').replace('three()', 'three(3)'))).toEqual([
    'lost-edit a.ts: takes back 2 lines that you changed since #7, such as `mine(1)`',
  ])
})

it('counts neither what the patch puts into another file nor what a deleted file never had of the user', () => {
  expect(lost(base, mine, base, 'mine(1)\nmine(2)\n')).toEqual([])
  expect(lost(base, base, null)).toEqual([])
  expect(lost(base, base.replaceAll('()', '( );'), null)).toEqual([])
  expect(lost(base, base.replace('two()', '!two()'), null)).toHaveLength(1)
  expect(lost(base, base.replace('two()', 'two()\ntwo()'), null)).toHaveLength(1)
  expect(lost(base, mine, null)).toEqual([
    'lost-edit a.ts: takes back 2 lines that you changed since #7, such as `mine(1)`',
  ])
})

it('takes no longer than the files are long', () => {
  const text = (from: number) => Array.from({ length: 3000 }, (_, at) => `line(${from + at})\n`).join('')
  expect(lost(text(0), `${text(0)}${text(5000)}`, text(0).replace('line(7)', 'seven()'))).toEqual([
    'lost-edit a.ts: takes back many lines that you changed since #7, such as `line(5000)`',
  ])
})

it('leaves what is no text alone', () => {
  expect(lost(base, `${mine}\0`, base)).toEqual([])
  expect(lost(`${base}\0`, mine, base)).toEqual([])
})

it('is soon done where the user and the patch have written every line anew', () => {
  const lines = (who: string) =>
    Array.from({ length: 10_000 }, (_, at) => (at % 300 === 0 ? `same${at}()` : `${who} `.repeat(20) + at)).join('\n')
  expect(lost(lines('base'), lines('ours'), lines('theirs'))).toEqual([])
})

it('is soon done where the user has changed each of many files that the patch writes', () => {
  const paths = Array.from({ length: 400 }, (_, at) => `src/${at}.ts`)
  const text = (who: string) =>
    file(Array.from({ length: 250 }, (_, at) => `${who} ${'word '.repeat(15)}${at}`).join('\n'))
  const [before, after] = [text('ours'), text('theirs')]
  const entry = {
    number: 7,
    operations: paths.map(path => ({ op: 'write', path, content: 'nothing\n' })),
    snapshot: new Map(paths.map(path => [path, { kind: 'absent' }])),
  } as unknown as Entry
  const changes = paths.map(
    (path): Change => ({ op: 'delete', path, target: path, before, after: null, effect: 'delete' }),
  )
  const written: Change = { op: 'write', path: 'all.ts', target: 'all.ts', before: null, after, effect: 'create' }
  const many = Array.from({ length: 400 }, (): Change => written)
  expect(lostEdits([...changes, ...many], new Map(paths.map(path => [path, [entry]])))).toHaveLength(400)
})
