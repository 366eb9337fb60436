import { describe, expect, it } from 'vitest'
import type { Check, Checks, Ran, Reason, Verdict } from '../../../src/model/check.ts'
import type { Flag } from '../../../src/model/response.ts'
import type { CommandEnd } from '../../../src/model/talk.ts'
import { type GateInput, judge } from '../../../src/transact/decide/gate.ts'

const unchecked: Check = { kind: 'unchecked' }
const counted = (errors: number): Check => ({
  kind: 'counted',
  errors,
  list: undefined,
  code: 0,
  failed: [],
  output: '',
})
const uncounted = (why: string): Check => ({ kind: 'uncounted', why, output: '' })

/** Checks of which `count` errors are new; three old ones stay. */
const compared = (count: number): Checks => ({
  before: counted(3),
  after: counted(3 + count),
  comparison: { new: count, fixed: 0, same: 3, newErrors: [] },
})

const shrink: Flag = { flag: 'shrink', path: 'src/a.ts', reason: 'src/a.ts loses 90 of 100 lines' }
const placeholder: Flag = { flag: 'placeholder', path: 'src/b.ts', line: 7, reason: 'a placeholder stands for code' }

const ended = (ok: boolean): CommandEnd => ({ ok, why: ok ? 'exit 0' : 'exit 1', output: 'formatted' })

/** A clean start: nothing speaks against the change. */
const clean: GateInput = {
  config: { approval: 'yes', approvalOnErrorCount: 0 },
  checks: compared(0),
  flags: [],
  post: undefined,
  reused: undefined,
}

describe('judge', () => {
  it.each([
    { limit: 0, count: 0, verdict: 'approve' },
    { limit: 0, count: 1, verdict: 'ask' },
    { limit: 2, count: 2, verdict: 'approve' },
    { limit: 2, count: 3, verdict: 'ask' },
  ])('with a limit of $limit, $count new errors mean: $verdict', ({ limit, count, verdict }) => {
    const config = { approval: 'yes', approvalOnErrorCount: limit } as const
    expect(judge({ ...clean, config, checks: compared(count) }).kind).toBe(verdict)
  })

  it('counts a new error although as many others were fixed', () => {
    const checks: Checks = {
      before: counted(1),
      after: counted(1),
      comparison: { new: 1, fixed: 1, same: 0, newErrors: [] },
    }
    expect(judge({ ...clean, checks })).toEqual({ kind: 'ask', reasons: [{ kind: 'new-errors', count: 1, limit: 0 }] })
  })

  it.each<[string, Ran | undefined, Ran, boolean, Verdict['kind']]>([
    ['refuses a check that ran no test', 'some', 'none', true, 'ask'],
    ['refuses one where nobody knows whether there were tests before', undefined, 'none', true, 'ask'],
    ['takes one that ran no test before either', 'none', 'none', true, 'approve'],
    ['takes one that ran tests', 'none', 'some', true, 'approve'],
    ['takes one that ran no test where a person looks on', 'some', 'none', false, 'approve'],
  ])('%s', (_, before, after, needsTests, verdict) => {
    const ran = (tests: Ran | undefined): Check => ({ ...counted(0), tests }) as Check
    const comparison = { new: 0, fixed: 0, same: 0, newErrors: [] }
    expect(judge({ ...clean, needsTests, checks: { before: ran(before), after: ran(after), comparison } })).toEqual(
      verdict === 'approve' ? { kind: 'approve' } : { kind: 'ask', reasons: [{ kind: 'no-test' }] },
    )
  })

  it('falls back on the counts when a comparison is missing', () => {
    const checks: Checks = { before: counted(1), after: counted(4), comparison: undefined }
    expect(judge({ ...clean, checks })).toEqual({ kind: 'ask', reasons: [{ kind: 'new-errors', count: 3, limit: 0 }] })
  })

  it.each([
    { limit: 0, after: 0, verdict: 'approve' },
    { limit: 0, after: 1, verdict: 'ask' },
    { limit: 2, after: 2, verdict: 'approve' },
    { limit: 2, after: 3, verdict: 'ask' },
  ])('without a baseline, $after errors with a limit of $limit mean: $verdict', ({ limit, after, verdict }) => {
    const config = { approval: 'yes', approvalOnErrorCount: limit } as const
    const checks: Checks = { before: uncounted('exit 255'), after: counted(after), comparison: undefined }
    expect(judge({ ...clean, config, checks })).toEqual(
      verdict === 'approve'
        ? { kind: 'approve' }
        : { kind: 'ask', reasons: [{ kind: 'uncounted', check: 'before', why: 'exit 255' }] },
    )
  })

  it.each([
    { before: unchecked, after: counted(0), check: 'before' },
    { before: counted(0), after: unchecked, check: 'after' },
  ] as const)('asks when a linter ran only on one side, not $check', ({ before, after, check }) => {
    expect(judge({ ...clean, checks: { before, after, comparison: undefined } })).toEqual({
      kind: 'ask',
      reasons: [{ kind: 'uncounted', check, why: 'no linter ran' }],
    })
  })
})

