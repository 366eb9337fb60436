import { describe, expect, it } from 'vitest'
import { diskError, type FakeDisk } from '../support/fake-disk.ts'
import { type JournalWorld, journalWorld, type Ran } from '../support/journal-world.ts'

const start = { 'src/a.ts': 'one\ntwo\nthree\nfour\nfive\n', 'src/old.ts': 'old\n' }
const patch = { 'src/a.ts': 'one\nTWO\nthree\nfour\nfive\n', 'src/new/b.ts': 'b\n', 'src/old.ts': null }

/** One patch was kept: a file changed, one made in a new folder, one deleted. */
async function world(config: Parameters<typeof journalWorld>[1] = {}): Promise<JournalWorld & { before: unknown }> {
  const made = journalWorld(start, config)
  const before = made.disk.tree({ journal: false })
  await made.patch(patch, { prose: 'Add dark mode.' })
  return { ...made, before }
}

/** What stands on the screen after the prompt and the answers. */
function lastLine({ stderr }: Ran): string {
  return stderr.trimEnd().split('\n').at(-1) ?? ''
}

function rescued(disk: FakeDisk): Record<string, string> {
  const found = Object.entries(disk.text()).filter(([path]) => path.startsWith('.relaycode/rescue/'))
  return Object.fromEntries(
    found.map(([path, text]) => [path.replace(/^\.relaycode\/rescue\/[^/]+\/(.*)\.rescued$/, '$1'), text]),
  )
}

