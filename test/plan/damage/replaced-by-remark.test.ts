import { describe, expect, it } from 'vitest'
import { replacedByRemark } from '../../../src/plan/damage/replaced-by-remark.ts'

const old = Array.from({ length: 20 }, (_, at) => `export const v${at} = ${at}`)

/** What is said of a file of twenty lines of which the tenth to the fifteenth give way to `lines`. */
function asked(lines: readonly string[], path = 'a.ts', before: readonly string[] = old): readonly string[] {
  const after = [...before.slice(0, 9), ...lines, ...before.slice(15)]
  return replacedByRemark([{ path, before: before.join('\n'), after: after.join('\n') }]).map(({ reason }) => reason)
}

it('says which line stands in the place of how many', () => {
  const after = [...old.slice(0, 9), '  // Your existing routes here', ...old.slice(15)].join('\r\n')
  expect(replacedByRemark([{ path: 'a.ts', before: old.join('\r\n'), after }])).toEqual([
    {
      flag: 'placeholder',
      path: 'a.ts',
      text: '// Your existing routes here',
      reason: 'line 10 of it is a remark in place of 6 lines of code that were left out',
    },
  ])
})

describe('asks about a remark in the place of code', () => {
  it.each([
    '...', '…', '[...]', '// ...', '// etc.', '# ... etc.', '// and so on', '// same as above', '// as is', '// ditto',
    '// Header stays the same', '// del() stays as is', '// the other constants stay the same',
    '// (keep your current implementation)', '// all other methods remain as they were',
    '// other imports remain the same', '// (rest is identical)', '// NOTE: rest unchanged',
    '// unchanged from previous version', '// no changes below this line', '// --- unchanged code above ---',
    '// Your existing routes here', '// Add your existing code here', '// existing constructor and list()',
    '// paste the existing constants here', '// lines 11-16 as before', '// [Lines 11-16 unchanged]',
    '// 6 lines unchanged', '// v10 to v15 unchanged', '// truncated', '// skipped', '// (not shown)', '// elided',
    '// abbreviated', '// for brevity, the others are left out', '// (cut)', '# Same as in my previous response',
    '// No changes needed in this file', '// Apply the same changes as in a.ts', '{/* existing content */}',
    '<!-- styles unchanged -->', '-- other tables stay as they are', '/* Same styles as before */', '(unchanged)',
    '// hier bleibt alles wie gehabt', '// restliche Funktionen', '// De overige functies blijven hetzelfde',
    '// reszta kodu bez zmian', '// Kalan kod aynı', '// le reste du code', '// resto igual que antes, sin cambios',
    '// остальной код без изменений', '// 其余代码保持不变', '// 其它函数与之前相同', '// 既存のコード',
    '// other endpoints', '// business logic', '// submit logic here', '// ... (v10, v11)', '// keep everything else', '// ⋮',
    '// total, add and remove are unchanged', '// remove() stays the same', '// the others (add, move) unchanged',
    '// delete, update: unchanged', '… 6 more lines', '// ... โค้ดส่วนที่เหลือเหมือนเดิม', '// ... ο υπόλοιπος κώδικας είναι ίδιος',
  ])('%s', remark => {
    expect(asked([remark])).toHaveLength(1)
  }) // biome-ignore format: one line a remark is too long a table

  it.each(['// existing helpers stay as is', '...', '// rest of the constants'])('%s, beside a new line', remark => {
    expect(asked(['export const w = 1', remark])).toHaveLength(1)
  })

  it.each(['...', '[...]', '// ...'])('%s, where the file has empty lines', remark => {
    expect(asked([remark], 'a.ts', [...old.slice(0, 3), '', ...old.slice(4)])).toHaveLength(1)
  })

  it('between empty lines, whatever else came', () => {
    const news = ['export const w = 1', 'export const x = 2', 'export const y = 3', 'export const z = 4']
    expect(asked(['', '/* Existing base styles */', '', ...news], 'a.css')).toHaveLength(1)
    expect(asked(['/* Existing base styles */', ...news], 'a.css')).toEqual([])
  })

  it('in LaTeX', () => {
    expect(asked(['% preamble as before'], 'a.tex')).toHaveLength(1)
  })

  it('in Python, too, where dots may be a body', () => {
    expect(asked(['    ...'], 'a.py')).toHaveLength(1)
    expect(asked(['    ...', ...'abcd'.split('').map(it => `${it} = 1`)], 'a.py')).toEqual([])
  })

  it('at the end of the file and of all of it', () => {
    const before = old.join('\n')
    const ends = [[...old.slice(0, 12), '// ditto'], ['// No changes needed in this file']]
    for (const lines of ends) {
      expect(replacedByRemark([{ path: 'a.ts', before, after: lines.join('\n') }])).toHaveLength(1)
    }
  })
})

