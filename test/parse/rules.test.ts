import { describe, expect, it } from 'vitest'
import { parseResponse } from '../../src/parse/parse-response.ts'
import { control, file, patch, read, uuid, write } from '../support/answer.ts'

const a = write('src/a.ts', 'x\n')
const b = write('src/b.ts', 'y\n')
const markedX = '// START\nx\n// END\n```\n'
const namesA = control('edit: src/a.ts')

describe('the path of a block', () => {
  it.each([
    ['behind //', '```ts // src/a.ts'],
    ['behind // without a blank', '```ts //src/a.ts'],
    ['behind // right at the language', '```typescript// src/a.ts'],
    ['behind #', '```python # src/a.ts'],
    ['behind --', '```sql -- src/a.ts'],
    ['in /* */', '```css /* src/a.ts */'],
    ['in /* without its end', '```css /* src/a.ts'],
    ['in <!-- -->', '```html <!-- src/a.ts -->'],
    ['in {/* */}', '```tsx {/* src/a.ts */}'],
    ['in <!--- --->', '```cfm <!--- src/a.ts --->'],
    ['behind ;', '```lisp ; src/a.ts'],
    ['without a language', '``` // src/a.ts'],
    ['as lang:path', '```typescript:src/a.ts'],
    ['as title="p"', '```ts title="src/a.ts"'],
    ['as title with typographic quotes', '```ts title=“src/a.ts”'],
    ['as name=p', '```typescript name=src/a.ts'],
    ['as filename=p behind another attribute', '```ts {1,3} filename="src/a.ts"'],
    ['behind other attributes', '```ts showLineNumbers // src/a.ts'],
    ['with the label File:', '```ts // File: src/a.ts'],
    ['with a German label', '```ts // Datei: src/a.ts'],
    ['with a French label', '```ts // Fichier : src/a.ts'],
    ['with a Chinese label', '```ts // 文件：src/a.ts'],
    ['with a remark in wide brackets', '```ts // src/a.ts（新文件）'],
    ['in braces', '```ts // {src/a.ts}'],
    ['in backticks', '~~~ts // `src/a.ts`'],
    ['with a backslash in front of its slash', '```ts // src\\/a.ts'],
    ['with two slashes', '```ts // src//a.ts'],
    ['with a dot for a part', '```ts // ./src/./a.ts'],
    ['in backticks behind a fence of backticks', '```typescript // `src/a.ts`'],
    ['in backticks with a remark', '```ts // `src/a.ts` (new file)'],
    ['in backticks behind a label', '```ts // File: `src/a.ts`'],
    ['in backticks and a comment that closes', '```css /* `src/a.ts` */'],
    ['in quotes', '```ts // "src/a.ts"'],
    ['in French quotes', '```ts // « src/a.ts »'],
    ['in German quotes', '```ts // Datei: „src/a.ts“'],
    ['with backslashes', '```ts // src\\a.ts'],
    ['with a leading ./', '```ts // ./src/a.ts'],
    ['with a remark behind it', '```ts // src/a.ts (new file)'],
    ['with an explanation behind it', '```ts // src/a.ts - the loader'],
    ['with a word behind it', '```ts // src/a.ts replace'],
    ['with a comma behind it', '```ts // src/a.ts, the whole file'],
    ['behind a label in brackets', '```ts // [NEW] src/a.ts'],
    ['behind a verb', '```ts // Update src/a.ts'],
    ['behind an arrow', '```ts // -> src/a.ts'],
    ['behind a picture', '```ts // 📄 src/a.ts'],
    ['in brackets', '```ts // [src/a.ts]'],
    ['in quotes with a word behind it', '```ts // "src/a.ts" replace'],
    ['with no-break blanks and zero-width marks around it', '```ts\u00a0//\u00a0\u200bsrc/a.ts\ufeff'],
    ['in italics', '```ts // *src/a.ts*'],
    ['as a link', '```ts // [src/a.ts](http://src/a.ts)'],
    ['behind what happens to it', '```ts // edit: src/a.ts'],
    ['behind a sign that turns the writing', '```ts // \u200esrc/a.ts'],
  ])('stands on the opening line %s', (_, opening) => {
    const text = `${opening}\n${markedX}${namesA}`
    expect(read(opening.startsWith('~') ? text.replace('x\n// END\n```', 'x\n// END\n~~~') : text)).toEqual(patch([a]))
  })

  it.each([
    ['a comment as the first line', '```ts\n// src/a.ts\n// START\nx\n// END\n```\n'],
    ['a comment as the first line, without markers', '```ts\n// src/a.ts\nx\n```\n'],
    ['a comment right below START', '```ts\n// START\n// src/a.ts\n\nx\n\n// END\n```\n'],
    ['a comment between START and nothing', '```ts\n\n# src/a.ts\n\n// START\nx\n// END\n```\n'],
    ['a heading', '### src/a.ts\n\n```ts\nx\n```\n'],
    ['a heading with backticks', '### `src/a.ts`\n\n```ts\n// START\nx\n// END\n```\n'],
    ['bold', '**src/a.ts**\n```ts\nx\n```\n'],
    ['bold, with a number', '**1. `src/a.ts`**\n\n```ts\n// START\nx\n// END\n```\n'],
    ['bold and backticks with a colon', '**`src/a.ts`**:\n\n```ts\nx\n```\n'],
    ['a bold label', '**File:** `src/a.ts`\n\n```ts\nx\n```\n'],
    ['a label', 'File: src/a.ts\n```ts\nx\n```\n'],
    ['backticks', '`src/a.ts`\n```ts\nx\n```\n'],
    ['italics with low lines', '_src/a.ts_\n\n```ts\nx\n```\n'],
    ['brackets behind the language', '```ts [src/a.ts]\n// START\nx\n// END\n```\n'],
    ['the language alone in front', '```ts src/a.ts\nx\n```\n'],
    ['a comment right above', '<!-- src/a.ts -->\n```ts\nx\n```\n'],
    ['a block of its own right above', '```\nsrc/a.ts\n```\n\n```ts\nx\n```\n'],
    ['a heading with a picture', '### 📄 `src/a.ts`\n\n```ts\nx\n```\n'],
    ['the first line without a comment sign, where START follows', '```ts\nsrc/a.ts\n// START\nx\n// END\n```\n'],
    ['a line of words, where START follows', 'Update `src/a.ts`:\n```ts\n// START\nx\n// END\n```\n'],
    ['bold words around it, where START follows', '**Step 1: update `src/a.ts`**\n\n```ts\n// START\nx\n// END\n```\n'],
    ['a heading of HTML', '<h3>src/a.ts</h3>\n\n```ts\n// START\nx\n// END\n```\n'],
    ['a heading of words, where START follows', '### Step 1: **src/a.ts**\n```ts\n// START\nx\n// END\n```\n'],
  ])('stands at %s where the change summary names it', (_, block) => {
    expect(read(block + namesA)).toEqual(patch([a]))
    const unnamed = read(`${block}${file('src/b.ts', 'y')}${control('edit: src/b.ts')}`)
    expect(unnamed).toEqual(block.includes('START') ? ['no-path'] : patch([b]))
  })

  it.each([
    ['a command', '```bash # npm install\nnpm install\n```\n', 'run: npm install'],
    ['a domain name', '```text // example.com\nx\n```\n', 'edit: example.com'],
    ['a sentence above', 'In `src/a.ts` change this:\n```ts\nx\n```\n', 'edit: src/a.ts'],
    ['a path in the summary alone', '```ts\nx\n```\n', 'edit: src/a.ts'],
    ['a line of words without START', 'Update `src/a.ts`:\n```ts\nx\n```\n', 'edit: src/a.ts'],
    ['the first line of a list', '```\nsrc/a.ts\nsrc/b.ts\n```\n', 'edit: src/a.ts'],
    ['a list above, with words between', '```\nsrc/a.ts\n```\nThen\n```sh\nls\n```\n', 'edit: src/a.ts'],
    ['a path with nothing below it', '```ts\n// src/a.ts\n```\n', 'edit: src/a.ts'],
    ['a language that is called like a file', '```Makefile\nx\n```\n', 'edit: Makefile'],
  ])('is not %s', (_, block, entry) => {
    const kept = read(`${block}${file('src/b.ts', 'y')}${control(entry, 'edit: src/b.ts')}`)
    expect(kept).toMatchObject({ operations: [b] })
  })

  it.each([
    '../../etc/passwd',
    '/etc/passwd',
    'C:/x.ts',
    '~/.ssh/id',
    'a/../b.ts',
    '.git/config',
    'src/\u202egnp.ts',
    'a\u0007b.ts',
    'it’s.ts',
    'con',
    'a'.repeat(10_000),
  ])('is passed on as it is, however hostile: %.40s', path =>
    expect(read(`\`\`\`ts // ${path}\n${markedX}${control('edit: x')}`)).toMatchObject({
      operations: [write(path, 'x\n')],
    }),
  )
})

describe('a path among other words on the opening line', () => {
  it('is the one that the summary names, where the block surely is a file', () => {
    const both = control('edit: src/a.ts', 'edit: src/b.ts')
    expect(read(`\`\`\`ts // Use src/a.ts from now on\n${markedX}${namesA}`)).toEqual(patch([a]))
    const two = 'Use src/a.ts, not src/c.ts'
    expect(read(`${file(two, 'x')}${namesA}`)).toMatchObject({ operations: [write(two, 'x\n')] })
    // YAML takes what stands behind a number sign for a comment.
    const odd = 'new/x #y.txt'
    expect(read(`${file(odd, 'x')}${control(`new: ${odd}`)}`)).toMatchObject({ operations: [write(odd, 'x\n')] })
    expect(read(`\`\`\`ts // Usage of src/a.ts\nfoo()\n\`\`\`\n${file('src/b.ts', 'y')}${both}`)).toMatchObject({
      operations: [b],
    })
    expect(read(`\`\`\`ts // src/b.ts of src/a.ts\n${markedX}${both}`)).toMatchObject({
      flags: ['summary-mismatch', 'summary-mismatch', 'summary-mismatch'],
    })
    for (const words of ['src/b.ts (extracted from src/a.ts)', 'src/b.ts - like src/a.ts', 'src/b a.ts']) {
      const other = read(`\`\`\`ts // ${words}\n${markedX}${control('edit: src/a.ts', 'edit: a.ts')}`)
      expect(other).toMatchObject({ operations: [{ path: expect.stringMatching(/^src\/b/) }] })
    }
    const named = 'my src/a.ts'
    expect(read(`${file(named, 'x')}${file('src/a.ts', 'x')}${control(`new: ${named}`, 'edit: src/a.ts')}`)).toEqual(
      patch([write(named, 'x\n'), a]),
    )
  })
})

describe('two paths in place of one', () => {
  it.each([
    'src/b.ts → src/a.ts',
    'src/b.ts -> src/a.ts',
    'src/b.ts to src/a.ts',
    'src/b.ts, src/a.ts',
    'src/b.ts renamed to src/a.ts',
  ])('are no name, though the summary says the same: %s', both => {
    const named = control(`rename: ${both}`)
    expect(read(file(both, 'x') + named)).toEqual(['no-path'])
    expect(read(`### ${both}\n\n\`\`\`ts\n${markedX}${named}`)).toEqual(['no-path'])
    expect(read(`\`\`\`ts // ${both}\n//TODO: delete this file\n\`\`\`\n${named}`)).toEqual(['no-path'])
    expect(read(file('src/a.ts', 'x') + named)).toMatchObject({ operations: [a] })
  })
})

describe('the backslashes of Markdown in a path', () => {
  const init = [write('app/__init__.py', 'x\n')]
  const named = control('new: app/__init__.py')

  it.each([
    ['app/\\_\\_init\\_\\_.py', 'app/__init__.py'],
    ['./app/\\[id\\]/my\\_page.tsx', 'app/[id]/my_page.tsx'],
    ['\\_\\_init\\_\\_.py', '__init__.py'],
    ['lib/useCart\\.ts', 'lib/useCart.ts'],
    ['lib/use\\-cart\\.ts', 'lib/use-cart.ts'],
    ['app/\\[\\.\\.\\.slug\\]/\\+page.ts', 'app/[...slug]/+page.ts'],
    ['index\\.html', 'index.html'],
    ['app\\.config', 'app/.config'],
    ['lib\\.hidden\\use.ts', 'lib/.hidden/use.ts'],
    ['app\\__init__.py', 'app/__init__.py'],
    ['app\\[id]\\page.tsx', 'app/[id]/page.tsx'],
    ['\\server\\share.ts', '/server/share.ts'],
  ])('are no separators where / is one: %s', (said, path) => {
    expect(read(`\`\`\`ts // ${said}\n${markedX}${control(`new: ${said}`)}`)).toEqual(patch([write(path, 'x\n')]))
  })

  it('do not hide a remark behind the path', () => {
    const path = 'app/\\_\\_init\\_\\_.py'
    expect(read(`\`\`\`py // ${path} (excerpt)\n${markedX}${named}`)).toEqual(patch(init, 'placeholder'))
  })

  it('come off a heading, and a comment above START', () => {
    expect(read(`### app/\\_\\_init\\_\\_.py\n\n\`\`\`py\n${markedX}${named}`)).toEqual(patch(init))
    expect(read(`\`\`\`py\n# app/\\_\\_init\\_\\_.py\n${markedX}${named}`)).toEqual(patch(init))
  })
})

describe('a path in backticks behind a fence of backticks', () => {
  it.each([
    ['two pieces of code', '```ts // `src/a.ts` and `src/b.ts`\n// START\n'],
    ['code that goes on', '```ts // `src/a.ts` is where it is\n// START\n'],
    ['code without START right below', '```ts // `src/a.ts`\nx\n'],
    ['code alone', '```` ```ts // src/a.ts ```` opens it.\n'],
  ])('opens no block where the line holds %s', (_, line) => {
    expect(read(`${line}\n${file('src/a.ts', 'x')}${namesA}`)).toEqual(
      line.includes('START') ? ['fences-lost'] : patch([a]),
    )
  })

  it('opens a delete', () => {
    const text = `\`\`\`ts // \`src/a.ts\`\n//TODO: delete this file\n\`\`\`\n${control('delete: src/a.ts')}`
    expect(read(text)).toEqual(patch([{ op: 'delete', path: 'src/a.ts' }]))
  })

  it('opens one within a document', () => {
    const content = 'one\n\n```ts // `src/b.ts`\n// START\ny\n// END\n```\n\ntwo\n'
    expect(read(file('src/a.ts', content.trimEnd()) + namesA)).toEqual(patch([write('src/a.ts', content)]))
  })
})

describe('a block of commands below a path of another kind', () => {
  it.each([
    '### `src/a.ts`\n\n```bash\nx\n```\n',
    '```bash title="src/a.ts"\nx\n```\n',
    '```console\n# src/a.ts\nx\n```\n',
  ])('is a doubt, for it may only show how the file is used: %s', block => {
    expect(read(`${block}${namesA}`)).toEqual(patch([a], 'placeholder'))
  })

  it('is the file where it is marked, or of that kind', () => {
    expect(read(`### \`src/a.ts\`\n\n\`\`\`bash\n${markedX}${namesA}`)).toEqual(patch([a]))
    for (const path of ['run.sh', 'Makefile', '.env', 'nginx.conf', 'a/.env.local']) {
      const text = `\`${path}\`:\n\n\`\`\`bash\nx\n\`\`\`\n${control(`edit: ${path}`)}`
      expect(read(text)).toEqual(patch([write(path, 'x\n')]))
    }
  })
})

