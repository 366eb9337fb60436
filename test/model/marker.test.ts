import { expect, it } from 'vitest'
import { markerOfWork } from '../../src/model/marker.ts'

const complete = '<promise>COMPLETE</promise>'

it.each([
  ['the only line', complete],
  ['the end of the last line', `Done. ${complete}`],
  ['in bold', `I did it.\n\n**${complete}**`],
  ['above blank lines', `${complete}\n\n  \n`],
  ['below a fence that ends', `\`\`\`sh\nnpm test\n\`\`\`\n${complete}`],
])('takes work for done by its word at the end: %s', (_, text) => {
  expect(markerOfWork(text)).toBe('COMPLETE')
})

it.each([
  ['with words behind it', `${complete} is left out on purpose.`],
  ['with more lines below', `${complete}\n\nThe helper is missing.`],
  ['in a sentence above', `I leave ${complete} out.\n\n- next: write the helper`],
  ['in a fence', `So:\n\`\`\`\n${complete}\n\`\`\``],
  ['in a fence that does not end', `So:\n\`\`\`\n${complete}`],
  ['as code', `It would be \`${complete}\``],
  ['quoted', `> ${complete}`],
  ['below what was not quoted', `FAILED?\n> done: ${complete}`],
])('takes no work for done that only names the word: %s', (_, text) => {
  expect(markerOfWork(text)).toBeUndefined()
})

it('believes that work failed wherever that stands', () => {
  expect(markerOfWork('<promise>FAILED</promise> since the helper is missing')).toBe('FAILED')
  expect(markerOfWork('```\n<promise>BLOCKED</promise>\n```')).toBe('BLOCKED')
})
