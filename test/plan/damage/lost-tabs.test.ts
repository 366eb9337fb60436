import { expect, it } from 'vitest'
import { lostTabs } from '../../../src/plan/damage/lost-tabs.ts'

const before = 'all: a.o\n\tcc -o all a.o\n\nclean:\n\trm -f all\n'
const asked = (after: string, old = before) => lostTabs([{ path: 'Makefile', before: old, after }]).length === 1

it('asks where every tab in front of a line became blanks', () => {
  expect(asked(before.replaceAll('\t', '    '))).toBe(true)
  expect(asked(before.replaceAll('\t', '    ').replace('rm -f all', 'rm -f all *.o'))).toBe(true)
})

it('asks about nothing where a tab is left, or the lines are gone, or none had a tab', () => {
  expect(asked(before.replace('\tcc', '    cc'))).toBe(false)
  expect(asked('all: a.o\n')).toBe(false)
  expect(asked(before.replaceAll('\t', '    '), before.replaceAll('\t', '  '))).toBe(false)
})