describe('a remark behind the path', () => {
  it.each([
    '(lines 1-60)',
    'lines 5-9',
    '(L10-L20)',
    '(append)',
    '(excerpt)',
    '(partial)',
    '(snippet)',
    '(continued)',
    '(updated section)',
    '- only the changed function',
    '- changed parts only',
    '(end of file)',
    '(add this at the bottom)',
    '(new, at the end)',
    '(only the login function)',
    '(Auszug)',
    '(nur die Funktion)',
    '(фрагмент)',
    '（节选）',
  ])('is a doubt where it says that the block is only a part: %s', remark => {
    const body = `\n${markedX}`
    expect(read(`\`\`\`ts // src/a.ts ${remark}${body}${namesA}`)).toEqual(patch([a], 'placeholder'))
    expect(read(`**src/a.ts** ${remark}:\n\`\`\`ts${body}${namesA}`)).toEqual(patch([a], 'placeholder'))
    expect(read(`### \`src/a.ts\` ${remark}\n\`\`\`ts\nx\n\`\`\`\n${namesA}`)).toEqual(patch([a], 'placeholder'))
    expect(read(`\`\`\`ts\n// src/a.ts ${remark}${body}${namesA}`)).toEqual(patch([a], 'placeholder'))
  })

  it.each([
    '(new)',
    '(new file)',
    '- the loader',
    '- a read-only store',
    '- appends each line to the log',
    '- diff viewer',
    '(add logging)',
    '- snippets of the editor',
    '- partial-order sort',
    '(unchanged API)',
    '(read-only)',
    '(neu)',
    '（部分一致の検索）',
    '（只读配置）',
  ])('is none where it only describes: %s', remark => {
    expect(read(`\`\`\`ts // src/a.ts ${remark}\n${markedX}${namesA}`)).toEqual(patch([a]))
  })

  it.each([
    ['src/a.ts START', 'src/a.ts', true],
    ['src/a.ts {1,3}', 'src/a.ts', true],
    ['src/a.ts, whole', 'src/a.ts', true],
    ['src/read me', 'src/read me', false],
    ['v1.0 notes/todo', 'v1.0 notes/todo', false],
  ])('is told from it by the ending where no summary names the path: %s', (said, path, isRemark) => {
    const text = `\`\`\`ts // ${said}\n${markedX}\`\`\`yaml\nprojectId: demo\nuuid: ${uuid}\n\`\`\`\n`
    expect(read(text)).toEqual(patch([write(path, 'x\n')], ...(isRemark ? (['placeholder'] as const) : [])))
  })
})

describe('the name of an edit format behind the path', () => {
  it.each(['diff', '{search-replace}', 'multi-search-replace', 'new-unified', '(patch)'])(
    'is a doubt where the block holds no edit: %s',
    hint => expect(read(`\`\`\`ts // src/a.ts ${hint}\n${markedX}${namesA}`)).toEqual(patch([a], 'placeholder')),
  )
})

describe('a word in front of the path', () => {
  it.each(['append', 'insert', 'prepend', 'add', 'patch', 'edit', 'modify'])(
    'is a doubt in the place of the language where it says that the block is only a part: %s',
    word => {
      expect(read(`\`\`\`${word} src/a.ts\nx\n\`\`\`\n${namesA}`)).toEqual(patch([a], 'placeholder'))
      expect(read(`\`\`\`${word} // src/a.ts\n${markedX}${namesA}`)).toEqual(patch([a], 'placeholder'))
    },
  )

  it('is the language of a patch', () => {
    const content = '--- a/x\n+++ b/x\n@@ -1 +1 @@\n-x\n+y\n'
    for (const word of ['diff', 'patch']) {
      const block = `\`\`\`${word} // fix.patch\n// START\n${content}// END\n\`\`\`\n`
      expect(read(block + control('new: fix.patch'))).toEqual(patch([write('fix.patch', content)]))
    }
  })

  it.each(['Append to', 'Insert into', 'Add to', 'Excerpt:', 'Snippet of', 'Фрагмент:', '节选：'])(
    'is a doubt on any line: %s',
    words => {
      expect(read(`\`\`\`ts // ${words} src/a.ts\n${markedX}${namesA}`)).toEqual(patch([a], 'placeholder'))
      expect(read(`### ${words} \`src/a.ts\`\n\`\`\`ts\n${markedX}${namesA}`)).toEqual(patch([a], 'placeholder'))
    },
  )

  it.each(['Extract', 'Add', 'Edit', 'Update', 'Patched:', 'Additions:'])('is none where it is not: %s', word => {
    expect(read(`### ${word} \`src/a.ts\`\n\`\`\`ts\n${markedX}${namesA}`)).toEqual(patch([a]))
    expect(read(`\`\`\`ts // ${word} src/a.ts\n${markedX}${namesA}`)).toEqual(patch([a]))
  })
})

describe('the path of an example', () => {
  it('is a doubt, for it was copied from the instructions', () => {
    const example = read(file('path/to/a.ts', 'x') + control('new: path/to/a.ts'))
    expect(example).toEqual(patch([write('path/to/a.ts', 'x\n')], 'placeholder'))
    expect(read(file('src/path/to/a.ts', 'x') + control('new: src/path/to/a.ts'))).toMatchObject({ flags: [] })
  })
})

describe('a line above a block that has START', () => {
  const block = `\`\`\`ts\n${markedX}${namesA}`

  it.each([
    'Update src/a.ts:',
    '`src/a.ts` file',
    '2. Now the `src/a.ts`:',
    '**الملف:** `src/a.ts`',
    'Plik: src/a.ts',
    'Tệp: `src/a.ts`',
    'קובץ: `src/a.ts`',
    'ไฟล์: src/a.ts',
    '修改文件 `src/a.ts`：',
    '`src/a.ts`を更新:',
    '- Διαδρομή αρχείου: `src/a.ts`',
  ])('announces it with at most two other words: %s', line => {
    expect(read(`${line}\n\n${block}`)).toEqual(patch([a]))
    expect(read(`${line}\n\n${block.replace('edit: src/a.ts', 'edit: src/c.ts')}`)).toEqual(['no-path'])
  })

  it.each([
    'Here is `src/a.ts` with the updated methods:',
    'Change `src/a.ts`, where only the loop was wrong:',
    'In src/a.ts add this:',
    'src/a.ts needs only this import:',
    'Füge das in `src/a.ts` ein:',
    '请在 `src/a.ts` 中添加以下代码：',
    '请把以下代码添加到文件末尾：src/a.ts',
    'Now `src/a.ts` and `src/b.ts`:',
  ])('announces nothing where it is a sentence, or names two: %s', sentence => {
    expect(read(`${sentence}\n${block}`)).toEqual(['no-path'])
  })
})

describe('a label in front of the path, in any language', () => {
  it.each([
    '**الملف:** `src/a.ts`',
    'Plik: src/a.ts',
    'Tên tệp: `src/a.ts`',
    'קובץ: `src/a.ts`',
    '### फ़ाइल: `src/a.ts`',
  ])('announces a file without markers, too: %s', line =>
    expect(read(`${line}\n\n\`\`\`ts\nx\n\`\`\`\n${namesA}`)).toEqual(patch([a])),
  )

  it.each(['Usage:', '**Example:**', '### Before:', 'Old：'])(
    'is a doubt where it says that no file follows: %s',
    words => {
      expect(read(`${words} \`src/a.ts\`\n\n\`\`\`ts\nx\n\`\`\`\n${namesA}`)).toEqual(patch([a], 'placeholder'))
    },
  )

  it('is none where it is the path, and the words behind it a remark', () => {
    const named = control('edit: Makefile')
    for (const line of [
      '```make // Makefile: build\n',
      '**Makefile**: the build\n```make\n',
      'Makefile: build it\n```make\n',
    ]) {
      expect(read(`${line}${markedX}${named}`)).toEqual(patch([write('Makefile', 'x\n')]))
    }
  })

  it('is content within the block where it may be a word of the program', () => {
    const of = (line: string) => read(`\`\`\`ts\n${line}\nx\n\`\`\`\n${namesA}`)
    for (const line of ['// File: src/a.ts', '// Datei: src/a.ts', '// 文件：src/a.ts', '// Edit: src/a.ts']) {
      expect(of(line)).toEqual(patch([a]))
    }
    expect(of('// Usage: src/a.ts')).toEqual(patch([write('src/a.ts', '// Usage: src/a.ts\nx\n')], 'placeholder'))
  })
})

describe('a title above the reasoning above a block that is surely a file', () => {
  const reasoning = 'It only has to hold one value.\n\n- nothing else changes\n- see `src/b.ts`\n\n'

  it.each([
    '### src/a.ts',
    '#### 1. `src/a.ts` (updated)',
    '**src/a.ts**',
    '`src/a.ts`:',
    '<summary>src/a.ts</summary>',
    '### `src/a.ts`\n\n#### Reasoning',
    '## src/a.ts\n\n### Why Next.js, and/or v2.x',
    '### `src/a.ts`\n\n#### What it means for `src/b.ts`',
    '# src/b.ts\n\n### Step 2: `src/a.ts`\n\n## src/a.ts',
    '- `src/c.ts`\n- `src/a.ts`\n\n### `src/a.ts`',
  ])('names it: %s', title => {
    expect(read(`${title}\n\n${reasoning}\`\`\`ts\n${markedX}${namesA}`)).toEqual(patch([a]))
  })

  it.each([
    '## Step 2: Update `src/a.ts`',
    '## Edited file — src/a.ts',
    '### Change it (src/a.ts)',
    '## src/b.ts\n\nIt stays.\n\n## Update src/a.ts',
    '## What uses src/a.ts',
  ])('names it with a doubt where it has words around it: %s', title => {
    expect(read(`${title}\n\n${reasoning}\`\`\`ts\n${markedX}${namesA}`)).toEqual(patch([a], 'summary-mismatch'))
  })

  it('names a delete, too', () => {
    const block = '### `src/a.ts`\n\nNothing uses it.\n\n```ts\n//TODO: delete this file\n```\n'
    expect(read(block + control('delete: src/a.ts'))).toEqual(patch([{ op: 'delete', path: 'src/a.ts' }]))
  })

  it.each([
    ['where several paths stand alone', '`src/a.ts`\n\n`src/b.ts`\n\nBoth are new.\n\n'],
    ['where only a sentence holds it', 'I changed `src/a.ts`.\n\nIt only has to hold one value.\n\n'],
    ['where another block stands between', '### src/a.ts\n\n```ts\nold()\n```\n\nSo:\n\n'],
    ['where the summary does not name it', '### src/b.ts\n\nSo:\n\n'],
    ['where it is listed', 'It is used by:\n\n- src/a.ts\n\nNow for this one.\n\n'],
  ])('names nothing %s', (_, above) => {
    expect(read(`${above}\`\`\`ts\n${markedX}${namesA}`)).toEqual(['no-path'])
  })

  it('names no block without markers, which may be a quotation', () => {
    expect(read(`### src/a.ts\n\nSo far:\n\n\`\`\`ts\nx\n\`\`\`\n${namesA}`)).toEqual(['no-files'])
  })
})

