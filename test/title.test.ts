import { describe, expect, it } from 'vitest'
import type { Control, Operation } from '../src/model.ts'
import { titleOf } from '../src/title.ts'

const control: Control = { projectId: 'demo', uuid: '1b671a64', changeSummary: [] }
const operations: Operation[] = [
  { op: 'delete', path: 'src/b.ts' },
  { op: 'write', path: 'src/a.ts', content: '' },
  { op: 'write', path: 'src/c.ts', content: '' },
]
const title = (more: Partial<Control>, reasoning: string[] = [], of = operations) =>
  titleOf({ control: { ...control, ...more }, reasoning, operations: of })

describe('titleOf', () => {
  it('takes the summary, else the first line of the commit message', () => {
    expect(title({ promptSummary: 'Add dark mode', gitCommitMsg: 'feat: x' }, ['Hello there.'])).toBe('Add dark mode')
    expect(title({ gitCommitMsg: '\nfeat: dark mode\n\nLong story' }, ['Hello there.'])).toBe('feat: dark mode')
    expect(title({ promptSummary: ' \n ', gitCommitMsg: 'feat: x' })).toBe('feat: x')
    expect(title({ promptSummary: 'Add\n  dark\tmode ' })).toBe('Add dark mode')
  })

  it.each([
    ['I add a toggle. Then more.', 'I add a toggle'],
    ['Sure! I add a toggle to src/a.ts and use it. Bye', 'I add a toggle to src/a.ts and use it'],
    ["Here's the change:\n\nThe store now keeps the theme.", 'The store now keeps the theme'],
    ['I have made the following changes:\n\n- The store keeps the theme', 'The store keeps the theme'],
    ['The changes are as follows:\n\nThe store keeps it', 'The store keeps it'],
    ['Step-by-step reasoning:\n\n1. The store keeps it', 'The store keeps it'],
    ['My apologies for the error. The store keeps it', 'The store keeps it'],
    ['I understand. The store keeps it', 'The store keeps it'],
    ["I'd be happy to help! The store keeps it", 'The store keeps it'],
    ["I'll help you with that. The store keeps it", 'The store keeps it'],
    ["You're right, it was wrong. The store keeps it", 'The store keeps it'],
    ['Looking at your code, I see it.\n\nThe store keeps it', 'The store keeps it'],
    ["I've made the requested changes.\n\nThe store keeps it", 'The store keeps it'],
    ['Based on your request, I add a toggle', 'Based on your request, I add a toggle'],
    ['Alright, here we go. The store keeps it', 'The store keeps it'],
    ['Summary of changes:\n- The store keeps it', 'The store keeps it'],
    ['The following changes add dark mode.', 'The following changes add dark mode'],
    ['## Dark mode\n\nText', 'Dark mode'],
    ['### Step 1: Create the `theme` module', 'Create the theme module'],
    ['**Step 2** - Use it', 'Use it'],
    ['1. Mark **the** fields', 'Mark the fields'],
    ['- a list item of words', 'a list item of words'],
    ['Sure!\n\nRefactored the store.', 'Refactored the store'],
    ['---\n***\nDone with it', 'Done with it'],
    ['Ändert die Größe der Überschrift. Mehr', 'Ändert die Größe der Überschrift'],
    ['添加暗色模式 切换', '添加暗色模式 切换'],
  ])('takes the first sentence that says something: %j', (prose, expected) => {
    expect(title({}, [prose])).toBe(expected)
  })

  const files = 'write src/a.ts and 2 more'

  it.each<[string[], string]>([
    [["Sure! Here's the updated code:"], files],
    [["Sure, I've added a dark mode toggle to the settings page."], 'Added a dark mode toggle to the settings page'],
    [["Done! I've added a dark mode toggle!"], 'Added a dark mode toggle'],
    [["Certainly! I'll add a retry to the fetch helper."], 'Add a retry to the fetch helper'],
    [['Of course. The cache now expires after an hour.'], 'The cache now expires after an hour'],
    [['Absolutely! Let me help you with that.\n\nThe parser keeps comments.'], 'The parser keeps comments'],
    [['Great question! The race was in the queue. I moved the lock.'], 'The race was in the queue'],
    [['Good catch — the loop never ended on an empty list.'], 'The loop never ended on an empty list'],
    [["You're right, the check was missing. I've added it to the login route."], 'The check was missing'],
    [['You are right: get answers null, and text is trimmed.'], 'Get answers null, and text is trimmed'],
    [
      ["You're absolutely right! I apologize for the oversight.\n\nThe date is parsed as UTC now."],
      'The date is parsed as UTC now',
    ],
    [["You're absolutely right about the missing import. Here is the fix:"], files],
    [["I apologize for the confusion. Here's the corrected version:"], files],
    [['My mistake! The import path was wrong.'], 'The import path was wrong'],
    [['Sorry about that, the export was missing.'], 'The export was missing'],
    [['Let me fix the failing tests.'], 'Fix the failing tests'],
    [['Let me add a guard to the parser.'], 'Add a guard to the parser'],
    [['Let me know if you need anything else.'], files],
    [["I'll help you add pagination to the list."], files],
    [['I will update `src/a.ts` to use the new API.'], 'Update src/a.ts to use the new API'],
    [["I've updated the code as requested."], files],
    [
      ["I've made the following changes:\n\n1. **Theme store**: remembers the choice\n2. Toggle"],
      'Theme store: remembers the choice',
    ],
    [["I've made some changes.\n\n- The header is sticky"], 'The header is sticky'],
    [['I have gone ahead and removed the unused helpers.'], 'Removed the unused helpers'],
    [["We'll split the reducer in two."], 'Split the reducer in two'],
    [["I'm going to rename the hook to useTheme."], 'Rename the hook to useTheme'],
    [['First the TypeScript configuration, strict.', 'Then the entry point.'], files],
    [["First, I'll create the theme store.", 'Next, the toggle.'], files],
    [['To start, the types.', 'The page uses them.'], files],
    [['## Summary\n\nAdds a rate limiter to the API.'], 'Adds a rate limiter to the API'],
    [['### Changes\n- Add a rate limiter'], 'Add a rate limiter'],
    [['# Add a rate limiter\n\nSome text'], 'Add a rate limiter'],
    [['### 1. src/theme.ts\n\nThe theme store remembers the choice.'], 'The theme store remembers the choice'],
    [['**src/theme.ts**\n\nThe theme store remembers the choice.'], 'The theme store remembers the choice'],
    [['### 🎨 Dark mode for the settings'], 'Dark mode for the settings'],
    [['✅ Done! The toggle works on every page.'], 'The toggle works on every page'],
    [['Done. The toggle works on every page.'], 'The toggle works on every page'],
    [['Thanks for the detailed report! The crash came from a null user.'], 'The crash came from a null user'],
    [['Understood. The limit is now 50.'], 'The limit is now 50'],
    [['Okay, so the limit is now 50.'], 'So the limit is now 50'],
    [["Here's how it works: the store saves the theme."], files],
    [['Below is the full file.'], files],
    [['Klar! Hier ist der aktualisierte Code:'], files],
    [
      ['Gerne, ich füge einen Schalter für den dunklen Modus hinzu.'],
      'Ich füge einen Schalter für den dunklen Modus hinzu',
    ],
    [['Du hast recht, die Prüfung fehlte.'], 'Die Prüfung fehlte'],
    [['Natürlich. Die Größe wird jetzt geprüft.'], 'Die Größe wird jetzt geprüft'],
    [['Bien sûr ! Voici le code mis à jour :'], files],
    [['Vous avez raison, la vérification manquait.'], 'La vérification manquait'],
    [["D'accord. J'ajoute un bouton au menu."], "J'ajoute un bouton au menu"],
    [['Tienes razón, faltaba la comprobación.'], 'Faltaba la comprobación'],
    [['Claro, añado un botón al menú.'], 'Añado un botón al menú'],
    [['Com certeza! Aqui está o código:'], files],
    [['Certo! Ecco il codice aggiornato:'], files],
    [['Конечно! Вот обновлённый код:'], files],
    [['Вы правы, проверки не было.'], 'Проверки не было'],
    [['好的，我添加了暗色模式。'], '我添加了暗色模式'],
    [['当然！以下是更新后的代码：'], files],
    [['您说得对。已修复登录检查。'], '已修复登录检查'],
    [['承知しました。ダークモードを追加します。'], 'ダークモードを追加します'],
    [['もちろんです！以下は更新されたコードです。'], files],
    [['Wait for the server before the tests start.'], 'Wait for the server before the tests start'],
    [['Fix it so that the list can be empty.'], 'Fix it so that the list can be empty'],
    [['What was slow is now cached.'], 'What was slow is now cached'],
    [
      ['How the store works is unchanged; the page reads it once.'],
      'How the store works is unchanged; the page reads it once',
    ],
    [['OK buttons are blue.'], 'OK buttons are blue'],
    [['Perfect forwarding in the queue template.'], 'Perfect forwarding in the queue template'],
    [["Okay. Let's start with the types.", 'The page uses them.'], 'The page uses them'],
    [['Check that the user is signed in before the upload.'], 'Check that the user is signed in before the upload'],
    [['Show the number of unread messages.'], 'Show the number of unread messages'],
    [['Go modules instead of the vendor folder.'], 'Go modules instead of the vendor folder'],
    [['Here documents are quoted now.'], 'Here documents are quoted now'],
    [['I added the missing await. Tests pass.'], 'I added the missing await'],
    [['This patch adds dark mode.'], 'This patch adds dark mode'],
  ])('tells what an answer says from how chats begin: %j', (prose, expected) => {
    expect(title({}, prose)).toBe(expected)
  })

  it('lets one step be the name of a patch of one file', () => {
    const one = operations.slice(1, 2)
    expect(title({}, ['First, add the configuration.'], one)).toBe('First, add the configuration')
  })

  it('looks on in the next prose', () => {
    expect(title({}, ['', 'Sure!', 'The store keeps it.'])).toBe('The store keeps it')
  })

  it.each([
    "That's it!",
    "That's it.",
    'I forgot the store.',
    "Sorry, I've missed the store.",
    "You're right, I overlooked the store.",
    'I made a mistake in the store.',
    'Fixed',
    'Fixed.',
    'All set!',
    'All set.',
    '**All set!** 🎉',
    "N'hésitez pas !",
    "N'hésitez pas à me demander.",
    '全部完成了！',
    '¡Todo listo!',
    'Enjoy the new theme!',
  ])('takes nothing for a name that is only said for the pleasure of it, or regretted: %s', said => {
    expect(title({}, [said])).toBe(files)
    expect(title({}, [`${said}\n\nThe store keeps it.`])).toBe('The store keeps it')
    expect(title({}, [said, 'The store keeps it.'])).toBe('The store keeps it')
    expect(title({}, ['The store keeps it.', said])).toBe('The store keeps it')
  })

  it('cuts at the end of a word', () => {
    const cut = title({}, ['The settings page gets a toggle for dark mode, and the store remembers what was chosen'])
    expect(cut).toBe('The settings page gets a toggle for dark mode, and the store…')
    expect(title({ promptSummary: 'x'.repeat(100) })).toBe(`${'x'.repeat(60)}…`)
    expect(title({ promptSummary: '😀'.repeat(61) })).toBe(`${'😀'.repeat(60)}…`)
    expect(title({ promptSummary: 'y'.repeat(60) })).toBe('y'.repeat(60))
  })

  it('tells what is done when nothing was said', () => {
    const [remove, write] = operations
    expect(title({})).toBe('write src/a.ts and 2 more')
    expect(title({}, ['***\n\n---'], write && [write])).toBe('write src/a.ts')
    expect(title({}, [], remove && [remove])).toBe('delete src/b.ts')
    expect(title({}, ['Sure! Here is the updated code:', 'Hope it helps! Let me know.'])).toBe(
      'write src/a.ts and 2 more',
    )
    expect(title({}, [], [])).toBe('no changes')
  })

  it('shows nothing that a terminal obeys or the eye does not see', () => {
    const hostile = 'a\x1b[31mb\x07\x9b31m\u202ec\u200bd\u2066\0e\u2028f\ud800'
    for (const text of [title({ promptSummary: hostile }), title({ gitCommitMsg: hostile }), title({}, [hostile])]) {
      expect(text).toMatch(/^[ -~]+$/)
    }
    expect(title({ promptSummary: 'Ship it 👩🏽‍💻 ❤️' })).toBe('Ship it 👩🏽‍💻 ❤️')
  })

  it('looks at the beginning of a huge text only', () => {
    expect(title({}, ['word '.repeat(2_000_000)])).toHaveLength(60)
    expect(title({ promptSummary: ' \n'.repeat(2_000_000) }, ['Go on.'])).toBe('Go on')
  })
})
