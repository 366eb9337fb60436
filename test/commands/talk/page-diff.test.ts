import { expect, it } from 'vitest'
import { pageDiff } from '../../../src/commands/talk/page-diff.ts'
import { change } from '../../report/samples.ts'

it.each([
  ['what git would print', 'x'.repeat(2900), true],
  ['relay’s own diff, whole, where delta would cut a line', 'x'.repeat(3100), false],
])('gives a pager for git’s diffs %s', async (_, line, isPatch) => {
  const paged: [string, string | undefined][] = []
  await pageDiff([change('a.js', null, `${line}\n`)], {
    colour: { out: false, err: false },
    unicode: true,
    columns: 80,
    page: async (text: string, patch?: () => string) => void paged.push([text, patch?.()]),
  } as Parameters<typeof pageDiff>[1])
  const [text, patch] = paged[0] ?? []
  expect(text).toContain(line)
  expect(patch).toEqual(isPatch ? expect.stringContaining(`+${line}\n`) : undefined)
})
