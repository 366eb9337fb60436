import { describe, expect, it } from 'vitest'
import { journalWorld, uuidOf } from '../support/journal-world.ts'

const lint = { output: 'src/a.ts(1,1): error TS1: \u001b[31mbad\u001b[0m\n', exit: 2 }

/** One patch of three files, which a formatter went over, and one more. */
async function world() {
  const made = journalWorld(
    { 'src/a.ts': 'one\ntwo\nthree\n', 'src/old.ts': 'old\n' },
    {
      config: { linter: 'lint', postCommand: 'format' },
      commands: {
        lint,
        format: {
          effect: disk => disk.write('src/a.ts', disk.readText('src/a.ts').replace('2', 'II')),
        },
      },
    },
  )
  await made.patch(
    { 'src/a.ts': 'one\n2\nthree\n', 'src/new/b.ts': 'b\n', 'src/old.ts': null },
    { prose: `Fix the date parser.\n\nBecause \u202eit was\u001b[2J wrong.\n${'More of it.\n'.repeat(8)}` },
  )
  return made
}

describe('relay show', () => {
  it('shows all about one on a screen', async () => {
    const { run, disk } = await world()
    disk.write('src/new/b.ts', 'b\nmine\n')
    const { code, stdout, stderr } = await run(['show', '1'])
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    expect(stdout).toMatchInlineSnapshot(`
      "#1  Fix the date parser                                              kept auto
        uuid      aaaaaaa1-7d5e-4f5c-9a0e-2b9a5a6f3a11
        from      clipboard, at 14:02
        why       Fix the date parser.
                  Because \\u202eit was\\x1b[2J wrong.
                  More of it.
                  More of it.
                  (6 more lines: \`relay show 1 --reasoning\`)
        lint      1 error   new 0   fixed 0
        output    base 39 bytes, lint 39 bytes (\`relay show 1 --output\`)

        ~ src/a.ts                +1  -1
        + src/new/b.ts            +1                             changed since +1 -0
        - src/old.ts                  -1

        ~ src/a.ts                                                             +1 -1
         1   1    one
         2      - two
             2  + II
         3   3    three

        + src/new/b.ts                                                            +1
             1  + b

        - src/old.ts                                                              -1
         1      - old

        relay diff 1   relay show 1 --patch   relay revert 1
      "
    `)
  })

  it('says of what took another back that it was not kept by itself', async () => {
    const { run } = await world()
    await run(['undo', '--trust'], { answers: ['y'] })
    await run(['redo', '--trust', '--yes'])
    const stateOf = async (number: string) => (await run(['show', number])).stdout.split('\n')[0]?.split(/ {2,}/).at(-1)
    expect([await stateOf('1'), await stateOf('2'), await stateOf('3')]).toEqual(['kept auto', 'undone by #3', 'kept'])
    expect(JSON.parse((await run(['show', '3', '--json'])).stdout)).toMatchObject({ by: 'user' })
  })

  it('says what nobody counted, as does the log', async () => {
    const mended = [{ output: 'crashed\n', exit: 255 }, {}]
    const { patch, run } = journalWorld({ a: '1\n' }, { config: { linter: 'lint' }, commands: { lint: mended } })
    await patch({ a: '2\n' }, { prose: 'Mend the build.' })
    expect((await run(['show', '1'])).stdout).toContain(`
  lint      0 errors   not counted before: exit 255, and no error that relay
            knows
`)
    expect((await run(['log'])).stdout).toMatch(/Mend the build +1 {2}\? {5}kept auto$/m)
  })

  it('fits a narrow terminal', async () => {
    const { run } = await world()
    const { stdout } = await run(['show'], { terminal: { columns: 40 } })
    expect(stdout.slice(0, stdout.indexOf('\n\n'))).toMatchInlineSnapshot(`
      "#1  Fix the date parser      kept auto
        uuid      aaaaaaa1-7d5e-4f5c-9a0e-2b
                  9a5a6f3a11
        from      clipboard, at 14:02
        why       Fix the date parser.
                  Because \\u202eit
                  was\\x1b[2J wrong.
                  More of it.
                  (7 more lines: \`relay show
                  1 --reasoning\`)
        lint      1 error   new 0   fixed 0
        output    base 39 bytes, lint 39
                  bytes
                  (\`relay show 1 --output\`)"
    `)
    expect(stdout.split('\n').filter(line => line.length > 40)).toEqual([])
  })

  it.each([
    ['src/a.ts', 'one\nII\nthree\n', ''],
    ['src/a.ts', 'one\ntwo\nthree\n', 'as before it'],
    ['src/a.ts', 'one\nII\nthree\nfour\n', 'changed since +1 -0'],
    ['src/a.ts', null, 'deleted since'],
    ['src/old.ts', 'old\n', 'as before it'],
    ['src/old.ts', 'else\n', 'there again'],
    ['src/new/b.ts', null, 'as before it'],
    ['src/new/b.ts', Uint8Array.of(0), 'changed since'],
  ])('says of %s, when it is %j, that it is "%s"', async (path, content, words) => {
    const { run, disk } = await world()
    if (content === null) disk.remove(path)
    else disk.write(path, content)
    const { stdout } = await run(['show', '1'])
    const line = stdout.split('\n').find(text => / (~|\+|-) /.test(text.slice(0, 4)) && text.includes(path)) ?? ''
    expect(line.replace(/^ {2}. \S+\s+([+-]\d+\s*)+/, '')).toBe(words)
  })

  it('says what a file has become that is none any more', async () => {
    const { run, disk } = await world()
    disk.remove('src/a.ts')
    disk.folder('src/a.ts')
    disk.remove('src/new/b.ts')
    disk.symlink('../a.ts', 'src/new/b.ts')
    const { stdout } = await run(['show', '1'])
    expect(stdout).toContain('a folder now')
    expect(stdout).toContain('a link now')
  })

  it('prints what the model said, with nothing in it that a terminal obeys', async () => {
    const { run } = await world()
    const { stdout } = await run(['show', '1', '--reasoning'])
    expect(stdout).toContain('Because \\u202eit was\\x1b[2J wrong.\nMore of it.\n')
  })

  it('names the change whose response an undo or redo had in mind', async () => {
    const { run, disk } = await world()
    for (const word of ['undo', 'redo']) await run([word, '--yes', '--trust'])
    const said = async (number: string) => (await run(['show', number, '--reasoning'])).stderr
    expect(await said('2')).toBe('#2 is an undo of #1: `relay show 1 --reasoning`\n')
    expect(await said('3')).toBe('#3 is a redo of #1: `relay show 1 --reasoning`\n')
    disk.remove(`.relaycode/${uuidOf(1)}.yml`)
    expect(await said('3')).toBe('#3 is a redo of a change that is no longer stored\n')
  })

  it('prints what the commands printed', async () => {
    const { run } = await world()
    expect((await run(['show', '1', '--output'])).stdout).toMatchInlineSnapshot(`
      "== base ==
      src/a.ts(1,1): error TS1: bad
      == lint ==
      src/a.ts(1,1): error TS1: bad
      "
    `)
  })

  it('prints a patch of what was kept in the end, formatter and all', async () => {
    const { run } = await world()
    const patch = (await run(['show', '1', '--patch'])).stdout
    expect(patch).toContain('-two\n+II\n')
    expect(patch).toContain('deleted file mode 100644')
    expect(await run(['diff', '1'])).toMatchObject({ code: 0, stdout: patch, stderr: '', paged: [] })
  })

  it('pages the diff on a terminal', async () => {
    const { run } = await world()
    const { stdout, paged } = await run(['diff'], { terminal: { isRead: true } })
    expect(stdout).toBe('')
    expect(paged.join()).toContain('+ II')
  })

  it('tells a program all that it shows', async () => {
    const { run } = await world()
    const at = '2026-11-20T14:02:12.000Z'
    const file = (path: string) => ({ path, target: path, since: 'as-kept' })
    expect(JSON.parse((await run(['show', '1', '--json'])).stdout)).toEqual({
      number: 1,
      uuid: uuidOf(1),
      modelUuid: null,
      projectId: 'demo',
      createdAt: at,
      at,
      outcome: 'committed',
      undoneBy: null,
      source: 'clipboard',
      undoes: null,
      commit: null,
      title: 'Fix the date parser',
      promptSummary: 'Fix the date parser',
      gitCommitMsg: null,
      changeSummary: [{ edit: 'src/a.ts' }, { edit: 'src/new/b.ts' }, { delete: 'src/old.ts' }],
      reasoning: [`Fix the date parser.\n\nBecause \u202eit was\u001b[2J wrong.${'\nMore of it.'.repeat(8)}`],
      flags: [],
      by: 'auto',
      checks: { before: { errors: 1 }, after: { errors: 1, new: 0, fixed: 0 } },
      files: [
        { ...file('src/a.ts'), effect: 'modify', added: 1, removed: 1 },
        { ...file('src/new/b.ts'), effect: 'create', added: 1, removed: 0 },
        { ...file('src/old.ts'), effect: 'delete', added: 0, removed: 1 },
      ],
      outputs: [
        { step: 'base', bytes: 39 },
        { step: 'lint', bytes: 39 },
      ],
    })
  })

  it.each([['#1'], ['1'], ['aaaaaaa1'], ['AAAAAAA1-7d5e-4f5c-9a0e-2b9a5a6f3a11']])('finds it as %s', async word => {
    const { run, patch } = await world()
    await patch({ 'src/c.ts': 'c\n' })
    expect(JSON.parse((await run(['show', word, '--json'])).stdout).number).toBe(1)
  })

  it('takes a whole uuid for no beginning of another', async () => {
    const { run, patch } = await world()
    for (const uuid of ['b7d5e4f5', 'b7d5e4f5-7d5e']) await patch({ 'src/c.ts': `${uuid}\n` }, { uuid })
    expect(JSON.parse((await run(['show', 'b7d5e4f5', '--json'])).stdout).number).toBe(2)
  })

  it.each([
    ['7', 'There is no change 7; the newest is #2', '`relay log --all` lists them.'],
    ['aaaaaaa', 'aaaaaaa could be #2, #1', 'Use the number, or more of the uuid.'],
    ['aaaaaaa3-7d5e', 'There is no change aaaaaaa3-7d5e; the newest is #2', `Did you mean #2 (${uuidOf(2)})?`],
    ['#', 'There is no change #; the newest is #2', '`relay log --all` lists them.'],
  ])('says what is near %j', async (word, message, hint) => {
    const { run, patch } = await world()
    await patch({ 'src/c.ts': 'c\n' })
    expect(await run(['show', word])).toMatchObject({
      code: 2,
      stdout: '',
      stderr: `Error: ${message}\nHint: ${hint}\n`,
    })
  })

  it.each(['7', '77', '#7', '#77777777'])(
    'takes the number %s, which is none here, for no beginning of a uuid',
    async word => {
      const { run, patch } = await world()
      await patch({ 'src/c.ts': 'c\n' }, { uuid: '77777777-7d5e-4f5c-9a0e-2b9a5a6f3a11' })
      expect(await run(['show', word])).toMatchObject({
        code: 2,
        stderr: expect.stringContaining(`no change ${word};`),
      })
      expect((await run(['show', '77777777'])).code).toBe(0)
    },
  )

  it('leads from one that was rolled back, and kept since, to where it was kept', async () => {
    const { run, patch } = await world()
    await patch({ 'src/c.ts': 'c\n' }, { config: { approval: 'no' }, answer: 'no' })
    expect((await run(['apply', '--last', '--yes', '--trust'])).code).toBe(0)
    expect(await run(['show', '2'])).toEqual({
      code: 2,
      stdout: '',
      stderr:
        'Error: #2 was declined, so there is nothing to show\nHint: It has been kept since, as #3: `relay show 3`.\n',
      paged: [],
    })
  })

  it('says why there is nothing to show', async () => {
    const { run, patch, disk } = await world()
    await patch({ 'src/c.ts': 'c\n' }, { config: { approval: 'no' }, answer: 'no' })
    expect((await run(['show', '2', '--patch'])).stderr).toBe(
      'Error: #2 was declined, so there is nothing to show\n' +
        'Hint: `relay followup` says what was wrong with it, `relay apply --last` applies it again.\n',
    )
    await patch({ 'src/c.ts': 'd\n' }, { config: { approval: 'no' }, answer: 'no' })
    expect((await run(['show', '2', '--patch'])).stderr).toContain('`relay show 2` shows the answer')
    disk.remove('.relaycode/declined')
    expect((await run(['show', '2'])).stderr).toBe(
      'Error: #2 was declined, so there is nothing to show\nHint: `relay log` lists what was kept.\n',
    )
    disk.write(`.relaycode/${uuidOf(1)}.yml`, 'no entry')
    expect((await run(['show', '1'])).stderr).toContain(
      `Cannot read #1\nHint: Look at .relaycode/${uuidOf(1)}.yml: something other than relay changed it.`,
    )
    disk.write(`.relaycode/${uuidOf(1)}.yml`, 'version: 2\nnumber: 1\n')
    expect((await run(['show', '1'])).stderr).toBe(
      'Error: Cannot read #1\n' +
        `Hint: A newer relay wrote .relaycode/${uuidOf(1)}.yml: use that one, or update this one.\n`,
    )
    disk.remove(`.relaycode/${uuidOf(1)}.yml`)
    expect((await run(['show', '1'])).stderr).toContain('#1 is no longer stored')
    expect((await journalWorld().run(['show'])).stderr).toContain('Nothing was kept here yet')
    expect((await run(['show', '1', '--patch', '--json'])).stderr).toContain('--patch and --json do not go together')
  })
})
