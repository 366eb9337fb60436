import { describe, expect, it } from 'vitest'
import { readEdits } from '../../../src/parse/edits/read-edits.ts'

/** What a text asks for, each edit as its lines; or why it is refused, with its line. */
function read(content: string, path: string | null = 'a.ts') {
  const edits = readEdits(content, path ?? undefined)
  if (edits === undefined) return 'no edit'
  if (edits.kind === 'damaged') return `line ${edits.line + 1}: ${edits.why}`
  return edits.files.map(file => {
    if (file.op === 'delete') return `delete ${file.path}`
    const { path: of, op, hunks, executable } = file
    const name = op === 'rename' ? `rename ${of} to ${file.to}` : `${hunks[0]?.isNew ? 'new' : 'edit'} ${of}`
    const run = executable === undefined ? [] : [executable ? 'may be run' : 'may not be run']
    return [name, ...run, ...hunks.map(hunk => hunk.lines.join('|'))].join(': ')
  })
}

describe('SEARCH/REPLACE', () => {
  it.each([
    ['aider', '<<<<<<< SEARCH\nold\n=======\nnew\n>>>>>>> REPLACE\n', ['edit a.ts: -old|+new']],
    ['Cline', '------- SEARCH\nold\n=======\nnew\n+++++++ REPLACE\n', ['edit a.ts: -old|+new']],
    [
      'Roo',
      '<<<<<<< SEARCH>\n:start_line:12\n:end_line:12\n-------\nold\n=======\nnew\n>>>>>>> REPLACE\n',
      ['edit a.ts: -old|+new'],
    ],
    [
      'Roo, with its head in both parts',
      '<<<<<<< SEARCH\n:start_line:1\n:end_line: 2\n-------\nold\n=======\n:start_line:1\n-------\nnew\n>>>>>>> REPLACE\n',
      ['edit a.ts: -old|+new'],
    ],
    [
      'lines of a text that look like a head, below SEARCH without one',
      '<<<<<<< SEARCH\nold\n=======\n:start_line:1\n-------\nnew\n>>>>>>> REPLACE\n',
      ['edit a.ts: -old|+:start_line:1|+-------|+new'],
    ],
    [
      'blank lines at the end of both parts, which stay',
      '<<<<<<< SEARCH\nold\n\n\n=======\nnew\n\n>>>>>>> REPLACE\n',
      ['edit a.ts: -old|+new|-| '],
    ],
    [
      'Roo, with brackets around the number',
      '<<<<<<< SEARCH\n:start_line: [12]\n-------\nold\n=======\nnew\n>>>>>>> REPLACE\n',
      ['edit a.ts: -old|+new'],
    ],
    [
      'several',
      '<<<<<<< SEARCH\na\n=======\nb\n>>>>>>> REPLACE\n\n<<<<<<< SEARCH\nc\n=======\n>>>>>>> REPLACE\n',
      ['edit a.ts: -a|+b: -c'],
    ],
    ['the path above it', 'a.ts\n<<<<<<< SEARCH\na\n=======\nb\n>>>>>>> REPLACE\n', ['edit a.ts: -a|+b']],
    ['a new file', '<<<<<<< SEARCH\n=======\nnew\n>>>>>>> REPLACE\n', ['new a.ts: +new']],
    ['blank lines', '<<<<<<< SEARCH\n\na\n=======\n\n>>>>>>> REPLACE\n', ['edit a.ts: -|-a|+']],
    [
      'escaped markers',
      '<<<<<<< SEARCH\n\\=======\n=======\n\\<<<<<<< SEARCH\n>>>>>>> REPLACE\n',
      ['edit a.ts: -=======|+<<<<<<< SEARCH'],
    ],
    [
      'a heading of the length of no marker',
      '<<<<<<< SEARCH\nT\n=====\n=======\nT\n>>>>>>> REPLACE\n',
      ['edit a.ts: -T|-=====|+T'],
    ],
  ])('is read: %s', (_, content, expected) => {
    expect(read(content)).toEqual(expected)
  })

  it.each([
    ['no end', '<<<<<<< SEARCH\na\n=======\nb\n', 'line 1: a SEARCH/REPLACE block does not end with >>>>>>> REPLACE'],
    [
      'no middle',
      '<<<<<<< SEARCH\na\n>>>>>>> REPLACE\n',
      'line 1: a SEARCH/REPLACE block needs exactly one line ======= in its middle',
    ],
    [
      'two middles',
      '<<<<<<< SEARCH\na\n=======\nb\n=======\nc\n>>>>>>> REPLACE\n',
      'line 1: a SEARCH/REPLACE block needs exactly one line ======= in its middle',
    ],
    [
      'prose between',
      '<<<<<<< SEARCH\na\n=======\nb\n>>>>>>> REPLACE\nand\n<<<<<<< SEARCH\nc\n=======\nd\n>>>>>>> REPLACE\n',
      'line 6: "and" is outside of a SEARCH/REPLACE block',
    ],
    [
      'two openings',
      '<<<<<<< SEARCH\na\n<<<<<<< SEARCH\nc\n=======\nd\n>>>>>>> REPLACE\n',
      'line 1: a SEARCH/REPLACE block does not end with >>>>>>> REPLACE',
    ],
    [
      'a marker inside',
      '<<<<<<< SEARCH\na\n=======\nb\n>>>>>>>\n>>>>>>> REPLACE\n',
      'line 1: ">>>>>>>" is nearly a marker of a SEARCH/REPLACE block',
    ],
  ])('is damaged: %s', (_, content, why) => {
    expect(read(content)).toBe(why)
  })
})