describe('relay undo', () => {
  it('shows what it will do, asks, does it, and says so', async () => {
    const { run, disk, before } = await world()
    const { code, stdout, stderr } = await run(['undo'], { answers: ['', 'd', 'y'] })
    expect({ code, stdout }).toEqual({ code: 0, stdout: '' })
    expect(stderr).toMatchInlineSnapshot(`
      "↩ Undo #1 Add dark mode                                          kept just now

        ~ src/a.ts                                                             +1 -1
         1   1    one
         2      - TWO
             2  + two
         3   3    three
         4   4    four
         5   5    five

        - src/new/b.ts                                                            -1
         1      - b

        + src/old.ts                                                              +1
             1  + old

      Undo #1, 3 files? (y/n/d/?)
        y       undo #1; relay checks the result and stores it as a new change
        n       leave everything as it is
        d       show the full diff
      Undo #1, 3 files? (y/n/d/?) d
      Undo #1, 3 files? (y/n/d/?) y
      ✔ write   3 files                                                         0 ms
      ○ lint    unchecked: no linter is configured
      ✔ Undid #1 Add dark mode (3 files)                 #2   to reverse: relay redo
      "
    `)
    expect(disk.tree({ journal: false })).toEqual(before)
  })

  it('cuts a long title where the way back would find no room beside it', async () => {
    const { run, patch } = journalWorld(start)
    await patch({ 'src/a.ts': 'two\n' }, { prose: 'Add a switch for the dark mode to the settings.' })
    const last = lastLine(await run(['undo', '--yes']))
    expect(last).toBe('✔ Undid #1 Add a switch for the dark mo… (1 file)  #2   to reverse: relay redo')
  })

  it('leaves everything as it is after a no, and without an answer', async () => {
    const { run, disk } = await world()
    const tree = disk.tree()
    expect(lastLine(await run(['undo'], { answers: ['n'] }))).toBe('○ nothing undone: no file was written')
    expect((await run(['undo'], { answers: ['n'] })).code).toBe(3)
    expect(await run(['undo'])).toMatchObject({ code: 3, stderr: expect.stringContaining('`relay undo --yes`') })
    expect(disk.tree()).toEqual(tree)
  })

  it('goes back step by step, and forth again', async () => {
    const { run, disk, before, patch: apply } = await world()
    const one = disk.tree({ journal: false })
    await apply({ 'src/a.ts': 'one\nTWO\nthree\nfour\nFIVE\n' })
    const two = disk.tree({ journal: false })
    const step = async (word: string) => ({
      said: lastLine(await run([word, '--yes'])),
      tree: disk.tree({ journal: false }),
    })
    expect(await step('undo')).toMatchObject({ said: expect.stringContaining('Undid #2'), tree: one })
    expect(await step('undo')).toMatchObject({
      said: expect.stringContaining('Undid #1 Add dark mode (3 files)'),
      tree: before,
    })
    expect(await step('undo')).toMatchObject({ said: '○ nothing to undo', tree: before })
    expect(await step('redo')).toMatchObject({ said: expect.stringContaining('Redid #1'), tree: one })
    expect(await step('redo')).toMatchObject({ said: expect.stringContaining('Redid #2'), tree: two })
    expect(await step('redo')).toMatchObject({ said: '○ nothing to redo: nothing was undone', tree: two })
    expect(await step('undo')).toMatchObject({ said: expect.stringContaining('Undid #2'), tree: one })
  })

  it('has nothing to redo once a new patch was kept', async () => {
    const { run, patch: apply } = await world()
    await run(['undo', '--yes'])
    await apply({ 'src/a.ts': 'else\n' }, { config: { approval: 'no' }, answer: 'no' })
    expect(lastLine(await run(['redo'], { answers: ['n'] }))).toContain('nothing undone')
    await apply({ 'src/c.ts': 'c\n' })
    const since = '○ nothing to redo: #4 was kept since; `relay revert 2` reverts the undo'
    expect(lastLine(await run(['redo', '--yes']))).toBe(since)
  })

  it.each(['undo', 'revert'])(
    'takes the %s of a change by its number back with redo, and then the undo before it',
    async word => {
      const { run, disk, patch: apply } = await world()
      const one = disk.tree({ journal: false })
      await apply({ 'src/c.ts': 'c\n' })
      const two = disk.tree({ journal: false })
      await run(['undo', '--yes'])
      expect(lastLine(await run([word, '1', '--yes']))).toMatch(/to reverse: relay redo$/)
      expect(lastLine(await run(['redo', '--yes']))).toContain('Redid #1 Add dark mode')
      expect(disk.tree({ journal: false })).toEqual(one)
      await run(['redo', '--yes'])
      expect(disk.tree({ journal: false })).toEqual(two)
      expect(lastLine(await run(['redo', '--yes']))).toBe('○ nothing to redo: nothing was undone')
      expect(lastLine(await run([word, '1', '--yes']))).toContain('ed #1')
    },
  )

  it('takes a response again whose patch was undone, when it is told to', async () => {
    const { run, patch: apply, disk } = await world()
    const kept = disk.tree({ journal: false })
    await run(['undo', '--yes'])
    const undone = disk.tree({ journal: false })
    const text = (await run(['log', '--json', '--all'])).stdout
    const { uuid } = JSON.parse(text).transactions.at(-1)
    await apply(patch, { uuid })
    expect(disk.tree({ journal: false })).toEqual(undone)
    await run(['undo', '--yes'])
    const { respond } = await import('../support/respond.ts')
    const again = await run(['apply', '--again', '-'], { terminal: { stdin: respond(patch, { uuid }) } })
    expect(again).toMatchObject({ code: 0 })
    expect(disk.tree({ journal: false })).toEqual(kept)
    expect((await run(['undo', '--yes'])).code).toBe(0)
    expect(disk.tree({ journal: false })).toEqual(undone)
  })

  it('takes one that is named back as relay revert does', async () => {
    const ends = []
    for (const word of ['undo', 'revert']) {
      const { run, disk, patch: apply } = await world()
      await apply({ 'src/a.ts': 'one\nTWO\nthree\nfour\nFIVE\n' })
      ends.push({ ...(await run([word, '1', '--yes'])), tree: disk.tree({ journal: false }) })
    }
    expect(ends[0]).toMatchObject({ code: 0, stderr: expect.stringContaining('Reverted #1 Add dark mode') })
    expect(ends[0]).toEqual(ends[1])
  })

  it('reverts an older one and keeps the later ones; undo takes the revert back', async () => {
    const { run, disk, patch: apply } = await world()
    await apply({ 'src/a.ts': 'one\nTWO\nthree\nfour\nFIVE\n' })
    const both = disk.tree({ journal: false })
    const { code, stderr } = await run(['revert', '#1'], { answers: ['y'] })
    expect(code).toBe(0)
    expect(stderr).toMatchInlineSnapshot(`
      "↩ Revert #1 Add dark mode                                        kept just now
        ~ src/a.ts                +1  -1                           keeps later edits
        - src/new/b.ts                -1
        + src/old.ts              +1

        ~ src/a.ts                                                             +1 -1
         1   1    one
         2      - TWO
             2  + two
         3   3    three
         4   4    four
         5   5    FIVE

        - src/new/b.ts                                                            -1
         1      - b

        + src/old.ts                                                              +1
             1  + old

      Revert #1, 3 files? (y/n/d/?) y
      ✔ write   3 files                                                         0 ms
      ○ lint    unchecked: no linter is configured
      ✔ Reverted #1 Add dark mode (3 files)              #3   to reverse: relay redo
          src/a.ts: later edits are kept
      "
    `)
    expect(disk.text({ journal: false })).toMatchObject({
      'src/a.ts': 'one\ntwo\nthree\nfour\nFIVE\n',
      'src/old.ts': 'old\n',
    })
    expect(disk.exists('src/new')).toBe(false)
    expect(await run(['revert', '1'])).toMatchObject({
      code: 0,
      stderr: '○ #1 Add dark mode is already undone, by #3\n',
    })
    expect(lastLine(await run(['undo', '--yes']))).toContain('Undid #3 Revert #1 Add dark mode')
    expect(disk.tree({ journal: false })).toEqual(both)
  })

  it('names what taking back came to in the end, however often it is taken back', async () => {
    const { run } = await world()
    for (const number of ['1', '2', '3']) expect(await run(['revert', number, '--yes'])).toMatchObject({ code: 0 })
    const titles = JSON.parse((await run(['log', '--json'])).stdout).transactions.map(
      ({ title }: { readonly title: string }) => title,
    )
    expect(titles.slice(0, 3)).toEqual([
      'Revert #3 Add dark mode',
      'Revert #2 Add dark mode',
      'Revert #1 Add dark mode',
    ])
  })

  it.each([
    ['7', 'There is no change 7'],
    ['x', 'There is no change x'],
  ])('knows no %s', async (which, words) => {
    const { run } = await world()
    expect(await run(['revert', which, '--yes'])).toMatchObject({ code: 2, stderr: expect.stringContaining(words) })
  })
})

