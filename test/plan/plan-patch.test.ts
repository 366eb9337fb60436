import { describe, expect, it } from 'vitest'
import type { Change, PathFact, Plan, Planned } from '../../src/model/plan.ts'
import type { Flag, Operation, Patch, Problem } from '../../src/model/response.ts'
import { type PlanRules, planSteps } from '../../src/plan/plan-patch.ts'
import { absent } from './absent-place.ts'

const rules: PlanRules = {
  limits: { responseBytes: 1_000_000, files: 10_000, fileBytes: 67_108_864, pathLength: 1024 },
  policy: { ask: [], deny: [], allowDeletes: true },
}
const withPolicy = (policy: Partial<PlanRules['policy']>): PlanRules => ({
  ...rules,
  policy: { ...rules.policy, ...policy },
})

const write = (path: string, content = 'new\n'): Operation => ({ op: 'write', path, content })
const remove = (path: string): Operation => ({ op: 'delete', path })

const bytesOf = (text: string | Uint8Array) => (typeof text === 'string' ? new TextEncoder().encode(text) : text)
const file = (text: string | Uint8Array, mode = 0o644) => ({ kind: 'file', bytes: bytesOf(text), mode }) as const

const existing = (path: string, text: string | Uint8Array, more: Partial<PathFact> = {}): PathFact =>
  absent(path, { found: 'file', file: file(text), identity: `1:${path}`, ...more })
/** A link at `path` that leads to the file `target`. */
const linked = (path: string, target: string, text: string): PathFact =>
  existing(path, text, { link: target, leads: { kind: 'inside', target }, identity: `1:${target}` })

const patchOf = (operations: readonly Operation[], flags: readonly Flag[] = []): Patch => ({
  control: { projectId: 'demo', uuid: '1b671a64-40d5-491e-99b0-da01ff1f3341', changeSummary: [] },
  operations,
  reasoning: [],
  flags,
})

/** All steps at one go. */
function planPatch(...given: Parameters<typeof planSteps>): Planned {
  const steps = planSteps(...given)
  for (;;) {
    const step = steps.next()
    if (step.done === true) return step.value
  }
}

type Step = readonly [Operation, PathFact]

function planned(steps: readonly Step[], flags: readonly Flag[] = [], using = rules): Plan {
  const patch = patchOf(
    steps.map(([operation]) => operation),
    flags,
  )
  const outcome = planPatch(
    patch,
    steps.map(([, fact]) => fact),
    using,
  )
  if (outcome.kind !== 'plan') throw new Error(JSON.stringify(outcome))
  expect(outcome.plan.patch).toBe(patch)
  return outcome.plan
}

function problemsOf(steps: readonly Step[], using = rules): readonly Problem[] {
  const outcome = planPatch(
    patchOf(steps.map(([operation]) => operation)),
    steps.map(([, fact]) => fact),
    using,
  )
  return outcome.kind === 'refused' ? outcome.problems : []
}

const codesOf = (steps: readonly Step[], using = rules) =>
  problemsOf(steps, using).map(({ code, path }) => (path === undefined ? code : `${code} ${path}`))

const lines = (count: number, prefix = 'line') => Array.from({ length: count }, (_, at) => `${prefix} ${at}\n`).join('')

describe('planPatch: the change summary', () => {
  /** The flags of a new `app.ts` beside an `app.tsx`. */
  function flagsOf(changeSummary: readonly unknown[]): readonly string[] {
    const { control, ...patch } = patchOf([write('app.ts')])
    const facts = [absent('app.ts', { beside: ['app.tsx'] })]
    const outcome = planPatch({ ...patch, control: { ...control, changeSummary } }, facts, rules)
    return outcome.kind !== 'plan' ? [outcome.kind] : outcome.plan.flags.map(({ flag }) => flag)
  }

  it.each<[string, readonly unknown[], readonly string[]]>([
    ['edited', [{ edit: 'app.ts' }], ['summary-mismatch']],
    ['new', [{ new: 'app.ts' }], []],
    ['new and edited', [{ edit: 'app.ts' }, { new: 'app.ts' }], []],
    ['named in words', ['edit app.ts', null, { edit: ['app.ts'] }], []],
  ])('is heeded where a file is %s', (_, summary, flags) => {
    expect(flagsOf(summary)).toEqual(flags)
  })
})

