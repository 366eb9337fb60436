import { describe, expect, it } from 'vitest'
import type { Config } from '../../src/model/project.ts'
import { describeParsed } from '../../src/report/answers/describe-parsed.ts'
import { bannerLines, type ClipboardWay, clipboardWords } from '../../src/report/screens/banner-lines.ts'
import { errorLines } from '../../src/report/screens/error-lines.ts'
import { clipboardLines, idleLine, queuedLine, untakenLine } from '../../src/report/screens/watch-lines.ts'
import { noteLines } from '../../src/report/text/hanging.ts'
import { ascii, at, coloured, narrow, plain, projectWith, screen } from './samples.ts'

describe('bannerLines', () => {
  const banner = {
    version: '0.1.0',
    project: projectWith({}),
    home: '/home/ann',
    clipboard: { kind: 'events', name: 'x11 events on :0' } as const,
    last: { number: 41, title: 'Add dark mode toggle', at: at(12, 0) },
    now: at(14, 2),
    hasKeys: false,
  }

  it('says what is watched and what will happen', () => {
    expect(screen(bannerLines(banner, plain))).toMatchInlineSnapshot(`
      "
      relay 0.1.0   my-app   ~/code/my-app
        approve    auto if no new errors        linter  npx tsc --noEmit
        clipboard  x11 events on :0             last    #41 Add dark mode …, 2 h ago

      "
    `)
  })

  it('says how to begin until something was kept, in words that stay whole', () => {
    expect(screen(bannerLines({ ...banner, last: undefined }, narrow).slice(-6))).toMatchInlineSnapshot(`
      "
        clipboard  x11 events on :0
        last       nothing kept yet
        begin      give your LLM the rules
                   (\`relay prompt\`), then
                   copy an answer

      "
    `)
    expect(screen(bannerLines(banner, narrow))).not.toContain('begin')
  })

  it('says that nothing is checked without a linter, and names the other commands', () => {
    const project = projectWith({ linter: ' ', postCommand: 'npx prettier --write .', clipboardPollInterval: 500 })
    expect(screen(bannerLines({ ...banner, project, last: undefined, home: undefined }, ascii))).toMatchInlineSnapshot(`
      "
      relay 0.1.0   my-app   /home/ann/code/my-app
        approve    auto, unchecked              linter  none: unchecked
        clipboard  x11 events on :0             last    nothing kept yet
        post       npx prettier --write .
        begin      give your LLM the rules (\`relay prompt\`), then copy an answer

      "
    `)
  })

  it('says how the clipboard is watched, also when that is the wish of the configuration', () => {
    const words = (way: ClipboardWay, config: Partial<Config> = {}) => clipboardWords(way, projectWith(config).config)
    expect(words({ kind: 'looks', name: 'pbpaste' })).toBe('pbpaste every 2 s')
    expect(words({ kind: 'none', name: 'none' })).toBe('none: paste answers here')
    expect(words({ kind: 'events', name: 'x11 events on :98', isAway: true })).toBe('no x11 events on :98 yet')
    expect(words({ kind: 'looks', name: 'xclip' }, { clipboard: 'poll', clipboardPollInterval: 500 })).toBe(
      'xclip every 500 ms (clipboard: poll)',
    )
  })

  it('gives long facts a line of their own', () => {
    const project = projectWith({ linter: 'npx eslint . --max-warnings 0 --ext .ts,.tsx', approval: 'no' })
    expect(screen(bannerLines({ ...banner, project }, plain))).toMatchInlineSnapshot(`
      "
      relay 0.1.0   my-app   ~/code/my-app
        approve    always ask
        linter     npx eslint . --max-warnings 0 --ext .ts,.tsx
        clipboard  x11 events on :0
        last       #41 Add dark mode toggle, 2 h ago

      "
    `)
    expect(screen(bannerLines(banner, narrow))).toMatchInlineSnapshot(`
      "
      relay 0.1.0   my-app   ~/code/my-app
        approve    auto if no new errors
        linter     npx tsc --noEmit
        clipboard  x11 events on :0
        last       #41 Add dark mo…, 2 h ago

      "
    `)
  })

  it('names the keys where somebody can press them, the first ones where there is little room', () => {
    const keys = (style: typeof plain) =>
      bannerLines({ ...banner, hasKeys: true }, style).find(line => /keys/.test(line))
    expect(keys(plain)).toBe('  keys       u undo  d diff  l log  k files  p pause  q quit  ? help')
    expect(keys(narrow)).toBe('  keys       u undo  d diff  ? help')
  })

  it.each([
    ['/home/ann', '~'],
    ['/home/annabel/x', '/home/annabel/x'],
    ['/srv/x', '/srv/x'],
  ])('shortens only what lies in the home folder: %s', (root, shown) => {
    const [first] = bannerLines({ ...banner, project: { ...banner.project, root } }, plain)
    expect(first).toBe(`relay 0.1.0   my-app   ${shown}`)
  })
})

