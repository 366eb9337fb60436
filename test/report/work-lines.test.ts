import { describe, expect, it } from 'vitest'
import type { TaskEnd, WorkEnd, WorkLimits } from '../../src/model/task.ts'
import { createStyle } from '../../src/report/text/style.ts'
import {
  attemptFailedLines,
  attemptLines,
  begunLines,
  lacksLines,
  leftOutLines,
  onlyTaskLines,
  resumedLines,
  runEndLines,
  taskEndLines,
} from '../../src/report/work-lines.ts'

const plain = { colour: false, unicode: true, rows: 24, links: undefined }
const style = createStyle({ ...plain, columns: 80 })
const narrow = createStyle({ ...plain, unicode: false, columns: 40 })

const task = { id: '02', title: 'Check what users type' }
const limits: WorkLimits = { attempts: 3, timeout: 3600, silence: 600, grace: 5, wait: 0 }
const begun = {
  kind: 'run-begun',
  book: 'RAF/abcdef-login',
  agent: 'claude',
  sandbox: 'workspace-write',
  enforcement: 'rules',
  limits,
  tasks: 5,
} as const
const end: Omit<TaskEnd, 'result'> = {
  task,
  attempts: 2,
  ms: 125_000,
  usage: { inputTokens: 12_000, outputTokens: 345, cost: 0.42 },
}
const landed = (committed: Extract<TaskEnd['result'], { kind: 'landed' }>['landed']['committed']): TaskEnd => {
  return { ...end, result: { kind: 'landed', landed: { number: 12, files: 3, committed } } }
}
const commit = { kind: 'commit', sha: '1a2b3c4d5e6f' } as const
const dirty = { kind: 'not-committed', why: 'a.ts had edits that were not committed' } as const
const failed: TaskEnd = {
  ...end,
  result: { kind: 'failed', why: 'The user declined the change.\n- 2 new errors', kept: 3, last: undefined },
}

describe('what is shown of agents at work', () => {
  it('says before a run what will be done, by whom, under which limits', () => {
    expect(begunLines(begun, style)).toEqual([
      '○ RAF/abcdef-login: at most 5 tasks x 3 attempts x 1 h, with claude',
      '  (workspace-write: rules)',
    ])
    expect(begunLines({ ...begun, tasks: 1, limits: { ...limits, attempts: 1 } }, style)).toEqual([
      '○ asking claude (workspace-write: rules), for at most 1 h',
    ])
  })

  it('has a line for each task, and what is to be done about it', () => {
    expect(taskEndLines(landed(commit), style)).toEqual([
      '✔ 02 Check what users type: #12, 3 files, commit 1a2b3c4 (2 attempts, 2 min 5',
      '  s, 12,345 tokens, $0.42)',
    ])
    expect(taskEndLines(landed(dirty), style)[1]).toBe(
      '  were not committed (2 attempts, 2 min 5 s, 12,345 tokens, $0.42)',
    )
    expect(taskEndLines({ ...end, attempts: 1, usage: {}, result: { kind: 'done' } }, style)).toEqual([
      '✔ 02 Check what users type: nothing had to be changed (2 min 5 s)',
    ])
    expect(taskEndLines(failed, narrow)).toEqual([
      'x  02 Check what users type: The user',
      '  declined the change. (2 attempts, 2',
      '  min 5 s, 12,345 tokens, $0.42)',
      '  Its work is kept: relay apply --kept 3',
    ])
  })

  it('says of the only task what the lines above do not', () => {
    expect(onlyTaskLines(landed(commit), style)).toEqual(['✔ committed as 1a2b3c4'])
    expect(onlyTaskLines(landed({ kind: 'none' }), style)).toEqual([])
    expect(onlyTaskLines(failed, style)).toEqual(['○ Its work is kept: relay apply --kept 3'])
    expect(onlyTaskLines({ ...end, result: { kind: 'done' } }, style)).toEqual(['✔ the agent changed no file'])
  })

  it('shows what an agent is told in short, and nothing that steers a terminal', () => {
    const why = ['The user declined\u001b[2J the change.', ...Array.from({ length: 20 }, (_, at) => `- ${at}`)].join(
      '\n',
    )
    const lines = attemptFailedLines({ attempt: 1, why }, style)
    expect(lines[0]).toMatch(/^✖ attempt 1 does not count: The user declined\S+ the change\.$/)
    expect(lines.join('')).not.toContain('\u001b')
    expect(lines).toHaveLength(13)
    expect(lines.at(-1)).toBe('  and 9 more lines')
    expect(attemptLines({ kind: 'attempt-begun', task, attempt: 2, of: 3 }, style)).toEqual([
      '02 Check what users type (attempt 2 of 3)',
    ])
    expect(resumedLines({ kind: 'resumed', task, attempt: 2 }, style)).toEqual([
      '○ An earlier relay was stopped in attempt 2 of Check what users type. It goes',
      '  on from there.',
    ])
  })

  it('names what the agent does not see, and what its checks lack', () => {
    const paths = Array.from({ length: 12 }, (_, at) => `f${at}`)
    expect(leftOutLines({ kind: 'left-out', paths }, style)).toEqual([
      '▲ The agent does not see f0, f1, f2, f3, f4, f5, f6, f7, f8, f9, and 2 more.',
    ])
    const missing = [{ path: '.venv', why: 'installed', because: 'app.pth' }] as const
    expect(lacksLines({ kind: 'lacks', missing }, style)).toEqual([
      '▲ .venv holds your copy of the project (app.pth), so the agent does not get',
      '  it. Set `checkout.setup` to a command that makes another one.',
    ])
  })

  it.each<[string, Pick<WorkEnd, 'stopped' | 'shipped'>, readonly string[]]>([
    [
      'all done',
      { stopped: { kind: 'all-done' }, shipped: undefined },
      ['✔ 1 of 2 tasks done, 3 min, 24,690 tokens, $0.84'],
    ],
    [
      'a limit',
      { stopped: { kind: 'work-left', why: 'the time of --max-time is over' }, shipped: undefined },
      ['▲ 1 of 2 tasks done, 3 min, 24,690 tokens, $0.84. Stopped: the time of', '  --max-time is over'],
    ],
    [
      'a merge',
      {
        stopped: { kind: 'all-done' },
        shipped: { kind: 'merged', branch: 'abcdef-login', into: 'main', commit: '1a2b3c4d5e6f' },
      },
      [
        '✔ 1 of 2 tasks done, 3 min, 24,690 tokens, $0.84',
        '✔ merged into main (1a2b3c4); git takes it back, and not relay undo',
      ],
    ],
    [
      'a branch that stays',
      {
        stopped: { kind: 'all-done' },
        shipped: { kind: 'left', branch: 'abcdef-login', why: 'abcdef-login and main changed the same places: a.ts' },
      },
      [
        '✔ 1 of 2 tasks done, 3 min, 24,690 tokens, $0.84',
        '▲ abcdef-login and main changed the same places: a.ts. All of it is on the',
        '  branch abcdef-login.',
      ],
    ],
  ])('ends with a summary: %s', (_, how, lines) => {
    expect(runEndLines({ tasks: [landed(commit), failed], ms: 180_000, ...how }, style)).toEqual(lines)
  })
})