describe('a codex patch', () => {
  it.each([
    ['an update', '*** Begin Patch\n*** Update File: a.ts\n@@\n-x\n+y\n*** End Patch\n', ['edit a.ts: -x|+y']],
    ['without the first @@', '*** Begin Patch\n*** Update File: a.ts\n x\n+y\n*** End Patch\n', ['edit a.ts:  x|+y']],
    [
      'several edits',
      '*** Begin Patch\n*** Update File: a.ts\n@@\n-x\n+y\n@@ class A\n-z\n*** End Patch\n',
      ['edit a.ts: -x|+y: -z'],
    ],
    ['without a beginning', '*** Update File: a.ts\n-x\n+y\n*** End Patch\n', ['edit a.ts: -x|+y']],
    [
      'a star too many',
      '*** Begin Patch ***\n*** Update File: a.ts\n-x\n+y\n*** End Patch ***\n',
      ['edit a.ts: -x|+y'],
    ],
    [
      'in a here-document',
      "apply_patch <<'EOF'\n*** Begin Patch\n*** Update File: a.ts\n-x\n+y\n*** End Patch\nEOF\n",
      ['edit a.ts: -x|+y'],
    ],
    [
      'several files',
      '*** Begin Patch\n*** Add File: b.ts\n+one\n+\n+two\n*** Delete File: c.ts\n*** Update File: a.ts\n*** Move to: d.ts\n@@\n-x\n+y\n*** End Patch\n',
      ['new b.ts: +one|+|+two', 'delete c.ts', 'rename a.ts to d.ts: -x|+y'],
    ],
    [
      'a move alone',
      '*** Begin Patch\n*** Update File: a.ts\n*** Move to: d.ts\n*** End Patch\n',
      ['rename a.ts to d.ts'],
    ],
    [
      'a blank line that lost its sign',
      '*** Begin Patch\n*** Update File: a.ts\n x\n\n-y\n*** End Patch\n',
      ['edit a.ts:  x| |-y'],
    ],
  ])('is read: %s', (_, content, expected) => {
    expect(read(content, content.includes('Add File') ? null : 'a.ts')).toEqual(expected)
  })

  it('tells the lines above a place, and the end of the file', () => {
    const content =
      '*** Begin Patch\n*** Update File: a.py\n@@ class A\n@@ def f():\n-x\n+y\n*** End of File\n*** End Patch\n'
    expect(readEdits(content, undefined)).toEqual({
      kind: 'edits',
      files: [
        {
          op: 'edit',
          path: 'a.py',
          hunks: [{ line: 2, lines: ['-x', '+y'], below: ['class A', 'def f():'], atEnd: true }],
        },
      ],
    })
  })

  it.each([
    [
      'a line without a sign',
      '*** Begin Patch\n*** Update File: a.ts\n@@\n-x\ny\n*** End Patch\n',
      'line 5: a line of the edit has none of the signs blank, + and - in front',
    ],
    [
      'an unknown section',
      '*** Begin Patch\n*** Copy File: a.ts\n*** End Patch\n',
      'line 2: "*** Copy File: a.ts" is not a line of a patch',
    ],
    ['no section', '*** Begin Patch\n*** End Patch\n', 'line 1: the patch has no section'],
    [
      'an update of nothing',
      '*** Begin Patch\n*** Update File: a.ts\n*** End Patch\n',
      'line 3: the section for a.ts changes nothing',
    ],
    [
      'words below',
      '*** Begin Patch\n*** Delete File: a.ts\n*** End Patch\nSo.\n',
      'line 4: "So." is not a line of a patch',
    ],
    [
      'no end',
      '*** Begin Patch\n*** Update File: a.ts\n@@\n-x\n+y\n',
      'line 5: the patch does not end with *** End Patch',
    ],
    [
      'a new file with old lines',
      '*** Begin Patch\n*** Add File: a.ts\n x\n*** End Patch\n',
      'line 3: a line of a new file lacks its +',
    ],
    [
      'another file than the block is for',
      '*** Begin Patch\n*** Delete File: b.ts\n*** End Patch\n',
      'line 1: the block is for a.ts, and its text for b.ts',
    ],
  ])('is damaged: %s', (_, content, why) => {
    expect(read(content)).toBe(why)
  })
})

