import { describe, expect, it } from 'vitest'
import { main } from '../../src/main.ts'
import { parseResponse } from '../../src/parse/parse-response.ts'
import { around } from '../support/around.ts'
import { diskError, type FakeDisk } from '../support/fake-disk.ts'
import { fakeSystem } from '../support/fake-system.ts'
import type { FakeTerminalOptions, Typed } from '../support/fake-terminal.ts'
import { respond } from '../support/respond.ts'

const start = { 'src/a.ts': 'one\ntwo\nthree\nfour\nfive\nsix\nseven\n', '.env': 'TOKEN=secret\n' }
const config = { projectId: 'demo', linter: 'lint' }

interface Turn {
  readonly disk?: FakeDisk
  readonly answers?: readonly Typed[]
  readonly answer?: string
  /** What the linter says after the patch. */
  readonly said?: string
  /** And before it. */
  readonly saidBefore?: string
  readonly clipboard?: boolean
  readonly terminal?: FakeTerminalOptions
  readonly preCommand?: string
  readonly config?: object
}

let serial = 0
/** One start of the program; with an `answer`, that is applied. */
async function relay(
  argv: readonly string[],
  {
    disk,
    answers,
    answer,
    said = '',
    saidBefore = '',
    clipboard = true,
    terminal,
    preCommand = '',
    config: more,
  }: Turn = {},
) {
  const settings = JSON.stringify({ ...config, preCommand, ...more })
  const files = { 'relaycode.config.json': settings, ...(answer === undefined ? {} : { 'answer.md': answer }) }
  const world = fakeSystem({
    ...(disk === undefined ? { files: { ...start, ...files } } : { disk, files }),
    answers,
    ...(terminal === undefined ? {} : { terminal }),
    commands: { lint: [saidBefore, said].map(output => ({ exit: output === '' ? 0 : 2, output })) },
  })
  const write = clipboard ? world.clipboard.write.bind(world.clipboard) : () => Promise.reject(new Error('no display'))
  const system = { ...world.system, clipboard: { ...world.system.clipboard, read: async () => null, write } }
  const code = await main([...argv], around(system))
  return { code, disk: world.disk, ...world.terminal, copied: await world.clipboard.read() }
}

function answerWith(files: Readonly<Record<string, string | null>>): string {
  return respond(files, { uuid: `0b8f4f62-7d5e-4f5c-9a0e-${String(++serial).padStart(12, '0')}` })
}

const wrong = "src/a.ts(4,3): error TS2322: Type 'string' is not assignable to type 'number'.\n"
const patched = { 'src/a.ts': 'one\ntwo\nthree\nFOUR\nfive\nsix\nseven\n', 'src/b.ts': 'b\n' }
const apply = ['apply', 'answer.md', '--trust']

