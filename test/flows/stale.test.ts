import { describe, expect, it } from 'vitest'
import { main } from '../../src/main.ts'
import { around } from '../support/around.ts'
import { fakeSystem } from '../support/fake-system.ts'
import type { Typed } from '../support/fake-terminal.ts'
import { journalWorld } from '../support/journal-world.ts'
import { respond } from '../support/respond.ts'

const fence = '```'
let answers = 0
const nextUuid = () => `${String(++answers).padStart(8, '0')}-7d5e-4f5c-9a0e-2b9a5a6f3a12`

const model = 'one()\ntwo()\nthree()\nfour()\nfive()\n'

/** A project in which relay wrote `src/a.ts`, and a way to answer once more. */
async function world(config = {}, commands = {}) {
  const made = journalWorld({}, { config, commands })
  const path = 'src/a.ts'
  const run = async (text: string, args: readonly string[], input?: readonly Typed[]) => {
    made.disk.write('answer.md', text)
    const ran = await made.run(['apply', 'answer.md', ...args], {
      commands,
      ...(input === undefined ? { terminal: { canAsk: false } } : { answers: input }),
    })
    made.disk.remove('answer.md')
    return ran
  }
  const apply = (content: string | null, args: readonly string[] = [], input?: readonly Typed[]) =>
    run(respond({ [path]: content }, { uuid: nextUuid() }), args, input)
  const edit = (lines: string) =>
    run(
      `So.\n\n${fence}diff // ${path}\n${lines}${fence}\n\n${fence}yaml\nprojectId: demo\nuuid: ${nextUuid()}\nchangeSummary:\n  - edit: ${path}\n${fence}\n`,
      ['--yes'],
    )
  const text = () => made.disk.text({ journal: false })[path]
  const type = (content: string) => made.disk.write(path, content)
  await apply(model, ['--yes', '--trust'])
  return { ...made, apply, edit, text, type }
}

const mine = model.replace('two()', 'mine()\ntwo()')
const linted = [{ linter: 'lint' }, { lint: { output: '', exit: 0 } }] as const

