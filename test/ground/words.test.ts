import { expect, it } from 'vitest'
import { shellWord } from '../../src/ground/words.ts'

it.each([
  ['src/a.ts', 'src/a.ts'],
  ['C:/Users/me/a.md', 'C:/Users/me/a.md'],
  // The one kind of quotes that cmd, PowerShell and sh share.
  ['an answer.md', '"an answer.md"'],
  ['Änderung 2.md', '"Änderung 2.md"'],
  // A POSIX shell reads something into these between double quotes.
  ['$HOME/a b', "'$HOME/a b'"],
  ['a`b', "'a`b'"],
  ['a\\b', "'a\\b'"],
  ["it's", "'it'\\''s'"],
])('makes of %s the word %s', (text, word) => {
  expect(shellWord(text)).toBe(word)
})
