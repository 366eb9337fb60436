import { describe, expect, it } from 'vitest'
import { findPlaceholders } from '../../src/parse/find-placeholders.ts'

const placeholders = [
  '// ... rest of the code',
  '// ... existing code ...',
  '# ... existing code ...',
  '// ... (rest of the file remains unchanged)',
  '// ...',
  '# ...',
  '/* ... existing styles ... */',
  '{/* ... existing JSX ... */}',
  '<!-- ... existing content ... -->',
  '-- ... rest of the schema',
  '// rest of the code remains the same',
  '// Rest of the component',
  '// existing code here',
  '// existing code',
  '// unchanged',
  '// ... other methods ...',
  '// ... other messages',
  '// code continues...',
  '// truncated for length',
  '// see previous response for the full code',
  '// as in the previous answer',
  '// ...rest of the imports',
  '// ... remaining methods unchanged ...',
  '// keep existing code',
  '// Keep the rest of the code the same',
  '// (rest of the code unchanged)',
  '# rest of file unchanged',
  '// [existing code]',
  '// ... previous code ...',
  '/* rest of the styles */',
  '// remaining code unchanged',
  '// Other existing methods remain the same',
  '// code omitted for brevity',
  '// ... omitted for brevity ...',
  '// implementation omitted',
  '// same as before',
  '// (continued in next message)',
  '// continued in the next message',
  '// ... to be continued in the next response ...',
  '# continues in part 2',
  '// no changes here',
  '... existing code ...',
  '[... rest of the README unchanged ...]',
  '// ... (all existing functions)',
  '// … rest of the function',
  '// The rest of the file stays the same',
  '// ... existing user routes ...',
  '// ... rest of your component',
  '# ... (previous functions)',
  '// ... keep all existing handlers',
  '// ... your existing code here',
  '// Existing code remains unchanged',
  '<!-- rest of the page -->',
  '-- existing tables unchanged',
  '// ... other imports',
  '// ... (unchanged)',
  '// --- existing code ---',
  '// ... more tests',
  '// ... same as above',
  '  render() { /* ... */ }',
  '  foo() { /* unchanged */ }',
  '// ... code here ...',
  '// rest of existing code',
  '// ... existing imports and setup',
  '// [Rest of the code remains unchanged]',
  '# --- rest of the code unchanged ---',
]

/** Code may follow right below these. */
const aboveCode = [
  '<existing code>',
  '[existing code here]',
  '(existing code)',
  '<... existing code ...>',
  '{ /* existing code */ }',
  '// <rest of the code>',
  '{/* unchanged */}',
  '<!-- … rest … -->',
  '// No changes below',
  '// unchanged',
  '# (unchanged)',
  '// same as before',
  '// no changes here',
  '// (keep everything else as is)',
  '// Keep the rest as is',
  '// Everything else stays the same',
  '// no changes to the rest',
  '// no changes to the rest of the file',
  '// omitted',
  '// snip',
  '// --- snip ---',
  '<!-- rest of the html -->',
  '[rest of code unchanged]',
  '(rest of the file unchanged)',
]

/** Also right above code, in other languages. */
const inOtherTongues = [
  '// ... Rest des Codes bleibt unverändert',
  '// Rest des Codes bleibt gleich',
  '// Rest der Datei unverändert',
  '// ... bestehender Code ...',
  '// ... vorhandene Importe',
  '// Der restliche Code bleibt wie bisher',
  '// hier kommt der restliche Code ...',
  '// unverändert',
  '// … le reste du code …',
  '// Le reste du code reste inchangé',
  '// ... méthodes existantes ...',
  '// (code existant)',
  '// ... resto del código sin cambios',
  '// El resto del código permanece igual',
  '// ... código existente ...',
  '// sin cambios',
  '// ... resto do código permanece inalterado',
  '// sem alterações',
  '// ... resto del codice ...',
  '// il resto del codice rimane invariato',
  '{/* ... resto del componente ... */}',
  '// ... остальной код без изменений',
  '// ... существующий код ...',
  '// остальной код остаётся без изменений',
  '// без изменений',
  '// ... 其余代码保持不变',
  '// ... 现有代码 ...',
  '// 其他代码保持不变',
  '// ... 其餘程式碼保持不變',
  '// （省略其余代码）',
  '// …（既存のコード）',
  '// ... 既存のコード ...',
  '// 残りのコードは変更なし',
  '// （省略）',
  '// ... 기존 코드 ...',
  '// 나머지 코드는 그대로 유지',
  '// 나머지 코드는 동일',
  '# ... Rest der Konfiguration ...',
  '/* ... bestehende Styles ... */',
  '<!-- ... Rest der Seite ... -->',
]