it('says that something is undone already in forty columns too, however it is called', async () => {
  const { patch, run } = journalWorld({ a: 'one\n' })
  await patch({ a: 'two\n' }, { prose: `Rename ${'everything '.repeat(9)}at once.` })
  await run(['undo', '--yes'])
  const said = async (columns: number) => (await run(['revert', '1'], { terminal: { columns } })).stderr
  expect(await said(80)).toBe('○ #1 Rename everything everything everything everyt… is already undone, by #2\n')
  expect(await said(40)).toBe('○ #1 Rename… is already undone, by #2\n')
})

describe('what changed since', () => {
  it('is kept where it does not overlap, line ends and modes as well', async () => {
    const { run, disk } = await world()
    disk.write('src/a.ts', 'zero\r\none\r\nTWO\r\nthree\r\nfour\r\nfive\r\n', 0o755)
    const { code, stderr } = await run(['undo', '--yes'])
    expect(code).toBe(0)
    expect(stderr).toContain('src/a.ts: later edits are kept')
    expect(disk.readText('src/a.ts')).toBe('zero\r\none\r\ntwo\r\nthree\r\nfour\r\nfive\r\n')
    expect(disk.tree()['src/a.ts']).toMatchObject({ mode: '0755' })
  })

  it('is kept also where it was typed while the linter ran, as the formatter had left the file', async () => {
    const format = { effect: (disk: FakeDisk) => disk.write('src/a.ts', 'one\nTwo\nthree\nfour\nfive\n') }
    const typed = { effect: (disk: FakeDisk) => disk.write('src/a.ts', 'one\nTwo\nthree\nfour\nfive\nmine\n') }
    const config = { postCommand: 'format', linter: 'lint' }
    const { run, disk } = await world({ config, commands: { format, lint: [{}, typed] } })
    const idle = { commands: { format: {}, lint: {} } }
    const { files } = JSON.parse((await run(['show', '--json'], idle)).stdout)
    expect(files[0]).toMatchObject({ path: 'src/a.ts', added: 1, removed: 1, since: 'changed' })
    const { code, stderr } = await run(['undo', '--yes', '--trust'], idle)
    expect({ code, stderr }).toMatchObject({ code: 0, stderr: expect.stringContaining('later edits are kept') })
    expect(disk.readText('src/a.ts')).toBe(`${start['src/a.ts']}mine\n`)
    expect((await run(['redo', '--yes'], idle)).code).toBe(0)
    expect(disk.readText('src/a.ts')).toBe('one\nTwo\nthree\nfour\nfive\nmine\n')
  })

  it('is told from what a formatter did', async () => {
    const format = {
      effect: (disk: FakeDisk) => disk.write('src/a.ts', disk.readText('src/a.ts').replace('TWO', 'Two')),
    }
    const { run, disk } = await world({ config: { postCommand: 'format' }, commands: { format } })
    expect(disk.readText('src/a.ts')).toContain('Two')
    disk.write('src/a.ts', disk.readText('src/a.ts').replace('five', 'FIVE'))
    expect((await run(['undo', '--yes', '--trust'])).code).toBe(0)
    expect(disk.readText('src/a.ts')).toBe('one\ntwo\nthree\nfour\nFIVE\n')
  })

  it('names a single file once, unless something became of what changed since', async () => {
    const { patch, run, disk } = journalWorld({ a: 'one\ntwo\nthree\nfour\n' })
    await patch({ a: 'ONE\ntwo\nthree\nfour\n' })
    const said = async () => (await run(['undo'], { answers: ['n'] })).stderr.match(/^ {2}~ a .*$/gm)
    expect(await said()).toEqual([expect.stringMatching(/^ {2}~ a +\+1 -1$/)])
    disk.write('a', 'ONE\ntwo\nthree\nFOUR\n')
    expect(await said()).toEqual([expect.stringContaining('keeps later edits'), expect.anything()])
  })

  it('overlaps: nothing is written where nobody can choose', async () => {
    const { run, disk } = await world()
    disk.write('src/a.ts', 'one\nmine\nthree\nfour\nfive\n')
    disk.write('src/new/b.ts', 'b\nmine\n')
    const tree = disk.tree()
    const { code, stderr } = await run(['undo', '--yes'])
    expect({ code, stderr }).toMatchInlineSnapshot(`
      {
        "code": 5,
        "stderr": "Error: These places of #1 were edited later:
               src/a.ts, line 2
               src/new/b.ts
      Hint: Nothing was written. In a terminal relay shows these places and asks. Without one, choose beforehand: \`--on-overlap markers\`, \`skip\` or \`old\`.
      ",
      }
    `)
    expect(disk.tree()).toEqual(tree)
  })

  it.each([
    ['markers', ['src/a.ts']],
    ['skip', []],
    ['old', ['src/a.ts', 'src/new/b.ts']],
  ])('overlaps: where nobody can choose, it can be said beforehand: %s', async (way, changed) => {
    const { run, disk } = await world()
    const mine = { 'src/a.ts': 'one\nmine\nthree\nfour\nfive\n', 'src/new/b.ts': 'b\nmine\n' }
    for (const [path, text] of Object.entries(mine)) disk.write(path, text)
    expect(await run(['undo', '--on-overlap', way])).toMatchObject({ code: 3 })
    const { code, stderr } = await run(['undo', '--yes', '--on-overlap', way])
    expect(code).toBe(0)
    const now = disk.text()
    expect(Object.keys(mine).filter(path => now[path] !== mine[path as keyof typeof mine])).toEqual(changed)
    expect(now['src/old.ts']).toBe('old\n')
    // Both texts cannot stand in a file that would go: it is left, and named.
    if (way !== 'old') expect(stderr).toContain('src/new/b.ts: left as it is')
    if (way === 'markers') expect(now['src/a.ts']).toContain('<<<<<<< as it is now\nmine\n=======\ntwo\n')
    if (way === 'old') expect(rescued(disk)).toEqual(mine)
  })

  it('overlaps: names the files where each of them was to be skipped, and nothing is left to do', async () => {
    const { patch, run, disk } = journalWorld()
    await patch({ a: 'one\n', b: 'one\n' })
    disk.write('a', 'mine\n')
    disk.write('b', 'mine\n')
    expect(await run(['undo', '--yes', '--on-overlap', 'markers'])).toMatchObject({
      code: 3,
      stderr:
        '○ nothing undone: no file was written\n' +
        '    a: skipped, because it changed again since\n    b: skipped, because it changed again since\n',
    })
  })

  it('overlaps: knows no other way, and a terminal still asks for the yes', async () => {
    const { run, disk } = await world()
    disk.write('src/a.ts', 'one\nmine\nthree\nfour\nfive\n')
    expect(await run(['undo', '--on-overlap', 'merge'])).toMatchObject({ code: 2 })
    const { code, stderr } = await run(['undo', '--on-overlap', 'skip'], { answers: ['n'] })
    expect({ code, asked: stderr.match(/\?\) /g)?.length }).toEqual({ code: 3, asked: 1 })
    expect(stderr).toContain('src/a.ts: stays as it is')
  })

  it.each([
    ['m', 'one\n<<<<<<< as it is now\nmine\n=======\ntwo\n>>>>>>> as it was before #1\nthree\nfour\nfive\n', {}],
    ['s', 'one\nmine\nthree\nfour\nfive\n', {}],
    ['o', 'one\ntwo\nthree\nfour\nfive\n', { 'src/a.ts': 'one\nmine\nthree\nfour\nfive\n' }],
  ])('overlaps: %s', async (key, text, aside) => {
    const { run, disk } = await world()
    disk.write('src/a.ts', 'one\nmine\nthree\nfour\nfive\n')
    const { code } = await run(['undo'], { answers: [key, 'y'] })
    expect(code).toBe(0)
    expect(disk.readText('src/a.ts')).toBe(text)
    expect(disk.readText('src/old.ts')).toBe('old\n')
    expect(rescued(disk)).toEqual(aside)
  })

  it('overlaps: the place is shown with both texts, and what each key does', async () => {
    const { run, disk } = await world()
    disk.write('src/a.ts', 'one\nmi\tne \u001b[31m\nthree\nfour\nfive\n')
    disk.write('src/new/b.ts', 'b\nmine\n')
    const tree = disk.tree()
    const { code, stderr } = await run(['undo'], { answers: ['?', 'm', 'n'] })
    expect(code).toBe(3)
    expect(stderr).toMatchInlineSnapshot(`
      "▲ src/a.ts
          #1 changed 1 place that was edited later:
          line 2, now:
            - mi    ne \\x1b[31m
          without #1:
            + two
        m       keep both versions in the file, between conflict markers
        s       skip this file: it stays as it is
        o       restore the file from before #1; the present one goes to
                .relaycode/rescue/
        n       leave everything as it is, the other files too
      What now? (m/s/o/n/?) ?
        m       keep both versions in the file, between conflict markers
        s       skip this file: it stays as it is
        o       restore the file from before #1; the present one goes to
                .relaycode/rescue/
        n       leave everything as it is, the other files too
      What now? (m/s/o/n/?) m
      ▲ src/new/b.ts
          #1 created it, so it would be removed, but it has changed since.
        s       skip this file: it stays as it is
        o       remove the file; the present one goes to .relaycode/rescue/
        n       leave everything as it is, the other files too
      What now? (s/o/n/?) n
      ○ nothing undone: no file was written
      "
    `)
    expect(disk.tree()).toEqual(tree)
  })

  it('overlaps: permission bits that were given since are kept with the text from before', async () => {
    const { run, disk } = await world()
    disk.write('src/a.ts', 'one\nmine\nthree\nfour\nfive\n', 0o755)
    expect((await run(['undo', '--yes', '--on-overlap', 'old'])).code).toBe(0)
    expect(disk.tree()['src/a.ts']).toMatchObject({ mode: '0755' })
    expect(disk.readText('src/a.ts')).toBe('one\ntwo\nthree\nfour\nfive\n')
  })

  it('shows what became of each file before it asks, and says it afterwards', async () => {
    const { run, disk } = await world()
    disk.write('src/a.ts', 'one\nmine\nthree\nfour\nfive\n')
    disk.write('src/new/b.ts', 'b\nmine\n')
    disk.write('src/old.ts', 'again\n')
    const { code, stderr } = await run(['undo'], { answers: ['m', 'o', 's', 'y'] })
    expect(code).toBe(0)
    expect(stderr.slice(stderr.indexOf('↩'))).toMatchInlineSnapshot(`
      "↩ Undo #1 Add dark mode                                          kept just now
        ~ src/a.ts                +4  -0                       both versions, marked
        - src/new/b.ts                -2                 present one moved to rescue
          src/old.ts: stays as it is

        ~ src/a.ts                                                             +4 -0
         1   1    one
             2  + <<<<<<< as it is now
         2   3    mine
             4  + =======
             5  + two
             6  + >>>>>>> as it was before #1
         3   7    three
         4   8    four
         5   9    five

        - src/new/b.ts                                                            -2
         1      - b
         2      - mine

      Undo #1, 2 files? (y/n/d/?) y
      ✔ write   2 files                                                         0 ms
      ○ lint    unchecked: no linter is configured
      ✔ Undid #1 Add dark mode (2 files)                 #2   to reverse: relay redo
          src/a.ts: holds both versions between <<<<<<< and >>>>>>>; choose by
            hand
          src/new/b.ts: the version that was there is in
            .relaycode/rescue/00000000-0000-4000-8000-000000000005/src/new/b.ts.rescued
          src/old.ts: left as it is
      "
    `)
    expect(rescued(disk)).toEqual({ 'src/new/b.ts': 'b\nmine\n' })
    expect(disk.text({ journal: false })).toMatchObject({ 'src/old.ts': 'again\n' })
    expect(disk.exists('src/new/b.ts')).toBe(false)
  })

  it.each<[string, (disk: FakeDisk) => void, string, readonly string[], Record<string, string | undefined>, Record<string, string>]>([
    ['a file is gone, and comes back', disk => disk.remove('src/a.ts'), 'is gone, but #1 changed it', ['o'], { 'src/a.ts': start['src/a.ts'] }, {}],
    ['a file is gone, and stays away', disk => disk.remove('src/a.ts'), 'is gone', ['s'], { 'src/a.ts': undefined }, {}],
    ['a new file is gone already', disk => disk.remove('src/new/b.ts'), 'src/new/b.ts: already as before', [], { 'src/new/b.ts': undefined }, {}],
    ['a deleted file is there again', disk => disk.write('src/old.ts', 'mine\n'), 'another file is there now', ['o'], { 'src/old.ts': 'old\n' }, { 'src/old.ts': 'mine\n' }],
    ['a deleted file is there again as it was', disk => disk.write('src/old.ts', 'old\n'), 'already as before', [], { 'src/old.ts': 'old\n' }, {}],
    ['a file is no text any more', disk => disk.write('src/a.ts', Uint8Array.of(0, 1)), 'a binary file', ['s'], { 'src/a.ts': '\u0000\u0001' }, {}],
    ['a file was put back by hand', disk => disk.write('src/a.ts', start['src/a.ts']), 'src/a.ts: already as before', [], { 'src/a.ts': start['src/a.ts'] }, {}],
  ])('is understood when %s', async (_name, edit, words, keys, texts, aside) => {
    const { run, disk } = await world()
    edit(disk)
    const { code, stderr } = await run(['undo'], { answers: [...keys, 'y'] })
    expect({ code, stderr }).toEqual({ code: 0, stderr: expect.stringContaining(words) })
    for (const [path, text] of Object.entries(texts)) expect(disk.exists(path) ? disk.readText(path) : undefined).toBe(text)
    expect(rescued(disk)).toEqual(aside)
  }) // biome-ignore format: a table

  it.each<[string, (disk: FakeDisk) => void, string]>([
    ['a folder', disk => { disk.remove('src/a.ts'); disk.folder('src/a.ts') }, 'src/a.ts: there is a folder now'],
    ['a link', disk => { disk.remove('src/a.ts'); disk.symlink('../x', 'src/a.ts') }, 'src/a.ts: there is another link now'],
    ['a file for its folder', disk => { disk.remove('src/new/b.ts'); disk.remove('src/new'); disk.write('src/new', 'x') }, 'src/new/b.ts: its folder is a file now'],
    ['a way out', disk => { disk.remove('src/new/b.ts'); disk.remove('src/new'); disk.folder('/else'); disk.symlink('/else', 'src/new') }, 'src/new/b.ts: its folder now leads out of the project'],
  ])('is in the way when it is %s: nothing is written', async (_name, edit, words) => {
    const { run, disk } = await world()
    edit(disk)
    const tree = disk.tree()
    expect(await run(['undo', '--yes'])).toMatchObject({ code: 5, stderr: expect.stringContaining(words) })
    expect(disk.tree()).toEqual(tree)
  }) // biome-ignore format: a table

  it('leaves a folder of the patch that holds something else now', async () => {
    const { run, disk } = await world()
    disk.write('src/new/mine.ts', 'mine\n')
    expect((await run(['undo', '--yes'])).code).toBe(0)
    expect(disk.exists('src/new/mine.ts')).toBe(true)
    expect(disk.exists('src/new/b.ts')).toBe(false)
  })

  it('counts as undone where every file is already as before, and runs nothing for it', async () => {
    const { run, disk } = await world({
      config: { linter: 'lint', preCommand: 'pre' },
      commands: { lint: {}, pre: {} },
    })
    disk.write('src/a.ts', start['src/a.ts'])
    disk.write('src/old.ts', 'old\n')
    disk.remove('src/new/b.ts')
    const commands = { lint: { exit: 1 }, pre: { exit: 1 } }
    const { code, stderr } = await run(['undo', '--trust'], { answers: ['y'], commands })
    expect(code).toBe(0)
    expect(stderr).toMatchInlineSnapshot(`
      "↩ Undo #1 Add dark mode                                          kept just now
          Every file already has its earlier content: nothing will be written.
      Undo #1? (y/n/d/?) y
      ✔ Undid #1 Add dark mode: nothing had to change    #2   to reverse: relay redo
      "
    `)
    expect(lastLine(await run(['undo', '--yes']))).toBe('○ nothing to undo')
  })
})

