import { describe, expect, it } from 'vitest'
import { readRun, runPlaces } from '../../../src/agents/run/run-events.ts'
import type { Errand } from '../../../src/agents/work/errand.ts'
import type { LandingPlace } from '../../../src/agents/work/land.ts'
import { runAlone } from '../../../src/commands/alone/run-alone.ts'
import { readWork } from '../../../src/commands/alone/work-options.ts'
import { RelayError } from '../../../src/errors.ts'
import type { Book } from '../../../src/model/book.ts'
import { fakeProject } from '../../support/fake-project.ts'
import { type FakeSystemOptions, fakeSystem } from '../../support/fake-system.ts'

/** A book without tasks: a run of it is over at once. */
const book: Book = {
  ...{ name: 'the book', key: 'book', tasks: 0 },
  next: async () => undefined,
  isWanted: async () => false,
  envelope: async () => '',
  settle: async () => ({ kind: 'not-done', why: '' }),
  write: async () => {},
}

const place = { root: '/project', commandTimeout: 1, keepsCheckout: () => false } as unknown as LandingPlace

interface OwnGiven {
  readonly config?: Parameters<typeof fakeProject>[0]
  /** The user presses Ctrl+C as the run begins. */
  readonly isStopped?: boolean
}

/** Sends an agent on an errand in a project whose linter nobody has agreed to yet. */
async function go(
  options: Parameters<typeof runAlone>[2],
  own: Partial<Errand> = {},
  { files, config, isStopped = false, ...given }: FakeSystemOptions & OwnGiven = {},
) {
  const world = fakeSystem({ files: { 'a.js': '1\n', ...files }, env: { PATH: '/usr/bin' }, ...given })
  world.shell.programs.set('claude', '/usr/bin/claude')
  const happened: string[] = []
  const errand: Errand = {
    ...{ isHere: true, commits: true },
    async toCome() {
      return { book: 'the book', tasks: [{ id: '01', title: 'Check input', bytes: 99 }] }
    },
    async begin({ after, note }) {
      happened.push(`begun, then ${after}`)
      note('it begins')
      if (isStopped) world.interrupt()
      return { book, placeFor: () => place }
    },
    async ended({ stopped }) {
      happened.push(stopped.kind)
      return { notes: ['it is over'], next: '`relay undo`' }
    },
    ...own,
  }
  const ready = await readWork({}, fakeProject({ linter: 'lint', ...config }), 'claude', world.system)
  const code = await runAlone(errand, ready, options).catch((error: Error) => error.message)
  return { code, happened, system: world.system, ...world.terminal }
}

describe('the road of agents that work by themselves', () => {
  it('goes from what the user agrees to through the work to the last words', async () => {
    const { code, happened, stderr } = await go({ trust: true })
    expect([code, happened]).toEqual([0, ['begun, then leave', 'all-done']])
    expect(stderr).toMatch(/it begins\n[\s\S]*it is over\nNext: `relay undo`\n$/)
  })

  it('keeps what a program would be told, whether one is there or not', async () => {
    const events = ['work-begun', 'step', 'step', 'step', 'work-ended']
    for (const json of [true, false]) {
      const { stdout, system } = await go({ trust: true, json })
      const [place = ''] = await runPlaces(system)
      const run = await readRun(place, system)
      expect(run?.head).toMatchObject({ root: '/project', book: 'the book', key: 'book', agent: 'claude' })
      expect(run?.events.map(({ event }) => event)).toEqual(events)
      const told = stdout.split('\n').filter(Boolean)
      expect(told.map(line => JSON.parse(line))).toEqual(json ? run?.events : [])
    }
  })

  it('tells the user once how it ended', async () => {
    const { notices } = await go({ trust: true }, {}, { config: { notify: 'curl https://x' } })
    expect(notices).toEqual([
      {
        ...{ project: 'demo', number: undefined, way: 'curl https://x' },
        ended: { isDone: true, json: expect.any(String) },
      },
    ])
    const [notice] = notices
    if (notice === 'over') throw new Error('It is over already')
    expect(JSON.parse(notice?.ended?.json ?? '')).toEqual({
      ...{ project: 'demo', root: '/project', book: 'the book', agent: 'claude', stopped: 'all-done', why: null },
      ...{ done: 0, failed: 0, ms: 0, cost: null, inputTokens: null, outputTokens: null, shipped: null },
    })
  })

  it('tells the user of a failure too, and nothing of an end that the user made', async () => {
    const why = `no disk ${'x'.repeat(2000)}`
    const failing = await go({ trust: true }, { begin: () => Promise.reject(new RelayError('environment', why)) })
    const [notice] = failing.notices
    expect(failing.code).toBe(why)
    expect(notice).toMatchObject({ ended: { isDone: false } })
    const json = notice === 'over' ? '' : (notice?.ended?.json ?? '')
    expect(JSON.parse(json)).toMatchObject({ stopped: 'failed', why: why.slice(0, 1000), done: null })
    const stopped = await go({ trust: true }, {}, { isStopped: true })
    expect(stopped.notices).toEqual([])
  })

  it('ends with the list in a dry run, where nobody has agreed to anything', async () => {
    const { code, happened, stdout } = await go({ dryRun: true })
    expect([code, happened]).toEqual([0, []])
    expect(stdout).toMatch(/the book.*\n[\s\S]*01 Check input[\s\S]*Nothing was run/)
  })

  it('begins nothing that the user has not agreed to', async () => {
    const { code, happened } = await go({})
    expect([code, happened]).toEqual(['relay needs your permission for this, and did nothing', []])
  })

  it('asks what becomes of a branch before it begins, and only where there is one', async () => {
    const branch = { name: 'abcdef-login', into: 'main' }
    const asked = await go({ trust: true }, { isHere: false, branch }, { answers: ['l'] })
    expect(asked.questions).toEqual([expect.stringContaining('what happens with the branch abcdef-login?')])
    expect(asked.happened).toEqual(['begun, then leave', 'all-done'])
    const refused = await go({ trust: true }, { isHere: false, branch }, { answers: [undefined] })
    expect([refused.code, refused.happened]).toEqual(['Nothing was begun', []])
    expect((await go({ trust: true }, { isHere: false }, { answers: [] })).questions).toEqual([])
  })

  it('says beforehand why what lands in the folder will not be committed', async () => {
    const files = { '.git/HEAD': 'ref: refs/heads/main\n', '.git/MERGE_HEAD': 'abc\n', '.git/config': '' }
    const words = 'what lands will not be committed: a merge is under way'
    expect((await go({ trust: true }, {}, { files })).stderr).toContain(words)
    expect((await go({ trust: true }, { commits: false }, { files })).stderr).not.toContain(words)
    expect((await go({ trust: true }, { isHere: false }, { files })).stderr).not.toContain(words)
  })
})