describe('a stale answer', () => {
  it('is merged and kept without a question where a linter found nothing new', async () => {
    const { apply, type, text } = await world(...linted)
    type(mine)
    const { code, stderr } = await apply(model.replace('five', '5'), ['--trust'])
    expect({ code, stderr }).toMatchInlineSnapshot(`
      {
        "code": 0,
        "stderr": "── #2 ────────────────────────────────────────────────────────────────────────
      ● I changed what you asked for                         1 file  +1 -1  00000002
        ~ src/a.ts                +1  -1  merged with your edits since #1
      ✔ base    0 errors                                                        0 ms
      ✔ write   1 file                                                          0 ms
      ✔ lint    0 errors      new 0   fixed 0   same 0                          0 ms
      ✔ kept #2  auto: no new errors                                            0 ms
      ",
      }
    `)
    expect(text()).toBe(mine.replace('five', '5'))
  })

  it('is asked about where there is no linter', async () => {
    const { apply, type, text } = await world()
    type(mine)
    const { code, stderr } = await apply(model.replace('five', '5'))
    expect(code).toBe(3)
    expect(stderr.replace(/\s+/g, ' ')).toContain(
      'your edits were merged into src/a.ts, and no linter checked the result',
    )
    expect(text()).toBe(mine)
  })

  it('is told to be merged and asked about before it is applied, and to be merged behind it', async () => {
    const { disk, run, type, apply } = await world()
    type(mine)
    const text = respond({ 'src/a.ts': model.replace('five', '5') }, { uuid: nextUuid() })
    disk.write(
      'answer.md',
      text
        .replace(`${fence}yaml`, `${fence}diff\n--- /dev/null\n+++ b/new.ts\n@@\n+x\n${fence}\n\n${fence}yaml`)
        .replace('  - edit', '  - new: new.ts\n  - edit'),
    )
    expect((await run(['parse', 'answer.md'])).stdout).toMatchInlineSnapshot(`
      "✔ an answer  2 files, 1 piece of reasoning, 1 flag
        projectId demo
        uuid      00000006-7d5e-4f5c-9a0e-2b9a5a6f3a12
        write   src/a.ts  5 lines
                merged with your edits since #1
        new     new.ts    1 edit
      ▲ your edits were merged into src/a.ts, and no linter checked the result
      "
    `)
    expect(await apply(model.replace('five', '5'), ['--yes'])).toMatchObject({ code: 0 })
    expect((await run(['show', '2'])).stdout).toMatchInlineSnapshot(`
      "#2  I changed what you asked for                                          kept
        uuid      00000007-7d5e-4f5c-9a0e-2b9a5a6f3a12
        from      file:answer.md, at 14:02
        why       I changed what you asked for.
        lint      not checked
        merged    with your edits: src/a.ts

        ~ src/a.ts                +1  -1

        ~ src/a.ts                                                             +1 -1
         3   3    two()
         4   4    three()
         5   5    four()
         6      - five()
                  ^^^^
             6  + 5()
                  ^

        relay diff 2   relay show 2 --patch   relay revert 2
      "
    `)
  })

  it('is taken as it is where it was made from the file as it is', async () => {
    const { apply, type, text } = await world()
    type(mine)
    expect(await apply(mine.replace('five', '5'))).toMatchObject({ code: 0 })
    expect(text()).toBe(mine.replace('five', '5'))
  })

  it('writes nothing where it overlaps and nobody can be asked, with --yes as well', async () => {
    const { apply, type, text } = await world(...linted)
    type(model.replace('two()', 'two(1)'))
    const { code, stderr } = await apply(model.replace('two()', 'two(2)').replace('five', '5'), ['--yes', '--trust'])
    expect({ code, stderr }).toMatchInlineSnapshot(`
      {
        "code": 5,
        "stderr": "▲ overlap  the answer changes what you changed, in 1 file
          src/a.ts, line 2: changed by you since #1
          Nothing was written. In a terminal relay asks which version to use;
            without one, choose beforehand: \`relay apply --on-overlap markers\`,
            \`model\` or \`mine\`.
      ",
      }
    `)
    expect(text()).toBe(model.replace('two()', 'two(1)'))
  })

  it.each([
    ['model', mine.replace('three()', 'three(2)').replace('five', '5')],
    ['mine', mine.replace('three()', 'three(1)').replace('five', '5')],
    [
      'markers',
      mine
        .replace('three()', '<<<<<<< your edit, after #1\nthree(1)\n=======\nthree(2)\n>>>>>>> the answer')
        .replace('five', '5'),
    ],
  ])(
    'takes what --on-overlap %s says where both changed the same lines, and merges the rest',
    async (way, expected) => {
      const { apply, type, text } = await world()
      type(mine.replace('three()', 'three(1)'))
      const answer = model.replace('three()', 'three(2)').replace('five', '5')
      expect(await apply(answer, ['--yes', '--on-overlap', way])).toMatchObject({ code: 0 })
      expect(text()).toBe(expected)
    },
  )

  it('says what stays as the user has it', async () => {
    const { apply, type, text } = await world()
    type(model.replace('two()', 'two(1)'))
    const { code, stderr } = await apply(model.replace('two()', 'two(2)'), ['--on-overlap', 'mine'])
    expect({ code, stderr }).toMatchInlineSnapshot(`
      {
        "code": 0,
        "stderr": "○ unchanged  your version of 1 file stays; nothing was written
          src/a.ts
      ",
      }
    `)
    expect(text()).toBe(model.replace('two()', 'two(1)'))
  })

  it('takes no markers for an answer where they cannot stand', async () => {
    const { apply, type, disk } = await world()
    type(mine)
    const { code, stderr } = await apply(null, ['--yes', '--on-overlap', 'markers'])
    expect({ code, stderr }).toMatchInlineSnapshot(`
      {
        "code": 5,
        "stderr": "▲ overlap  the answer changes what you changed, in 1 file
          src/a.ts: changed by you since #1; the answer removes it, so it cannot
            hold conflict markers
          Nothing was written. In a terminal relay asks which version to use;
            without one, choose beforehand: \`relay apply --on-overlap model\` or
            \`mine\`.
      ",
      }
    `)
    disk.write('src/a.ts', Uint8Array.of(0xff, 0x0a))
    const other = await apply(model.replace('five', '5'), ['--yes', '--on-overlap', 'markers'])
    expect(other).toMatchInlineSnapshot(`
      {
        "code": 5,
        "paged": [],
        "stderr": "▲ overlap  the answer changes what you changed, in 1 file
          src/a.ts: changed by you since #1; it is a binary file, so it cannot
            hold conflict markers
          Nothing was written. In a terminal relay asks which version to use;
            without one, choose beforehand: \`relay apply --on-overlap model\` or
            \`mine\`.
      ",
        "stdout": "",
      }
    `)
    expect(disk.read('src/a.ts')).toEqual(Uint8Array.of(0xff, 0x0a))
  })

  it('keeps what is typed elsewhere while it is asked about', async () => {
    const { apply, type, text } = await world(...linted)
    const mine = model.replace('two()', 'two(1)')
    type(mine)
    const choose = () => {
      type(mine.replace('five()', 'five()\ntyped()'))
      return 'a'
    }
    expect(await apply(model.replace('two()', 'two(2)'), ['--trust'], [choose])).toMatchObject({ code: 0 })
    expect(text()).toBe(model.replace('two()', 'two(2)').replace('five()', 'five()\ntyped()'))
  })

  it.each(['m', 'a', 's'])('asks again after %s where the same place was changed meanwhile', async key => {
    const { apply, type, text } = await world(...linted)
    type(model.replace('two()', 'two(1)'))
    const choose = () => {
      type(model.replace('two()', 'two(1, typed)'))
      return key
    }
    const answer = model.replace('two()', 'two(2)').replace('five', '5')
    const { stderr } = await apply(answer, ['--trust'], [choose, 's'])
    expect(stderr).toContain('It changed again while relay asked, so relay did not use your choice.')
    expect(stderr).toContain('- two(1, typed)')
    expect(text()).toBe(model.replace('two()', 'two(1, typed)').replace('five', '5'))
  })

  it('asks again before it removes what was changed meanwhile', async () => {
    const { apply, type, text } = await world(...linted)
    type(mine)
    const choose = () => {
      type(`${mine}typed()\n`)
      return 'a'
    }
    await apply(null, ['--trust'], [choose, 'n'])
    expect(text()).toBe(`${mine}typed()\n`)
  })

  it('shows both texts in a terminal, and asks what is to be there', async () => {
    const { apply, type, text } = await world(...linted)
    type(model.replace('two()', 'two(1)'))
    const answer = model.replace('two()', 'two(2)').replace('five', '5')
    const { code, stderr } = await apply(answer, ['--trust'], ['n'])
    expect({ code, stderr }).toMatchInlineSnapshot(`
      {
        "code": 3,
        "stderr": "▲ overlap  the answer changes what you changed, in 1 file
          src/a.ts, line 2: changed by you since #1
          Nothing was written yet.
      ▲ src/a.ts
          After #1 you changed 1 place that the answer changes too:
          line 2, now:
            - two(1)
          in the answer:
            + two(2)
        m       keep both versions in the file, between conflict markers
        a       use the text of the answer here; merge everything else
        s       keep your text here; merge everything else
        n       apply nothing of this answer
      What now? (m/a/s/n/?) n
        Nothing was written.
      ",
      }
    `)
    expect(text()).toBe(model.replace('two()', 'two(1)'))
    expect(await apply(answer, ['--trust'], ['a'])).toMatchObject({ code: 0 })
    expect(text()).toBe(answer)
  })

  it.each([
    ['n', 'n', 3],
    ['Ctrl+D', undefined, 3],
    ['Ctrl+C', 'SIGINT', 130],
  ] as const)('writes nothing after %s, and says so', async (_, typed, expected) => {
    const { disk, type, text } = await world()
    type(model.replace('two()', 'two(1)'))
    disk.write('answer.md', respond({ 'src/a.ts': model.replace('two()', 'two(2)') }, { uuid: nextUuid() }))
    const { system, terminal, interrupt } = fakeSystem({
      disk,
      answers: [() => (typed === 'SIGINT' ? void interrupt() : typed)],
    })
    expect(await main(['apply', 'answer.md'], around(system))).toBe(expected)
    expect(terminal.stderr.split('\n').at(-2)).toBe('  Nothing was written.')
    expect(text()).toBe(model.replace('two()', 'two(1)'))
  })

  it('asks before it removes what the user changed', async () => {
    const { apply, type, disk } = await world()
    type(mine)
    expect(await apply(null, ['--yes'])).toMatchObject({ code: 5 })
    expect(disk.exists('src/a.ts')).toBe(true)
    expect(await apply(null, ['--yes', '--on-overlap', 'model'])).toMatchObject({ code: 0 })
    expect(disk.exists('src/a.ts')).toBe(false)
  })

  it('still lacks the user’s lines the next time, and they stay', async () => {
    const { apply, type, text } = await world(...linted)
    type(mine)
    await apply(model.replace('five', '5'), ['--trust'])
    await apply(model.replace('five', '5').replace('four', '4'), ['--trust'])
    expect(text()).toBe(mine.replace('five', '5').replace('four', '4'))
  })

  it('lacks them behind an edit, too', async () => {
    const { apply, edit, type, text } = await world(...linted)
    type(mine)
    await edit('@@\n-five()\n+5()\n')
    expect(text()).toBe(mine.replace('five', '5'))
    await apply(model.replace('five', '5').replace('four', '4'), ['--trust'])
    expect(text()).toBe(mine.replace('five', '5').replace('four', '4'))
  })

  it('is refused as an edit of a line that the user changed, with the way to give the model the file', async () => {
    const { edit, type } = await world()
    type(model.replace('two()', 'zwei()'))
    const { code, stderr } = await edit('@@\n-two()\n+2()\n')
    expect({ code, stderr }).toMatchInlineSnapshot(`
      {
        "code": 6,
        "stderr": "✖ refused
          block 1, line 4: src/a.ts was changed after #1, at the place of this
            edit. Give the model the file as it is: \`relay pack src/a.ts\`
          Nothing was written.
      ",
      }
    `)
  })

  it('lacks what was put in by hand at the question, too', async () => {
    const { apply, type, text } = await world()
    type(mine)
    const put = () => {
      type(`${model.replace('five', '5')}typed()\n`)
      return 'y'
    }
    await apply(model.replace('five', '5'), [], [put, 'y'])
    await apply(model.replace('five', '5').replace('three', '3'), ['--yes'])
    expect(text()).toBe(`${model.replace('five', '5').replace('three', '3')}typed()\n`)
  })

  it('lacks what the user chose to keep', async () => {
    const { apply, type, text } = await world(...linted)
    type(model.replace('two()', 'two(1)'))
    const answer = model.replace('two()', 'two(2)').replace('five', '5')
    await apply(answer, ['--trust', '--on-overlap', 'mine'])
    expect(text()).toBe(model.replace('two()', 'two(1)').replace('five', '5'))
    await apply(answer.replace('four', '4'), ['--trust'])
    expect(text()).toBe(model.replace('two()', 'two(1)').replace('five', '5').replace('four', '4'))
  })
})