describe('a follow-up prompt', () => {
  it('says which files were not wanted, and shows nothing of them', async () => {
    const { copied } = await relay(apply, {
      answer: answerWith({ ...patched, 'src/b.ts': '// ... rest of the code\n' }),
      said: wrong,
      answers: ['f', 'src/b', 'y', 'c'],
    })
    const [before = '', after] = (copied ?? '').split('Please send')
    expect(after).toBeDefined()
    expect(before.match(/.*src\/b\.ts.*/g)).toEqual(['- do not write src/b.ts'])
    expect(before).toContain('- write src/a.ts\n')
  })

  it('says why a test failed, and what led to it', async () => {
    const { copied } = await relay(apply, {
      answer: answerWith(patched),
      said: `E   where 2 = f(1)\nFAILED tests/test_a.py::test_f - assert 2 == 3\n1 failed in 0.02s\n`,
      answers: ['c'],
    })
    expect(copied).toContain('1. test_f\n   assert 2 == 3\n   tests/test_a.py FAILED\n')
    expect(copied).toContain('The end of what the linter printed:\n\n```\nE   where 2 = f(1)\nFAILED tests/')
  })

  it('is copied for c, after everything is rolled back', async () => {
    const { code, disk, stderr, copied } = await relay(apply, {
      answer: answerWith(patched),
      said: wrong,
      answers: ['c'],
    })
    expect(code).toBe(3)
    expect(disk.readText('src/a.ts')).toBe(start['src/a.ts'])
    expect(stderr.slice(stderr.indexOf('↩'))).toMatchInlineSnapshot(`
      "↩ declined #1  you asked for a follow-up   2 files restored               0 ms
      ✔ copied a follow-up prompt: 1 error, 1 file, ~270 tokens            attempt 1
      "
    `)
    expect(copied).toContain(`1. Type 'string' is not assignable to type 'number'.
   src/a.ts:4:3 TS2322

\`\`\`
  1 | one
  2 | two
  3 | three
> 4 | FOUR
  5 | five
`)
    expect(copied).toContain(`src/a.ts\n\n\`\`\`ts\n${start['src/a.ts']}\`\`\`\n`)
    expect(copied).toContain('- src/b.ts (does not exist)\n')
    expect(parseResponse(copied ?? '', 'demo')).toEqual({ kind: 'ignored', why: { kind: 'own-text' } })
  })

  it('names the line that the patch wrote, where an old line has the same error', async () => {
    const at = (line: number) => wrong.replace('4', String(line))
    const { stderr, copied } = await relay(apply, {
      answer: answerWith({ 'src/a.ts': `eins\nzwei\ndrei\nvier\n${start['src/a.ts']}` }),
      saidBefore: at(4),
      said: `${at(4)}${at(8)}`,
      answers: ['c'],
    })
    expect(stderr).toContain('2 errors      new 1   fixed 0   same 1 ')
    expect(stderr.match(/src\/a\.ts:\d:3 /g)).toEqual(['src/a.ts:4:3 '])
    expect(copied).toContain('  3 | drei\n> 4 | vier\n  5 | one\n')
  })

  it.each([
    ['on the line of c', ['c the coupon is not wanted'], {}],
    ['on a line of its own where a letter answers alone', ['c', 'the coupon is not wanted'], { singleKey: true }],
  ])('has the reason that the user gives, %s', async (_how, answers, config) => {
    const { copied } = await relay(apply, {
      answer: answerWith(patched),
      answers,
      config: { approval: 'no', ...config },
    })
    expect(copied).toContain('\n\nReason: the coupon is not wanted\n\n')
  })

  it('asks for the rest alone where the user did not let it change some of its files', async () => {
    const { disk } = await relay(apply, {
      answer: answerWith({ ...patched, 'tsconfig.json': '{}\n', '.npmrc': 'a=b\n' }),
      answers: ['n'],
    })
    const { stdout, stderr } = await relay(['followup'], { disk })
    expect(stdout.slice(0, stdout.indexOf('The files as they are'))).toMatchInlineSnapshot(`
      "# relay-followup

      Your last answer was not applied to the project "demo"; all files are unchanged.

      What it tried (attempt 1): I changed what you asked for

      - write src/a.ts
      - write src/b.ts
      - do not write tsconfig.json
      - do not write .npmrc

      "
    `)
    expect(stdout).not.toContain('put right')
    expect(stderr).not.toContain('Fill in')
  })

  it('asks what was wrong where the user said no to all of it before it was written', async () => {
    const answer = answerWith({ 'tsconfig.json': '{}\n' })
    const { disk } = await relay(apply, { answer, answers: ['n'] })
    const { stdout, stderr } = await relay(['followup'], { disk })
    expect(stdout).toContain('was not applied to the project')
    expect(stdout).toContain('Reason: (write it here)')
    expect(stderr).toContain('Write into the prompt what was wrong')
  })

  it('says that it was not applied where the pre command failed', async () => {
    const { disk } = await relay(apply, { answer: answerWith(patched), preCommand: 'pre' })
    const { stdout } = await relay(['followup'], { disk })
    expect(stdout).toContain('was not applied to the project')
    expect(stdout).toContain('\n\nThe pre command: not found (exit 127)\n\n')
  })

  it('says which files somebody changed meanwhile, and asks for nothing better', async () => {
    const { disk } = await relay(['followup'])
    const edit = () => {
      disk.write('src/a.ts', 'mine\n')
      return 'y'
    }
    await relay(apply, { disk, answer: answerWith({ ...patched, 'tsconfig.json': '{}\n' }), answers: [edit] })
    const { stdout } = await relay(['followup'], { disk })
    expect(stdout).toContain('was not applied to the project')
    expect(stdout).toContain('These files have changed meanwhile:\n- src/a.ts\n\n')
    expect(stdout).not.toContain('put right')
  })

  it.each([
    ['was not counted', '', 'it is wrong\n', 'exit 2, and no error that relay knows', 'it is wrong'],
    [
      'was not counted before either',
      'so it was\n',
      'it is wrong\n',
      'exit 2, and no error that relay knows (nor could the errors before your change be counted)',
      'it is wrong',
    ],
    [
      'was not counted before',
      'so it was\n',
      wrong,
      '1 error; the number before your change is not known',
      wrong.trim(),
    ],
  ])('holds what the linter said where it %s', async (_name, saidBefore, said, why, printed) => {
    const { copied } = await relay(apply, { answer: answerWith(patched), saidBefore, said, answers: ['c'] })
    expect(copied).toContain(`\n\nThe linter: ${why}\n\n\`\`\`\n${printed}\n\`\`\`\n\n`)
    expect(copied).not.toContain('another reason')
  })

  it('is printed and copied later as well', async () => {
    const { disk } = await relay(apply, { answer: answerWith(patched), said: wrong, answers: ['n'] })
    const later = await relay(['followup'], { disk })
    expect(later.code).toBe(0)
    expect(later.stdout).toContain('> 4 | FOUR')
    expect(later.copied).toBe(later.stdout)
    expect(later.stderr).toMatch(/✔ copied a follow-up prompt: 1 error, 1 file, ~\d+ tokens +attempt 1\n/)
    const printed = await relay(['followup', '--no-copy'], { disk })
    expect(printed.copied).toBeNull()
    expect(printed.stdout).toBe(later.stdout)
    expect(printed.stderr).toMatch(/✔ follow-up prompt: 1 error/)
  })

  it('tells what the files are now, not what they were then', async () => {
    const { disk } = await relay(apply, { answer: answerWith(patched), said: wrong, answers: ['n'] })
    disk.write('src/a.ts', 'quite new\n')
    expect((await relay(['followup'], { disk })).stdout).toContain('```ts\nquite new\n```')
  })

  it('goes to a terminal with its control characters visible, and to a pipe as it is', async () => {
    const answer = answerWith({ 'src/a.ts': 'x\n' })
    const { disk } = await relay(apply, { answer, said: wrong, answers: ['n'] })
    disk.write('src/a.ts', 'a\x1b[2Jb\n')
    expect((await relay(['followup'], { disk, terminal: { isRead: true } })).stdout).toContain('a\\x1b[2Jb')
    expect((await relay(['followup'], { disk })).stdout).toContain('a\x1b[2Jb')
  })

  it('says so when nothing can be copied', async () => {
    const turn = { answer: answerWith(patched), said: wrong, answers: ['c'], clipboard: false }
    const declined = await relay(apply, turn)
    expect(declined.code).toBe(3)
    expect(declined.stderr).toContain('`relay followup` prints it')
    const later = await relay(['followup'], { disk: declined.disk, clipboard: false })
    expect(later.code).toBe(0)
    expect(later.stderr).toContain('not copied: no display')
    expect(later.stdout).toContain('# relay-followup')
  })

  it('goes to the clipboard of the terminal where relay reaches none', async () => {
    const over = { clipboard: false, terminal: { takesCopies: true } }
    const declined = await relay(apply, { ...over, answer: answerWith(patched), said: wrong, answers: ['c'] })
    expect(declined.stderr.slice(declined.stderr.indexOf('✔ sent'))).toMatchInlineSnapshot(`
      "✔ sent a follow-up prompt: 1 error, 1 file, ~270 tokens              attempt 1
          To your terminal's clipboard. Nothing there? \`relay followup\` prints it.
      "
    `)
    const later = await relay(['followup'], { ...over, disk: declined.disk })
    expect(later.stderr).toMatchInlineSnapshot(`
      "✔ sent a follow-up prompt: 1 error, 1 file, ~270 tokens              attempt 1
          To your terminal's clipboard. Nothing there? The prompt is printed
            above: copy it from there.
      "
    `)
    expect(later.sent).toEqual([later.stdout])
    expect(declined.sent).toEqual(later.sent)
  })

  it('never holds what a file of secrets holds', async () => {
    const answer = answerWith({ '.env': 'TOKEN=other\n', 'src/a.ts': 'x\n' })
    const said = '.env(1,1): error TS1: Wrong.\n'
    const { disk } = await relay(apply, { answer, said, answers: ['y', 'n'] })
    const { stdout } = await relay(['followup'], { disk })
    expect(stdout).toContain('1. Wrong.\n   .env:1:1 TS1')
    expect(stdout).not.toMatch(/secret|TOKEN/)
  })

  it.each(['.git/config', '.npmrc', 'notes'])('never holds the lines of %s', async path => {
    const { disk } = await relay(apply, { answer: answerWith(patched) })
    disk.write('.git/config', 'url = https://secret@host\n')
    disk.write('.npmrc', '_authToken=secret\n')
    disk.symlink('.env', 'notes')
    const said = `${path}(1,1): error TS1: Wrong.\n`
    await relay(apply, { disk, answer: answerWith({ 'src/a.ts': 'x\n' }), said, answers: ['n'] })
    const { stdout } = await relay(['followup'], { disk })
    expect(stdout).toContain(`1. Wrong.\n   ${path}:1:1 TS1`)
    expect(stdout).not.toContain('secret')
  })

  it('names a file that cannot be looked at, and shows the others', async () => {
    const long = `src/${'x'.repeat(300)}.ts`
    const { disk } = await relay(apply, {
      answer: answerWith({ 'src/a.ts': 'x\n' }),
      said: `${wrong}${long}(1,1): error TS1: Wrong.\n`,
      answers: ['n'],
    })
    disk.onCall = (_name, path) => {
      if (path.endsWith(long)) throw diskError('ENAMETOOLONG')
    }
    const { code, stdout } = await relay(['followup'], { disk })
    expect(code).toBe(0)
    expect(stdout).toContain(`Files that are not shown here:\n- ${long}\n`)
    expect(stdout).toContain('four\nfive\n')
  })

  it('names an error without its lines where its file cannot be looked at any more', async () => {
    const { disk } = await relay(apply, { answer: answerWith(patched), said: wrong, answers: ['n'] })
    disk.onCall = (_name, path) => {
      if (path.endsWith('src/a.ts')) throw diskError('EACCES')
    }
    const { code, stdout } = await relay(['followup'], { disk })
    expect(code).toBe(0)
    expect(stdout).toContain('src/a.ts:4')
    expect(stdout).not.toContain('> 4 |')
    expect(stdout).toContain('Files that are not shown here:\n- src/a.ts\n')
  })

  it('looks at no file outside of the project', async () => {
    const { disk } = await relay(apply, {
      answer: answerWith(patched),
      said: '../outside.ts(1,1): error TS1: Wrong.\n',
      answers: ['n'],
    })
    disk.write('/outside.ts', 'not yours\n')
    expect((await relay(['followup'], { disk })).stdout).not.toContain('not yours')
  })

  it('ends with 2 where nothing was rolled back', async () => {
    const { code, stderr } = await relay(['followup'])
    expect(code).toBe(2)
    expect(stderr).toContain('No answer was rolled back here')
  })

  it('is none of a response that was kept after all, until that is taken back', async () => {
    const { disk } = await relay(apply, { answer: answerWith(patched), said: wrong, answers: ['n'] })
    await relay(['apply', '--last', '--trust'], { disk, said: wrong, answers: ['y'] })
    const { code, stdout, stderr, copied } = await relay(['followup'], { disk })
    expect({ code, stdout, copied }).toEqual({ code: 2, stdout: '', copied: null })
    expect(stderr).toMatchInlineSnapshot(`
      "Error: The answer that was rolled back last has been kept since, as #2
      Hint: To ask for a better one, first undo it: \`relay revert 2\`.
      "
    `)
    await relay(['undo', '--yes', '--trust'], { disk })
    expect((await relay(['followup'], { disk })).stdout).toContain('> 4 | FOUR')
  })
})