describe('the end of a block', () => {
  const others = `\nNext:\n\n${file('src/b.ts', 'y')}${control('edit: src/a.ts', 'new: src/b.ts')}`

  it.each([
    ['END and fence', '```ts // src/a.ts\n// START\nx\n// END\n```\n'],
    ['END and fence with blank lines between', '```ts // src/a.ts\n// START\nx\n// END\n\n\n```\n'],
    ['an END in another comment style', '```py // src/a.ts\n# START\nx\n<!-- END -->\n```\n'],
    ['markers with blanks around', '```ts // src/a.ts\n  //   START  \nx\n\t//END \n```\n'],
    ['markers without a sign', '```json // src/a.ts\nSTART\nx\nEND\n```\n'],
    ['markers without a sign below the path once more', '```json // src/a.ts\n// src/a.ts\nSTART\nx\nEND\n```\n'],
    ['markers without a sign below the path without one', '```json // src/a.ts\nsrc/a.ts\n\nSTART\nx\nEND\n```\n'],
    ['a fence longer than the opening one', '```ts // src/a.ts\n// START\nx\n// END\n`````\n'],
    ['a fence shorter than the opening one', '````ts // src/a.ts\n// START\nx\n// END\n```\n'],
    ['a fence that is glued to END', '```ts // src/a.ts\n// START\nx\n// END```\n'],
    ['a fence run together with the next', '```ts // src/a.ts\n// START\nx\n// END\n``````text\nquoted\n```\n'],
    ['an unbalanced inner fence', '```ts // src/a.ts\n// START\nx\n// END\n```\n'],
    ['an indented closing fence', '1. So: ```ts // src/a.ts\n// START\nx\n// END\n   ```\n'],
    ['a list marker before the opening fence', '- ```ts // src/a.ts\n  // START\n  x\n  // END\n  ```\n'],
    ['tildes', '~~~ts // src/a.ts\n// START\nx\n// END\n~~~\n'],
    ['no markers at all', '```ts // src/a.ts\nx\n```\n'],
    ['no markers and a glued fence', '```ts // src/a.ts\nx```\n'],
  ])('is found at %s', (_, block) => {
    expect(read(block + others)).toEqual(patch([a, b]))
  })

  it.each([
    ['code behind the fence', 'one\n```"""\ntwo\n'],
    ['comments with fences', '/**\n * ```ts title="src/b.ts"\n * x\n * ```\n */\n/// ```\n/// y\n/// ```\n'],
    ['one side of such a comment', '/**\n * ```ts title="src/b.ts"\n * x\n */\n'],
  ])('is found below a file that holds %s', (_, content) => {
    expect(read(file('src/a.ts', content.trimEnd()) + others)).toEqual(patch([write('src/a.ts', content), b]))
  })

  it.each([
    ['with an info', '```json'],
    ['without one', '```'],
    ['that is longer', '````md'],
  ])('is found below a file that holds a lone fence %s, but with doubt', (_, line) => {
    const content = `one\n${line}\ntwo\n`
    expect(read(file('src/a.ts', content.trimEnd()) + others)).toEqual(
      patch([write('src/a.ts', content), b], 'missing-end'),
    )
  })

  it('is found with doubt where an END and a fence stood inside: two files with a lone fence each come out even as one', () => {
    const first = '```js\none'
    const second = '~~~~\n```\n~~~~\n\n```\ntwo\n```'
    const text = file('docs/a.md', first) + file('docs/b.md', second)
    expect(read(text + control())).toMatchObject({ flags: ['missing-end'] })
    const quoted = `Say:\n\n${file('src/a.ts', 'x')}`
    expect(read(file('docs/a.md', quoted.trimEnd()) + control())).toEqual(patch([write('docs/a.md', quoted)]))
  })

  it('is found without doubt below code that ends in an END of its own, where no other file begins', () => {
    const content = '# Set up\n\n```sh\n# BEGIN hosts\necho 1\n# END\n```\n\n```sql\nSELECT 1;\n-- END\n```\n\nDone.\n'
    expect(read(file('docs/a.md', content.trimEnd()) + file('src/b.ts', 'x') + control())).toEqual(
      patch([write('docs/a.md', content), write('src/b.ts', 'x\n')]),
    )
  })

  it('is found with doubt where a block of tildes in the file holds a fence of backticks without its partner', () => {
    const content = 'one\n\n~~~md\n```ts\ntwo\n~~~\n\nthree\n'
    expect(read(file('src/a.ts', content.trimEnd()) + others)).toEqual(
      patch([write('src/a.ts', content), b], 'missing-end'),
    )
  })

  it.each([
    ['a bare fence', 'one\n', '```\ntwo\n'],
    ['a pair of bare fences', 'one\n', '```\ntwo\n```\nthree\n'],
    ['a fence with a label', 'one\n```sh\nls\n', '```\n\n```\ntwo\n'],
    ['a fence with a label that nothing closes', '```yaml\na: 1\n```\n', '```ts\ntwo\n'],
    ['a fence within tildes', 'one\n\n~~~\nq\n', '```\n~~~\n\ntwo\n'],
  ])('is doubtful where a document without markers holds %s', (_, head, rest) => {
    for (const more of ['', others.replace(namesA, '')]) {
      const parsed = read(`\`\`\`markdown // src/a.ts\n${head}${rest}\`\`\`\n${more === '' ? namesA : more}`)
      expect(parsed).toMatchObject({ flags: ['missing-end'] })
    }
  })

  it.each(['```ts // a.md\n', '**a.md**\n```\n'])('is doubtful whatever such a document calls its block: %j', head => {
    const flags = expect.arrayContaining(['missing-end'])
    expect(read(`${head}one\n\`\`\`\ntwo\n\`\`\`\nthree\n\`\`\`\n${control('edit: a.md')}`)).toMatchObject({ flags })
  })

  it('is doubtful where a program without markers stops within a comment', () => {
    const block = '```ts // src/a.ts\n/**\n@example\n```\nx()\n```\n*/\nx\n```\n'
    expect(read(block + others)).toMatchObject({ flags: ['missing-end'] })
    const python = block.replace('/**', "'''").replace('*/', "'''")
    expect(read(python + others)).toMatchObject({ flags: ['missing-end'] })
    const shown = '```ts // src/a.ts\n/* x */\nx\n```\n\nIt prints:\n\n```\n3\n```\n'
    expect(read(shown + namesA)).toMatchObject({ flags: [] })
  })

  it('is no bare fence that stands further in, as in the documentation of a program without markers', () => {
    const content = 'def f():\n    """\n    ```\n    x\n    ```\n    """\n'
    expect(read(`\`\`\`py // src/a.ts\n${content}\`\`\`\n${namesA}`)).toEqual(patch([write('src/a.ts', content)]))
  })

  it('is the fence that is left over, when END is missing and the file has pairs of bare ones', () => {
    const content = '# A\n\n```\nx\n```\n\n```\ny\n```\nmore\n'
    expect(read(`\`\`\`md // src/a.ts\n// START\n${content}\`\`\`\n${namesA}`)).toEqual(
      patch([write('src/a.ts', content)], 'missing-end'),
    )
  })

  it.each([
    ['at the fence, when END is missing', '```ts // src/a.ts\n// START\nx\n```\n', 'x\n'],
    ['at the glued fence, when END is missing', '```ts // src/a.ts\n// START\nx\n}```\n', 'x\n}\n'],
    [
      'behind the inner fences, when END is missing',
      '```md // src/a.ts\n// START\nx\n```sh\nls\n```\n```\n',
      'x\n```sh\nls\n```\n',
    ],
    ['at END, when START is missing', '```ts // src/a.ts\nx\n// END\n```\n', 'x\n'],
  ])('is doubtful %s', (_, block, content) => {
    expect(read(block + others)).toEqual(patch([write('src/a.ts', content), b], 'missing-end'))
  })

  it.each([
    ['neither END nor fence', '```ts // src/a.ts\n// START\nx\n'],
    ['a START block that the control block interrupts', '```ts // src/a.ts\n// START\nx'],
    ['no fence, and no START either', '```ts // src/a.ts\nx\n'],
  ])('is missing: %s', (_, block) => {
    expect(read(`${block}\n${others}`)).toEqual(['open-block'])
  })

  it('is not trusted without END when the control block came first, since the answer may be cut off', () => {
    expect(read(`${namesA}\`\`\`ts // src/a.ts\n// START\nx\n\`\`\`\n`)).toEqual(['open-block'])
    expect(read(`${namesA}\`\`\`ts // src/a.ts\nx\n\`\`\``)).toEqual(['open-block'])
    expect(read(`${namesA}\`\`\`ts // src/a.ts\n// START\nx\n// END\n\`\`\``)).toEqual(patch([a]))
  })

  it.each(['tr', 'tree\n', 'src/\n  a.ts'])(
    'is not trusted where the control block came first, and %j below may be an example that was cut off',
    rest => {
      const document = `${namesA}\`\`\`markdown // src/a.ts\n# Two\n\n\`\`\`bash\nnpm i\n\`\`\`\n\nText\n\n\`\`\`\n`
      expect(read(document + rest)).toEqual(['open-block'])
      expect(read(`${namesA}\`\`\`ts // src/a.ts\n/**\n@example\n\`\`\`\n${rest}`)).toEqual(['open-block'])
      expect(read(`${namesA}\`\`\`ts // src/a.ts\nx\n\`\`\`\n${rest}`)).toEqual(patch([a]))
      expect(read(`${document}\nLet me know.\n`)).toMatchObject({ flags: [] })
    },
  )
})

describe('an answer whose fences do not come out', () => {
  const example = `\`\`\`yaml\nprojectId: other\nuuid: 11111111-2222-4333-8444-555555555555\nchangeSummary:\n  - new: x\n\`\`\`\n`
  const content = `# A\n\n${example}\n\`\`\`\nplain\n\`\`\`\n\n\`\`\`ts\nlone`

  it('is refused where the file shows another answer', () => {
    const text = file('docs/a.md', content) + file('src/b.ts', 'y') + control('edit: docs/a.md', 'edit: src/b.ts')
    expect(read(text)).toEqual(expect.arrayContaining(['two-controls']))
  })
})

describe('markers', () => {
  it.each([
    ['in small letters', '// start', '// end'],
    ['with a colon', '// START:', '// END:'],
    ['with dashes', '# --- START ---', '# --- END ---'],
    ['of the file', '// START OF FILE', '// END OF FILE'],
    ['of the code', '// START of the code', '// END of the code'],
    ['with the path behind a colon', '// START: src/a.ts', '// END: src/a.ts'],
    ['with the name of the file', '// START: a.ts', '// END (a.ts)'],
    ['behind the word', '// FILE START', '// FILE END'],
    ['in another language', '// Anfang', '// Ende'],
    ['of which START is right', '// START', '// END OF FILE'],
    ['of which END has the path', '// START', '// END // src/a.ts'],
    ['in bold', '**START**', '**END**'],
    ['in bold with their sign', '**// START**', '**// END**'],
    ['in italics', '_START_', '*END*'],
    ['as code', '`// START`', '`// END`'],
    ['of which a dash is left', '\u2014 START', '\u2014 END'],
    ['of which one is in bold', '**START**', '// END'],
    ['as the source of a page has them', '&lt;!-- START --&gt;', '&lt;!-- END --&gt;'],
  ])('%s are doubtful, and no content', (_, start, end) => {
    const block = `\`\`\`ts // src/a.ts\n${start}\n\nx\n\n${end}\n\`\`\`\n`
    expect(read(block + namesA)).toEqual(patch([a], 'missing-end'))
    const unnamed = read(block + file('src/b.ts', 'y') + control('edit: src/b.ts'))
    expect(unnamed).toEqual(patch([a, b], 'missing-end', 'summary-mismatch'))
  })

  it.each([
    ['START', '// START\n// START\n\nx\n\n// END', '// START\n\nx\n'],
    ['END', '// START\nx\n// END\n// END', 'x\n// END\n'],
    ['both, in other styles', '// START\n# START\nx\n# END\n// END', '# START\nx\n# END\n'],
    ['two parts', '// START\nx\n// END\n\n// START\ny\n// END', 'x\n// END\n\n// START\ny\n'],
    ['two files', '// START\nx\n// END\n// src/b.ts\n// START\ny\n// END', 'x\n// END\n// src/b.ts\n// START\ny\n'],
  ])('are doubtful where there are two: %s', (_, body, content) => {
    const block = `\`\`\`ts // src/a.ts\n${body}\n\`\`\`\n`
    expect(read(block + namesA)).toEqual(patch([write('src/a.ts', content)], 'missing-end'))
  })

  it.each([
    ['// START', '# END', '// END'],
    ['// START', '<!-- END -->', '// END'],
    ['# START', '-- END', '# END'],
  ])(
    'are the own words of a file where its last line is an END in other signs than START: %s, %s',
    (start, own, end) => {
      const block = `\`\`\`ts // src/a.ts\n${start}\n\nx\n${own}\n\n${end}\n\`\`\`\n`
      expect(read(block + namesA)).toEqual(patch([write('src/a.ts', `x\n${own}\n`)]))
    },
  )

  it('are none in the words by which Perl and Ruby end a program', () => {
    expect(read(file('a.pl', 'print 1;\n__END__') + control('new: a.pl'))).toEqual(
      patch([write('a.pl', 'print 1;\n__END__\n')]),
    )
  })

  it.each(['**START**\nx', '**// START**\nx', '// **START**\nx', 'x\n**END**', '// START\n\nx\n**END**'])(
    'are doubtful in bold at one end of the block alone: %j',
    body => {
      expect(read(`\`\`\`ts // src/a.ts\n${body}\n\`\`\`\n${namesA}`)).toMatchObject({ flags: ['missing-end'] })
    },
  )

  it.each([
    ['#!/bin/sh', '# START', '# END'],
    ['// @ts-check', '// START', '// END'],
    ['<?php', '// START', '// END'],
    ['"use client"', '// START', '// END'],
    ['<!DOCTYPE html>', '<!-- START -->', '<!-- END -->'],
    ['package a\n', '// START', '// END'],
    ['// Copyright\n// All rights reserved', '// START', '// END'],
  ])('have the first lines of the file above them with doubt, and no line goes lost: %s', (above, start, end) => {
    const block = `\`\`\`ts // src/a.ts\n// src/a.ts\n${above}\n${start}\n\nx\n\n${end}\n\`\`\`\n`
    expect(read(block + namesA)).toEqual(patch([write('src/a.ts', `${above}\nx\n`)], 'missing-end'))
  })

  it('have the first lines of the file above them, too, where no END follows', () => {
    const block = '```ts // src/a.ts\n"use client"\n// START\nx\n```\n'
    expect(read(block + namesA)).toEqual(patch([write('src/a.ts', '"use client"\nx\n')], 'missing-end'))
  })

  it('are content where they stand around a part of an unmarked file', () => {
    const content = 'a: 1\n# START\nb: 2\n# END\nc: 3\n'
    expect(read(`\`\`\`yaml # a.yaml\n${content}\`\`\`\n${control('edit: a.yaml')}`)).toEqual(
      patch([write('a.yaml', content)]),
    )
  })

  it.each(['#!/usr/bin/env -S node src/a.ts', 'import "/src/a.ts"'])(
    'have a line of code above them, although the path stands in it: %s',
    above => {
      const block = `\`\`\`ts // src/a.ts\n${above}\n${markedX}`
      expect(read(block + namesA)).toEqual(patch([write('src/a.ts', `${above}\nx\n`)], 'missing-end'))
    },
  )

  it.each(['// src/a.ts', '// a.ts', '// File: src/a.ts (new)', '// src\\a.ts'])(
    'have no line of the file above them where that only says the path: %s',
    above => {
      expect(read(`\`\`\`ts // src/a.ts\n${above}\n${markedX}${namesA}`)).toEqual(patch([a]))
    },
  )

  it.each([
    ['[[ START ]]', '[[ END ]]'],
    ['=begin= START', '=begin= END'],
    ['@@ START @@', '@@ END @@'],
  ])('between signs of their own are no content, unless the signs are words: %s', (start, end) => {
    const lines = `${start}\nx\n${end}\n`
    const isContent = start.includes('begin')
    expect(read(`\`\`\`ts // src/a.ts\n${lines}\`\`\`\n${namesA}`)).toEqual(
      isContent ? patch([write('src/a.ts', lines)]) : patch([a], 'missing-end'),
    )
  })

  it('that only one end of the block has are content, with doubt at the beginning, where no file has one', () => {
    const block = (lines: string) => `\`\`\`ts // src/a.ts\n${lines}\n\`\`\`\n${namesA}`
    expect(read(block('// start\nx'))).toEqual(patch([write('src/a.ts', '// start\nx\n')], 'missing-end'))
    expect(read(block('x\n// end'))).toEqual(patch([write('src/a.ts', 'x\n// end\n')]))
    expect(read(file('src/a.ts', '// start\nx') + namesA)).toEqual(patch([write('src/a.ts', '// start\nx\n')]))
    const page = '# Start\n\nWords.\n'
    const doc = `\`\`\`md // docs/a.md\n${page}\`\`\`\n${control('new: docs/a.md')}`
    expect(read(doc)).toEqual(patch([write('docs/a.md', page)]))
  })

  it('are none of the file where END alone is there, the fence glued to it or not', () => {
    for (const end of ['// END\n```', '// END```']) {
      expect(read(`\`\`\`ts // src/a.ts\nx\n\n${end}\n${namesA}`)).toEqual(patch([a], 'missing-end'))
    }
  })
})

describe('markers in the comments of a template', () => {
  it.each([
    ['{{!-- ', ' --}}'],
    ['{{! ', ' }}'],
    ['{{-- ', ' --}}'],
    ['@* ', ' *@'],
    ['<%# ', ' %>'],
    ['<%!-- ', ' --%>'],
    ['{{/* ', ' */}}'],
    ['{{- /* ', ' */ -}}'],
    ['#= ', ' =#'],
    ['#| ', ' |#'],
    ['<#-- ', ' -->'],
    ['//- ', ''],
    ['-# ', ''],
    ['*> ', ''],
    ['.. ', ''],
  ])('are read: %sSTART%s', (open, close) => {
    const block = `\`\`\`html ${open}src/a.ts${close}\n${open}START${close}\n\nx\n\n${open}END${close}\n\`\`\`\n`
    expect(read(block + namesA)).toEqual(patch([a]))
  })
})

