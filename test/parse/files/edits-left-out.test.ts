import { describe, expect, it } from 'vitest'
import { control, patch, read, write } from '../../support/answer.ts'

const searched = (word: string) => `<<<<<<< SEARCH\n${word} = 1\n=======\n${word} = 2\n>>>>>>> REPLACE\n`
const taken = `\`\`\`ts // src/a.ts\n${searched('a')}\`\`\`\n`
const diff = '--- a/src/b.ts\n+++ b/src/b.ts\n@@\n-b = 1\n+b = 2\n'

/** The flags of an answer that edits src/a.ts, and holds this as well. */
function flagsBeside(more: string, first = taken) {
  const parsed = read(`I changed both.\n\n${first}\n${more}\n${control('edit: src/a.ts')}`)
  return typeof parsed === 'object' && 'flags' in parsed ? parsed.flags : parsed
}

describe('an edit that is taken for a quotation beside one that is applied', () => {
  it.each([
    ['its path is above the fence', `src/b.ts\n\`\`\`ts\n${searched('b')}\`\`\`\n`],
    ['its path is the first line', `\`\`\`\nsrc/b.ts\n${searched('b')}\`\`\`\n`],
    ['it has no path', `\`\`\`ts\n${searched('b')}\`\`\`\n`],
    ['it is in no block', `src/b.ts\n${searched('b')}`],
    ['it is a diff without a head', '```diff\n-b = 1\n+b = 2\n```\n'],
    ['it is a diff in no block', diff],
    ['it is a patch in no block', '*** Begin Patch\n*** Delete File: src/c.ts\n*** End Patch\n'],
  ])('is doubted: %s', (_, more) => {
    expect(flagsBeside(more)).toEqual(['summary-mismatch'])
  })

  it('is applied and doubted where it names its file', () => {
    expect(flagsBeside(`\`\`\`diff\n${diff}\`\`\`\n`)).toEqual(['summary-mismatch'])
  })

  it.each([
    ['it is the applied one, shown once more', `\`\`\`ts\n${searched('a')}\`\`\`\n`],
    ['it is code', '```ts\nb = 2\n```\n'],
    ['it is about conflicts', '```\n<<<<<<< HEAD\na\n=======\nb\n>>>>>>> main\n```\n'],
  ])('is not where %s', (_, more) => {
    expect(flagsBeside(more)).toEqual([])
  })
})

it('is a quotation beside whole files', () => {
  const text = `So.\n\n\`\`\`ts // src/a.ts\n// START\n\nx\n\n// END\n\`\`\`\n\nThat is:\n\n\`\`\`diff\n-a\n+x\n\`\`\`\n\n${control('edit: src/a.ts')}`
  expect(read(text)).toEqual(patch([write('src/a.ts', 'x\n')]))
})