describe('a response that relay was killed with', () => {
  it('is not mistaken for the one that was rolled back before it', async () => {
    const { disk } = await relay(apply, { answer: answerWith(patched), said: wrong, answers: ['n'] })
    disk.crashInTransaction()
    await relay(apply, { disk, answer: answerWith({ 'src/a.ts': 'else\n' }) }).catch(() => undefined)
    disk.onCall = undefined
    const isNotTaken = async () => {
      const before = disk.tree()
      for (const argv of [['apply', '--last', '--yes', '--trust'], ['followup']]) {
        const { code, stderr } = await relay(argv, { disk })
        expect(code).toBe(2)
        expect(stderr).toContain(
          'Error: relay was stopped while it worked on the newest answer, #2, and does not have it any more\n',
        )
        expect(stderr).toContain('Copy it again in the chat')
      }
      expect(disk.tree()).toEqual(before)
    }
    await isNotTaken()
    expect((await relay(['recover'], { disk })).stderr).toContain('rolled back #2')
    await isNotTaken()
    // The next one that is rolled back is the last again.
    await relay(apply, { disk, answer: answerWith(patched), said: wrong, answers: ['n'] })
    expect((await relay(['followup'], { disk })).code).toBe(0)
  })
})

describe('the number of the attempt', () => {
  /** So many tries in a row, each with what the linter said of it. */
  async function tries(said: readonly string[], files: (index: number) => Readonly<Record<string, string>>) {
    let disk: FakeDisk | undefined
    let last = ''
    for (const [index, output] of said.entries()) {
      const turn = { answer: answerWith(files(index)), said: output, answers: ['c'] }
      const ended = await relay(apply, disk === undefined ? turn : { ...turn, disk })
      disk = ended.disk
      last = ended.stderr.slice(ended.stderr.indexOf('copied'))
    }
    return { last, disk: disk as FakeDisk }
  }
  const same = (index: number) => ({ 'src/a.ts': `${index}\n` })

  it('counts up while the same work is tried', async () => {
    expect((await tries([wrong.replace('number', 'symbol'), wrong], same)).last).toMatch(/attempt 2\n$/)
  })

  it('begins anew with other files, and after something was kept', async () => {
    expect((await tries([wrong, wrong], index => ({ [`src/${index}.ts`]: 'x\n' }))).last).toMatch(/attempt 2\n$/)
    const apart = ['src/0.ts', 'src/1.ts'].map(file => wrong.replace('src/a.ts', file))
    expect((await tries(apart, index => ({ [`src/${index}.ts`]: 'x\n' }))).last).toMatch(/attempt 1\n$/)
    const { disk } = await tries([wrong], same)
    await relay(apply, { disk, answer: answerWith({ 'src/a.ts': 'kept\ntwo\nthree\nfour\n' }) })
    const again = await relay(apply, { disk, answer: answerWith({ 'src/a.ts': 'x\n' }), said: wrong, answers: ['c'] })
    expect(again.stderr).toMatch(/attempt 1\n$/)
  })

  it('stays for the same response', async () => {
    const { disk } = await tries([wrong], same)
    const again = await relay(['apply', '--last', '--trust'], { disk, said: wrong, answers: ['c'] })
    expect(again.stderr).toMatch(/attempt 1\n$/)
  })

  it('says when the model goes in circles', async () => {
    const moved = wrong.replace('(4,3)', '(5,1)')
    expect((await tries([wrong, moved], same)).last).not.toContain('circles')
    expect((await tries([wrong, wrong.replace('number', 'symbol'), wrong], same)).last).not.toContain('circles')
    const { last, disk } = await tries([wrong, moved, wrong], same)
    expect(last).toContain('The same errors for the third time')
    expect((await relay(['followup'], { disk })).stdout).toContain('take another approach')
  })
})