describe('the content of a block', () => {
  it.each([
    ['the blank line beside each marker is taken off', '\nx\n\n', 'x\n'],
    ['only one of them', '\n\nx\n\n\n', '\nx\n\n'],
    ['also where it holds blanks', '  \n#!/usr/bin/env python3\n\t \n', '#!/usr/bin/env python3\n'],
    ['only one of those, too', ' \n  \nx\n\n \n', '  \nx\n\n'],
    ['a line of blanks between the markers is an empty file', '  \n', ''],
    ['none has to be there', 'x\n', 'x\n'],
    ['trailing blanks, tabs and lone CRs stay', '\tx  \n  \ny\rz\n', '\tx  \n  \ny\rz\n'],
    ['entities and typographic quotes stay', '“a” &lt;b&gt;\u00a0\u200b\n', '“a” &lt;b&gt;\u00a0\u200b\n'],
    ['nothing between the markers is an empty file', '', ''],
    ['a blank line between the markers is an empty file', '\n', ''],
    ['two blank lines are an empty file', '\n\n', ''],
    ['three blank lines are one empty line', '\n\n\n', '\n'],
    ['an END in the middle stays', 'x\n// END\ny\n', 'x\n// END\ny\n'],
    [
      'markers of its own stay',
      'w\n// START\nx\n// END\n// START\n// END\ny\n',
      'w\n// START\nx\n// END\n// START\n// END\ny\n',
    ],
    ['a path comment below START stays', '// src/a.ts\nx\n', '// src/a.ts\nx\n'],
  ])('%s', (_, body, content) => {
    expect(read(`\`\`\`ts // src/a.ts\n// START\n${body}// END\n\`\`\`\n${namesA}`)).toEqual(
      patch([write('src/a.ts', content)]),
    )
  })

  it.each([
    ['/* src/a.ts -- what it does\n   and why. */\nx\n', '### src/a.ts\n'],
    ['"""src/a.ts: what it does\n\nand why.\n"""\nx\n', '**src/a.ts**\n'],
    ['<!-- src/a.ts (draft)\n     and why. -->\nx\n', ''],
  ])('keep a first line that names the path and begins a comment of several lines: %j', (content, above) => {
    const a = patch([write('src/a.ts', content)])
    expect(read(`${above}\`\`\`ts\n${content}\`\`\`\n${namesA}`)).toEqual(a)
    expect(read(`${above}\`\`\`ts\n// START\n${content}// END\n\`\`\`\n${namesA}`)).toEqual(a)
  })

  it('comes off where all but the fences is indented, as far as the markers are, but may be the own one of the file', () => {
    const block = (lines: string) => `\`\`\`ts // src/a.ts\n    // START\n\n${lines}\n    // END\n\`\`\`\n${namesA}`
    const shifted = patch([write('src/a.ts', 'f({\n  x,\n})\n')], 'chat-artifact')
    expect(read(block('    f({\n      x,\n    })\n'))).toEqual(shifted)
    expect(read(block('    f({\n      x,\n    })\n').replace(/^```/gm, '   ```'))).toEqual({ ...shifted, flags: [] })
    expect(read(block(''))).toEqual(patch([write('src/a.ts', '')]))
    expect(read(block('    f({\n  x,\n    })\n'))).toEqual(patch([write('src/a.ts', '    f({\n  x,\n    })\n')]))
  })

  it('keeps its own indentation where only the fences and the markers are indented', () => {
    const content = 'root:\n  child:\n    leaf: 1\n'
    const block = `1. So:\n\n   \`\`\`yaml # a.yml\n   # START\n\n${content}\n   # END\n   \`\`\`\n`
    expect(read(`${block}${control('edit: a.yml')}`)).toEqual(patch([write('a.yml', content)]))
  })

  it('loses the indentation of its fence and no more', () => {
    const block = '   ```ts // src/a.ts\n   // START\n\n   if (x) {\n     y\n\n   }\n \n   // END\n   ```\n'
    expect(read(block + namesA)).toEqual(patch([write('src/a.ts', 'if (x) {\n  y\n\n}\n')]))
    expect(read((block + namesA).trimStart())).toEqual(patch([write('src/a.ts', 'if (x) {\n  y\n\n}\n')]))
    const fencesOnly = '   ```ts // src/a.ts\n// START\nif (x) {\n  y\n}\n// END\n   ```\n'
    expect(read(fencesOnly + namesA)).toEqual(patch([write('src/a.ts', 'if (x) {\n  y\n}\n')]))
  })

  it.each(['\r\n', '\r', '\r\r\n'])('is the same when every line ends in %j', lineEnd => {
    expect(read((file('src/a.ts', 'x\n\n  y') + namesA).replaceAll('\n', lineEnd))).toEqual(
      patch([write('src/a.ts', 'x\n\n  y\n')]),
    )
  })

  it('is kept when the file has no comments and its markers have no sign', () => {
    const block = '```json // package.json\nSTART\n\n{}\n\nEND\n```\n'
    expect(read(block + control('edit: package.json'))).toEqual(patch([write('package.json', '{}\n')]))
  })
})

describe('a delete', () => {
  it.each([
    '//TODO: delete this file',
    '// TODO: delete this file',
    '# TODO: delete this file',
    '<!-- TODO: delete this file -->',
    '/* TODO: Delete this file. */',
    '-- todo: delete this file',
    '\n\n  //TODO:  delete   this file  \n',
    '// START\n\n//TODO: delete this file\n\n// END',
  ])('is a block of nothing but %j', body => {
    const deletes = patch([{ op: 'delete', path: 'src/a.ts' }])
    expect(read(`\`\`\`ts // src/a.ts\n${body}\n\`\`\`\n${control('delete: src/a.ts')}`)).toEqual(deletes)
  })

  it.each([
    '//TODO: delete this file - moved to b.ts',
    '// DELETE THIS FILE',
    '// TODO: Delete file',
    '/* This file was deleted */',
    '// deleted',
    'DELETE THIS FILE',
  ])('is refused where the block nearly says so, since that line is no file either: %s', line => {
    for (const entry of ['delete: src/a.ts', 'edit: src/a.ts', 'src/a.ts']) {
      expect(read(`\`\`\`ts // src/a.ts\n${line}\n\`\`\`\n${control(entry)}`)).toEqual(['unclear-delete'])
      expect(read(file('src/a.ts', line) + control(entry))).toEqual(['unclear-delete'])
    }
  })

  it('is clear where another block says it in those words, whatever remark is quoted beside it', () => {
    const block = (line: string) => `\`\`\`ts // src/a.ts\n${line}\n\`\`\`\n`
    const said = block('//TODO: delete this file') + block('// nothing is left')
    expect(read(said + control('delete: src/a.ts'))).toEqual(patch([{ op: 'delete', path: 'src/a.ts' }]))
  })

  it.each(['// TODO: diese Datei löschen', '# TODO: 删除此文件', '<!-- moved to b.html -->'])(
    'is refused where the block is one remark, and the summary deletes the file: %s',
    line => {
      expect(read(file('src/a.ts', line) + control('delete: src/a.ts'))).toEqual(['unclear-delete'])
      expect(read(`\`\`\`ts // src/a.ts\n${line}\n\`\`\`\n${control('delete: src/a.ts')}`)).toEqual(['unclear-delete'])
      expect(read(file('src/a.ts', line) + namesA)).toEqual(patch([write('src/a.ts', `${line}\n`)]))
    },
  )

  it.each(['// Deletes a file', '// deleted rows stay', 'deleteFile()', '# Remove files that are old', 'file'])(
    'is not any file of one line: %s',
    line => expect(read(file('src/a.ts', line) + namesA)).toEqual(patch([write('src/a.ts', `${line}\n`)])),
  )

  it('may do without its comment sign where the summary deletes the file, too', () => {
    const deletes = patch([{ op: 'delete', path: 'src/a.ts' }])
    for (const block of [
      '```ts // src/a.ts\nTODO: delete this file\n```\n',
      file('src/a.ts', 'TODO: delete this file'),
    ]) {
      expect(read(block + control('delete: src/a.ts'))).toEqual(deletes)
      expect(read(block + control('edit: src/a.ts'))).toEqual(['unclear-delete'])
      expect(read(block + control('src/a.ts'))).toEqual(['unclear-delete'])
    }
  })

  it('may have its path inside of the block, where the summary names it', () => {
    const block = '```ts\n// src/a.ts\n//TODO: delete this file\n```\n'
    expect(read(block + control('delete: src/a.ts'))).toEqual(patch([{ op: 'delete', path: 'src/a.ts' }]))
  })

  it('is not an old file that is only quoted, nor a line in a file', () => {
    expect(read(`\`\`\`ts // src/a.ts\nold()\n\`\`\`\n${control('delete: src/a.ts')}`)).toEqual(['no-files'])
    const content = '//TODO: delete this file\nx\n'
    expect(read(file('src/a.ts', content.trimEnd()) + namesA)).toEqual(patch([write('src/a.ts', content)]))
  })
})

describe('the control block', () => {
  const ids = `projectId: demo\nuuid: ${uuid}\nchangeSummary:\n  - edit: src/a.ts\n`

  it.each([
    ['fenced as yml', `\`\`\`yml\n${ids}\`\`\``],
    ['fenced without a label', `\`\`\`\n${ids}\`\`\``],
    ['fenced with another label', `\`\`\`json\n${ids}\`\`\``],
    ['fenced with tildes', `~~~yaml\n${ids}~~~`],
    ['indented', `  \`\`\`yaml\n${ids.replace(/^(?=.)/gm, '  ')}  \`\`\``],
    ['bare', ids],
    ['bare, with prose behind it', `${ids}\nNote: run it. Have fun.`],
    ['with prose behind it', `\`\`\`yaml\n${ids}\`\`\`\nLet me know.`],
    ['with the uuid first', `uuid: ${uuid}\nprojectId: demo\nchangeSummary:\n- edit: src/a.ts\n`],
    ['quoted', `\`\`\`yaml\n"projectId": "demo"\n'uuid': '${uuid}'\n"changeSummary": ["edit: src/a.ts"]\n\`\`\``],
    [
      'in braces',
      `\`\`\`json\n{"projectId": "demo", "uuid": "${uuid}", "changeSummary": [{"edit": "src/a.ts"}]}\n\`\`\``,
    ],
    [
      'with typographic quotes and odd blanks',
      `\`\`\`yaml\n“projectId”:\u00a0“demo”\nuuid:\u200b ‘${uuid}’\nchangeSummary:\n\u00a0 - edit: src/a.ts\n\`\`\``,
    ],
    ['with wide colons', `\`\`\`yaml\n${ids.replaceAll(/: ?/g, '：')}\`\`\``],
    ['bare, with wide colons', ids.replaceAll(/: ?/g, '：')],
    ['with extra keys', `\`\`\`yaml\n---\n# control\nversion: 2\n${ids}notes: a: b: c\n\`\`\``],
    ['with comments', `\`\`\`yaml\nprojectId: demo # ours\nuuid: ${uuid} # new\n\`\`\``],
    ['without a summary', `\`\`\`yaml\nprojectId: demo\nuuid: ${uuid}\n\`\`\``],
    ['with a title', `\`\`\`yaml title="control"\n${ids}\`\`\``],
    ['with a comment on its fence', `\`\`\`yaml # Control block\n${ids}\`\`\``],
    ['with the name of a file that it does not list', `\`\`\`yaml // relay.yaml\n${ids}\`\`\``],
    ['within markers', `\`\`\`yaml\n# START\n\n${ids}\n# END\n\`\`\``],
    [
      'as JSON with comments',
      `\`\`\`jsonc\n{\n  // which\n  "projectId": "demo",\n  "uuid": "${uuid}",\n  "changeSummary": [{"edit": "src/a.ts"},],\n}\n\`\`\``,
    ],
    ['bare, with a list behind it', `${ids}\n- Run the tests.\n- Read src/c.ts too.`],
    ['bare, with a quotation below its last line', `${ids}\n\`\`\`\nnpm test\n\`\`\`\n`],
    ['bare, with blank lines within its list', `${ids.replace('  -', '\n  -')}\n`],
    ['printed twice', `\`\`\`yaml\n${ids}\`\`\`\n\n\`\`\`yaml\n${ids}\`\`\``],
  ])('is understood %s', (_, block) => {
    expect(read(`${file('src/a.ts', 'x')}\n${block}`)).toEqual(patch([a]))
  })

  it('may come first', () => {
    expect(read(namesA + file('src/a.ts', 'x'))).toEqual(patch([a]))
  })

  it.each(['1e10', 'null', '012', 'true', '@acme/app', 'my #app', 'a: b', '"quoted"', '0x1F', '~', 'ünï'])(
    'reads the id %s as it stands',
    id => {
      const parsed = parseResponse(file('src/a.ts', 'x') + namesA.replace('demo', id), id)
      const quoted = parseResponse(file('src/a.ts', 'x') + namesA.replace('demo', JSON.stringify(id)), id)
      for (const each of [parsed, quoted])
        expect(each).toMatchObject({ kind: 'patch', patch: { control: { projectId: id }, operations: [a] } })
    },
  )

  it('keeps what it says', () => {
    const summary =
      'changeSummary:\n  - edit: src/a.ts\n  - {new: src/b.ts, why: "it: is"}\npromptSummary: add b\ngitCommitMsg: |\n  feat: b\n\n  more\n'
    const block = `\`\`\`yaml\nprojectId: demo\nuuid: ${uuid}\n${summary}\`\`\``
    expect(parseResponse(file('src/a.ts', 'x') + file('src/b.ts', 'y') + block, 'demo')).toMatchObject({
      patch: {
        control: {
          projectId: 'demo',
          uuid,
          changeSummary: [{ edit: 'src/a.ts' }, { new: 'src/b.ts', why: 'it: is' }],
          promptSummary: 'add b',
          gitCommitMsg: 'feat: b\n\nmore\n',
        },
        flags: [],
      },
    })
  })

  it('takes a commit message that is no valid YAML as it stands', () => {
    const block = `\`\`\`yaml\nprojectId: demo\nuuid: ${uuid}\ngitCommitMsg: feat: add b\n\`\`\``
    expect(parseResponse(file('src/a.ts', 'x') + block, 'demo')).toMatchObject({
      patch: { control: { gitCommitMsg: 'feat: add b' }, flags: [] },
    })
  })

  it.each([
    ['no uuid', '', 'no-uuid'],
    ['an empty uuid', 'uuid:', 'no-uuid'],
    ['the placeholder', 'uuid: (generate a random uuid)', 'uuid-placeholder'],
    ['a placeholder of another kind', 'uuid: your-uuid-here', 'uuid-placeholder'],
    ['signs in its place', 'uuid: xxxxxxxx-xxxx-4xxx-yxxx-xxxxxxxxxxxx', 'uuid-placeholder'],
    ['nothing but zeros', 'uuid: 00000000-0000-0000-0000-000000000000', 'uuid-placeholder'],
    ['a path', 'uuid: ../../outside', 'uuid-invalid'],
    ['too short an id', 'uuid: abc-123', 'uuid-invalid'],
    ['too long an id', `uuid: ${'a1'.repeat(40)}`, 'uuid-invalid'],
    ['null', 'uuid: null', 'uuid-invalid'],
    ['a tag', `uuid: !!str ${uuid}`, 'uuid-invalid'],
    ['an alias', 'uuid: *id12345', 'uuid-invalid'],
    ['two uuids', `uuid: ${uuid}\nuuid: 11111111-aaaa`, 'two-values'],
  ])('is refused with %s', (_, line, code) => {
    expect(read(file('src/a.ts', 'x') + namesA.replace(`uuid: ${uuid}`, line))).toEqual([code])
  })

  it.each(['a1b2c3d4', '1e101234', '12345678', 'ABC-def-123', uuid.toUpperCase()])(
    'takes any id that can name a file: %s',
    id => {
      expect(parseResponse(file('src/a.ts', 'x') + namesA.replace(uuid, id), 'demo')).toMatchObject({
        patch: { control: { uuid: id } },
      })
    },
  )

  it('takes a uuid with the dashes of a typesetter', () => {
    const text = file('src/a.ts', 'x') + namesA.replace(uuid, uuid.replaceAll('-', '\u2011'))
    expect(parseResponse(text, 'demo')).toMatchObject({ patch: { control: { uuid } } })
  })

  it.each(['()', '[]', '{}', '<>'])('takes a uuid in the brackets of its placeholder: %s', ([open, close]) => {
    expect(parseResponse(file('src/a.ts', 'x') + namesA.replace(uuid, `${open}${uuid}${close}`), 'demo')).toMatchObject(
      {
        patch: { control: { uuid }, flags: [] },
      },
    )
    expect(read(file('src/a.ts', 'x') + namesA.replace(uuid, `${open}a new one${close}`))).toEqual(['uuid-placeholder'])
  })

  it.each([
    ['names two', file('src/a.ts -> src/b.ts', 'x'), 'no-path'],
    ['is cut off', '```ts // src/a.ts\n// START\nx\n', 'open-block'],
  ])('may be a placeholder also where the only file %s: that is no template', (_, block, code) => {
    expect(read(control('edit: src/a.ts').replace(uuid, '(generate a random uuid)') + block)).toEqual([
      'uuid-placeholder',
      code,
    ])
  })

  it.each([
    ['is broken', '  - edit: src/a.ts: again: more\n  - "open\n'],
    ['holds an alias', '  - &x edit: src/a.ts\n  - *x\n'],
    ['holds a tag', '  - !!binary aGk=\n'],
    ['holds a merge key', '  - <<: {edit: src/a.ts}\n'],
    ['holds a key twice', '  - edit: src/a.ts\n    edit: src/b.ts\n'],
    ['is nested too deeply', `  ${'- '.repeat(2000)}x\n`],
    ['opens too many brackets', `  - ${'['.repeat(2000)}\n`],
    ['holds too many signs', `  - edit: ${'{}'.repeat(5000)}\n`],
    ['is far too long', `  - why: "${'x'.repeat(70_000)}\\n"\n`],
  ])('is doubtful where its summary %s', (_, lines) => {
    const block = `\`\`\`yaml\nprojectId: demo\nuuid: ${uuid}\nchangeSummary:\n${lines}\`\`\``
    expect(read(`${file('src/a.ts', 'x')}${block}`)).toEqual(patch([a], 'yaml-invalid'))
  })

  it.each([
    ['of tildes', '~~~\nnpm test\n\n'],
    ['of backticks', '```\nnpm test\n\n'],
  ])('is not swallowed by a quotation %s that nothing closes', (_, quotation) => {
    const bare = namesA.split('\n').slice(1, -2).join('\n')
    for (const block of [namesA, namesA.replaceAll('```', '~~~'), bare]) {
      expect(read(`${file('src/a.ts', 'x')}\nRun:\n\n${quotation}${block}`)).toEqual(patch([a]))
    }
  })

  it('is doubtful where its fence is not closed', () => {
    for (const first of ['---\n', '# ours\n', 'gitCommitMsg: x\n']) {
      const open = namesA.replace('projectId', `${first}projectId`).replace(/```\n$/, '')
      expect(read(file('src/a.ts', 'x') + open)).toEqual(patch([a], 'yaml-invalid'))
    }
    expect(read(file('src/a.ts', 'x') + namesA.replace(/```\n$/, ''))).toEqual(patch([a], 'yaml-invalid'))
  })

  it('is not vouched for by another: two different ones are two answers', () => {
    const other = namesA.replace(uuid, '11111111-2222-4333-8444-555555555555')
    expect(read(file('src/a.ts', 'x') + namesA + file('src/b.ts', 'y') + other)).toEqual(['two-controls'])
    expect(read(file('src/a.ts', 'x') + other.replace('demo', 'theirs') + file('src/b.ts', 'y') + namesA)).toEqual([
      'two-controls',
    ])
    for (const fenced of [true, false]) {
      const shown = (each: string) => (fenced ? each : `${each.replaceAll(/^```.*\n/gm, '')}\nWords.\n\n`)
      const same = shown(namesA).repeat(12)
      expect(read(file('src/a.ts', 'x') + same)).toMatchObject({ operations: [a] })
      expect(read(file('src/a.ts', 'x') + same + shown(other))).toEqual(['two-controls'])
      expect(read(file('src/a.ts', 'x') + shown(other) + same)).toEqual(['two-controls'])
    }
    const large = namesA.replace(/^ *- .*\n/m, line => line + line.replace('a.ts', 'a/long/path/to/it.ts').repeat(4000))
    expect(large.length).toBeGreaterThan(100_000)
    expect(read(file('src/a.ts', 'x') + other + large)).toEqual(['two-controls'])
  })

  it('does not hide in code that happens to have its keys', () => {
    const code = '```ts\nconst patch = {\n  projectId: "demo",\n  uuid: "1",\n}\n```\n'
    const types = '```ts\nprojectId: string\nuuid: string\n```\n'
    expect(read(code + types + file('src/a.ts', 'x') + namesA)).toEqual(patch([a]))
    expect(read(code)).toBe('no-patch')
  })
})

describe('an answer that was cut off before its control block', () => {
  const open = '```md // R.md\n// START\n\n# One\n'

  it.each([
    ['within its first file', open, { kind: 'no-patch', isCut: true }],
    ['behind an example in it', `${open}\n\`\`\`sh\nls\n\`\`\`\n\ntext`, { kind: 'no-patch', isCut: true }],
    ['within its second file', file('src/a.ts', 'x') + open, { kind: 'no-control', isCut: true }],
    ['behind a file', file('src/a.ts', 'x'), { kind: 'no-control' }],
    ['within a block without markers', '```ts // src/a.ts\nx', { kind: 'no-patch' }],
    ['within the instructions', '```ts // {filePath}\n// START\n{content}', { kind: 'no-patch' }],
  ])('is known as one where a START has no END: %s', (_, text, why) => {
    expect(parseResponse(`So:\n\n${text}`, 'demo')).toEqual({ kind: 'ignored', why })
  })

  it.each([
    ['a file', '// START\n\nx\n\n// END', true],
    ['a file below its path', '# a.py\n# START\nx\n# END\n\n', true],
    ['a document with a block', '<!-- START -->\n\n```sh\nls\n```\n\n<!-- END -->\n', true],
    ['a part of a file', '// START\n\nx\n', false],
    ['a text around one', 'So:\n\n// START\n\nx\n\n// END', false],
    ['words between', '// START of it\n\nx\n\n// END of it', false],
  ])('is known as what one block holds, or is not: %s', (_, text, isBlock) => {
    const why = { kind: 'no-patch', ...(isBlock && { isBlock }) }
    expect(parseResponse(text, 'demo')).toEqual({ kind: 'ignored', why })
  })
})

describe('a text that is not for us', () => {
  it.each([
    ['nothing', '', 'no-patch'],
    ['prose', 'The projectId is the name of the project. START here.', 'no-patch'],
    ['code', '```ts // src/a.ts\nconst projectId = 1\n```', 'no-patch'],
    ['a configuration', '{\n  "projectId": "demo",\n  "linter": "tsc"\n}', 'no-patch'],
    ['a fenced configuration', '```json\n{"projectId": "demo", "approval": "yes"}\n```', 'no-patch'],
    ['a block with a path and markers', file('src/a.ts', 'x'), 'no-control'],
    ['a block that was cut off', '```ts // src/a.ts\n// START\nx', 'no-patch'],
    [
      'a program that fills a control block in',
      'const control = {\n  projectId: config.projectId,\n  uuid: "1b671a64",\n}',
      'no-patch',
    ],
    ['a type', 'interface Control {\n  projectId: string;\n  uuid: string;\n}', 'no-patch'],
    [
      "an entry of relay's journal",
      `version: 1\nuuid: ${uuid}\nprojectId: demo\ncreatedAt: 2026\nchangeSummary: []\noperations:\n  - {op: delete, path: a}\n`,
      'no-patch',
    ],
    ["another project's answer", file('src/a.ts', 'x') + namesA.replace('demo', 'theirs'), 'other-project'],
    ["relay's own request", `# relay-followup: repeat block 2\n\n${file('src/a.ts', 'x')}${namesA}`, 'own-text'],
    ['the template of a block', '```typescript // {filePath}\n// START\n\n{content}\n\n// END\n```', 'own-text'],
    [
      'the template of the control block',
      control('edit: src/main.ts').replace(uuid, '(generate a random uuid)'),
      'own-text',
    ],
    [
      "another project's template",
      control('edit: src/main.ts').replace(uuid, '(generate a random uuid)').replace('demo', 'theirs'),
      'own-text',
    ],
  ])('is ignored: %s', (_, text, why) => {
    expect(read(text)).toBe(why)
  })

  it("names another project's id and uuid", () => {
    expect(parseResponse(file('src/a.ts', 'x') + namesA.replace('demo', 'theirs'), 'demo')).toEqual({
      kind: 'ignored',
      why: { kind: 'other-project', projectId: 'theirs', uuid },
    })
  })
})

describe('what stands around an answer', () => {
  it.each([
    ['a thinking section with a draft', `<think>\n${file('src/a.ts', 'draft')}${namesA}</think>\n`],
    ['a thinking section below a few words', `R1 said:\n\n<think>\n${file('src/b.ts', 'draft')}</think>\n\nSo:\n`],
    ['a thinking section closed in capitals', `<think>\nİ ${'İ'.repeat(60)}\n${file('src/a.ts', 'draft')}</THINK>\n`],
    ['a thinking section of another name', `<thinking>\n${file('src/a.ts', 'draft')}</thinking>\n`],
    [
      'a folded thinking section',
      `<details type="reasoning" done="true">\n<summary>Thought for 3 seconds</summary>\n${file('src/b.ts', 'draft')}</details>\n`,
    ],
    [
      'a thinking section without its beginning',
      `So I write\n\n${file('src/b.ts', 'draft')}${namesA.replace('005', '105')}\n</think>\n`,
    ],
    [
      'the instructions',
      `    \`\`\`typescript // {filePath}\n    // START\n\n    {content}\n\n    // END\n    \`\`\`\n\n${control('edit: src/main.ts').replace(uuid, '(generate a random uuid)')}\n`,
    ],
    ['a mark of the byte order', '\ufeff'],
    ['a quotation that is not closed', '```\nnpm test\n\n'],
    ['a quotation with a fence too many', '```markdown\n```sh\nls\n```\n```\n```\n\n'],
  ])('does not count: %s', (_, front) => {
    expect(read(front + file('src/a.ts', 'x') + namesA)).toEqual(patch([a]))
  })

  it.each([
    ['<think>', '<think>\nHm.\n\n'],
    ['<think>', 'R1 said:\n\n<think>\nHm.\n\n'],
    ['<details>', '<details>\n<summary>Thought for 3 seconds</summary>\nHm.\n\n'],
  ])('may be a draft below a %s that nothing closes: %j', (tag, front) => {
    const reason = `the text begins with ${tag}, which is never closed: the files may be a draft from the model's thinking`
    for (const content of ['x', `x('</think></details>')`]) {
      if (front.startsWith('R1') && content !== 'x') continue
      expect(parseResponse(front + file('src/a.ts', content) + namesA, 'demo')).toMatchObject({
        patch: {
          operations: [write('src/a.ts', `${content}\n`)],
          flags: [{ flag: 'chat-artifact', line: 1, reason }],
        },
      })
    }
  })

  it.each([
    ['of four backticks', '````markdown\n', '````\n'],
    ['of three backticks', '```markdown\n', '```\n'],
    ['without a label', '```\n', '```'],
    ['of tildes', '~~~\n', '~~~\n'],
    ['with a word before and after', 'Here it is:\n\n````md\n', '````\n\nCopy it.\n'],
  ])('may be one code block %s', (_, open, close) => {
    expect(read(`${open}I changed it.\n\n${file('src/a.ts', 'x')}${namesA}${close}`)).toEqual(patch([a]))
  })

  it.each([
    ['alone', '', ''],
    ['with a word before and after', 'You wrote:\n\n', '\nThanks.\n'],
    ['twice', '> ', ''],
  ])('may be a quotation %s', (_, front, behind) => {
    const answer = `I changed it.\n\n${file('src/a.ts', 'x > y')}${namesA}`
    const quoted = answer
      .trim()
      .replace(/^/gm, front === '> ' ? '> > ' : '> ')
      .replace(/ $/gm, '')
    const text = `${front === '> ' ? '' : front}${quoted}\n${behind}`
    expect(read(text)).toEqual(patch([write('src/a.ts', 'x > y\n')]))
  })

  it.each([
    ['>', 'if x:\n  y'],
    ['>', '\ty'],
    ['> ', ' y\n  z'],
    ['>>', ' y\n\n  z'],
    ['>> ', 'x\n y'],
  ])('may be a quotation behind %j, whose blanks are told from those of the text', (sign, content) => {
    const quoted = `I changed it.\n\n${file('src/a.ts', content)}${namesA}`.trim().replace(/^/gm, sign)
    expect(read(quoted)).toEqual(patch([write('src/a.ts', `${content}\n`)]))
  })

  it('may be a quotation with no blank in front of a tab, or of what it quotes itself', () => {
    const answer = `> You asked.\n\n${file('src/a.ts', 'if x {\n\ty\n}')}${namesA}`
    const quoted = answer
      .trim()
      .replace(/^(?![\t>])/gm, ' ')
      .replace(/^/gm, '>')
    expect(read(quoted)).toEqual(patch([write('src/a.ts', 'if x {\n\ty\n}\n')]))
  })

  it('is no quotation where blocks stand outside of it, or where it was torn apart', () => {
    const quoted = `${file('src/a.ts', 'x')}${namesA}`.trim().replace(/^/gm, '> ')
    expect(read(`\`\`\`sh\nls\n\`\`\`\n\n${quoted}\n`)).toBe('no-patch')
    expect(read(quoted.replace('> x', 'x'))).toBe('no-patch')
  })

  it('may say the template again', () => {
    const template = '```typescript // {filePath}\n// START\n\n{content}\n\n// END\n```\n\n'
    const example = namesA.replace(uuid, '(generate a random uuid)')
    expect(read(template + file('src/a.ts', 'x') + namesA)).toEqual(patch([a]))
    expect(read(`I end with\n\n${example}\n${file('src/a.ts', 'x')}${namesA}`)).toEqual(patch([a]))
  })

  it('tells lines and blocks of the whole text, also from within a code block', () => {
    const text = `Here:\n\n\`\`\`\`markdown\nfirst\n\n${file('src/a.ts', 'x')}\`\`\`ts // src/b.ts\n// START\ny\n${namesA}\`\`\`\`\n`
    const parsed = parseResponse(text, 'demo')
    expect(parsed).toMatchObject({
      kind: 'refused',
      problems: [{ code: 'open-block', line: 13, block: 2, path: 'src/b.ts' }],
    })
  })

  it('is kept as the reasoning, quotations too', () => {
    const text = `First.\n\n\`\`\`ts\nold()\n\`\`\`\n\nis wrong.\n\n${file('src/a.ts', 'x')}\nThen.\n\n${namesA}\nDone.`
    expect(parseResponse(text, 'demo')).toMatchObject({
      patch: { reasoning: ['First.\n\n```ts\nold()\n```\n\nis wrong.', 'Then.', 'Done.'] },
    })
  })
})

describe('an END line out in the prose', () => {
  const cut = '```ts // src/a.ts\n// START\nx\n// END\n```\nrest\n\n// END\n```\n'

  it('raises a doubt about the file above, which may go on down to there, or about one whose beginning is lost', () => {
    expect(parseResponse(cut + namesA, 'demo')).toMatchObject({
      kind: 'patch',
      patch: { operations: [a], flags: [{ flag: 'missing-end', path: 'src/a.ts', line: 8 }] },
    })
    expect(parseResponse(`// END\n\n${file('src/a.ts', 'x')}${namesA}`, 'demo')).toMatchObject({
      patch: { operations: [a], flags: [{ flag: 'missing-end', line: 1 }] },
    })
    const both = file('src/b.ts', 'y') + cut + control('edit: src/a.ts', 'edit: src/b.ts')
    expect(parseResponse(both, 'demo')).toMatchObject({ patch: { flags: [{ path: 'src/a.ts' }] } })
  })

  it.each(['```\nrest\n\n// END\n```\n', '  ```\n\n// END\n```\n', ' * ```ts\nrest\n\n// END\n```\n'])(
    'raises it, too, where a fence above opens a quotation: %j',
    rest => {
      const early = '```ts // src/a.ts\n// START\nx\n// END\n```\n'
      expect(read(early + rest + namesA)).toEqual(patch([a], 'missing-end'))
    },
  )

  it.each([
    ['in a sentence', `${file('src/a.ts', 'x')}\nThe // END line and END are markers.\nTHE END\n\n${namesA}`],
    ['where a quotation shows it', `${file('src/a.ts', 'x')}\n\`\`\`ts\n// END\n\`\`\`\n\n${namesA}`],
    ['below START', `${file('src/a.ts', 'x')}\n\`\`\`ts\nx\n// START\ny\n// END\n\`\`\`\n\n${namesA}`],
  ])('raises none %s', (_, text) => {
    expect(read(text)).toEqual(patch([a]))
  })
})

describe('damage', () => {
  it.each([
    ['fences that were lost', `// src/a.ts\n// START\nx\n// END\n\nprojectId: demo\nuuid: ${uuid}\n`, ['fences-lost']],
    [
      'one fence that was lost',
      `${file('src/a.ts', 'x')}\ntsCopy code\n// START\ny\n// END\n\n${namesA}`,
      ['fences-lost'],
    ],
    ['no files', `Here it is.\n\n${namesA}`, ['no-files']],
    [
      'a write and a delete of one path',
      `${file('src/a.ts', 'x')}\`\`\`ts // src/a.ts\n//TODO: delete this file\n\`\`\`\n${namesA}`,
      ['write-and-delete'],
    ],
    ['START without a path', `\`\`\`ts\n// START\nx\n// END\n\`\`\`\n${namesA}`, ['no-path']],
    ['the template for a path', `\`\`\`ts // {filePath}\n// START\nx\n// END\n\`\`\`\n${namesA}`, ['no-path']],
    ['an empty block', `\`\`\`ts // src/a.ts\n\`\`\`\n${namesA}`, ['empty-block']],
    [
      'one that most of the block is',
      file('src/a.ts', 'x\n------- SEARCH\nx\n=======\ny\n+++++++ REPLACE') + namesA,
      ['edit-markers'],
    ],
    [
      'conflict markers that a document begins with',
      file('a.md', '<<<<<<< ORIGINAL\nx\n=======\ny\n>>>>>>> UPDATED') + control('edit: a.md'),
      ['edit-markers'],
    ],
    [
      'what a tool of an agent takes, as tags',
      file('src/a.ts', '<old_string>\nx\n</old_string>\n<new_string>\ny\n</new_string>') + namesA,
      ['edit-markers'],
    ],
    [
      'the same with other words',
      file('src/a.ts', '<search>x</search>\n<replace>y</replace>') + namesA,
      ['edit-markers'],
    ],
    [
      'the same as JSON',
      file('src/a.ts', '{\n  "edits": [{ "old_string": "x", "new_string": "y" }]\n}') + namesA,
      ['edit-markers'],
    ],
    ['words in capitals', file('src/a.ts', 'SEARCH:\nx\nREPLACE WITH:\ny') + namesA, ['edit-markers']],
    [
      'headings',
      file('src/a.go', '### Find\nx\n### Replace with\ny\n---') + control('edit: src/a.go'),
      ['edit-markers'],
    ],
    ['comments above both', file('src/a.ts', '// Before:\nx\n\n// After:\ny') + namesA, ['edit-markers']],
    [
      'the same in a list',
      file('ci.yml', '# Old code\nx: 1\n# New code\nx: 2') + control('edit: ci.yml'),
      ['edit-markers'],
    ],
    [
      'conflict markers in a text that a program holds',
      file('src/a.ts', 'x(`\n<<<<<<< HEAD\nx\n=======\ny\n>>>>>>> main\n`)') + namesA,
      ['edit-markers'],
    ],
    ['conflict markers', file('src/a.ts', 'a\n<<<<<<< HEAD\nx\n=======\ny\n>>>>>>> main') + namesA, ['edit-markers']],
    [
      'conflict markers above a heading that SEARCH blocks have',
      file('src/a.ts', 'a\n<<<<<<< HEAD\nx\n=======\ny\n>>>>>>> main\n------- SEARCH') + namesA,
      ['edit-markers'],
    ],
    ['a hunk that most of the block is', file('src/a.ts', 'x\n@@ -1,3 +1,4 @@\n-x\n+y') + namesA, ['diff']],
    [
      'a file of which every line begins like one of a hunk',
      file('src/a.c', '  zeta\n++i;') + control('edit: src/a.c'),
      ['diff'],
    ],
    ['lines with their numbers', file('src/a.ts', '1  x\n2\n3    y\n4  z') + namesA, ['line-numbers']],
    ['lines that their numbers stick to', file('src/a.ts', '1x({\n2  y,\n3\n4})') + namesA, ['line-numbers']],
    ['lines of a listing', file('src/a.ts', '   98 | x\n   99 |\n  100 | y') + namesA, ['line-numbers']],
  ])('is refused: %s', (_, text, codes) => {
    expect([read(text)].flat()).toEqual(codes)
  })

  it.each([
    '<<<< SEARCH\nx\n====\ny\n>>>> REPLACE',
    '<<<<<<< SERACH\nx\n=======\ny\n>>>>>>> REPLACE',
    '&lt;&lt;&lt;&lt;&lt;&lt;&lt; SEARCH\nx\n=======\ny\n&gt;&gt;&gt;&gt;&gt;&gt;&gt; REPLACE',
    '// <<<<<<< SEARCH\nx\n// =======\ny\n// >>>>>>> REPLACE',
    '<<<<<<< SEARCH\nx\ny\n>>>>>>> REPLACE',
    '<<<<<<< SEARCH\nx\n=======\ny',
    'x\n=======\ny\n>>>>>>> REPLACE',
    '=======\ny\n>>>>>>> REPLACE',
    'Put it in here:\n\n<<<<<<< SEARCH\nx\n=======\ny\n>>>>>>> REPLACE',
  ])('is refused where SEARCH/REPLACE blocks are damaged: %j', edit => {
    expect(read(file('src/a.ts', edit) + namesA)).toEqual(['edit-markers'])
  })

  it.each([
    '12c12\n< x\n---\n> y',
    '3,4d2\n< x\n< y',
    'diff a.ts b.ts\n2a3\n> y',
    '*** a.ts\n--- b.ts\n***************\n*** 1,2 ****\n! x\n--- 1,2 ----\n! y',
    '***************\n*** 1,2 ****\n! x\n--- 1,2 ----\n! y',
    'diff --cc src/a.ts\nindex 1234567,2345678..3456789\n--- a/src/a.ts\n+++ b/src/a.ts\n@@@ -1,1 -1,1 +1,1 @@@\n- x\n -y\n++z',
    '@@@ -1,1 -1,1 +1,1 @@@\n- x\n -y\n++z',
    'new file mode 100644\nindex 0000000..1234567\n--- /dev/null\n+++ b/src/a.ts\n@@ -0,0 +1 @@\n+x',
    'From 1b671a6440d5491e99b0da01ff1f33411b671a64 Mon Sep 17 00:00:00 2001\nFrom: A <a@b.c>\nSubject: [PATCH] x\n\nWhy.\n\ndiff --git a/src/a.ts b/src/a.ts',
    'From: A <a@b.c>\nDate: Mon, 17 Sep 2001 00:00:00 +0000\nSubject: [PATCH 1/2] x\n\nWhy.\n---',
    "$ git apply <<'EOF'\n--- a/src/a.ts\n+++ b/src/a.ts\n@@ -1 +1 @@\n-x\n+y\nEOF",
    '```diff\n@@ -1 +1 @@\n-x\n+y\n```',
    'The change:\n\nIt is short.\n\n--- a/src/a.ts\n+++ b/src/a.ts\n@@ -1 +1 @@\n-x\n+y',
  ])('is refused where a diff is of another kind: %j', edit => {
    expect(read(file('src/a.ts', edit) + namesA)).toEqual(['diff'])
  })

  it.each([
    ['docs/merge.md', 'In a conflict:\n\n<<<<<<< HEAD\nx\n=======\ny\n>>>>>>> main\n'],
    ['fix.patch', '--- a/x\n+++ b/x\n@@ -1 +1 @@\n-x\n+y\n'],
    ['test/merge.test.ts', 'const text = [\n<<<<<<< HEAD\n=======\n>>>>>>> main\n]\n'],
    ['src/sample.ts', 'export const conflict = `\n<<<<<<< HEAD\nx\n=======\ny\n>>>>>>> main\n`\n'],
    ['src/a.py', 'import x\n\nX = """\n@@ -1,2 +1,2 @@\n-x\n"""\n\n\nclass A:\n    def f(self):\n        return X\n'],
    [
      'src/a.rs',
      'fn f() -> &str {\n    r###"\n<<<<<<< SEARCH\nx\n=======\ny\n>>>>>>> REPLACE\n"###\n}\n\nfn g() {\n    f()\n}\n',
    ],
    ['run.sh', 'set -e\ncat <<-done\n--- a/x\n+++ b/x\n@@ -1 +1 @@\n-x\n+y\ndone\necho 1\necho 2\necho 3\n'],
    ['a.html', '<h1>Edits</h1>\n<pre>\n@@ -1 +1 @@\n-x\n+y\n</pre>\n<p>So.</p>\n'],
    ['README.rst', 'Title\n=======\n\ntext\n'],
    ['list.yaml', '- a\n- b\n'],
    ['list.yaml', '- a\n+ b\n'],
    ['docs/list.md', '- a\n\n+ b\n'],
    ['rules/.rsync-filter', '+ a\n- b\n'],
    ['steps.prompt', '1. a\n2. b\n3. c\n'],
    ['steps.j2', '1) a\n2) b\n3) c\n'],
    ['codes.properties', '1=a\n2=b\n3=c\n'],
    ['src/a.sql', '-------- SEARCH of words\nx\n=======\n'],
    ['src/a.lua', '------- Search\nlocal x = 1\n'],
    ['tools/edit.json', '{\n  "old_string": { "type": "string" },\n  "new_string": { "type": "string" }\n}\n'],
    ['tools/call.json', '{\n  "old_string": "x",\n  "new_string": "y"\n}\n'],
    ['data/call.json5', '{\n  "old_string": "x",\n  "new_string": "y"\n}\n'],
    ['data/calls.ndjson', '{ "old_string": "x", "new_string": "y" }\n'],
    ['words.txt', 'FIND\nLEFT\nREPLACE\nRIGHT\n'],
    ['tests/data/conflict.ts', '<<<<<<< HEAD\nx\n=======\ny\n>>>>>>> main\n'],
    ['find.xml', '<search>\n  <find>x</find>\n  <replace>y</replace>\n</search>\n'],
    ['help.md', 'SEARCH\n\nFinds it.\n\nREPLACE\n\nPuts it in.\n'],
    ['src/a.ts', '// Before\nx()\n# After\n// After that\n'],
    ['docs/why.md', '# Before\n\nx\n\n# After\n\ny\n'],
    ['test/fixtures/var.ts', '// Before\nvar x\n\n// After\nlet x\n'],
    ['labels.txt', '0 person\n1 bicycle\n2 car\n'],
    ['years.csv', '2019 a\n2020 b\n2021 c\n'],
    ['src/a.rb', '@@a = 1\n-x\n'],
    ['src/a.hs', '  x\n  - y\n'],
    ['src/a.ts', '-1\n'],
    ['src/a.ts', '1 +\n2 +\n4\n'],
    ['src/a.ts', '1\n'],
  ])('is not what only looks like it: %s', (path, content) => {
    expect(read(file(path, content.trimEnd()) + control(`new: ${path}`))).toEqual(patch([write(path, content)]))
  })

  it('is told with its place, what was found, what was expected and what to do', () => {
    const text = `Both.\n\n${file('src/a.ts', 'x')}\n\`\`\`ts // src/b.ts\n// START\ny\n\n${control('edit: src/a.ts', 'new: src/b.ts')}`
    expect(parseResponse(text, 'demo')).toEqual({
      kind: 'refused',
      problems: [
        {
          code: 'open-block',
          message:
            "The block for src/b.ts never ends: expected END and a closing fence. The answer may be cut off, or fences within the file hide its end. Copy all of it with the chat's copy button, or ask for this file again in a longer fence.",
          line: 11,
          block: 2,
          path: 'src/b.ts',
        },
      ],
      sound: expect.objectContaining({ operations: [a] }),
      control: { projectId: 'demo', uuid, changeSummary: [{ edit: 'src/a.ts' }, { new: 'src/b.ts' }] },
      reasoning: ['Both.', '```ts // src/b.ts\n// START\ny'],
    })
  })
})

describe('an edit beside other files, outside of any block with a path', () => {
  const whole = file('src/a.ts', 'x')
  const named = control('edit: src/a.ts', 'edit: src/b.ts')
  const envelope = '*** Begin Patch\n*** Update File: src/b.ts\n@@\n-w\n+x\n*** End Patch\n'
  const diff = '```diff\n--- a/src/b.ts\n+++ b/src/b.ts\n@@ -1 +1 @@\n-w\n+x\n```\n'

  it('is refused where the summary names its file', () => {
    for (const text of [whole + envelope + named, envelope + whole + named]) {
      expect(parseResponse(text, 'demo')).toMatchObject({
        problems: [{ code: 'diff', path: 'src/b.ts', line: expect.any(Number) }],
        sound: { operations: [a] },
      })
    }
  })

  it.each([`\`\`\`\n${envelope}\`\`\`\n`, diff])('is read where a block holds it: %j', edit => {
    const edited = expect.objectContaining({ op: 'edit', path: 'src/b.ts' })
    expect(read(whole + edit + named)).toMatchObject({ operations: [a, edited], flags: [] })
    expect(read(whole + edit + namesA)).toMatchObject({ operations: [a, edited], flags: ['summary-mismatch'] })
  })

  it('is a quotation where the summary names others, and in a file it is that file', () => {
    expect(read(whole + envelope + namesA)).toEqual(patch([a]))
    const shown = `export const help = \`\n${envelope}\`\n\n${'export const more = 1\n'.repeat(9)}`
    expect(read(file('src/a.ts', shown.trimEnd()) + file('src/b.ts', 'y') + named)).toEqual(
      patch([write('src/a.ts', shown), b]),
    )
  })
})

describe('an answer without files', () => {
  const bare = `projectId: demo\nuuid: ${uuid}\nchangeSummary:\n  - edit: src/a.ts\n`
  const blocks = 'No code block is a file: each needs its path'
  const elsewhere = 'If the files are in an artifact'
  const instructions = `\`\`\`ts // {filePath}\n// START\n\n{content}\n\n// END\n\`\`\`\n\n${namesA.replace(uuid, '(generate a random uuid)')}`

  it.each([
    ['blocks that are none', `\`\`\`ts\nx\n\`\`\`\n\n${namesA}`, blocks],
    ['a block that is none, above a control block without a fence', `\`\`\`ts\nx\n\`\`\`\n\n${bare}`, blocks],
    [
      'a diff without a fence',
      `--- a/src/a.ts\n+++ b/src/a.ts\n@@ -1,2 +1 @@\n-a\n+b\n\n${namesA}`,
      'The answer gives a diff instead',
    ],
    [
      'edits',
      `src/a.ts\n<<<<<<< SEARCH\na\n=======\nb\n>>>>>>> REPLACE\n\n${namesA}`,
      'The answer gives SEARCH/REPLACE blocks',
    ],
    ['no blocks', `Done.\n\n${namesA}`, elsewhere],
    ['no blocks at all', `Done.\n\n${bare}`, elsewhere],
    ['no blocks but those of the instructions above it', `${instructions}\nDone.\n\n${bare}`, elsewhere],
  ])('is told what is wrong with %s', (_, text, words) => {
    expect(parseResponse(text, 'demo')).toMatchObject({
      problems: [{ code: 'no-files', message: expect.stringContaining(words) }],
    })
  })
})

describe('one path in several blocks', () => {
  const snippet = '```ts // src/a.ts\nwrong()\n```\n'

  it.each([
    ['the same twice is one operation', file('src/a.ts', 'x') + file('src/a.ts', 'x'), patch([a])],
    ['the last one wins, flagged', file('src/a.ts', 'old') + file('src/a.ts', 'x'), patch([a], 'duplicate-path')],
    ['a quotation before the marked block is none', snippet + file('src/a.ts', 'x'), patch([a])],
    [
      'a quotation below the marked block is none, flagged',
      file('src/a.ts', 'x') + snippet,
      patch([a], 'duplicate-path'),
    ],
    [
      'a diff below it is placed in it',
      `${file('src/a.ts', 'x')}\`\`\`diff // src/a.ts\n-x\n+y\n\`\`\`\n`,
      patch([{ op: 'edit', path: 'src/a.ts', content: 'x\n', blocks: [[{ block: 2, line: 9, lines: ['-x', '+y'] }]] }]),
    ],
    [
      'a diff below it that only says what changed is none either',
      `${file('src/a.ts', 'x')}\`\`\`diff\n-w\n+x\n\`\`\`\n**src/a.ts**\n\`\`\`diff\n-w\n+x\n\`\`\`\n`,
      patch([a]),
    ],
    [
      'the last one wins, too, where the marked block has no END',
      `\`\`\`ts // src/a.ts\n// START\nold\n\`\`\`\n\nSo:\n\n\`\`\`ts // src/a.ts\nx\n\`\`\`\n`,
      patch([a], 'duplicate-path'),
    ],
    [
      'a quotation with its path above is none',
      `**src/a.ts**\n\`\`\`ts\nwrong()\n\`\`\`\n${file('src/a.ts', 'x')}`,
      patch([a]),
    ],
  ])('%s', (_, blocks, expected) => {
    expect(read(blocks + namesA)).toEqual(expected)
  })

  const edits = [
    '```diff // src/a.ts\n-w\n+x\n```\n',
    '```ts // src/a.ts\n@@ -1 +1 @@\n-w\n+x\n```\n',
    '```ts // src/a.ts\n<<<<<<< SEARCH\nw\n=======\nx\n>>>>>>> REPLACE\n```\n',
    'src/a.ts\n```ts\n<<<<<<< SEARCH\nw\n=======\nx\n>>>>>>> REPLACE\n```\n',
    '```ts\n// src/a.ts\n<<<<<<< SEARCH\nw\n=======\nx\n>>>>>>> REPLACE\n```\n',
    '```\n*** Begin Patch\n*** Update File: src/a.ts\n@@\n-w\n+x\n*** End Patch\n```\n',
  ]

  it.each(edits)('are one where an edit stands below the whole file: %j', edit => {
    expect(read(file('src/a.ts', 'v') + edit + namesA)).toMatchObject({
      operations: [{ op: 'edit', path: 'src/a.ts', content: 'v\n', blocks: [[{ lines: ['-w', '+x'] }]] }],
      flags: [],
    })
  })

  it.each(edits.slice(0, 5))(
    'are the whole file where it stands below an edit, flagged where it lacks that: %j',
    edit => {
      expect(read(edit + file('src/a.ts', 'x') + namesA)).toEqual(patch([a]))
      expect(read(edit + file('src/a.ts', 'v') + namesA)).toEqual(patch([write('src/a.ts', 'v\n')], 'duplicate-path'))
    },
  )

  it('are refused where one of them stands outside of a block', () => {
    const envelope = '*** Begin Patch\n*** Update File: src/a.ts\n@@\n-w\n+x\n*** End Patch\n'
    expect(read(file('src/a.ts', 'x') + envelope + namesA)).toEqual(['diff'])
  })

  it('is flagged when a file seems to be printed twice in one block', () => {
    const body = 'one\ntwo\nthree\nfour\nfive\n// src/a.ts\none\ntwo\nthree\nfour\nfive'
    expect(read(file('src/a.ts', body) + namesA)).toMatchObject({ flags: ['duplicate-path'] })
  })
})

describe('a file without markers', () => {
  const titled = '### src/a.ts\n\n```ts\nx\n```\n\n'

  it.each(['becomes\n\n```ts\ny\n```\n', 'with this:\n\n```ts\ny\n```\n\nDone.\n'])(
    'is doubtful where a block of its language without a path stands right below: %j',
    below => {
      expect(read(titled + below + namesA)).toEqual(patch([a], 'duplicate-path'))
      expect(read(`\`\`\`ts // src/a.ts\nx\n\`\`\`\n${below}${namesA}`)).toEqual(patch([a], 'duplicate-path'))
      expect(read(file('src/a.ts', 'x') + below + namesA)).toEqual(patch([a]))
    },
  )

  it('may go on where text stands right below it, and then a bare fence', () => {
    const cut = '```yaml # a.yml\nhelp: |\n  ```\n  npm test\n  ```\nother: y\n```\n\n'
    expect(read(cut + control('new: a.yml'))).toMatchObject({ flags: ['missing-end'] })
    const withId = cut.replace('other: y', 'other: y\nprojectId: demo')
    expect(read(withId + control('new: a.yml'))).toMatchObject({ flags: ['missing-end'] })
    const named = '*src/a.ts*\n```\nx\n```\n*src/b.ts*\n```\ny\n```\n'
    const both = control('edit: src/a.ts', 'edit: src/b.ts')
    expect(read(named + both.replace('```yaml', '```'))).toEqual(patch([a, b]))
    expect(read(`*src/a.ts*\n\`\`\`ts\nx\n\`\`\`\n\nRun it:\n\n\`\`\`\nnpm test\n\`\`\`\n${namesA}`)).toEqual(
      patch([a]),
    )
  })

  it.each([
    'Run it:\n\n```bash\nnode src/a.ts\n```\n',
    '### src/b.ts\n\n```ts\ny\n```\n',
    `${'Many words. '.repeat(30)}\n\n\`\`\`ts\ny\n\`\`\`\n`,
  ])('is not, where below stands only %j', below => {
    expect(read(titled + below + control('edit: src/a.ts', 'edit: src/b.ts'))).toMatchObject({
      flags: below.includes('b.ts') ? [] : ['summary-mismatch'],
    })
  })
})

describe('the change summary', () => {
  const twoMismatches = ['summary-mismatch', 'summary-mismatch']

  it.each([
    ['names another path', ['edit: src/a.ts', 'new: src/gone.ts'], ['summary-mismatch']],
    ['does not name a path', ['edit: src/other.ts'], ['summary-mismatch', 'summary-mismatch']],
    ['has another verb', ['new: src/a.ts'], []],
    ['has a remark behind the path', ['edit: src/a.ts - fix the loop', 'edit: src/a.ts (again)'], []],
    ['has empty parts in its path', ['edit: src//a.ts', 'edit: src/./a.ts', 'edit: "src\\\\/a.ts"'], []],
    ['has a leading ./ or /', ['edit: ./src/a.ts', 'edit: /src/a.ts'], []],
    ['quotes', ['"edit: src/a.ts"', "edit: 'src/a.ts'", 'edit: `src/a.ts`'].map(each => each.replaceAll('`', '')), []],
    ['lists bare paths', ['src/a.ts'], []],
    ['has the path as its key', ['src/a.ts: fix the loop'], []],
    ['has a path without an ending as its key', ['src/a.ts: fix the loop', 'Makefile: add it'], ['summary-mismatch']],
    ['has labels like paths without an ending', ['src/a.ts: fix the loop', 'README: add it', 'LICENSE: updated'], []],
    ['has a label like a path in front of one', ['Profile: src/a.ts'], []],
    ['has several keys', ['{file: src/a.ts, action: edit, reason: see docs/plan.md}'], []],
    ['is free text', ['Fix the loop', 'Add tests, e.g. for Node.js'], []],
    ['names a folder', ['edit: src/'], []],
    ['names files by a glob', ['edit: src/*.ts', 'edit: src/a.ts'], []],
    ['names files by what their names differ in', ['edit: src/{a,b}.ts'], []],
    ['names files by a pattern with a star at both ends', ["edit: '*.ts.*'", 'edit: src/a.ts'], []],
    ['joins paths by a sign', ['edit: src/a.ts + src/a.ts', 'edit: src/a.ts & src/a.ts'], []],
    ['joins another path by a sign', ['edit: src/a.ts + src/gone.ts'], ['summary-mismatch']],
    ['has a link for a path', ['edit: [src/a.ts](http://src/a.ts)'], []],
    ['ends in dots', ['edit: src/a.ts', '.... (so on)'], []],
    ['has paths in backticks', ['edit: `src/a.ts`'], []],
    ['has a remark with a colon', ['edit: src/a.ts - note: the loop: fixed'], []],
    ['has a comment with a colon', ['edit: src/a.ts (why: it failed)', 'new: src/a.ts  # note: x'], []],
    ['has a remark behind a colon', ['edit: src/a.ts: fixes `loop` (closes #12)'], []],
    ['has another path with such a remark', ['edit: src/a.ts', 'new: src/gone.ts: [why] x'], ['summary-mismatch']],
    ['has the verb in bold', ['**edit**: src/a.ts', '**edit:** `src/a.ts`'], []],
    ['has no colon behind the verb', ['edit src/a.ts', 'update `src/a.ts`'], []],
    ['has a path of two words', ['edit: `src/a.ts`', 'new: docs/my notes.md'], ['summary-mismatch']],
    ['gives a reason with a colon', ['edit: src/a.ts\n    reason: a fix: the loop'], []],
    ['is prose with colons', ['Fixed: the loop: it ended too early'], []],
    ['names another path in backticks', ['edit: `src/a.ts`', 'new: `src/gone.ts`'], ['summary-mismatch']],
    ['tells a rename', ['rename: src/a.ts -> src/gone.ts'], ['summary-mismatch']],
    ['names other files in a remark in brackets', ['edit: src/a.ts (used by src/b.ts and src/c.ts)'], []],
    ['names a file and one in brackets', ['edit: src/a.ts (see README.md, docs/x.md)'], []],
    ['names other files in a remark that is set off', ['edit: src/a.ts — replaces lib/x.js and lib/y.js'], []],
    ['says where something went', ['edit: src/a.ts - moved helper to src/b.ts'], []],
    ['names another file in a remark behind a comma', ['edit: src/a.ts, uses src/b.ts'], []],
    ['names a file and what it uses', ['edit: src/a.ts to use node.js and vue.js'], []],
    [
      'names a file and what it supports',
      ['edit: src/a.ts', 'edit: src/a.ts with support for .env and config.json'],
      [],
    ],
    ['lists paths', ['edit: src/a.ts, src/a.ts, and src/a.ts'], []],
    ['lists another path', ['edit: src/a.ts, src/gone.ts and src/a.ts'], ['summary-mismatch']],
    [
      'lists two others',
      ['edit: src/a.ts (new), src/gone.ts (new) and src/lost.ts - too'],
      Array(2).fill('summary-mismatch'),
    ],
    ['lists another path in quotes', ['edit: src/a.ts, `docs/my notes.md`'], ['summary-mismatch']],
    ['lists another path, and a remark', ['edit: src/a.ts, src/gone.ts and its tests'], ['summary-mismatch']],
    ['names another path with a remark about others', ['edit: src/gone.ts, used by src/a.ts'], ['summary-mismatch']],
    ['has a wide colon', ['edit：src/a.ts'], []],
    ['names a file without its folder', ['edit: a.ts'], []],
    ['names another file without its folder', ['edit: src/a.ts', 'edit: b.ts'], ['summary-mismatch']],
    ['has a sign in front of the path', ['edit: ✅ src/a.ts'], []],
    ['has the path behind words', ['refactor: extract x from src/a.ts'], []],
    ['has another path behind words', ['edit: src/a.ts', 'refactor: extract x from src/b.ts'], ['summary-mismatch']],
    ['ends with a period', ['edit: src/a.ts.'], []],
    ['says that there is none', ['edit: src/a.ts', 'delete: N/A'], []],
    ['says what is affected', ['edit: src/a.ts', 'affects: src/b.ts', 'no-change: src/c.ts'], []],
    ['names a place within the file', ['edit: src/a.ts#run'], []],
    ['has boxes', ['[x] edit: src/a.ts', '[ ] new: src/a.ts'], []],
    ['has the numbers of lines', ['edit: src/a.ts#L1', 'edit: src/a.ts:3-12'], []],
    ['begins with the name of the project', ['edit: demo/src/a.ts'], []],
    ['begins with another name', ['edit: other/src/a.ts'], ['summary-mismatch', 'summary-mismatch']],
    ['says what stays as it is', ['edit: src/a.ts', 'unchanged: src/b.ts', 'kept: src/c.ts'], []],
    [
      'says behind a path that it stays as it is',
      [
        'edit: src/a.ts',
        'src/b.ts: unchanged',
        'src/c.ts: No change.',
        'src/d.ts (not changed)',
        'src/e.ts - unchanged',
      ],
      [],
    ],
    ['says so in a mapping', ['edit: src/a.ts', '{path: src/b.ts, status: unchanged}'], []],
    ['says so of the last of two', ['edit: src/a.ts', 'src/b.ts (edited), src/c.ts (unchanged)'], twoMismatches],
    ['says so of one that moves', ['edit: src/a.ts', 'move src/b.ts -> src/c.ts (no changes)'], twoMismatches],
    ['says so of both ends of a move', ['edit: src/a.ts', 'src/b.ts -> src/c.ts: unchanged'], twoMismatches],
    ['says so of the second half', ['edit: src/a.ts', 'src/b.ts — new; src/c.ts — unchanged'], ['summary-mismatch']],
    ['says so behind a verb', ['edit: src/a.ts', 'delete src/b.ts (unchanged)'], ['summary-mismatch']],
    ['says more of it', ['edit: src/a.ts', 'src/b.ts: unchanged API, but faster'], ['summary-mismatch']],
    ['says what to run', ['edit: src/a.ts', 'run: npm test', 'install: left-pad'], []],
  ])('%s', (_, entries, flags) => {
    expect(read(file('src/a.ts', 'x') + control(...entries))).toEqual({ operations: [a], flags })
  })

  it('names one of two files by the name that the other one ends in', () => {
    const [root, below] = ['index.ts', 'src/index.ts'].map(path => file(path, 'x')) as [string, string]
    const mismatch = { flags: ['summary-mismatch'] }
    expect(read(below + control('edit: index.ts', 'edit: src/index.ts'))).toMatchObject(mismatch)
    expect(read(root + below + control('edit: index.ts'))).toMatchObject(mismatch)
    expect(read(below + control('edit: index.ts'))).toMatchObject({ flags: [] })
  })

  it('may name a path that holds what joins two', () => {
    for (const path of [
      'docs/a, b.md',
      'docs/salt and pepper.md',
      'docs/q & a.md',
      'docs/a (old).md',
      'docs/a → b.md',
      'docs/Node.js to Deno.md',
      'docs/Vue.js, React.js and Svelte.md',
    ]) {
      expect(read(file(path, 'x') + control(`edit: ${path}`))).toEqual(patch([write(path, 'x\n')]))
    }
  })

  it('is content with a file that it gives as a label', () => {
    const said = control('LICENSE: the text of it', 'edit: src/a.ts')
    expect(read(file('src/a.ts', 'x') + file('LICENSE', 'x') + said)).toEqual(patch([a, write('LICENSE', 'x\n')]))
  })

  it('does not delete what its remark about a deleted file names', () => {
    const deletes = '```ts // src/b.ts\n//TODO: delete this file\n```\n'
    const said = control('delete: src/b.ts, replaced by lib/x.js and src/a.ts')
    expect(read(deletes + file('src/a.ts', 'x') + said)).toEqual(patch([{ op: 'delete', path: 'src/b.ts' }, a]))
  })

  it.each([
    ['a delete', ['delete: src/a.ts'], ['summary-mismatch']],
    ['a delete among others', ['removed: src/a.ts, src/old/'], ['summary-mismatch']],
    ['a delete without a colon', ['deletes src/a.ts'], ['summary-mismatch']],
    ['a delete and a write', ['delete: src/a.ts', 'new: src/a.ts'], []],
    ['several lines behind a verb', ['delete: |\n      src/a.ts\n      src/'], ['summary-mismatch']],
    ['a mapping that deletes', ['path: src/a.ts\n    action: delete'], ['summary-mismatch']],
    ['a mapping in braces', ['{action: deleted, file: src/a.ts, reason: unused}'], ['summary-mismatch']],
    ['a path with its verb', ['src/a.ts: delete'], ['summary-mismatch']],
    ['a path with a mapping', ['src/a.ts: {action: remove}'], ['summary-mismatch']],
    ['a mapping that writes', ['{path: src/a.ts, action: edit, type: bugfix}'], []],
    ['a mapping that is not clear', ['{path: src/a.ts, action: delete, type: new}'], []],
    ['a mapping that explains', ['{path: src/a.ts, action: delete the old loop}'], []],
    ['the new place of what is deleted', ['delete: src/old/ -> src/a.ts'], []],
  ])('contradicts a block that writes where it says %s', (_, entries, flags) => {
    expect(read(file('src/a.ts', 'x') + control(...entries))).toEqual({ operations: [a], flags })
    expect(read(file('src/a.ts', '') + control(...entries))).toMatchObject({ flags })
  })

  it.each([
    ['edit: src/a.ts', true],
    ['new: src/a.ts', true],
    ['updated: src/a.ts (the loop)', true],
    ['{path: src/a.ts, action: edit}', true],
    ['{file: src/a.ts, type: new, why: x}', true],
    ['src/a.ts: updated', true],
    ['{path: src/a.ts, action: delete}', false],
    ['{path: src/a.ts, action: moved}', false],
    ['src/a.ts: removed', false],
    ['src/a.ts: {why: edit}', false],
    ['delete: src/a.ts', false],
    ['src/a.ts', false],
    ['src/a.ts (deleted)', false],
    ['edit: src/a.ts - deleted', false],
    ['rename: src/a.ts -> src/c/', false],
    ['edit: src/a.ts -> src/c/', false],
    ['refactor: src/a.ts', false],
  ])('contradicts a block that deletes where it says %j: %j', (entry, isMismatch) => {
    const deletes = '```ts // src/a.ts\n//TODO: delete this file\n```\n'
    const flags = isMismatch ? ['summary-mismatch'] : []
    expect(read(deletes + control(entry))).toEqual({ operations: [{ op: 'delete', path: 'src/a.ts' }], flags })
  })

  it.each([
    ['stars', '  * edit: src/a.ts\n  * new: src/b.ts\n'],
    ['numbers', '1. edit: src/a.ts\n2. new: `src/b.ts`\n'],
    ['tabs', '\t- edit: src/a.ts\n\t- new: src/b.ts\n'],
    ['keys', '  edit: [src/a.ts]\n  new: src/b.ts\n'],
    ['several lines behind one key', '  - edit: |\n      src/a.ts\n      src/b.ts\n'],
    ['lists below keys', '  edit:\n    - src/a.ts\n  new:\n    - src/b.ts\n'],
    ['a mapping for each file', '  - path: src/a.ts\n    action: edit\n  - path: src/b.ts\n    action: new\n'],
  ])('may be written with %s', (_, lines) => {
    const block = `\`\`\`yaml\nprojectId: demo\nuuid: ${uuid}\nchangeSummary:\n${lines}\`\`\`\n`
    const unmarked = '**src/a.ts**\n```ts\nx\n```\n\n**src/b.ts**\n```ts\ny\n```\n'
    expect(read(unmarked + block)).toEqual(patch([a, b]))
  })

  it.each([
    ['texts', ['edit: src/a.ts', 'new: src/gone.ts']],
    ['bare paths', ['src/a.ts', 'src/gone.ts']],
    ['mappings', [{ edit: 'src/a.ts' }, { new: 'src/gone.ts' }]],
  ])('may be a list of %s in a control block in braces', (_, changeSummary) => {
    const block = `\`\`\`json\n${JSON.stringify({ projectId: 'demo', uuid, changeSummary })}\n\`\`\`\n`
    const answer = `**src/a.ts**\n\`\`\`ts\nx\n\`\`\`\n\n${block}`
    expect(read(answer)).toEqual(patch([a], 'summary-mismatch'))
    expect(parseResponse(answer, 'demo')).toMatchObject({ patch: { control: { changeSummary } } })
  })

  it('may be a text of several lines', () => {
    const block = `\`\`\`yaml\nprojectId: demo\nuuid: ${uuid}\nchangeSummary: |\n  - edit: src/a.ts\n  and no more\n\`\`\`\n`
    expect(read(`**src/a.ts**\n\`\`\`ts\nx\n\`\`\`\n${block}`)).toEqual(patch([a]))
  })
})

describe('doubts about a file', () => {
  it.each([
    ['a placeholder', '// ... existing code ...', 'placeholder'],
    ['a citation of Gemini', '[cite_start]int x; [cite: 12]', 'chat-artifact'],
    ['a citation of ChatGPT', 'x = 1 :contentReference[oaicite:2]{index=2}', 'chat-artifact'],
    ['a button of Gemini', 'x\nUse code with caution.', 'chat-artifact'],
    ["Python's main without its low lines", 'if name == "main":\n    main()', 'chat-artifact'],
    ["Python's main in bold", 'if **name** == "**main**":\n    main()', 'chat-artifact'],
    ['a method in bold', 'class A:\n    def **init**(self):', 'chat-artifact'],
    ['a lost character', 'caf\ufffd', 'encoding'],
    ['wrongly decoded quotes', 'itâ€™s', 'encoding'],
    ['a NUL', 'a\u0000b', 'encoding'],
    ['half of a character', 'a\ud83db', 'encoding'],
    ['no-break blanks as indentation', 'if x:\n\u00a0\u00a0y', 'encoding'],
    ['a line that shows in another order', 'if (a === "user\u202e \u2066// admin\u2069 \u2066") {', 'encoding'],
    [
      'one that is turned back behind its end',
      'if (a === "user\u202e \u2066// admin\u2069 \u2066") {//\u2069\u202c',
      'encoding',
    ],
    ['a comment that only looks like one', '/*\u202e } \u2066if (isAdmin)\u2069 \u2066 begin */\nx', 'encoding'],
  ] as const)('%s is flagged, and nothing is taken away', (_, content, flag) => {
    expect(read(file('src/a.ts', content) + namesA)).toEqual(patch([write('src/a.ts', `${content}\n`)], flag))
  })

  it.each(['<|im_end|>', ' <|endoftext|>\n', '<\uff5cend\u2581of\u2581sentence\uff5c>\n', '</s>'])(
    '%j behind the last fence is no part of it',
    sign => expect(read(file('src/a.ts', 'x') + namesA.trimEnd() + sign)).toEqual(patch([a])),
  )

  it('tells every line that is doubtful, so that those which the file already has are left out later', () => {
    const content =
      '\ufffd\n\ud83d\n\ufffd b \ufffd\n<b>\u202e</b>\n[a.b](http://a.b)\nx\ud83d\n\u202e\n[cite_start]c [cite: 1]'
    const parsed = parseResponse(file('src/a.ts', content) + namesA, 'demo')
    const lines = parsed.kind === 'patch' ? parsed.patch.flags.map(each => each.lines?.map(({ line }) => line)) : []
    expect(lines).toEqual([[11], [4, 6], [5, 9], [8], [7, 10]])
  })

  it.each([
    ['src/a.ts', "+import b from './b'\n+\n+b()\n"],
    ['src/a.ts', '+x\n'],
    ['src/a.ts', '+function f() {\n+  return 1\n+}\n\n'],
    ['docs/a.md', '+# Title\n+\n+Words.\n'],
    ['a.yaml', '+a: 1\n+b:\n+  - c\n'],
    ['Makefile', '+all:\n+\tcc x.c\n'],
    ['Makefile', '1 all:\n2 \tcc x.c\n3 \n4 clean:\n'],
    ['docs/a.md', '1 # Title\n2 \n3 Words.\n'],
    ['a.yaml', '1 a: 1\n2 b:\n3   - c\n'],
    ['a.yaml', '98 a: 1\n99 b:\n100   - c\n'],
  ])(
    'nothing but lines with a + or their numbers in %s are flagged, for they may come from a diff or a listing',
    (path, content) => {
      expect(read(file(path, content.slice(0, -1)) + control(`new: ${path}`))).toEqual(
        patch([write(path, content)], 'chat-artifact'),
      )
    },
  )

  it.each([
    ['a.diff', '+x\n+y\n'],
    ['fix.patch', '+x\n+y\n'],
    ['docs/a.md', '+ one\n+ two\n'],
    ['rules/.rsync-filter', '+ a\n+ b\n'],
    ['phones.csv', '+49301234,+4930\n+44\n'],
    ['src/a.ts', '+1\n'],
    ['src/a.ts', '+x\ny\n'],
  ])('lines with a + in %s are none: %j', (path, content) => {
    expect(read(file(path, content.trimEnd()) + control(`new: ${path}`))).toEqual(patch([write(path, content)]))
  })

  it.each([
    '"\u2068name\u2069 \u202aab\u202c"',
    '"no-break\u00a0blank"',
    "'café', 'Ã la carte'",
    '"[cite:"',
    'the button Copy code',
  ])('%s is none', content => {
    expect(read(file('src/a.ts', content) + namesA)).toEqual(patch([write('src/a.ts', `${content}\n`)]))
  })

  it.each(['<|endoftext|>', '<|im_end|>', '<|eot_id|>', '<\uff5cend\u2581of\u2581sentence\uff5c>', '<end_of_turn>'])(
    '%s is flagged where a file ends with it, and nowhere else',
    sign => {
      expect(read(file('src/a.ts', `x\n${sign}`) + namesA)).toEqual(
        patch([write('src/a.ts', `x\n${sign}\n`)], 'chat-artifact'),
      )
      expect(read(file('src/a.ts', `x\n${sign}\ny`) + namesA)).toEqual(patch([write('src/a.ts', `x\n${sign}\ny\n`)]))
    },
  )

  it.each(['# A\n\n\\`\\`\\`sh\nls\n\\`\\`\\`', '- So:\n  `\u200b`\u200b`sh\n  ls\n  `\u200b`\u200b`'])(
    'a fence that was kept from being one is flagged in a document: %j',
    content => {
      const of = (path: string) => read(file(path, content) + control(`new: ${path}`))
      expect(of('docs/a.md')).toEqual(patch([write('docs/a.md', `${content}\n`)], 'chat-artifact'))
      expect(of('a.yml')).toEqual(patch([write('a.yml', `${content}\n`)]))
    },
  )

  it.each([
    "fetch('[https://a.example/b](https://a.example/b)')",
    "fetch('[https://a.example](https://www.google.com/search?q=https://a.example)')",
    'x = [self.name](http://self.name)',
  ])('an address that the chat made a link is flagged in code: %j', content => {
    const of = (path: string, text = content) => read(file(path, text) + control(`new: ${path}`))
    expect(of('src/a.ts')).toEqual(patch([write('src/a.ts', `${content}\n`)], 'chat-artifact'))
    expect(of('docs/a.md')).toEqual(patch([write('docs/a.md', `${content}\n`)]))
    expect(of('src/a.ts', `x()\n * See ${content}`)).toEqual(patch([write('src/a.ts', `x()\n * See ${content}\n`)]))
    const link = "x('[Docs](https://a.example)', '[https://a.example](https://b.example)', y[i](i))"
    expect(of('src/a.ts', link)).toEqual(patch([write('src/a.ts', `${link}\n`)]))
  })

  it.each([
    'const f = “x”',
    'const g: Name = ‘y’;',
    'public static final String A = “b”;',
    'char *s = “x”;',
    'print(“hello”)',
    'print (“hello”)',
    'log(name, “hello”)',
    'f(a=“b”)',
    'const list = [“a”, “b”]',
    'const map = {“a”: 1}',
    '  “a”: 1,',
    '  name: “x”,',
    'if (a === “b”) {',
    'const a = () => ‘b’',
    'const a = b + “c”',
    'return “x”',
    'import x from “./y”;',
    '#include “x.h”',
    '<a href=“x”>',
    '<a class="b" href=“/x”>y</a>',
    'x = a || ‘b’',
    'x = a ?? ‘b’',
    'x = a[‘b’]',
    'f({ a: ‘b’ })',
    '    “““Says hello.”””',
  ])('a curly quote is flagged in code where only the sign that begins a text can stand: %s', content => {
    const of = (path: string) => read(file(path, `x\n${content}`) + control(`new: ${path}`))
    expect(of('src/a.ts')).toEqual(patch([write('src/a.ts', `x\n${content}\n`)], 'chat-artifact'))
    expect(of('docs/a.md')).toEqual(patch([write('docs/a.md', `x\n${content}\n`)]))
    const isInPage = content.startsWith('<') ? (['chat-artifact'] as const) : []
    expect(of('index.html')).toEqual(patch([write('index.html', `x\n${content}\n`)], ...isInPage))
    expect(of('run.ps1')).toEqual(patch([write('run.ps1', `x\n${content}\n`)]))
  })

  it.each([
    "const a = 'he said “x”'",
    'const a = `',
    '// const a = “x”',
    ' * a = “x”, say',
    'a = 1 // such as “x”',
    'a = 1  # = “x”',
    'Say (“hello”) to him',
    'He said: “hello”',
    'Example: “hello”',
    'Example of it: “hello”,',
    'return “x” where nothing is',
    'import “x” into that',
    '“foo”: bar, baz',
    '“foo”, bar',
    '(see: “x”)',
    '<p>a[1]: “x”</p>',
    'as in “x”',
    '<li>With a resolver = “1” it was none</li>',
    `const a = ${'x'.repeat(300)} + “y”`,
  ])('where words have curly quotes they are none: %s', content => {
    expect(read(file('src/a.ts', content) + namesA)).toEqual(patch([write('src/a.ts', `${content}\n`)]))
  })

  it.each([
    'run(x =&gt; x)',
    'if (a &amp;&amp; b) c()',
    '$this-&gt;run()',
    '  &lt;p&gt;hi&lt;/p&gt;',
    '&lt;!doctype html&gt;',
  ])(
    'signs of code as the source of a page has them are flagged where the signs themselves are missing: %s',
    content => {
      const of = (path: string, text = content) => read(file(path, text) + control(`new: ${path}`))
      expect(of('src/a.ts')).toEqual(patch([write('src/a.ts', `${content}\n`)], 'chat-artifact'))
      expect(of('docs/a.md')).toEqual(patch([write('docs/a.md', `${content}\n`)]))
      expect(of('locales/de.json')).toEqual(patch([write('locales/de.json', `${content}\n`)]))
      const page = `<pre>\n${content}\n</pre>`
      expect(of('a.html', page)).toEqual(patch([write('a.html', `${page}\n`)]))
    },
  )

  it('give their place, and a placeholder its line', () => {
    const text = `One.\n\n   ${file('src/a.ts', 'x\n\n  // ... rest of the code ...').replaceAll('\n', '\n   ')}\n${namesA}`
    expect(parseResponse(text, 'demo')).toMatchObject({
      patch: {
        flags: [
          {
            flag: 'placeholder',
            path: 'src/a.ts',
            line: 8,
            text: '  // ... rest of the code ...',
            reason: 'a comment stands in for code that was left out',
          },
        ],
      },
    })
  })
})