const lookalikes = [
  '<existing>',
  '{existing}',
  '{ existing, code }',
  '[existingCode]',
  '// Weitere Methoden',
  '// Bestehende Routen',
  '// Der Rest wird später geladen',
  '// bestehende Nutzer behalten ihre Sitzung',
  '// prüft, ob der Rest der Datei unverändert ist',
  '// Autres méthodes',
  '// le reste est ignoré',
  '// código existente en la base',
  '// otras rutas',
  '// il resto della divisione',
  '// остальные методы',
  '// существующие пользователи',
  '// 其他方法',
  '// 现有代码',
  '// 同上',
  '// 其他情况返回 null',
  '// 保留现有逻辑',
  '// 既存のデータを読み込む',
  '// その他の設定',
  '// 変更',
  '// 기존 데이터 조회',
  '// 나머지',
  '// the rest of the code relies on this order',
  '// TODO: handle existing values',
  '...rest,',
  '  ...',
  "export const dots = '...'",
  '// Loading...',
  '// wait for the rest...',
  '// Existing users keep their sessions',
  '// check if the existing file is unchanged',
  '// Keep the rest in sync with schema.sql',
  '# This leaves the remaining items untouched so the caller can retry.',
  '// returns the same instance',
  '/* The original request */',
  '# Existing installs:',
  '// previous value',
  '// Rest parameters',
  '// remaining budget',
  '// --- Routes ---',
  '// TODO: implement the rest of the handlers',
  '// e.g. a, b, ...',
  '// ... and then the rest is sent to the server',
  ' * ...',
  '"... existing code ..."',
  '// same file as above?',
  '// The previous implementation leaked memory.',
  '// e.g. /api/... ',
  '// Remaining time in seconds',
  '# unchanged since 2019',
  '// omitted fields default to zero',
  '// Original size',
  '# noqa: ...',
  '// 1, 2, 3, ...',
  '// Skip unchanged files',
  '// other',
  '#!/usr/bin/env python3',
  '// Keep existing values when the new one is undefined',
  '// Existing entry, update it',
  '// rest',
  '// Continue...',
  '# Previous and next links',
  '// Do not truncate existing content',
  '# Remaining arguments',
  '// Same as Array.prototype.map',
  'const [first, ...rest] = items',
  'print("...")',
  '// Unchanged lines are skipped.',
  '# The rest of the file is optional',
  '// existing',
  '// ... or nothing at all',
  '# Existing config',
  '// (existing users only)',
  '// --- Existing routes ---',
  '// (optional)',
  '(...args) =>',
  '...(args && { args })',
  '...items',
  '(...rest)',
  '// .........................',
  '/* ------------ ... ------------ */ x()',
  '// [previous, next]',
  '# (remaining)',
  '// No changes: nothing to write',
  '// no changes to write',
  '// No changes needed',
  '// keep as is',
  '// stays the same',
  '// the same',
  '// truncated',
  '// Your code here',
  '// same as before the loop',
  '// omitted by default',
  '// snippets',
  '// existing imports are kept in order',
  '// existing styles win',
  '// the existing JSX',
  '[existing, code]',
  '[first, second].map(code)',
  '[rest]',
  '...rest.of.code',
  '...restOf(code),',
]

describe('a placeholder', () => {
  it.each(placeholders)('is %s', line => {
    expect(findPlaceholders(`const a = 1\n\n${line}\n}\n`, 'a.ts')).toEqual([{ line: 2, text: line }])
  })

  it.each([...aboveCode, ...inOtherTongues])('is %s, also right above code', line => {
    for (const after of ['const b = 2', '}', '']) {
      expect(findPlaceholders(`const a = 1\n${line}\n${after}\n`, 'a.ts')).toEqual([{ line: 1, text: line }])
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

  it('is no line of a document that shows code, but what stands in for the document itself', () => {
    expect(findPlaceholders('```ts\n// ... existing code ...\n```\n', 'docs/a.md')).toEqual([])
    expect(findPlaceholders('```ts\nconst f = () => { /* ... */ }\n```\n', 'docs/a.md')).toEqual([])
    expect(findPlaceholders('```html\n<head>\n  <!-- ... -->\n</head>\n```\n', 'docs/a.md')).toEqual([])
    expect(findPlaceholders('<head>\n  <!-- ... -->\n</head>\n', 'a.html')).toHaveLength(1)
    expect(findPlaceholders('    >>> f()\n    ...     values = []\n', 'docs/a.rst')).toEqual([])
    expect(findPlaceholders('# A\n\n<!-- ... rest of the document ... -->\n', 'docs/a.md')).toHaveLength(1)
  })
})