describe('a unified diff', () => {
  it.each([
    [
      'with git’s headers',
      'diff --git a/a.ts b/a.ts\nindex 1234567..89abcde 100644\n--- a/a.ts\n+++ b/a.ts\n@@ -1,9 +1,7 @@ f()\n x\n-y\n+z\n',
      ['edit a.ts:  x|-y|+z'],
    ],
    [
      'with wrong counts',
      '--- a/a.ts\n+++ b/a.ts\n@@ -1,2 +1,2 @@\n a\n b\n c\n-d\n+e\n',
      ['edit a.ts:  a| b| c|-d|+e'],
    ],
    ['without headers', '@@ ... @@\n-x\n+y\n', ['edit a.ts: -x|+y']],
    ['lines alone', '-x\n+y\n', ['edit a.ts: -x|+y']],
    [
      'with a time',
      '--- a.ts\t2024-01-01 10:00:00\n+++ a.ts 2024-01-01 10:00:00.000 +0100\n@@\n-x\n+y\n',
      ['edit a.ts: -x|+y'],
    ],
    ['with fewer folders', '--- a/a.ts\n+++ b/a.ts\n@@\n-x\n', ['edit src/a.ts: -x'], 'src/a.ts'],
    ['of a copy that diff keeps', '--- a.ts.orig\n+++ a.ts\n@@\n-x\n', ['edit a.ts: -x']],
    ['of a new file', '--- /dev/null\n+++ b/a.ts\n@@ -0,0 +1,3 @@\n+x\n\n+y\n', ['new a.ts: +x|+|+y']],
    [
      'of a new program',
      'diff --git a/a.sh b/a.sh\nnew file mode 100755\n--- /dev/null\n+++ b/a.sh\n@@ -0,0 +1 @@\n+x\n',
      ['new a.sh: may be run: +x'],
      'a.sh',
    ],
    ['of a new empty file', 'diff --git a/a.ts b/a.ts\nnew file mode 100644\nindex 0000000..e69de29\n', ['new a.ts: ']],
    [
      'of a deleted file',
      'diff --git a/a.ts b/a.ts\ndeleted file mode 100644\n--- a/a.ts\n+++ /dev/null\n@@ -1 +0,0 @@\n-x\n',
      ['delete a.ts'],
    ],
    [
      'of a renamed file',
      'diff --git a/a.ts b/b c.ts\nsimilarity index 90%\nrename from a.ts\nrename to b c.ts\n--- a/a.ts\n+++ b/b c.ts\n@@ -1 +1 @@\n-x\n+y\n',
      ['rename a.ts to b c.ts: -x|+y'],
    ],
    ['of a mode', 'diff --git a/a.ts b/a.ts\nold mode 100644\nnew mode 100755\n', ['edit a.ts: may be run']],
    [
      'of several files',
      'diff --git a/a.ts b/a.ts\n--- a/a.ts\n+++ b/a.ts\n@@\n-x\n\ndiff --git a/b.ts b/b.ts\n--- a/b.ts\n+++ b/b.ts\n@@\n-y\n',
      ['edit a.ts: -x| ', 'edit b.ts: -y'],
      null,
    ],
    [
      'of several files as diff makes them',
      '--- a.ts\n+++ a.ts\n@@\n-x\n--- b.ts\n+++ b.ts\n@@\n-y\n',
      ['edit a.ts: -x', 'edit b.ts: -y'],
      null,
    ],
    [
      'of a path that git quotes',
      'diff --git "a/\\303\\244.ts" "b/\\303\\244.ts"\n--- "a/\\303\\244.ts"\n+++ "b/\\303\\244.ts"\n@@\n-x\n',
      ['edit ä.ts: -x'],
      null,
    ],
    ['of lines that look like headers', '@@\n--- x\n+++ y\n z\n', ['edit a.ts: --- x|+++ y| z']],
    [
      'as Subversion makes it',
      `Index: a.ts\n${'='.repeat(67)}\n--- a.ts\n+++ a.ts\n@@ -1 +1 @@\n-x\n+y\n`,
      ['edit a.ts: -x|+y'],
    ],
  ] as const)('is read: %s', (...[, content, expected, path]) => {
    expect(read(content, path === undefined ? 'a.ts' : path)).toEqual(expected)
  })

  it('keeps what it says about the last line end', () => {
    const newline = (content: string) => {
      const edits = readEdits(content, 'a.ts')
      const [file] = edits?.kind === 'edits' ? edits.files : []
      return file?.op === 'edit' ? file.hunks[0]?.finalNewline : 'none'
    }
    const none = '\\ No newline at end of file'
    expect(newline(`@@\n-x\n+y\n${none}\n`)).toBe(false)
    expect(newline(`@@\n-x\n${none}\n+y\n`)).toBe(true)
    expect(newline(`@@\n-x\n${none}\n+y\n${none}\n`)).toBe(false)
    expect(newline(`@@\n+y\n${none}\n-x\n${none}\n`)).toBe(false)
    expect(newline('@@\n-x\n+y\n')).toBeUndefined()
  })

  it.each([
    [
      'a line without a sign',
      '@@\n x\ny\n',
      'line 3: a line of the edit has none of the signs blank, + and - in front',
    ],
    ['a combined diff', '--- a/a.ts\n+++ b/a.ts\n@@@ -1 -1 +1 @@@\n', 'line 3: a combined diff cannot be applied'],
    [
      'a binary diff',
      'diff --git a/a.png b/a.png\nindex 1..2\nGIT binary patch\n',
      'line 3: a binary diff cannot be applied',
    ],
    [
      'binary files',
      'diff --git a/a.png b/a.png\nBinary files a/a.png and b/a.png differ\n',
      'line 2: a binary diff cannot be applied',
    ],
    [
      'a copy',
      'diff --git a/a.ts b/b.ts\ncopy from a.ts\ncopy to b.ts\n',
      'line 2: a diff that copies a file cannot be applied',
    ],
    [
      'a link',
      'diff --git a/l b/l\nnew file mode 120000\n--- /dev/null\n+++ b/l\n@@\n+x\n',
      'line 1: a diff of a link or a submodule cannot be applied',
    ],
    [
      'two names',
      '--- a/a.ts\n+++ b/b.ts\n@@\n-x\n',
      'line 1: the diff names two files, a.ts and b.ts, and does not say that one is renamed',
    ],
    [
      'a name for git and another for the rest',
      'diff --git a/a.ts b/a.ts\n--- a/b.ts\n+++ b/b.ts\n@@\n-x\n',
      'line 1: the headers of the diff name different files',
    ],
    [
      'a name that is renamed and another that is changed',
      'diff --git a/a.ts b/b.ts\nrename from a.ts\nrename to b.ts\n--- a/a.ts\n+++ b/c.ts\n@@\n-x\n',
      'line 1: the headers of the diff name different files',
    ],
    ['nothing', '--- a/a.ts\n+++ b/a.ts\n@@\n x\n', 'line 1: the diff changes nothing'],
    [
      'old lines of a new file',
      '--- /dev/null\n+++ b/a.ts\n@@\n x\n+y\n',
      'line 1: the diff of a new file has lines that are not new',
    ],
    [
      'another file than the block is for',
      '--- a/b.ts\n+++ b/b.ts\n@@\n-x\n',
      'line 1: the block is for a.ts, and its text for b.ts',
    ],
  ])('is damaged: %s', (_, content, why) => {
    expect(read(content)).toBe(why)
  })

  it('needs a path from somewhere', () => {
    expect(readEdits('@@\n-x\n', undefined)).toEqual({
      kind: 'damaged',
      line: 0,
      why: 'the edit does not say which file it is for',
    })
  })
})
