import { describe, expect, it } from 'vitest'
import { journalWorld } from '../support/journal-world.ts'

const fence = '```'
let answers = 0

/** An answer with these blocks, which names these paths; each has a uuid of its own. */
function answer(blocks: readonly string[], ...summary: readonly string[]): string {
  answers++
  const uuid = `${String(answers).padStart(8, '0')}-7d5e-4f5c-9a0e-2b9a5a6f3a11`
  const entries = summary.map(each => `  - ${each}`)
  return [
    'So.',
    ...blocks,
    [`${fence}yaml`, 'projectId: demo', `uuid: ${uuid}`, 'changeSummary:', ...entries, fence].join('\n'),
  ].join('\n\n')
}

const block = (info: string, text: string) => `${fence}${info}\n${text}${fence}`
const marked = (info: string, text: string) => block(info, `// START\n${text}// END\n`)
const searched = (search: string, replace: string) => `<<<<<<< SEARCH\n${search}=======\n${replace}>>>>>>> REPLACE\n`

const files = { 'src/a.ts': 'one\ntwo\nthree\nfour\n', 'src/b.ts': 'x\ny\n' }

/** Applies an answer from a file. */
function world(config = {}, more: Readonly<Record<string, string>> = files) {
  const made = journalWorld(more, { config })
  const apply = async (text: string, ...args: readonly string[]) => {
    made.disk.write('answer.md', text)
    const ran = await made.run(['apply', 'answer.md', ...args])
    made.disk.remove('answer.md')
    return ran
  }
  const tree = () => made.disk.text({ journal: false })
  return { ...made, apply, text: (path: string) => tree()[path], tree }
}