describe('planPatch: a file that the summary calls new', () => {
  const other = lines(12)
  const meaning = 'const a = 1\n'

  /** The flags of `util.ts` that the answer writes, where a file with such a text is. */
  function flagsOf(there: string, content: string, changeSummary: readonly unknown[], known = false): readonly Flag[] {
    const { control, ...patch } = patchOf([write('util.ts', content)])
    const facts = [existing('util.ts', there)]
    const given = new Map(known ? [['util.ts', [{ bytes: bytesOf(there), at: new Date(0) }]]] : [])
    const outcome = planPatch({ ...patch, control: { ...control, changeSummary } }, facts, rules, {
      entries: new Map(),
      given,
    })
    return outcome.kind === 'plan' ? outcome.plan.flags : []
  }
  const doubt = {
    flag: 'summary-mismatch',
    path: 'util.ts',
    reason: 'the change summary calls it new, but it exists with another text',
  }

  it('is doubted where a file is there that no model is known to have seen, once', () => {
    expect(flagsOf(other, other + meaning, [{ new: 'util.ts' }])).toEqual([doubt])
    expect(flagsOf(other, meaning, [{ new: 'util.ts' }])).toEqual([doubt])
  })

  it.each<[string, readonly Flag[]]>([
    ['is edited as well', flagsOf(other, other + meaning, [{ new: 'util.ts' }, { edit: 'util.ts' }])],
    ['has that text already', flagsOf(other, other, [{ new: 'util.ts' }])],
    ['is empty', flagsOf('', meaning, [{ new: 'util.ts' }])],
    ['was given to a model', flagsOf(other, other + meaning, [{ new: 'util.ts' }], true)],
  ])('is not where it %s', (_, flags) => {
    expect(flags).toEqual([])
  })
})

describe('planPatch: changes', () => {
  it('makes a new file, with the mode that the umask takes from', () => {
    const { changes } = planned([[write('src/a.ts', 'a\n'), absent('src/a.ts')]])
    expect(changes).toEqual<Change[]>([
      { op: 'write', path: 'src/a.ts', target: 'src/a.ts', before: null, after: file('a\n', 0o666), effect: 'create' },
    ])
  })

  it('changes a file and keeps its mode, line ends and byte order mark', () => {
    const before = file('\ufeffx\r\ny\r\n', 0o755)
    const { changes } = planned([[write('a.ts', 'a\nb\n'), existing('a.ts', '', { file: before })]])
    expect(changes).toEqual<Change[]>([
      { op: 'write', path: 'a.ts', target: 'a.ts', before, after: file('\ufeffa\r\nb\r\n', 0o755), effect: 'modify' },
    ])
  })

  it('sees when nothing changes', () => {
    const { changes, flags } = planned([
      [write('package.json', 'same\n'), existing('package.json', 'same\r\n')],
      [remove('b.ts'), absent('b.ts')],
      [remove('c/d.ts'), absent('c/d.ts', { missingFolders: ['c'] })],
      [remove('e/f.ts'), absent('e/f.ts', { fileInTheWay: 'e' })],
    ])
    expect(changes.map(({ effect }) => effect)).toEqual(['none', 'none', 'none', 'none'])
    expect(flags).toEqual([])
  })

  it('deletes a file', () => {
    const { changes } = planned([[remove('a.ts'), existing('a.ts', 'x')]])
    expect(changes).toEqual<Change[]>([
      { op: 'delete', path: 'a.ts', target: 'a.ts', before: file('x'), after: null, effect: 'delete' },
    ])
  })

  it('writes through a link and leaves the link', () => {
    const { changes } = planned([[write('link.ts', 'b\n'), linked('link.ts', 'real/a.ts', 'a\n')]])
    expect(changes).toEqual<Change[]>([
      { op: 'write', path: 'link.ts', target: 'real/a.ts', before: file('a\n'), after: file('b\n'), effect: 'modify' },
    ])
  })

  it('makes a file behind a linked folder where the link leads', () => {
    const fact = absent('link/new/a.ts', {
      leads: { kind: 'inside', target: 'real/new/a.ts' },
      missingFolders: ['real/new'],
    })
    const { changes, newFolders } = planned([[write('link/new/a.ts', 'a\n'), fact]])
    expect(changes[0]).toMatchObject({ path: 'link/new/a.ts', target: 'real/new/a.ts', effect: 'create' })
    expect(newFolders).toEqual(['real/new'])
  })

  it.each([
    ['to a file', linked('link', 'real', 'x')],
    ['to a folder', absent('link', { link: 'real', leads: { kind: 'inside', target: 'real' }, found: 'folder' })],
    ['to nothing', absent('link', { link: 'real', leads: { kind: 'nowhere', to: 'real' } })],
  ])('removes a link %s, not what it leads to', (_, fact) => {
    expect(planned([[remove('link'), fact]]).changes).toEqual<Change[]>([
      {
        op: 'delete',
        path: 'link',
        target: 'link',
        before: { kind: 'link', to: 'real' },
        after: null,
        effect: 'delete',
      },
    ])
  })

  it('changes a file and removes the link to it', () => {
    const { changes } = planned([
      [write('real', 'y\n'), existing('real', 'x\n')],
      [remove('link'), linked('link', 'real', 'x\n')],
    ])
    expect(changes.map(({ target, effect }) => `${effect} ${target}`)).toEqual(['modify real', 'delete link'])
  })

  it('makes each missing folder once, outermost first, and none for deletes', () => {
    const { newFolders } = planned([
      [write('a/b/x.ts'), absent('a/b/x.ts', { missingFolders: ['a', 'a/b'] })],
      [remove('z/y.ts'), absent('z/y.ts', { missingFolders: ['z'] })],
      [write('a/c/x.ts'), absent('a/c/x.ts', { missingFolders: ['a', 'a/c'] })],
    ])
    expect(newFolders).toEqual(['a', 'a/b', 'a/c'])
  })

  it('takes a patch without operations', () => {
    expect(planned([])).toMatchObject({ changes: [], newFolders: [], flags: [] })
  })

  it('takes ten thousand files', () => {
    const steps = Array.from({ length: 10_000 }, (_, at): Step => {
      const path = `src/f${at % 100}/file${at}.ts`
      return [write(path, lines(5, `new ${at}`)), existing(path, lines(25, `old ${at}`))]
    })
    const { changes, flags } = planned(steps)
    expect(changes).toHaveLength(10_000)
    expect(flags).toHaveLength(10_000)
  })

  it('does not go on without a fact for each operation', () => {
    expect(() => planPatch(patchOf([write('a'), write('b')]), [absent('a')], rules)).toThrow('No fact for b')
    expect(() => planPatch(patchOf([write('a')]), [absent('b')], rules)).toThrow('No fact for a')
  })
})