/** One side of the table: what is given, and the reasons that it must bring. */
interface Choice {
  readonly name: string
  readonly given: Partial<GateInput>
  readonly reasons: readonly Reason[]
}

const approvals: readonly Choice[] = [
  { name: 'approval yes', given: { config: { approval: 'yes', approvalOnErrorCount: 1 } }, reasons: [] },
  {
    name: 'approval no',
    given: { config: { approval: 'no', approvalOnErrorCount: 1 } },
    reasons: [{ kind: 'approval-no' }],
  },
]

const broken = uncounted('exit 127: the command was not found')
const killed = uncounted('no end within 600 s')

const checks: readonly Choice[] = [
  { name: 'no linter', given: { checks: { before: unchecked, after: unchecked, comparison: undefined } }, reasons: [] },
  { name: 'no new errors', given: { checks: compared(0) }, reasons: [] },
  { name: 'new errors within the limit', given: { checks: compared(1) }, reasons: [] },
  {
    name: 'new errors above the limit',
    given: { checks: compared(2) },
    reasons: [{ kind: 'new-errors', count: 2, limit: 1 }],
  },
  {
    name: 'first check uncounted',
    given: { checks: { before: broken, after: counted(9), comparison: undefined } },
    reasons: [{ kind: 'uncounted', check: 'before', why: 'exit 127: the command was not found' }],
  },
  {
    name: 'first check uncounted, hardly an error in the last',
    given: { checks: { before: broken, after: counted(1), comparison: undefined } },
    reasons: [],
  },
  {
    name: 'last check uncounted',
    given: { checks: { before: counted(0), after: killed, comparison: undefined } },
    reasons: [{ kind: 'uncounted', check: 'after', why: 'no end within 600 s' }],
  },
  {
    name: 'both checks uncounted',
    given: { checks: { before: broken, after: killed, comparison: undefined } },
    reasons: [
      { kind: 'uncounted', check: 'before', why: 'exit 127: the command was not found' },
      { kind: 'uncounted', check: 'after', why: 'no end within 600 s' },
    ],
  },
]

const flags: readonly Choice[] = [
  { name: 'no flag', given: { flags: [] }, reasons: [] },
  { name: 'one flag', given: { flags: [shrink] }, reasons: [{ kind: 'flag', flag: shrink }] },
  {
    name: 'two flags',
    given: { flags: [placeholder, shrink] },
    reasons: [
      { kind: 'flag', flag: placeholder },
      { kind: 'flag', flag: shrink },
    ],
  },
]

const posts: readonly Choice[] = [
  { name: 'no post command', given: { post: undefined }, reasons: [] },
  { name: 'post command well', given: { post: ended(true) }, reasons: [] },
  {
    name: 'post command failed',
    given: { post: ended(false) },
    reasons: [{ kind: 'post-command', why: 'exit 1' }],
  },
]

const uuids: readonly Choice[] = [
  { name: 'new uuid', given: { reused: undefined }, reasons: [] },
  ...(['committed', 'declined', 'rolled-back', 'undone'] as const).map(state => ({
    name: `uuid of one ${state}`,
    given: { reused: { number: 41, state } },
    reasons: [{ kind: 'reused-uuid', number: 41, state } as const],
  })),
]

const table = approvals.flatMap(a =>
  checks.flatMap(b => flags.flatMap(c => posts.flatMap(d => uuids.map((e): readonly Choice[] => [a, b, c, d, e])))),
)

describe('judge, for every combination', () => {
  it.each(table.map(choices => [choices.map(choice => choice.name).join(', '), choices] as const))(
    'lists each reason, in order: %s',
    (_name, choices) => {
      const input: GateInput = Object.assign({}, clean, ...choices.map(choice => choice.given))
      const reasons = choices.flatMap(choice => choice.reasons)
      expect(judge(input)).toEqual(reasons.length === 0 ? { kind: 'approve' } : { kind: 'ask', reasons })
    },
  )
})