describe('an answer to a pack', () => {
  it('is merged with what the user did since the pack gave the file, also where relay never wrote it', async () => {
    const { run, apply, type, text } = await world(...linted)
    const packed = model.replace('one', 'uno')
    type(packed)
    expect(await run(['pack', 'src/a.ts', '--stdout'])).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('uno()'),
    })
    type(packed.replace('two()', 'mine()\ntwo()'))
    const { code, stderr } = await apply(packed.replace('five', '5'), ['--trust'])
    expect({ code, stderr }).toEqual({
      code: 0,
      stderr: expect.stringContaining('merged with your edits since the last'),
    })
    expect(text()).toBe(packed.replace('two()', 'mine()\ntwo()').replace('five', '5'))
  })

  it.each([
    ['an earlier pack', true, 'that relay packed at '],
    ['what relay wrote', false, 'from #1: '],
  ])('is asked about where it looks made from %s', async (_, isPacked, version) => {
    const { run, apply, type, text } = await world(...linted)
    if (isPacked) await run(['pack', 'src/a.ts', '--stdout'])
    type(mine)
    await run(['pack', 'src/a.ts', '--stdout'])
    const { code, stderr } = await apply(model.replace('five', '5'), ['--trust'])
    expect(code).toBe(3)
    const said = stderr.replace(/\s+/g, ' ')
    expect(said).toContain(`looks based on the version ${version}`)
    expect(said).toContain(': what you changed between that and the last pack stays')
    expect(text()).toBe(mine)
  })

  it('is merged all the same where it looks made from an older version and nobody is asked', async () => {
    const { run, apply, type, text } = await world(...linted)
    type(mine)
    await run(['pack', 'src/a.ts', '--stdout'])
    expect(await apply(model.replace('five', '5'), ['--trust', '--yes'])).toMatchObject({ code: 0 })
    expect(text()).toBe(mine.replace('five', '5'))
  })

  it('is not written where it looks made from an older version, and the file was written anew between', async () => {
    const { run, apply, type, text } = await world(...linted)
    type('all()\nof\nit()\n')
    await run(['pack', 'src/a.ts', '--stdout'])
    expect(await apply(model.replace('five', '5'), ['--trust', '--yes'])).toMatchObject({ code: 5 })
    expect(text()).toBe('all()\nof\nit()\n')
  })

  it('is not written over a file that the user made where the model had deleted it', async () => {
    const { apply, type, text } = await world(...linted)
    await apply(null, ['--trust', '--yes'])
    type(mine)
    expect(await apply(model.replace('five', '5'), ['--trust', '--yes'])).toMatchObject({ code: 5 })
    expect(text()).toBe(mine)
  })

  it.each([
    ['goes on from the last pack', mine.replace('five', '5')],
    ['changes what the user changed before the last pack', mine.replace('mine()', 'better()')],
    ['changes nothing', mine],
  ])('is not asked about where it %s', async (_, answer) => {
    const { run, apply, type, text } = await world(...linted)
    await run(['pack', 'src/a.ts', '--stdout'])
    type(mine)
    await run(['pack', 'src/a.ts', '--stdout'])
    expect(await apply(answer, ['--trust'])).toMatchObject({ code: 0 })
    expect(text()).toBe(answer)
  })

  it('may take back what the model itself changed between two packs', async () => {
    const { run, apply, text } = await world(...linted)
    await run(['pack', 'src/a.ts', '--stdout'])
    await apply(model.replace('two()', 'two(2)'), ['--trust'])
    await run(['pack', 'src/a.ts', '--stdout'])
    expect(await apply(model.replace('five', '5'), ['--trust'])).toMatchObject({ code: 0 })
    expect(text()).toBe(model.replace('five', '5'))
  })

  it('knows more than the journal where the pack is newer, and less where it is older', async () => {
    const { run, apply, type, text } = await world(...linted)
    await run(['pack', 'src/a.ts', '--stdout'])
    await apply(model.replace('five', '5'), ['--trust'])
    type(mine.replace('five', '5'))
    await apply(model.replace('five', '5').replace('four', '4'), ['--trust'])
    expect(text()).toBe(mine.replace('five', '5').replace('four', '4'))
  })
})