describe('the transaction that takes back', () => {
  it('brings back bytes, modes and links exactly', async () => {
    const { run, disk, patch: apply } = journalWorld({ 'a.txt': 'a\n' })
    disk.write('raw', Uint8Array.of(0xff, 0, 13, 10), 0o755)
    disk.write('secret.txt', 'mine\n', 0o600)
    disk.symlink('a.txt', 'link')
    const before = disk.tree({ journal: false })
    await apply({ raw: null, 'secret.txt': null, link: null, 'a.txt': 'b\n' })
    const after = disk.tree({ journal: false })
    expect((await run(['undo', '--yes'])).code).toBe(0)
    expect(disk.tree({ journal: false })).toEqual(before)
    expect((await run(['redo', '--yes'])).code).toBe(0)
    expect(disk.tree({ journal: false })).toEqual(after)
    expect((await run(['undo', '--yes'])).code).toBe(0)
    expect(disk.tree({ journal: false })).toEqual(before)
  })

  it('restores the file that a link led to, wherever that leads now', async () => {
    const { run, disk, patch: apply } = journalWorld({ 'real.ts': 'one\n', 'other.ts': 'else\n' })
    disk.symlink('real.ts', 'link.ts')
    await apply({ 'link.ts': 'two\n' })
    disk.remove('link.ts')
    disk.symlink('other.ts', 'link.ts')
    expect((await run(['undo', '--yes'])).code).toBe(0)
    expect(disk.text({ journal: false })).toMatchObject({ 'real.ts': 'one\n', 'other.ts': 'else\n' })
  })

  it('is checked like any other: new errors are asked about, and a no leaves the patch', async () => {
    const { run, disk } = await world({ config: { linter: 'lint' }, commands: { lint: {} } })
    const tree = disk.tree({ journal: false })
    // Nothing changed since the patch was checked, so the linter runs once.
    const commands = { lint: { output: 'a.ts(1,1): error TS1: bad\n', exit: 1 } }
    const { code, stderr } = await run(['undo', '--trust'], { answers: ['y', 'n'], commands })
    expect(code).toBe(3)
    expect(stderr).toContain('1 new error')
    expect(stderr).toContain('declined #2')
    expect(disk.tree({ journal: false })).toEqual(tree)
    expect((await run(['undo', '--yes'], { commands })).code).toBe(0)
  })

  it('is not asked about twice with approval "no"', async () => {
    const { run } = await world({ config: { approval: 'no' } })
    expect((await run(['undo'], { answers: ['y'] })).code).toBe(0)
  })

  it('leaves no copy in the rescue folder when it is rolled back', async () => {
    const { run, disk } = await world({ config: { postCommand: 'post' }, commands: { post: [{}, { exit: 1 }] } })
    disk.write('src/a.ts', 'one\nmine\nthree\nfour\nfive\n')
    const tree = disk.tree({ journal: false })
    const { code } = await run(['undo', '--trust'], { answers: ['o', 'y', 'n'], commands: { post: { exit: 1 } } })
    expect(code).toBe(3)
    expect(disk.tree({ journal: false })).toEqual(tree)
    expect(rescued(disk)).toEqual({})
  })

  it('puts what it replaces aside as the pre command has left it', async () => {
    const pre = { effect: (disk: FakeDisk) => disk.write('src/a.ts', 'one\ngenerated\nthree\nfour\nfive\n') }
    const { run, disk } = await world()
    disk.write('src/a.ts', 'one\nmine\nthree\nfour\nfive\n')
    disk.write('relaycode.config.json', JSON.stringify({ projectId: 'demo', preCommand: 'pre' }))
    const { code } = await run(['undo', '--trust', '--yes', '--on-overlap', 'old'], { commands: { pre } })
    expect(code).toBe(0)
    expect(disk.readText('src/a.ts')).toBe(start['src/a.ts'])
    expect(rescued(disk)).toEqual({ 'src/a.ts': 'one\ngenerated\nthree\nfour\nfive\n' })
  })

  it('stops when the pre command changes what was agreed to', async () => {
    const pre = { effect: (disk: FakeDisk) => disk.write('src/a.ts', 'one\ngenerated\nthree\nfour\nfive\n') }
    const { run, disk } = await world()
    disk.write('relaycode.config.json', JSON.stringify({ projectId: 'demo', preCommand: 'pre' }))
    const { code, stderr } = await run(['undo', '--yes', '--trust'], { commands: { pre } })
    expect({ code, stderr }).toEqual({ code: 5, stderr: expect.stringContaining('src/a.ts, line 2') })
    expect(disk.readText('src/a.ts')).toContain('generated')
    expect(disk.exists('src/old.ts')).toBe(false)
    expect(Object.keys(disk.tree()).filter(path => /stage|pending/.test(path))).toEqual([])
  })

  it.each(['no', 'yes'])(
    'takes the folders of another file system with it; killed while clearing up: %s',
    async killed => {
      const { run, disk, patch: apply } = journalWorld()
      disk.mount('vol')
      disk.write('vol/stays', '')
      const before = disk.tree({ journal: false })
      await apply({ 'vol/new/deep/b.ts': 'b\n', 'vol/new/c.ts': 'c\n' })
      disk.onCall = (name, path) => {
        if (killed === 'yes' && name === 'remove' && path.includes('.old.')) throw new Error('killed')
      }
      expect((await run(['undo', '--yes'])).code).toBe(0)
      disk.onCall = () => {}
      expect((await run(['recover'])).code).toBe(0)
      expect(disk.tree({ journal: false })).toEqual(before)
    },
  )

  it('is over also where a folder that it would take with it cannot be removed by now', async () => {
    const { run, disk, patch: apply } = journalWorld()
    disk.mount('vol')
    disk.write('vol/stays', '')
    await apply({ 'vol/new/c.ts': 'c\n' })
    let isMounted = false
    disk.onCall = (name, path) => {
      isMounted ||= name === 'remove' && path.includes('.old.')
      if (isMounted && path.endsWith('vol/new')) throw diskError('EBUSY')
    }
    expect((await run(['undo', '--yes'])).code).toBe(0)
    expect((await run(['recover'])).code).toBe(0)
    expect(Object.keys(disk.text()).filter(path => /stage|pending/.test(path))).toEqual([])
  })

  it('is taken back but for what lies in a folder that cannot be made again, and wholly once it can', async () => {
    const { run, disk } = await world()
    const kept = disk.tree({ journal: false })
    disk.write('relaycode.config.json', JSON.stringify({ projectId: 'demo', postCommand: 'post' }))
    disk.onCall = (name, path) => {
      if (name === 'makeFolder' && path.endsWith('src/new')) throw diskError('EACCES')
    }
    const { code, stderr } = await run(['undo', '--yes', '--trust'], { commands: { post: { exit: 1 } } })
    expect({ code, stderr }).toEqual({
      code: 7,
      stderr: expect.stringContaining('Could not restore 1 of 3 files of #2'),
    })
    expect(disk.readText('src/a.ts')).toContain('TWO')
    expect(disk.exists('src/old.ts')).toBe(false)
    disk.onCall = () => {}
    expect((await run(['recover'])).code).toBe(0)
    disk.write('relaycode.config.json', JSON.stringify({ projectId: 'demo' }))
    expect(disk.tree({ journal: false })).toEqual(kept)
  })

  it('goes nowhere that an entry from elsewhere would lead it', async () => {
    const { run, disk } = await world()
    const [name = ''] = Object.keys(disk.text()).filter(path => /^\.relaycode\/a.*\.yml$/.test(path))
    const entry = disk.readText(name)
    for (const path of ['../outside.ts', '.git/hooks/pre-commit', '/etc/passwd']) {
      disk.write(name, entry.replaceAll('src/old.ts', path))
      expect(await run(['undo', '--yes'])).toMatchObject({
        code: 5,
        stderr: expect.stringContaining('relay may not change this place'),
      })
    }
    expect(disk.exists('/outside.ts')).toBe(false)
  })

  it('is remembered in the history, also when that is made anew', async () => {
    const { run, disk } = await world()
    await run(['undo', '--yes'])
    disk.remove('.relaycode/history.jsonl')
    expect(JSON.parse((await run(['log', '--json'])).stdout).transactions).toMatchObject([
      { number: 2, source: 'undo', outcome: 'committed', undoes: { number: 1 } },
      { number: 1, outcome: 'undone', undoneBy: 2 },
    ])
    expect(lastLine(await run(['undo', '--yes']))).toBe('○ nothing to undo')
  })

  it.each([
    ['undo', ['undo']],
    ['redo', ['undo', 'redo']],
  ])('a patch after %s that would take back what the user put in is asked about, and no other', async (_, words) => {
    for (const own of ['', 'mine()\n']) {
      const { run, disk, patch: apply } = await world()
      disk.write('src/a.ts', `${disk.readText('src/a.ts')}${own}`)
      for (const word of words) await run([word, '--yes'])
      expect(disk.readText('src/a.ts').endsWith(`five\n${own}`)).toBe(true)
      const again = 'one\nTWO!\nthree\nfour\nfive\n'
      await apply({ 'src/a.ts': again }, { answer: 'no' })
      expect(disk.readText('src/a.ts') === again).toBe(own === '')
    }
  })

  it('says what is missing when an entry was pruned', async () => {
    const { run, patch: apply } = await world()
    await apply({ 'src/c.ts': 'c\n' })
    await run(['prune', '--keep', '1', '--yes'])
    expect(await run(['revert', '1', '--yes'])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('#1 is no longer stored'),
    })
  })
})
