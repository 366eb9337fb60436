import { describe, expect, it } from 'vitest'
import { findPlaceholders } from '../../../src/parse/doubts/find-placeholders.ts'

const placeholders = [
  '// ... rest of the code',
  '// ... existing code ...',
  '# ... existing code ...',
  '// ...',
  '{/* ... existing JSX ... */}',
  '<!-- ... existing content ... -->',
  '-- ... rest of the schema',
  '// rest of the code remains the same',
  '// Rest of the component',
  '// existing code here',
  '// unchanged',
  '// ... other methods ...',
  '// code continues...',
  '// truncated for length',
  '// see previous response for the full code',
  '// as in the previous answer',
  '// ... previous code ...',
  '/* rest of the styles */',
  '// remaining code unchanged',
  '// Other existing methods remain the same',
  '// code omitted for brevity',
  '// implementation omitted',
  '// same as before',
  '// (continued in next message)',
  '// continued in the next message',
  '# continues in part 2',
  '... existing code ...',
  '// … rest of the function',
  '<!-- rest of the page -->',
  '-- existing tables unchanged',
  '// ... more tests',
  '  render() { /* ... */ }',
  '// ... code here ...',
]

/** Code may follow right below these. */
const aboveCode = [
  '<existing code>',
  '(existing code)',
  '{/* unchanged */}',
  '<!-- … rest … -->',
  '// No changes below',
  '// unchanged',
  '// same as before',
  '// no changes here',
  '// Keep the rest as is',
  '// Everything else stays the same',
  '// no changes to the rest of the file',
  '// snip',
  '<!-- rest of the html -->',
  '[rest of code unchanged]',
]

/** Also right above code, in other languages. */
const inOtherTongues = [
  '// Rest des Codes bleibt gleich',
  '// Rest der Datei unverändert',
  '// ... bestehender Code ...',
  '// ... vorhandene Importe',
  '// hier kommt der restliche Code ...',
  '// ... méthodes existantes ...',
  '// El resto del código permanece igual',
  '// ... código existente ...',
  '// sin cambios',
  '// sem alterações',
  '// ... существующий код ...',
  '// без изменений',
  '// ... 现有代码 ...',
  '// 其他代码保持不变',
  '// …（既存のコード）',
  '// 残りのコードは変更なし',
  '// （省略）',
  '// ... 기존 코드 ...',
  '// 나머지 코드는 그대로 유지',
  '// 나머지 코드는 동일',
]

const lookalikes = [
  '<existing>',
  '{ existing, code }',
  '[existingCode]',
  '// Weitere Methoden',
  '// Bestehende Routen',
  '// Der Rest wird später geladen',
  '// bestehende Nutzer behalten ihre Sitzung',
  '// prüft, ob der Rest der Datei unverändert ist',
  '// le reste est ignoré',
  '// 其他方法',
  '// 其他情况返回 null',
  '// 既存のデータを読み込む',
  '// 기존 데이터 조회',
  '// the rest of the code relies on this order',
  '...rest,',
  '  ...',
  "export const dots = '...'",
  '// Loading...',
  '// Existing users keep their sessions',
  '// check if the existing file is unchanged',
  '# This leaves the remaining items untouched so the caller can retry.',
  '// returns the same instance',
  '# Existing installs:',
  '// previous value',
  '// --- Routes ---',
  '// e.g. a, b, ...',
  '// ... and then the rest is sent to the server',
  ' * ...',
  '"... existing code ..."',
  '// same file as above?',
  '// e.g. /api/... ',
  '// omitted fields default to zero',
  '#!/usr/bin/env python3',
  '// Keep existing values when the new one is undefined',
  '// rest',
  '// Do not truncate existing content',
  '// Same as Array.prototype.map',
  'const [first, ...rest] = items',
  '// Unchanged lines are skipped.',
  '// existing',
  '# ... etc.',
  '// ... and so on ...',
  '// ... or nothing at all',
  '// --- Existing routes ---',
  '// (optional)',
  '(...args) =>',
  '...(args && { args })',
  '/* ------------ ... ------------ */ x()',
  '// no changes to write',
  '// No changes needed',
  '// keep as is',
  '// stays the same',
  '// same as before the loop',
  '// existing imports are kept in order',
  '[existing, code]',
  '[first, second].map(code)',
  '...rest.of.code',
]

const reason = 'a comment stands in for code that was left out'

