import { describe, expect, it } from 'vitest'
import { mergeProgress, withEntry } from '../../../src/agents/prd/merge-progress.ts'
import { minimalEntry } from '../../../src/agents/prd/minimal-entry.ts'
import { agentsEntry } from '../../../src/agents/prd/progress-entry.ts'
import { progressHeader } from '../../../src/agents/prd/progress-header.ts'
import { splitProgress } from '../../../src/agents/prd/split-progress.ts'

const header = '# Ralph Progress Log\nStarted: Fri Nov 20 17:00:00 UTC 2026\n---\n'
const one = '## 2026-11-20 17:10 - US-001\n- Added a table\n- **Learnings for future iterations:**\n  - Use `t`\n---\n'
const two = '## 2026-11-20 17:20 - US-002\n- Added a badge\n- **Learnings for future iterations:**\n  - Use `b`\n---\n'
const users = '## 2026-11-20 17:15 - Ann\n- Looked at it\n---\n'
const patterns = (...lines: string[]) => `## Codebase Patterns\n${lines.map(line => `- ${line}\n`).join('')}---\n`
const otherwise = '## 2026-11-20 17:20 - US-002\n- Done\n---\n'

describe('the header of progress.txt', () => {
  it.each<[at: string, zone: string, started: string]>([
    ['2026-11-26T08:05:02Z', 'UTC', 'Thu Nov 26 08:05:02 UTC 2026'],
    ['2026-03-02T23:30:00Z', 'America/New_York', 'Mon Mar  2 18:30:00 EST 2026'],
    ['2026-07-01T05:00:00Z', 'America/New_York', 'Wed Jul  1 01:00:00 EDT 2026'],
    ['2026-12-31T23:30:00Z', 'Europe/Berlin', 'Fri Jan  1 00:30:00 CET 2027'],
    ['2026-06-30T23:30:00Z', 'Europe/London', 'Wed Jul  1 00:30:00 BST 2026'],
    ['2026-06-30T20:30:00Z', 'Asia/Kolkata', 'Wed Jul  1 02:00:00 IST 2026'],
  ])('says %s in %s as `date` does', (at, zone, started) => {
    expect(progressHeader(new Date(at), zone)).toBe(`# Ralph Progress Log\nStarted: ${started}\n---\n`)
  })
})

describe('the patterns in progress.txt', () => {
  const found = patterns('a')
  it.each<[name: string, above: string, below: string]>([
    ['at the top', '', `\n${header}${one}`],
    ['below the header', `${header}\n`, one],
    ['at the end', `${header}${one}`, ''],
  ])('are found %s', (_, above, below) => {
    expect(splitProgress(above + found + below)).toEqual({ above, patterns: found, below })
  })

  it.each<[name: string, above: string, below: string]>([
    ['the next heading', header, one],
    ['the header', '', header],
    ['the second line of the header', '# Ralph Progress Log\n', 'Started: now\n---\n'],
    ['the end of the file', header, ''],
  ])('end before %s', (_, above, below) => {
    const open = '## Codebase Patterns\n- a\n\n'
    expect(splitProgress(above + open + below)).toEqual({ above, patterns: open, below })
  })

  it('may be missing', () => {
    expect(splitProgress(header + one)).toEqual({ above: header + one, patterns: '', below: '' })
  })
})

describe("the agent's entry in progress.txt", () => {
  it.each<[name: string, before: string, after: string, entry: string]>([
    ['what it appended', header + one, header + one + two, two],
    ['also where that is no heading', header, `${header}Did US-002\n`, 'Did US-002\n'],
    ['as it wrote it, blanks and all', header, `${header}\n\n${two}\n`, `\n\n${two}\n`],
    ['nothing', header + one, header + one, ''],
    ['a rule is nothing', header, `${header}\n---\n`, ''],
    ['behind new patterns at the top', header + one, `${patterns('a')}\n${header}${one}${two}`, two],
    ['behind new patterns below the header', header + one, `${header}\n${patterns('a')}\n${one}${two}`, two],
    ['behind patterns within the header', `# R\nStarted: x\n---\n${one}`, `# R\n${patterns('a').replace('---\n', '\n')}Started: x\n---\n${one}${two}`, two],
    ['behind other patterns', header + patterns('a') + one, header + patterns('a', 'b') + one + two, two],
    ['with patterns alone changed', header + patterns('a') + one, header + patterns('b') + one, ''],
    ['and not the blank lines that it moved', `${header}\n${one}`, `${header}${one}\n\n${two}`, `\n\n${two}`],
    ['and not an older entry that it changed', header + one, header + one.replace('a table', 'two tables') + two, two],
    ['and not what it only threw away', header + one + two, header + one, ''],
    ['the first one', header + one, header + two + one, two],
    ['the only one that it left', header + one, two, two],
    ['a second one under the same heading', header + one, `${one.replace('a table', 'an index')}${one}`, one],
    ['lines in place of the file', header + one, '- Did US-002\n', '- Did US-002\n'],
    ['nothing where the file is empty', header + one, '', ''],
    ['with CRLF', (header + one).replaceAll('\n', '\r\n'), header + one + two, two],
  ])('is %s', (_, before, after, entry) => {
    expect(agentsEntry(before, after)).toBe(entry)
  }) // biome-ignore format: one line a case reads as a table
})