describe('asks about a comment that alone stands where three lines or more went', () => {
  it.each([
    '// msimbo mwingine kama ulivyokuwa', '// शेष कोड वही रहेगा', '// Opens the door', '// same as before?',
    '// Existing users:', '/* ... */', '// unchanged values must not be sent, because the server counts them',
    '// TODO: the others',
  ])('whatever it says: %s', comment => {
    const said = ['line 10 of it is a remark in place of 6 lines of code that were left out']
    expect(asked([comment])).toEqual(said)
    expect(asked(['', comment, ''])).toHaveLength(1)
  }) // biome-ignore format: one line a remark is too long a table

  it('but not where it has company, or fewer lines went', () => {
    expect(asked(['// Opens the door', 'export const w = 1'])).toEqual([])
    expect(asked(['// Opens the door', '// and closes it'])).toEqual([])
    expect(asked([...old.slice(9, 13), '// Opens the door'])).toEqual([])
    expect(asked([...old.slice(9, 12), '// Opens the door'])).toHaveLength(1)
    expect(asked(['// removed: nobody called them'])).toEqual([])
    const repeated = old.map((line, at) => (at % 2 === 0 ? line : '}'))
    expect(asked([...repeated.slice(9, 12), '// Opens the door'], 'a.ts', repeated)).toEqual([])
  })
})

describe('asks about nothing where', () => {
  it.each([
    ['a comment says where the code went', ['// The remaining routes moved to routes.ts']],
    ['a comment says that the code is not needed', ['// existing sessions are handled elsewhere']],
    ['a comment tells what to take out', ['// remove the old items, the others are unchanged']],
    ['a comment tells what is gone', ['// removed, the others are unchanged']],
    ['a comment has several lines', ['// Existing users', '// log in with their old names']],
    ['a comment heads what was rewritten', ['', '// Other helpers', '', 'export const w = 1']],
    [
      'a comment heads as much as there was',
      ['', '// Existing users', '', ...'uvwxyz'.split('').map(it => `let ${it}`)],
    ],
    ['code came for it', ['// Existing users', 'export const w = 1']],
    ['code was commented out', old.slice(9, 15).map(line => `// ${line}`)],
    ['code was taken out', []],
    ['values are spread', ['...existing,', '...rest']],
  ])('%s', (_, lines) => {
    expect(asked(lines)).toEqual([])
  })

  it('the old file had the remark, or the file is new', () => {
    const before = [...old.slice(0, 17), '// existing users', ...old.slice(17)]
    expect(asked(['// existing users'], 'a.ts', before)).toEqual([])
    expect(replacedByRemark([{ path: 'a.ts', before: '', after: '// existing users\n' }])).toEqual([])
  })

  it('nothing, one line or only comments stood there', () => {
    const after = [...old.slice(0, 9), '// existing users', ...old.slice(9)]
    expect(replacedByRemark([{ path: 'a.ts', before: old.join('\n'), after: after.join('\n') }])).toEqual([])
    after.splice(10, 1)
    expect(replacedByRemark([{ path: 'a.ts', before: old.join('\n'), after: after.join('\n') }])).toEqual([])
    const comments = old.map((line, at) => (at < 9 || at > 14 ? line : `# ${line}`))
    expect(asked(['# existing users'], 'a.py', comments)).toEqual([])
  })

  it('the lines only went elsewhere, in the file or in the patch', () => {
    const move = {
      path: 'a.ts',
      before: old.join('\n'),
      after: [...old.slice(0, 9), '// existing users', ...old.slice(15)],
    }
    const below = [...move.after, ...old.slice(9, 15)].join('\n')
    expect(replacedByRemark([{ ...move, after: below }])).toEqual([])
    const other = { path: 'b.ts', before: '', after: old.slice(9, 15).join('\n') }
    expect(replacedByRemark([{ ...move, after: move.after.join('\n') }, other])).toEqual([])
  })

  it('a document has plain words, but not where it has a remark', () => {
    expect(asked(['# Existing users'], 'a.md')).toEqual([])
    expect(asked(['The rest stays as it is.'], 'a.md')).toEqual([])
    expect(asked(['Wait ...', '... for it (the rest of the day).'], 'a.md')).toEqual([])
    for (const line of ['...', '…', '... (unchanged) ...', '... (sections Use and More stay as they are)']) {
      expect(asked([line], 'a.md'), line).toHaveLength(1)
    }
    expect(asked(['[...]'], 'a.md')).toHaveLength(1)
    expect(asked(['*(rest of the document unchanged)*'], 'a.md')).toHaveLength(1)
    expect(asked(['[rest of the text unchanged]'], 'a.md')).toHaveLength(1)
    expect(asked(['<!-- rest unchanged -->'], 'a.md')).toHaveLength(1)
  })
})