describe('an answer with edits', () => {
  it.each([
    ['SEARCH/REPLACE', marked('ts // src/a.ts search-replace', searched('two\n', '2\n'))],
    [
      'SEARCH/REPLACE of dashes, without markers',
      block('ts // src/a.ts', '------- SEARCH\ntwo\n=======\n2\n+++++++ REPLACE\n'),
    ],
    ['a diff', marked('ts // src/a.ts diff', '--- a/src/a.ts\n+++ b/src/a.ts\n@@ -9,9 +9,9 @@\n one\n-two\n+2\n')],
    [
      'a diff that names its file',
      block('diff', '--- a/src/a.ts\n+++ b/src/a.ts\n@@ -1,3 +1,3 @@\n one\n-two\n+2\n three\n'),
    ],
    ['a diff without headers', block('diff // src/a.ts standard-diff', '@@ ... @@\n-two\n+2\n')],
    [
      'a diff in the earlier spelling',
      marked('ts // src/a.ts new-unified', '--- a/src/a.ts\n+++ b/src/a.ts\n@@\n-two\n+2\n'),
    ],
    ['a codex patch', block('', '*** Begin Patch\n*** Update File: src/a.ts\n@@\n-two\n+2\n*** End Patch\n')],
  ])('is applied: %s', async (_, text) => {
    const { apply, tree } = world()
    expect(await apply(answer([text], 'edit: src/a.ts'))).toMatchObject({ code: 0 })
    expect(tree()).toMatchObject({ 'src/a.ts': 'one\n2\nthree\nfour\n', 'src/b.ts': 'x\ny\n' })
  })

  it('mixes with whole files, deletes and renames, block after block', async () => {
    const { apply, tree, run } = world()
    const before = tree()
    const text = answer(
      [
        marked('ts // src/a.ts', 'one\n2\n'),
        marked('ts // src/a.ts', searched('2\n', '2\n3\n')),
        block(
          '',
          '*** Begin Patch\n*** Update File: src/b.ts\n*** Move to: src/c.ts\n@@\n-y\n+z\n*** Add File: src/d.ts\n+d\n*** End Patch\n',
        ),
        marked('ts // src/c.ts', searched('z\n', 'w\n')),
      ],
      'edit: src/a.ts',
      'rename: src/b.ts',
      'new: src/c.ts',
      'new: src/d.ts',
    )
    const { code, stderr } = await apply(text, '--yes')
    expect({ code, stderr }).toMatchInlineSnapshot(`
      {
        "code": 0,
        "stderr": "── #1 ────────────────────────────────────────────────────────────────────────
      ● edit src/a.ts and 2 more                            3 files  +4 -4  00000008
        ~ src/a.ts                +2  -3
        + src/d.ts                +1
        ~ src/c.ts                +1  -1  from src/b.ts
      ✔ write   3 files                                                         0 ms
      ○ lint    unchecked: no linter is configured
      ✔ kept #1  auto: unchecked, no linter is configured                       0 ms
      ",
      }
    `)
    const { 'relaycode.config.json': _, ...after } = tree()
    expect(after).toEqual({ 'src/a.ts': 'one\n2\n3\n', 'src/c.ts': 'x\nw\n', 'src/d.ts': 'd\n' })
    expect((await run(['show'])).stdout).toContain('renamed from src/b.ts')
    expect((await run(['undo', '--yes'])).stderr).toContain('src/b.ts')
    expect(tree()).toEqual(before)
    expect((await run(['redo', '--yes'])).stderr).toContain('from src/b.ts')
    expect(tree()).toMatchObject(after)
  })

  it('says what is there already, and applies the rest', async () => {
    const { apply, text } = world()
    const edits = searched('one\ntwo\n', 'one\n2\n') + searched('three\n', '3\n')
    await apply(answer([marked('ts // src/a.ts', searched('two\n', '2\n'))], 'edit: src/a.ts'))
    expect((await apply(answer([marked('ts // src/a.ts', edits)], 'edit: src/a.ts'))).stderr).toContain(
      '1 of 2 edits already there',
    )
    expect(text('src/a.ts')).toBe('one\n2\n3\nfour\n')
    const { code, stderr } = await apply(answer([marked('ts // src/a.ts', edits)], 'edit: src/a.ts'))
    expect({ code, stderr }).toMatchInlineSnapshot(`
      {
        "code": 6,
        "stderr": "○ unchanged  1 file already has these changes; nothing was written
          src/a.ts
      ",
      }
    `)
  })

  it('is skipped when it is copied once more, whatever else changed', async () => {
    const { apply, run, disk } = world()
    const text = answer([marked('ts // src/a.ts', searched('two\n', '2\n'))], 'edit: src/a.ts')
    await apply(text)
    disk.write('src/a.ts', 'two\n')
    expect(await apply(text)).toMatchObject({ code: 0, stderr: expect.stringContaining('already applied as #1') })
    expect((await run(['log'])).stdout).toContain('edit src/a.ts')
  })

  it('is refused as a whole where one edit has no certain place, with the way to mend it', async () => {
    const { apply, tree } = world()
    const before = tree()
    const text = answer(
      [marked('ts // src/a.ts', searched('two\n', '2\n') + searched('5\n', 'five\n')), marked('ts // src/n.ts', 'n\n')],
      'edit: src/a.ts',
      'new: src/n.ts',
    )
    const { code, stderr } = await apply(text)
    expect({ code, stderr }).toMatchInlineSnapshot(`
      {
        "code": 6,
        "stderr": "✖ refused
          block 1, line 10: Edit 2 of src/a.ts changes lines that are not in the
            file, nor any like them. Ask for the whole file.
          Nothing was written.
      ",
      }
    `)
    expect(tree()).toEqual(before)
  })

  it.each([
    [
      'a file that is not there',
      block('diff', '--- a/src/n.ts\n+++ b/src/n.ts\n@@\n-a\n+b\n'),
      'is for a file that does not exist',
    ],
    [
      'a file that is to be new',
      block('diff', '--- /dev/null\n+++ b/src/a.ts\n@@\n+a\n'),
      'makes a new file, but there is one',
    ],
    ['an empty SEARCH', marked('ts // src/a.ts', searched('', 'a\n')), 'makes a new file, but there is one'],
    [
      'a rename of nothing',
      block('', '*** Begin Patch\n*** Update File: src/n.ts\n*** Move to: src/m.ts\n*** End Patch\n'),
      'There is no src/n.ts to rename',
    ],
    [
      'a rename to a file that is there',
      block('', '*** Begin Patch\n*** Update File: src/a.ts\n*** Move to: src/b.ts\n*** End Patch\n'),
      'src/b.ts already exists',
    ],
    [
      'a rename out of the project',
      block('', '*** Begin Patch\n*** Update File: src/a.ts\n*** Move to: ../b.ts\n*** End Patch\n'),
      'leaves the project',
    ],
    [
      'a codex patch out of the project',
      block('', '*** Begin Patch\n*** Add File: ../x.ts\n+x\n*** End Patch\n'),
      'leaves the project',
    ],
    [
      'a patch that stops',
      block('', '*** Begin Patch\n*** Update File: src/a.ts\n@@\n-two\n2\n*** End Patch\n'),
      'has none of the signs',
    ],
  ])('is refused: %s', async (_, text, words) => {
    const { apply, tree } = world()
    const before = tree()
    const { code, stderr } = await apply(answer([text], 'edit: src/a.ts'))
    expect(code).toBe(6)
    expect(stderr.replace(/\s+/g, ' ')).toContain(words)
    expect(tree()).toEqual(before)
  })

  it('may not rename where deletes are not allowed', async () => {
    const { apply } = world({ policy: { allowDeletes: false } })
    const text = block('', '*** Begin Patch\n*** Update File: src/a.ts\n*** Move to: src/m.ts\n*** End Patch\n')
    expect(await apply(answer([text], 'edit: src/a.ts'))).toMatchObject({
      code: 6,
      stderr: expect.stringContaining('allows no deletes'),
    })
  })

  it('keeps the permission bits of a file that gets another name, and asks before it makes a program', async () => {
    const { apply, disk } = world()
    disk.write('run', '#!/bin/sh\n', 0o755)
    const move = 'diff --git a/run b/bin/run\nrename from run\nrename to bin/run\n'
    expect(
      await apply(answer([block('diff', move)], 'rename: run', 'new: bin/run'), '--yes', '--allow-sensitive'),
    ).toMatchObject({ code: 0 })
    expect(disk.tree({ journal: false })['bin/run']).toMatchObject({ mode: '0755' })
    const program = 'diff --git a/x.sh b/x.sh\nnew file mode 100755\n--- /dev/null\n+++ b/x.sh\n@@\n+echo\n'
    const text = answer([block('diff', program)], 'new: x.sh')
    expect(await apply(text, '--yes')).toMatchObject({ code: 3, stderr: expect.stringContaining('becomes a program') })
    expect(await apply(text, '--yes', '--allow-sensitive', '--again')).toMatchObject({ code: 0 })
    expect(disk.tree({ journal: false })['x.sh']).toMatchObject({ mode: '0755' })
  })

  it('is doubted for what it brings, not for what the file has', async () => {
    const { apply } = world({}, { 'src/a.ts': '// ... rest of the code\none\n' })
    const keeps = answer([marked('ts // src/a.ts', searched('one\n', '1\n'))], 'edit: src/a.ts')
    expect(await apply(keeps)).toMatchObject({ code: 0 })
    const brings = answer(
      [marked('ts // src/a.ts', searched('1\n', '1\n// ... existing code ...\n'))],
      'edit: src/a.ts',
    )
    expect(await apply(brings)).toMatchObject({ code: 3, stderr: expect.stringContaining('stands in for code') })
  })
})