describe('planPatch: refusals', () => {
  const inside = (target: string, more: Partial<PathFact> = {}) =>
    absent('link/x', { leads: { kind: 'inside', target }, ...more })

  it.each<[string, Step, string]>([
    [
      'a link out of the project',
      [write('x'), absent('x', { leads: { kind: 'outside', to: '/etc/x' } })],
      'leads-outside',
    ],
    [
      'a delete of a link that leads outside',
      [remove('x'), absent('x', { link: '/etc/x', leads: { kind: 'outside', to: '/etc/x' } })],
      'leads-outside',
    ],
    [
      'a write through a link to nothing',
      [write('x'), absent('x', { link: 'y', leads: { kind: 'nowhere', to: 'y' } })],
      'leads-nowhere',
    ],
    [
      'a delete behind a folder link to nothing',
      [remove('x/y'), absent('x/y', { leads: { kind: 'nowhere', to: 'z' } })],
      'leads-nowhere',
    ],
    ['a link into .git', [write('link/x'), inside('.git/hooks/x')], 'path-protected'],
    ['a link into a disguised .git', [write('link/x'), inside('sub/.GIT /hooks/x')], 'path-protected'],
    ['a link into .git of a nested repository', [write('link/x'), inside('sub/.git/config')], 'path-protected'],
    [
      'a link into a git folder of another name',
      [write('link/x'), inside('sub.git/hooks/x', { guarded: 'sub.git' })],
      'path-protected',
    ],
    [
      'a delete of a link into .git',
      [remove('link/x'), inside('.git/x', { link: '../.git/x', found: 'file' })],
      'path-protected',
    ],
    ['a link into .relaycode', [write('link/x'), inside('.relaycode/1.pending.yml')], 'path-protected'],
    ['a write where a folder is', [write('x'), absent('x', { found: 'folder' })], 'folder-in-the-way'],
    ['a delete of a folder', [remove('x'), absent('x', { found: 'folder' })], 'folder-in-the-way'],
    [
      'a write through a link to a folder',
      [write('x'), absent('x', { found: 'folder', link: 'y', leads: { kind: 'inside', target: 'y' } })],
      'folder-in-the-way',
    ],
    [
      'a link to the root itself',
      [write('x'), absent('x', { found: 'folder', link: '.', leads: { kind: 'inside', target: '' } })],
      'folder-in-the-way',
    ],
    ['a pipe', [write('x'), absent('x', { found: 'other' })], 'no-regular-file'],
    ['a delete of a device', [remove('x'), absent('x', { found: 'other' })], 'no-regular-file'],
    ['a file where a folder is needed', [write('x/y'), absent('x/y', { fileInTheWay: 'x' })], 'file-in-the-way'],
  ])('refuses %s', (_, step, code) => {
    expect(codesOf([[write('ok.ts'), absent('ok.ts')], step])).toEqual([`${code} ${step[0].path}`])
  })
  // biome-ignore format: above, one case a line reads as a table

  it('lists every problem, each with what to do', () => {
    const problems = problemsOf([
      [write('a'), absent('a', { leads: { kind: 'outside', to: '/etc/a' } })],
      [write('b/c'), absent('b/c', { fileInTheWay: 'b' })],
      [write('d'), absent('d')],
    ])
    expect(problems).toEqual([
      {
        code: 'leads-outside',
        path: 'a',
        message: 'A link takes this path out of the project, to /etc/a. Change that file by hand if it should change.',
      },
      {
        code: 'file-in-the-way',
        path: 'b/c',
        message: 'This path needs a folder, but b is a file. Ask for another name, or move that file first.',
      },
    ])
  })

  it('lets a nested repository be written, but not its .git', () => {
    expect(codesOf([[write('sub/src/a.ts'), existing('sub/src/a.ts', 'x')]])).toEqual([])
  })

  it.each<[string, Step[], string[]]>([
    [
      'a file and a link to it',
      [
        [write('real'), existing('real', 'x')],
        [write('link'), linked('link', 'real', 'x')],
      ],
      ['same-file link'],
    ],
    [
      'a write through a link and a delete of what it leads to',
      [
        [write('link'), linked('link', 'real', 'x')],
        [remove('real'), existing('real', 'x')],
      ],
      ['same-file real'],
    ],
    [
      'two links to one new place',
      [
        [write('l/x'), absent('l/x', { leads: { kind: 'inside', target: 'real/x' } })],
        [write('m/X'), absent('m/X', { leads: { kind: 'inside', target: 'real/X' } })],
      ],
      ['same-file m/X'],
    ],
    [
      'two names of one inode',
      [
        [write('a'), existing('a', 'x', { identity: '1:7' })],
        [write('b'), existing('b', 'x', { identity: '1:7' })],
      ],
      ['same-file b'],
    ],
    [
      'a file and a folder behind a link',
      [
        [write('real/x'), absent('real/x')],
        [write('link/x/y'), absent('link/x/y', { leads: { kind: 'inside', target: 'real/x/y' } })],
      ],
      ['file-and-folder link/x/y'],
    ],
    [
      'a rename in case only on a disk that does not tell case apart',
      [
        [remove('File.ts'), existing('File.ts', 'x', { identity: '1:7' })],
        [write('file.ts'), existing('file.ts', 'x', { identity: '1:7' })],
      ],
      ['same-file file.ts'],
    ],
  ])('refuses %s', (_, steps, problems) => {
    expect(codesOf(steps)).toEqual(problems)
  })

  it('lets a rename in case only pass on a disk that tells case apart', () => {
    const { changes } = planned([
      [remove('File.ts'), existing('File.ts', 'x')],
      [write('file.ts'), absent('file.ts')],
    ])
    expect(changes.map(({ effect }) => effect)).toEqual(['delete', 'create'])
  })

  it('obeys policy.deny, also where a link leads', () => {
    const deny = withPolicy({ deny: ['migrations/**', '*.lock'] })
    expect(codesOf([[write('migrations/1.sql'), absent('migrations/1.sql')]], deny)).toEqual([
      'denied migrations/1.sql',
    ])
    expect(codesOf([[remove('a/yarn.lock'), absent('a/yarn.lock')]], deny)).toEqual(['denied a/yarn.lock'])
    expect(codesOf([[write('link'), linked('link', 'migrations/1.sql', 'x')]], deny)).toEqual(['denied link'])
    expect(codesOf([[write('src/a.ts'), absent('src/a.ts')]], deny)).toEqual([])
  })

  it('obeys policy.allowDeletes', () => {
    const keep = withPolicy({ allowDeletes: false })
    const steps: Step[] = [
      [remove('a'), existing('a', 'x')],
      [write('b'), absent('b')],
      [remove('c'), existing('c', 'x')],
    ]
    expect(codesOf(steps, keep)).toEqual(['deletes-denied a', 'deletes-denied c'])
    expect(codesOf(steps)).toEqual([])
  })

  it('obeys limits.files', () => {
    const few = { ...rules, limits: { ...rules.limits, files: 2 } }
    const steps = ['a', 'b', 'c'].map((path): Step => [write(path), absent(path)])
    expect(problemsOf(steps, few)).toEqual([
      {
        code: 'too-many-files',
        message:
          'The answer changes 3 files; the limit is 2 (limits.files). Ask for smaller steps, or raise the limit.',
      },
    ])
    expect(codesOf(steps.slice(1), few)).toEqual([])
    const made = ['dist/a/1.js', 'dist/b/2.js', 'src/gen/x/1.js', 'src/gen/2.js', 'src/gen/3.js', 'a.js']
    expect(
      problemsOf(
        made.map((path): Step => [write(path), absent(path)]),
        few,
      )[0]?.message,
    ).toContain('(limits.files). Most are in src/gen/ (3), dist/ (2). Ask')
  })

  it('obeys limits.fileBytes, for what the patch writes and for what would have to be kept', () => {
    const small = { ...rules, limits: { ...rules.limits, fileBytes: 6 } }
    const steps: Step[] = [
      [write('new', 'é é é'), absent('new')],
      [write('fits', '123456'), absent('fits')],
      [write('big'), existing('big', '', { file: undefined, tooLarge: 7 })],
      [remove('gone'), existing('gone', '', { file: undefined, tooLarge: 8 })],
    ]
    expect(problemsOf(steps, small)).toEqual([
      {
        code: 'file-too-large',
        path: 'new',
        message:
          'The file would have 8 bytes; the limit is 6 (limits.fileBytes). Ask for smaller files, or raise the limit.',
      },
      ...['big', 'gone'].map((path, index) => ({
        code: 'file-too-large',
        path,
        message: `The present file has ${7 + index} bytes, and relay must store it for undo; the limit is 6 (limits.fileBytes). Change it by hand, or raise the limit.`,
      })),
    ])
    expect(codesOf(steps.slice(0, 2))).toEqual([])
  })

  it('obeys limits.pathLength, in bytes', () => {
    const short = { ...rules, limits: { ...rules.limits, pathLength: 4 } }
    expect(
      problemsOf(
        [
          [write('a/é'), absent('a/é')],
          [write('a/éé'), absent('a/éé')],
        ],
        short,
      ),
    ).toEqual([
      {
        code: 'path-too-long',
        path: 'a/éé',
        message: 'The path has 6 bytes; the limit is 4 (limits.pathLength). Ask for a shorter one, or raise the limit.',
      },
    ])
  })
})

