import { describe, expect, it } from 'vitest'
import { firstSentence } from '../../src/model/first-sentence.ts'

describe('firstSentence', () => {
  it.each([
    ['I add a toggle. Then more.', 'I add a toggle'],
    [
      'Okay, `src/legacy.ts` is not imported anywhere, so it can go.',
      'Okay, src/legacy.ts is not imported anywhere, so it can go',
    ],
    ['`format` supports an optional locale. `parse` does not.', 'format supports an optional locale'],
    ['Sure! Here is a discount for the cart. I split it in two.', 'Here is a discount for the cart'],
    ["Certainly! Here's the updated module, with a guard.", "Here's the updated module, with a guard"],
    ['Here are three tests. I cover the empty list.', 'Here are three tests'],
    ['**Step 1: a loader for configuration files.** It reads JSON.', 'Step 1: a loader for configuration files'],
    ['**Step 1.** Add `zod` for validation.', 'Add zod for validation'],
    ["I've made these changes:\n\n- The store keeps it", "I've made these changes"],
    ['## Dark mode\n\nText', 'Dark mode'],
    ['1. Mark **the** fields', 'Mark the fields'],
    ['> - a list item', 'a list item'],
    ['---\n***\nDone with it', 'Done with it'],
    ['Great.\n\nThe parser of __init__.py keeps e.g. comments. More', 'The parser of __init__.py keeps e.g. comments'],
    ['Wait... then more', 'Wait... then more'],
    ['Ändert die Größe der Überschrift. Mehr', 'Ändert die Größe der Überschrift'],
    ['添加暗色模式。然后更多', '添加暗色模式'],
    ['Fixed', 'Fixed'],
  ])('is the first sentence as it stands: %j', (prose, expected) => {
    expect(firstSentence([prose])).toBe(expected)
  })

  it('looks on in the next prose', () => {
    expect(firstSentence(['', 'Sure!', 'The store keeps it.'])).toBe('The store keeps it')
  })

  it('looks at the beginning of a huge text only', () => {
    expect(firstSentence(['word '.repeat(2_000_000)])).toHaveLength(3_999)
  })
})