describe('an answer after an undo', () => {
  it('is taken as it is', async () => {
    const { apply, run, text } = await world()
    await apply(model.replace('two()', 'two(2)'), ['--yes'])
    await run(['undo', '--yes'])
    expect(await apply(model.replace('two()', 'two(3)'))).toMatchObject({ code: 0 })
    expect(text()).toBe(model.replace('two()', 'two(3)'))
  })

  it('is merged with what the user did before', async () => {
    const { apply, run, type, text } = await world(...linted)
    type(mine)
    await apply(model.replace('five', '5'), ['--trust'])
    await run(['undo', '--yes', '--trust'])
    expect(text()).toBe(mine)
    await apply(model.replace('five', 'V'), ['--trust'])
    expect(text()).toBe(mine.replace('five', 'V'))
  })

  it('is taken as it is where the file was brought back by other means', async () => {
    const { apply, type, text } = await world()
    await apply(model.replace('two()', 'two(2)'), ['--yes'])
    type(model)
    expect(await apply(model.replace('two()', 'two(3)'))).toMatchObject({ code: 0 })
    expect(text()).toBe(model.replace('two()', 'two(3)'))
  })
})

describe('behind a formatter', () => {
  const formatting = async () => {
    const format = {
      effect: (disk: { readText(path: string): string; write(path: string, text: string): void }) =>
        disk.write('src/a.ts', disk.readText('src/a.ts').replace(/\)$/gm, ');')),
    }
    return world({ linter: 'lint', postCommand: 'format' }, { lint: { output: '', exit: 0 }, format })
  }
  const formatted = model.replaceAll(')', ');')
  const mineToo = formatted.replace('two', 'mine();\ntwo')

  it('the answer is merged with what the user did to the formatted file', async () => {
    const { apply, type, text } = await formatting()
    expect(text()).toBe(formatted)
    type(mineToo)
    expect(await apply(model.replace('five', '5'), ['--trust'])).toMatchObject({ code: 0 })
    expect(text()).toBe(mineToo.replace('five', '5'))
  })

  it.each([
    ['merged', mineToo, mineToo, []],
    ['marked', mineToo.replace('five', 'V'), mineToo, ['--yes', '--on-overlap', 'markers']],
    ['chosen', mineToo.replace('five', 'V'), mineToo.replace('five', 'V'), ['--yes', '--on-overlap', 'mine']],
  ])('and so is the next one after a %s one', async (_, typed, settled, how) => {
    const { apply, type, text } = await formatting()
    type(typed)
    const answer = model.replace('three', '3').replace('five', '5')
    expect(await apply(answer, ['--trust', ...how])).toMatchObject({ code: 0 })
    const now = settled.replace('three', '3').replace('five', '5')
    if (how.includes('markers')) type(now)
    expect(text()).toBe(now)
    expect(await apply(answer.replace('3', 'III'), ['--trust'])).toMatchObject({ code: 0 })
    expect(text()).toBe(now.replace('3', 'III'))
  })

  it('and so is a whole file after an edit', async () => {
    const { apply, edit, type, text } = await formatting()
    await apply(`${model}six\n`, ['--trust'])
    await edit('@@\n-six\n+6\n')
    type(`${mineToo}6\n`)
    const answer = `${model.replace('three', '3')}6\n`
    expect(await apply(answer, ['--trust'])).toMatchObject({ code: 0 })
    expect(text()).toBe(`${mineToo.replace('three', '3')}6\n`)
  })
})