describe('planPatch: flags', () => {
  const placeholder = (text: string, path = 'a.ts'): Flag => ({
    flag: 'placeholder',
    path,
    text,
    line: 3,
    reason: 'looks like a placeholder',
  })

  it("keeps the patch's own flags", () => {
    const flags: Flag[] = [
      { flag: 'missing-end', path: 'a.ts', reason: 'has no END' },
      { flag: 'yaml-invalid', reason: 'is not valid YAML' },
      placeholder('// ...'),
    ]
    expect(planned([[write('a.ts'), absent('a.ts')]], flags).flags).toEqual(flags)
  })

  it('drops a placeholder that the file already has, as often as it has it', () => {
    const step: Step = [write('a.ts', 'x\nnew\n'), existing('a.ts', 'x\n  // ... rest ...\ny\n')]
    expect(planned([step], [placeholder('// ... rest ...  ')]).flags).toEqual([])
    expect(planned([step], [placeholder('// ... rest ...', './a.ts')]).flags).toEqual([])
    const twice = [placeholder('// ... rest ...'), placeholder('// ... rest ...')]
    expect(planned([step], twice).flags).toEqual(twice.slice(1))
    const part = [placeholder('// ... re')]
    expect(planned([step], part).flags).toEqual(part)
    const other = [placeholder('// ... rest ...', 'b.ts')]
    expect(planned([step], other).flags).toEqual(other)
  })

  it('drops a doubt about strange signs where the file already has each line with them, else tells of the first new one', () => {
    const encoding: Flag = { flag: 'encoding', path: 'a.ts', reason: 'a strange sign' }
    const flagged = (...texts: string[]): Flag => ({
      ...encoding,
      line: 3,
      lines: texts.map((text, at) => ({ line: 3 + at, text })),
    })
    const was = 'a // \ufffd\r\n  \u202e b\n  x\n\u00a0 y\n'
    const step: Step = [write('a.ts', 'new\n'), existing('a.ts', was)]
    expect(planned([step], [flagged('a // \ufffd  ', '  \u202e b', '\u00a0 y')]).flags).toEqual([])
    for (const line of ['a // \ufffd', '  a // \ufffd', 'b // \ufffd', '\u202e b c', '\0', '\u00a0 x']) {
      expect(planned([step], [flagged('a // \ufffd', line)]).flags).toEqual([{ ...encoding, line: 4 }])
    }
    const isNew: Step = [write('a.ts'), absent('a.ts')]
    expect(planned([isNew], [flagged('a // \ufffd')]).flags).toEqual([{ ...encoding, line: 3 }])
  })

  it('asks once about a remark that both the text alone and the file on the disk show to be one', () => {
    const step: Step = [write('a.ts', 'a()\n// ... rest ...\ne()\n'), existing('a.ts', 'a()\nb()\nc()\nd()\ne()\n')]
    const told = placeholder('// ... rest ...', './a.ts')
    expect(planned([step], [told]).flags).toEqual([told])
    expect(planned([step]).flags.map(({ reason }) => reason)).toEqual([
      'line 2 of it is a remark in place of 3 lines of code that were left out',
    ])
  })

  it('asks once about a file that lost its indentation, whether the text alone tells or only the file on the disk', () => {
    const page = '<a>\n  <b>\n    <c>\n      d\n'
    const step: Step = [write('a.html', page.replaceAll(' ', '')), existing('a.html', page)]
    const told: Flag = {
      flag: 'chat-artifact',
      path: './a.html',
      reason: 'lost blanks',
      lines: [{ line: 7, text: '<b>' }],
    }
    expect(planned([step], [told]).flags.map(({ reason }) => reason)).toEqual(['lost blanks'])
    expect(planned([step]).flags.map(({ reason }) => reason)).toEqual(['none of its lines is indented any more'])
  })

  it('says why a file is sensitive, also where a link leads, and when it is write-protected', () => {
    const { flags } = planned(
      [
        [write('package.json'), absent('package.json')],
        [remove('.env'), existing('.env', 'x')],
        [write('link.ts'), linked('link.ts', 'vite.config.ts', 'x')],
        [write('src/a.ts'), existing('src/a.ts', '', { file: file('x', 0o444) })],
        [write('src/theirs.ts'), existing('src/theirs.ts', 'x', { isClosed: true })],
        [write('db/1.sql'), absent('db/1.sql')],
        [write('src/b.ts'), absent('src/b.ts')],
      ],
      [],
      withPolicy({ ask: ['*.sql', 'package.json'] }),
    )
    expect(flags).toEqual<Flag[]>([
      { flag: 'sensitive-path', path: 'package.json', reason: 'decides what npm installs and runs' },
      { flag: 'sensitive-path', path: '.env', reason: 'holds secrets' },
      {
        flag: 'sensitive-path',
        path: 'link.ts',
        reason: 'leads to vite.config.ts: the tools of the project execute it',
      },
      { flag: 'sensitive-path', path: 'src/a.ts', reason: 'is write-protected' },
      { flag: 'sensitive-path', path: 'src/theirs.ts', reason: 'is not yours to write' },
      { flag: 'sensitive-path', path: 'db/1.sql', reason: 'matches "*.sql" of policy.ask' },
    ])
  })

  it('asks about a file that a command of the configuration names, also where a link leads', () => {
    const flags = planned(
      [
        [write('bin/lint'), existing('bin/lint', 'x')],
        [write('check.ts'), linked('check.ts', 'scripts/check.mjs', 'x')],
        [remove('tools/after'), existing('tools/after', 'x')],
        [write('src/a.ts'), absent('src/a.ts')],
      ],
      [],
      {
        ...rules,
        linter: './bin/lint',
        preCommand: 'node scripts/check.mjs',
        postCommand: 'tools/after',
        notify: 'off',
      },
    ).flags.map(({ flag, path, reason }) => `${flag} ${path}: ${reason}`)
    expect(flags).toEqual([
      'sensitive-path bin/lint: is named by `linter`',
      'sensitive-path check.ts: leads to scripts/check.mjs: is named by `preCommand`',
      'sensitive-path tools/after: is named by `postCommand`',
    ])
  })

  it('asks about what hides errors from a linter, where there is one', () => {
    const steps: Step[] = [[write('a.ts', '// @ts-ignore\nx\n'), existing('a.ts', 'x\n')]]
    const reason = 'adds `// @ts-ignore` (line 1), which hides errors from the check'
    expect(planned(steps, [], { ...rules, linter: 'tsc' }).flags).toEqual([
      { flag: 'hidden-errors', path: 'a.ts', reason },
    ])
    expect(planned(steps).flags).toEqual([])
  })

  it('leaves to a linter what it finds in a file that it reads', () => {
    const copied: Step[] = ['a.ts', 'a.md', 'a.py'].map(path => [
      write(path, 'one()\n- two()\n+ three()\n'),
      existing(path, 'one()\n two()\n'),
    ])
    const curly = (path: string): Flag => ({ flag: 'chat-artifact', path, reason: 'curly quotes', linterFinds: true })
    const asked = (using: Partial<typeof rules>) =>
      planned(copied, ['a.ts', 'a.md', 'a.py'].map(curly), { ...rules, ...using }).flags.map(
        ({ path, reason }) => `${path}: ${reason}`,
      )
    const signs =
      'line 2 of it is a line of the file with a - before it, as in a diff: the signs may not belong to the file'
    const all = ['a.ts', 'a.md', 'a.py']
    expect(asked({})).toEqual([...all.map(it => `${it}: curly quotes`), ...all.map(it => `${it}: ${signs}`)])
    expect(asked({ linter: './check' })).toEqual(asked({}))
    const unread = ['a.md', 'a.py']
    const left = [...unread.map(it => `${it}: curly quotes`), ...unread.map(it => `${it}: ${signs}`)]
    expect(asked({ linter: 'npx tsc --noEmit' })).toEqual(left)
    expect(asked({ linter: 'npm run lint', scripts: [['lint', 'tsc -p . && eslint .']] })).toEqual(left)
    expect(planned(copied, [curly('a.md')]).flags[0]).toEqual({
      flag: 'chat-artifact',
      path: 'a.md',
      reason: 'curly quotes',
    })
  })

  it.each<[string, string, number, string | undefined]>([
    ['an executable', 'bin/tool', 0o755, 'is a program that tools and people run'],
    ['an executable with a known ending', 'bin/tool.sh', 0o755, 'is a script that tools and people run'],
    ['an executable source', 'src/tool.ts', 0o755, undefined],
    ['a file that is not executable', 'bin/tool', 0o644, undefined],
    ['one with setuid', 'src/tool.ts', 0o4644, 'runs with the rights of its owner or group'],
    ['one with setgid', 'bin/tool', 0o2755, 'runs with the rights of its owner or group'],
  ])('asks about %s that is rewritten, not deleted', (_, path, mode, reason) => {
    const there = existing(path, '', { file: file('x', mode) })
    expect(planned([[write(path), there]]).flags.map(flag => flag.reason)).toEqual(reason === undefined ? [] : [reason])
    if (!path.endsWith('.sh')) expect(planned([[remove(path), there]]).flags).toEqual([])
  })

  it.each<[string, Uint8Array, string | undefined]>([
    ['Latin-1', new Uint8Array([0x67, 0x72, 0xfc, 0x0a]), 'replaces a file that is not UTF-8 text'],
    ['cut UTF-8', new Uint8Array([0x61, 0xe2, 0x82]), 'replaces a file that is not UTF-8 text'],
    ['UTF-16', new Uint8Array([0xff, 0xfe, 0x61, 0x00]), 'replaces a binary file'],
    ['NUL', new Uint8Array([0x61, 0x00]), 'replaces a binary file'],
    ['UTF-8', new TextEncoder().encode('größe 😀\ufffd'), undefined],
    ['UTF-8 with a mark', new TextEncoder().encode('\ufeffx'), undefined],
  ])('tells the encoding of the file that is replaced: %s', (_, bytes, reason) => {
    const { flags } = planned([[write('a.ts'), existing('a.ts', bytes)]])
    expect(flags).toEqual(reason === undefined ? [] : [{ flag: 'encoding', path: 'a.ts', reason }])
    expect(planned([[remove('a.ts'), existing('a.ts', bytes)]]).flags).toEqual([])
  })

  it('flags more than ten deletes', () => {
    const steps = Array.from({ length: 11 }, (_, at): Step => [remove(`f${at}`), existing(`f${at}`, 'x')])
    expect(planned(steps).flags).toEqual([{ flag: 'mass-delete', reason: 'deletes 11 files' }])
    expect(planned(steps.slice(1)).flags).toEqual([])
    expect(planned([...steps.slice(1), [remove('gone'), absent('gone')]]).flags).toEqual([])
  })
})