describe('a diff that deletes a file', () => {
  const gone = (text: string) => block('diff', `--- a/src/b.ts\n+++ /dev/null\n@@ -1,2 +0,0 @@\n${text}`)

  it('deletes the text that it holds, blanks at line ends aside', async () => {
    const { apply, text } = world()
    expect(await apply(answer([gone('-x \n-y\n')], 'delete: src/b.ts'), '--yes')).toMatchObject({ code: 0 })
    expect(text('src/b.ts')).toBeUndefined()
  })

  it.each([
    ['the file has a line more', 'x\ny\nmine\n'],
    ['the file has a line more within', 'x\nmine\ny\n'],
    ['a line was changed', 'x\nmine\n'],
  ])('deletes nothing where %s, also with --yes', async (_, now) => {
    const { apply, tree } = world({}, { ...files, 'src/b.ts': now })
    const ran = await apply(answer([gone('-x\n-y\n')], 'delete: src/b.ts'), '--yes')
    expect(ran).toMatchObject({ code: 6, stderr: expect.stringContaining('src/b.ts') })
    expect(tree()['src/b.ts']).toBe(now)
  })
})

it('says that a file to delete is gone already, as of edits that were made', async () => {
  const { apply } = world()
  const text = block('ts // src/gone.ts', '//TODO: delete this file\n')
  expect(await apply(answer([text], 'delete: src/gone.ts'), '--yes')).toMatchObject({ code: 6 })
})