describe('a whole file that is not there any more', () => {
  it.each<[string, (made: Awaited<ReturnType<typeof world>>) => unknown, string | undefined]>([
    ['the user removed it', ({ disk }) => disk.remove('src/a.ts'), 'you removed or moved src/a.ts since #1'],
    [
      'an answer renamed it',
      ({ edit }) => edit('diff --git a/src/a.ts b/src/b.ts\nrename from src/a.ts\nrename to src/b.ts\n'),
      'src/a.ts no longer exists (renamed to src/b.ts in #2)',
    ],
    ['an answer deleted it', ({ apply }) => apply(null, ['--yes']), undefined],
    ['relay took back the answer that made it', ({ run }) => run(['undo', '--yes']), undefined],
  ])('is doubted where it should be: %s', async (_what, happens, why) => {
    const made = await world()
    await happens(made)
    expect(made.text()).toBeUndefined()
    const { code, stderr } = await made.apply(model.replace('five', '5'))
    expect(code).toBe(why === undefined ? 0 : 3)
    expect(stderr.replace(/\s+/g, ' ')).toContain(why ?? 'kept #3')
    expect(made.text()).toBe(why === undefined ? model.replace('five', '5') : undefined)
  })
})

describe('a path at which no file is', () => {
  const content = 'one()\ntwo()\nthree()\n'
  const answerTo = (path: string, verb: string) =>
    respond({ [path]: verb === 'delete' ? null : `${content}four()\n` }, { uuid: nextUuid() }).replace(
      /changeSummary:[^`]*/,
      `changeSummary:\n  - ${verb}: ${path}\n`,
    )
  const asked = async (setUp: (made: ReturnType<typeof journalWorld>) => unknown, path: string, verb: string) => {
    const made = journalWorld({ 'docs/a.md': content, 'docs/other.md': 'x\n' }, { config: {} })
    await setUp(made)
    made.disk.write('answer.md', answerTo(path, verb))
    const { code, stderr } = await made.run(['apply', 'answer.md'], { terminal: { canAsk: false } })
    return { code, said: stderr.replace(/\s+/g, ' ') }
  }

  it('is doubted where the summary edits it and its text lies in another folder', async () => {
    const { code, said } = await asked(() => undefined, 'a.md', 'edit')
    expect(code).toBe(3)
    expect(said).toContain('a.md: the change summary names it, but it does not exist, while docs/a.md does')
  })

  it.each([
    ['it is new', 'a.md', 'new'],
    ['another text has its name', 'other.md', 'edit'],
    ['nothing has its name', 'b.md', 'edit'],
  ])('is not doubted where %s', async (_, path, verb) => {
    expect(await asked(() => undefined, path, verb)).toMatchObject({ code: 0 })
  })

  it.each([
    ['moved', true, 'you removed or moved docs/a.md since the last pack, while docs/sub/a.md exists'],
    ['deleted', false, 'you removed or moved docs/a.md since the last pack'],
  ])('is doubted where the file was packed and %s since', async (_, isMoved, why) => {
    const { code, said } = await asked(
      async ({ run, disk }) => {
        await run(['pack', 'docs/a.md', '--stdout'])
        if (isMoved) disk.write('docs/sub/a.md', content)
        disk.remove('docs/a.md')
      },
      'docs/a.md',
      'edit',
    )
    expect(code).toBe(3)
    expect(said).toContain(why)
  })
})

describe('what relay wrote long ago', () => {
  const history = '.relaycode/history.jsonl'
  const late = model.replace('four', '4')

  /** The user's edit, then more changes of another file than anybody counts. */
  async function longAgo() {
    const made = await world(...linted)
    made.type(mine)
    for (let nth = 0; nth < 25; nth += 1) await made.patch({ 'src/other.ts': `${nth}\n` })
    return made
  }

  it.each<[string, (text: string) => string | undefined]>([
    ['as it is', text => text],
    ['lost', () => undefined],
    ['torn', text => text.slice(0, -30)],
    ['behind', text => text.split('\n').slice(5).join('\n')],
    ['from an earlier relay', text => text.replace(/,"paths":\{[^}]*\}/g, '')],
    ['half of it from an earlier relay', text => text.replace(/,"paths":\{[^}]*\}/, '')],
  ])('is merged with, whatever the history is: %s', async (_, damaged) => {
    const { disk, apply, text } = await longAgo()
    const whole = damaged(disk.readText(history))
    if (whole === undefined) disk.remove(history)
    else disk.write(history, whole)
    expect(await apply(late)).toMatchObject({
      code: 0,
      stderr: expect.stringContaining('merged with your edits since #1'),
    })
    expect(text()).toBe(mine.replace('four', '4'))
    expect(disk.readText(history).match(/"paths":/g)).toHaveLength(27)
  })

  it('is asked about where its entry was pruned and lines would go', async () => {
    const { run, apply, text } = await longAgo()
    await run(['prune', '--keep', '3', '--yes'])
    const { code, stderr } = await apply(late)
    expect(code).toBe(3)
    expect(stderr.replace(/\s+/g, ' ')).toContain(
      'takes lines away that may be yours: src/a.ts was changed since #1, which is no longer stored',
    )
    expect(text()).toBe(mine)
  })

  it.each([
    ['nobody changed the file since', model, late],
    ['no line goes', mine, `${mine}six()\n`],
  ])('is not asked about where its entry was pruned and %s', async (_, now, answer) => {
    const { run, apply, type, text } = await longAgo()
    type(now)
    await run(['prune', '--keep', '3', '--yes'])
    expect(await apply(answer)).toMatchObject({ code: 0 })
    expect(text()).toBe(answer)
  })
})