describe('planPatch: shrink', () => {
  const shrunk = (...steps: Step[]) =>
    planned(steps).flags.map(({ flag, path, reason }) => `${flag} ${path}: ${reason}`)

  it.each<[string, string, string, boolean]>([
    ['loses six of ten lines', lines(10), lines(4), true],
    ['loses half of its lines', lines(10), lines(5), false],
    ['loses all', lines(10), '', true],
    ['was small', lines(9), lines(1), false],
    ['is written anew at the same length', lines(40), lines(40, 'other'), true],
    ['is written anew but for one line', lines(40), `${lines(1)}${lines(39, 'other')}`, false],
    ['is formatted anew', "import a from 'a'\n".repeat(20), 'import a from "a";\n'.repeat(20), false],
    [
      'comes in longer lines',
      'use(\n  theFirstThing,\n)\n'.repeat(4),
      `${'use(theFirstThing)\n'.repeat(4)}${lines(9)}`,
      false,
    ],
    [
      'stands in a third of its lines',
      'use(\n  theFirstThing,\n)\n'.repeat(9),
      'use(theFirstThing)\n'.repeat(9),
      false,
    ],
    ['keeps nothing but its brackets', '{\n  a: 1,\n}\n'.repeat(5), '{\n  b: 2,\n}\n'.repeat(5), true],
    ['is small and written anew', lines(9), lines(9, 'other'), false],
    ['is small and written anew at half its length', lines(8), lines(4, 'other'), false],
    ['is small and gives way to one other line', lines(5), 'other\n', true],
    [
      'is small and has its lines joined',
      'p {\n  color: red;\n}\n'.repeat(3),
      `${'p { color: red; }\n'.repeat(2)}p { x: y; }\n`,
      false,
    ],
    ['has four lines that give way to another', lines(4), 'other\n', false],
    ['has one line that goes', 'x\n', ' \n\n', true],
    ['was blank', '\n\n\n', '', false],
    ['is written anew at a third of its length', lines(60), lines(20, 'other'), true],
    ['grows', lines(10), lines(50), false],
    ['loses blank lines only', `${'\n'.repeat(50)}${lines(10)}`, lines(10), false],
    ['had CRLF', lines(20).replaceAll('\n', '\r\n'), lines(20), false],
    ['had no last line end', lines(10).trimEnd(), lines(4), true],
  ])('a file that %s', (_, before, after, flagged) => {
    expect(shrunk([write('a.ts', after), existing('a.ts', before)]).length > 0).toBe(flagged)
  })

  it('says how many lines there were and are', () => {
    expect(shrunk([write('a.ts', lines(10)), existing('a.ts', lines(100))])).toEqual([
      'shrink a.ts: goes from 100 lines to 10',
    ])
  })

  it('says when nothing stays', () => {
    expect(shrunk([write('a.ts', lines(40, 'other')), existing('a.ts', lines(30))])).toEqual([
      'shrink a.ts: none of its 30 lines stays',
    ])
    expect(shrunk([write('a.ts', '\n'), existing('a.ts', lines(30))])).toEqual([
      'shrink a.ts: none of its 30 lines is left',
    ])
  })

  it('lets a file be written anew whose lines move to another one', () => {
    const moved: Step = [write('b.ts', lines(30)), absent('b.ts')]
    expect(shrunk([write('a.ts', lines(30, 'other')), existing('a.ts', lines(30))], moved)).toEqual([])
    expect(shrunk([write('a.ts', "export * from './b.ts'\n"), existing('a.ts', lines(8))], moved)).toEqual([])
  })

  it('says nothing of lines where the file that is replaced, or the new one, is no text', () => {
    const bytes = new TextEncoder().encode(`\0${lines(22)}`)
    expect(shrunk([write('a.png', 'x\n'), existing('a.png', bytes)])).toEqual([
      'encoding a.png: replaces a binary file',
    ])
    expect(shrunk([write('a.png', '\0\n'), existing('a.png', lines(22))])).toEqual([])
  })

  it('is not raised for lines that turn up elsewhere in the patch, whatever their indent', () => {
    const moved = lines(100)
      .split('\n')
      .slice(20)
      .map(line => `    ${line}`)
      .join('\n')
    expect(
      shrunk([write('a.ts', lines(20)), existing('a.ts', lines(100))], [write('b.ts', moved), absent('b.ts')]),
    ).toEqual([])
    expect(
      shrunk(
        [write('a.ts', lines(20)), existing('a.ts', lines(100))],
        [write('b.ts', `x\n${moved}`), existing('b.ts', 'x\n')],
      ),
    ).toEqual([])
  })

  it('is raised when the lines elsewhere were there before', () => {
    const old: Step = [write('b.ts', `${lines(100)}more\n`), existing('b.ts', lines(100))]
    expect(shrunk([write('a.ts', lines(20)), existing('a.ts', lines(100))], old)).toHaveLength(1)
  })

  it('lets one moved line stand for one lost line only', () => {
    const halves = ['a.ts', 'b.ts'].map((path): Step => [write(path, lines(2)), existing(path, lines(100))])
    expect(shrunk(...halves, [write('c.ts', lines(100)), absent('c.ts')])).toEqual([
      'shrink b.ts: goes from 100 lines to 2',
    ])
  })

  it('does not count what is deleted', () => {
    expect(shrunk([remove('a.ts'), existing('a.ts', lines(100))])).toEqual([])
  })
})