it.each([
  ['ten signs', '----------- SEARCH\ntwo\n==========\n2\n++++++++++ REPLACE\n'],
  ['one kind of signs', '=======SEARCH\ntwo\n-------\n2\n=======REPLACE\n'],
  ['brackets', '[SEARCH]\ntwo\n[REPLACE]\n2\n[/REPLACE]\n'],
  ['typographic signs', '«« Search »»\ntwo\n——\n2\n»» Replace ««\n'],
])('writes no edit as the file whose markers are %s', async (_, text) => {
  const { apply, tree } = world()
  expect(await apply(answer([block('ts // src/a.ts', text)], 'edit: src/a.ts'), '--yes')).toMatchObject({ code: 6 })
  expect(tree()).toMatchObject(files)
})

it('takes blanks off the new lines that a copy put behind every line', async () => {
  const { apply, text } = world()
  const padded = searched('two\nthree\n', 'two\nnew\nthree\n').replaceAll('\n', '  \n')
  expect(await apply(answer([block('ts // src/a.ts', padded)], 'edit: src/a.ts'))).toMatchObject({ code: 0 })
  expect(text('src/a.ts')).toBe('one\ntwo\nnew\nthree\nfour\n')
})

it('takes blank lines at the end of SEARCH for what only sets it apart', async () => {
  const { apply, text } = world()
  const edit = block('ts // src/a.ts', searched('two\n\n', '2\n\n'))
  expect(await apply(answer([edit], 'edit: src/a.ts'))).toMatchObject({ code: 0 })
  expect(text('src/a.ts')).toBe('one\n2\nthree\nfour\n')
})

it('reads a diff whose headers are no paths as one of its block', async () => {
  const { apply, text } = world()
  const diff = block('ts // src/a.ts', '--- Original\n+++ Modified\n@@\n-two\n+2\n')
  expect(await apply(answer([diff], 'edit: src/a.ts'))).toMatchObject({ code: 0 })
  expect(text('src/a.ts')).toBe('one\n2\nthree\nfour\n')
})

it('makes an edit whose old lines stand, though its result stands at their end', async () => {
  const { apply, text } = world({}, { 'src/a.ts': 'a()\n  x\n\nb()\n  x\n\nmain\n' })
  const diff = block('diff // src/a.ts', '@@\n-a()\n+b()\n   x\n-\n-b()\n-  x\n \n main\n')
  expect(await apply(answer([diff], 'edit: src/a.ts'), '--yes')).toMatchObject({ code: 0 })
  expect(text('src/a.ts')).toBe('b()\n  x\n\nmain\n')
})

describe('a whole file that has doubts of its own', () => {
  const code = {
    'src/a.ts': 'f() {\n  one\n  two\n  three\n}\n',
    'a.lua': 't = {\n["a"] = 1,\n["b"] = {\n["c"] = 2,\n},\n}\n',
  }
  const asks = async (info: string, content: string, summary: string) => {
    const { apply, tree } = world({}, code)
    const { code: exit } = await apply(answer([block(info, content)], summary))
    if (exit === 3) expect(tree()).toMatchObject(code)
    return exit === 3
  }
  const part = '// START\nf() {\n  one\n  two\n}\n// END\n'

  it('is asked about with a remark behind its path, where lines would go and the summary does not say that it changes', async () => {
    expect(await asks('ts // src/a.ts (no changes needed)', part, 'src/a.ts (no changes needed)')).toBe(true)
    expect(await asks('ts // src/a.ts (as it is)', part, 'see src/a.ts')).toBe(true)
    expect(await asks('ts // src/a.ts (no third)', part, 'edit: src/a.ts')).toBe(false)
    expect(await asks('ts // src/a.ts (one more)', part.replace('two', 'two\n  three\n  four'), 'src/a.ts')).toBe(false)
  })

  it('is asked about where START, text and END are on one line', async () => {
    expect(await asks('ts // src/a.ts', '/* START */ f() {} /* END */\n', 'edit: src/a.ts')).toBe(true)
  })

  it('is not asked about for its indentation where the file has none', async () => {
    const lua = code['a.lua'].replace('1', '5')
    expect(await asks('lua // a.lua', `-- START\n${lua}-- END\n`, 'edit: a.lua')).toBe(false)
  })
})