describe('errorLines', () => {
  it('breaks at blanks on a screen, but not inside a command, and never in a log', () => {
    const error = {
      message:
        'The terminal was taken away while the question was open:\n    so nothing could be answered there any more',
      hint: 'Where Ctrl+Z stopped relay, go on with `fg`; anywhere else run `relay recover --dry-run` to see what is left.',
    }
    expect(screen([...errorLines(error, plain, true), ...errorLines(error, narrow, true)])).toMatchInlineSnapshot(`
      "
      Error: The terminal was taken away while the question was open:
                 so nothing could be answered there any more
      Hint: Where Ctrl+Z stopped relay, go on with \`fg\`; anywhere else run
             \`relay recover --dry-run\` to see what is left.
      Error: The terminal was taken away
             while the question was open:
                 so nothing could be
                 answered there any more
      Hint: Where Ctrl+Z stopped relay, go
             on with \`fg\`; anywhere else run
             \`relay recover --dry-run\` to
             see what is left.
      "
    `)
    expect(errorLines(error, narrow, false)).toHaveLength(3)
  })

  it('breaks a command that fits nowhere at its blanks', () => {
    const hint = `Run \`relay apply ${'a-long-name '.repeat(4)}\` again.`
    expect(errorLines({ message: '', hint }, narrow, true)).toEqual([
      'Error:',
      'Hint: Run `relay apply a-long-name',
      '       a-long-name a-long-name',
      '       a-long-name ` again.',
    ])
  })

  it('says what happened, then what to do', () => {
    const error = { message: 'No relaycode.config.json in /project', hint: 'Run `relay --init` here first.' }
    expect(errorLines(error, plain, true)).toEqual([
      'Error: No relaycode.config.json in /project',
      'Hint: Run `relay --init` here first.',
    ])
    expect(errorLines(error, coloured, true)[0]).toBe('\x1b[31mError:\x1b[39m No relaycode.config.json in /project')
  })

  it('puts further lines below the first', () => {
    expect(errorLines({ message: 'Three things:\n\tone\r\ntwo\n', hint: undefined }, plain, true)).toEqual([
      'Error: Three things:',
      '           one',
      '       two',
    ])
  })
})

it('tells how watching goes', () => {
  const lost = { kind: 'lost', message: "xclip: Can't open display", hint: 'Run relay doctor' } as const
  expect(
    screen([
      idleLine(plain),
      queuedLine(1, 'Rename store', plain),
      queuedLine(2, undefined, plain),
      untakenLine(1, plain),
      untakenLine(2, plain),
      ...clipboardLines(lost, true, plain),
      ...clipboardLines({ kind: 'back' }, true, plain),
      ...clipboardLines({ kind: 'deaf', everyMs: 2000 }, true, plain),
      ...noteLines(
        'relaycode.config.json: unknown key "lintr"; did you mean "linter"? It is ignored until then.',
        plain,
      ),
    ]),
  ).toMatchInlineSnapshot(`
    "
    ○ watching
      1 more waiting: Rename store
      2 more waiting
    ▲ 1 answer was not applied; copy it again
    ▲ 2 answers were not applied; copy them again
    ✖ cannot read the clipboard; relay keeps trying
        xclip: Can't open display
        Hint: Run relay doctor
        Until then, paste answers into this window.
    ✔ the clipboard can be read again
    ▲ this desktop does not announce copies: relay checks the clipboard every 2 s
    ▲ relaycode.config.json: unknown key "lintr"; did you mean "linter"? It is
        ignored until then.
    "
  `)
})

describe('describeParsed', () => {
  const control = { projectId: 'my-app', uuid: 'a6928e46-1111-4222-8333-444455556666' }

  it('shows what was understood', () => {
    expect(
      screen(
        describeParsed(
          {
            kind: 'patch',
            patch: {
              control: { ...control, changeSummary: [] },
              operations: [
                { op: 'write', path: 'src/settings.tsx', content: 'a\nb' },
                { op: 'write', path: 'empty', content: '' },
                { op: 'delete', path: 'src/old.ts' },
              ],
              reasoning: ['First, I thought.'],
              flags: [{ flag: 'missing-end', path: 'src/settings.tsx', line: 9, reason: 'no END marker' }],
            },
          },
          { projectId: 'my-app' },
          plain,
        ),
      ),
    ).toMatchInlineSnapshot(`
      "
      ✔ an answer  3 files, 1 piece of reasoning, 1 flag
        projectId my-app
        uuid      a6928e46-1111-4222-8333-444455556666
        write   src/settings.tsx  2 lines
        write   empty             0 lines
        delete  src/old.ts
      ▲ missing-end: src/settings.tsx: no END marker (line 9 of the answer)
      "
    `)
  })

  it('shows why it was not taken', () => {
    const problems = [{ code: 'x', message: 'two control blocks', line: 12 }] as const
    expect(
      screen(describeParsed({ kind: 'refused', problems, control, reasoning: [] }, { projectId: 'my-app' }, plain)),
    ).toMatchInlineSnapshot(`
      "
      ✖ refused  line 12: two control blocks
          Nothing was written.
        projectId my-app
        uuid      a6928e46-1111-4222-8333-444455556666
      "
    `)
    expect(describeParsed({ kind: 'ignored', why: { kind: 'no-patch' } }, { projectId: 'my-app' }, plain)[0]).toBe(
      '○ not applied  no YAML block with projectId was found',
    )
  })
})