describe('a placeholder', () => {
  it.each(placeholders)('is %s', line => {
    expect(findPlaceholders(`const a = 1\n\n${line}\n}\n`, 'a.ts')).toEqual([{ line: 2, text: line, reason }])
  })

  it.each([...aboveCode, ...inOtherTongues])('is %s, also right above code', line => {
    for (const after of ['const b = 2', '}', '']) {
      expect(findPlaceholders(`const a = 1\n${line}\n${after}\n`, 'a.ts')).toEqual([{ line: 1, text: line, reason }])
    }
  })

  it('is no heading of what follows, nor a line of a longer comment', () => {
    expect(findPlaceholders("// existing imports\nimport a from 'a'\n", 'a.ts')).toEqual([])
    expect(findPlaceholders('/* Existing styles */\n.a {}\n', 'a.css')).toEqual([])
    expect(findPlaceholders('/*\n * So:\n * ... existing styles ...\n */\na {}\n', 'a.css')).toEqual([])
    expect(findPlaceholders('// The first two are new,\n// the rest of the code\n// is as before.\n', 'a.ts')).toEqual(
      [],
    )
  })

  it('may stand below its heading', () => {
    expect(findPlaceholders('// Helpers\n// ... existing helpers ...\n\nx()\n', 'a.ts')).toHaveLength(1)
  })

  it('is a line of three dots where that is no code', () => {
    for (const path of ['a.css', 'a.scss', 'a.json']) expect(findPlaceholders('a {\n  ...\n}\n', path)).toHaveLength(1)
    for (const path of ['a.py', 'a.c', 'a.rb']) expect(findPlaceholders('f(\n  ...\n)\n', path)).toEqual([])
  })

  it.each(lookalikes)('is not %s', line => {
    for (const after of ['const b = 2', '}', '']) {
      expect(findPlaceholders(`const a = 1\n${line}\n${after}\n`, 'a.ts')).toEqual([])
    }
  })

  it('is told once for each different line, and no more than can be read', () => {
    expect(findPlaceholders('// ... existing code ...\nx()\n'.repeat(5), 'a.ts')).toHaveLength(1)
    const many = Array.from({ length: 300 }, (_, at) => `// ... rest of part ${at} ...\nx()\n`).join('')
    expect(findPlaceholders(many, 'a.ts')).toHaveLength(100)
  })

  it.each(['requirements.txt', 'requirements/dev.txt', 'src/CMakeLists.txt', 'public/robots.txt', 'constraints.txt'])(
    'is a comment in %s, which a program reads',
    path => {
      expect(findPlaceholders('# ... other dependencies\na\n', path)).toHaveLength(1)
      expect(findPlaceholders('a\n# rest of the file unchanged\n', path)).toHaveLength(1)
      expect(findPlaceholders('# Other dependencies\na\n', path)).toEqual([])
    },
  )

  it.each([
    '# ... existing sections ...',
    '## … rest of the README',
    '... rest of the README ...',
    '// ... existing text ...',
  ])('is a line with dots in a document, but not in the code that it shows: %s', line => {
    for (const path of ['README', 'README.md', 'notes.txt']) {
      expect(findPlaceholders(`# A\n\n${line}\n\n\`\`\`sh\nls\n\`\`\`\n`, path)).toHaveLength(1)
      expect(findPlaceholders(`# A\n\n\`\`\`sh\nls\n${line}\n\`\`\`\n`, path)).toEqual([])
    }
    expect(findPlaceholders('# Existing sections\n\n... and the rest is history.\n', 'README.md')).toEqual([])
  })

  it('is no line of a document that shows code, but what stands in for the document itself', () => {
    expect(findPlaceholders('```ts\n// ... existing code ...\n```\n', 'docs/a.md')).toEqual([])
    expect(findPlaceholders('```ts\nconst f = () => { /* ... */ }\n```\n', 'docs/a.md')).toEqual([])
    expect(findPlaceholders('```html\n<head>\n  <!-- ... -->\n</head>\n```\n', 'docs/a.md')).toEqual([])
    expect(findPlaceholders('<head>\n  <!-- ... -->\n</head>\n', 'a.html')).toHaveLength(1)
    expect(findPlaceholders('    >>> f()\n    ...     values = []\n', 'docs/a.rst')).toEqual([])
    expect(findPlaceholders('# A\n\n<!-- ... rest of the document ... -->\n', 'docs/a.md')).toHaveLength(1)
  })
})

describe('a comment that tells where the code below it goes', () => {
  const found = (comment: string, below = "import { log } from './log'") =>
    findPlaceholders(`${comment}\n${below}\n`, 'a.ts').map(each => each.reason)

  it.each([
    '// Add this import at the top of the file:',
    '// Add this inside start(), after listen():',
    '// 2. Then put these at the bottom',
    '# Paste the following below the imports:',
    '// Insert this method before render()',
    '// At the top of the file:',
    '// In `start()`:',
    '/* Append this to the end of your file */',
  ])('is %s', comment => {
    expect(found(comment)).toEqual([
      'a comment says where in the file its code goes: this may be only a part of the file',
    ])
  })

  it.each([
    '// Add it to the list',
    '// Insert the node before the other',
    '// Append the rest at the end of the buffer',
    '// Before the loop:',
    '// Put this back',
    '// put it back in place',
    '// Skip to the end of the file',
    '// see the comment at the top of the file',
  ])('is not %s', comment => {
    expect(found(comment)).toEqual([])
  })

  it('is no line of a longer comment', () => {
    expect(found('// Add this to your shell at the top of the file:', '//   export A=1')).toEqual([])
  })
})
