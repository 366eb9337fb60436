import { expect, it } from 'vitest'
import { branchName, cleanInstructions, firstLine } from '../../../src/agents/session/names.ts'

it.each([
  ["Fix bug #123: user's profile", 'claude/fix-bug-123-user-s-profile-7'],
  ['Add dark mode toggle to settings page', 'claude/add-dark-mode-toggle-to-settin-7'],
  ['  ---  ', 'claude/task-7'],
  ['Ünïcode überall', 'claude/ünïcode-überall-7'],
  [`${'a'.repeat(29)} b`, `claude/${'a'.repeat(29)}-7`],
])('names the branch of %j', (instructions, branch) => {
  expect(branchName('claude', instructions, 7)).toBe(branch)
})

it('takes out of instructions what cannot be seen', () => {
  expect(cleanInstructions('\u001b[31mA\u202eb\u0000\r\n\tc\u200b 👩‍💻\n')).toBe('[31mAb\n\tc 👩‍💻')
  expect(firstLine('\n\n  Title \nmore')).toBe('Title')
})