describe('progress.txt after a story', () => {
  const before = header + patterns('a') + one
  it.each<[name: string, after: string | undefined, now: string, merged: string]>([
    ['is what the agent left, to the byte', `${before}\n\n${two}\n\n`, before, `${before}\n\n${two}\n\n`],
    ['also with new patterns', `${header}\n${patterns('b')}${one}\n${two}`, before, `${header}\n${patterns('b')}${one}\n${two}`],
    ['has a line for an agent that wrote none', before, before, before + otherwise],
    ['has it also for one that removed the file', undefined, before, before + otherwise],
    ['has what the user wrote meanwhile, then the entry', before + two, before + users, before + users + two],
    ['has older entries as they were', header + patterns('a') + two, before, before + two],
    ['has the new patterns in the text of the user', header + patterns('b') + one + two, before + users, header + patterns('b') + one + users + two],
    ['has the patterns of both', header + patterns('a', 'b') + one + two, header + patterns('a', 'c') + one, `${header}${patterns('a', 'c', 'b')}${one}${two}`],
    ['keeps patterns that were thrown away', header + one + two, before, before + two],
    ['begins a new line', before + two, `${before}- Mine`, `${before}- Mine\n${two}`],
    ['has only the entry where the user emptied it', before + two, '', two],
    ['has no rule twice', `${before}\n---\n${two}\n`, before + users, before + users + two],
  ])('%s', (_, after, now, merged) => {
    expect(mergeProgress({ before, after, users: now, otherwise })).toBe(merged)
  }) // biome-ignore format: one line a case reads as a table

  it('gets its first patterns below the header', () => {
    const merged = mergeProgress({
      before: header,
      after: patterns('a') + header + two,
      users: header + users,
      otherwise,
    })
    expect(merged).toBe(header + patterns('a') + users + two)
    expect(mergeProgress({ before: '', after: patterns('a') + two, users, otherwise })).toBe(
      patterns('a') + users + two,
    )
  })

  it('keeps CRLF', () => {
    const crlf = (text: string) => text.replaceAll('\n', '\r\n')
    const merged = mergeProgress({
      before,
      after: header + patterns('b') + one + two,
      users: crlf(before + users),
      otherwise,
    })
    expect(merged).toBe(crlf(header + patterns('b') + one + users + two))
    expect(withEntry(crlf(header), otherwise)).toBe(crlf(header + otherwise))
  })
})

describe('an entry by relay', () => {
  const at = new Date(2026, 10, 20, 9, 5)
  it('says what was done, and with which files', () => {
    expect(minimalEntry({ at, storyId: 'US-002', what: 'Show a\nbadge', files: ['src/a b.ts', 'b.ts'] })).toBe(
      '## 2026-11-20 09:05 - US-002\n- Show a badge\n- Files changed: `src/a b.ts`, `b.ts`\n- (written by relay: the agent left no entry)\n---\n',
    )
  })

  it('names twenty files at most', () => {
    const files = Array.from({ length: 22 }, (_, at) => `${at}`)
    const lines = minimalEntry({ at, storyId: 'US-002', what: 'x', files }).split('\n')
    expect(lines[2]).toMatch(/, `19` and 2 more$/)
    expect(minimalEntry({ at, storyId: 'US-002', what: 'x', files: [] }).split('\n')).toHaveLength(5)
  })
})
