import { join } from 'node:path'
import type { Reason } from '../../model/check.ts'
import type { Config, UserConfig } from '../../model/project.ts'
import type { Answer, Question } from '../../model/talk.ts'
import type { System, Terminal } from '../../ports.ts'
import { describeQuestion } from '../../report/answers/describe-question.ts'
import { describeReasons, firstReasons } from '../../report/answers/describe-reason.ts'
import { questionKeys } from '../../report/answers/question-keys.ts'
import { reasoningLines } from '../../report/answers/reasoning-lines.ts'
import { indented } from '../../report/text/hanging.ts'
import type { Style } from '../../report/text/style.ts'
import { type Answering, askKeyAndWords } from './ask-key.ts'
import { choosePaths, type ListWords } from './choose-paths.ts'
import { mayOpenEditor } from './may-open-editor.ts'
import { pageDiff } from './page-diff.ts'
import { showNotes } from './show-notes.ts'

type Of<Kind extends Question['kind']> = Extract<Question, { kind: Kind }>
type Gate = Of<'gate'>

/** Asks until a key is an answer. Keys that only show something come back to the same question. */
export async function answerTo(
  question: Question,
  answering: Answering & Pick<Config, 'user'>,
  { terminal }: System,
  style: Style,
): Promise<Answer> {
  const { prompt } = describeQuestion(question, style)
  for (let before = ''; ; ) {
    const typed = await askKeyAndWords(prompt, questionKeys(question), answering, terminal, 'c')
    if (typed === undefined) return 'closed'
    const { key, words } = typed
    if (key === 'c') return { followUp: answering.singleKey ? await askReason(answering, terminal) : words }
    // Meant for the pager, it may be: that of a short diff has closed by itself. Behind an Enter it is an answer.
    const isForPager = key === 'q' && before === 'd' && answering.singleKey
    before = key
    if (isForPager) {
      showNotes(['No pager is open. Press q again to leave the question open and quit.'], { terminal })
      continue
    }
    const answer = await press(key, question, answering.user, terminal, style)
    if (answer !== undefined) return answer
  }
}

async function press(
  key: string,
  question: Question,
  user: UserConfig,
  terminal: Terminal,
  style: Style,
): Promise<Answer | undefined> {
  if (key === 'y') return 'yes'
  if (key === 'n') return 'no'
  if (key === 'd' && 'changes' in question) {
    // An ordinary file that moves to where it runs has to be read as a new one.
    await pageDiff(
      question.changes,
      terminal,
      question.kind === 'gate' || question.kind === 'offered' ? 'followed' : 'apart',
    )
  }
  if (key === 'w' && 'reasoning' in question) await showReasoning(question, terminal, style)
  if (key === 'q' && question.kind === 'foreign') return 'hold'
  return question.kind === 'gate' ? pressAtGate(key, question, user, terminal, style) : undefined
}

async function pressAtGate(
  key: string,
  gate: Gate,
  user: UserConfig,
  terminal: Terminal,
  style: Style,
): Promise<Answer | undefined> {
  switch (key) {
    case 'f':
      return chooseFiles(gate, terminal, style)
    case 'e':
      return editFiles(gate, user, terminal, style)
    case 'r':
      return 'again'
    case 'q':
      return 'hold'
    default:
      return undefined
  }
}

/** Where a letter answers alone, nothing can stand behind it on its line. */
async function askReason({ withdraw }: Answering, terminal: Terminal): Promise<string> {
  const typed = await terminal.ask('What is wrong with it? (Enter: say nothing)', { singleKey: false, withdraw })
  return (typed ?? '').trim()
}

/** All that stays is ticked; whatever was left out can be had again. */
async function chooseFiles({ changes, leftOut }: Gate, terminal: Terminal, style: Style): Promise<Answer | undefined> {
  const files = [...changes, ...leftOut].sort((a, b) => (a.path < b.path ? -1 : 1))
  const chosen = await choosePaths(files, new Set(changes.map(({ path }) => path)), stayWords, terminal, style)
  return chosen === undefined ? undefined : { choose: chosen }
}

const stayWords: ListWords = {
  prompt: 'Number of a file to toggle it, y to continue, n to go back, ? for help:',
  ticked: 'to keep',
  help: [
    ['2  4-6', 'toggle these files; unticked files are restored'],
    ['src/gen', 'toggle every file with this in its path; * for all'],
    ['y', 'continue: keep the ticked files, restore the others, run the commands and ask again'],
    ['n', 'change nothing, and return to the question'],
  ],
}

/** So many files are opened at once; of more the user picks. */
const mostOpen = 8

async function editFiles(
  { changes, root }: Gate,
  { editor: setting }: UserConfig,
  terminal: Terminal,
  style: Style,
): Promise<Answer | undefined> {
  const files = changes.filter(({ after }) => after !== null)
  const wanted =
    files.length > mostOpen
      ? await choosePaths(files, new Set(), openWords, terminal, style)
      : files.map(({ path }) => path)
  if (wanted === undefined) return undefined
  const open = files.filter(({ path }) => wanted.includes(path))
  if (open.length === 0) {
    showNotes(['There is no file to open.'], { terminal })
    return undefined
  }
  if (!(await mayOpenEditor(terminal, setting))) return undefined
  // Whole paths: a name that begins with `-` or `+` would be an option to many editors.
  const paths = open.map(({ target }) => join(root, target))
  const { end, editor } = await terminal.edit(paths, setting)
  if (end === 'edited') return 'edited'
  const how = 'Set `relay config --user editor …`, or edit the files elsewhere and press r.'
  showNotes([`The editor "${editor}" did not start. ${how}`], { terminal })
  return undefined
}

const openWords: ListWords = {
  prompt: 'Number of a file to toggle it, y to open them, n to go back, ? for help:',
  ticked: 'to open',
  help: [
    ['2  4-6', 'toggle these files'],
    ['src/gen', 'toggle every file with this in its path; * for all'],
    ['y', 'open the ticked files in your editor'],
    ['n', 'open none, and return to the question'],
  ],
}

/** More than this goes to the pager. */
const mostShown = 20

async function showReasoning(question: Of<'gate' | 'sensitive'>, terminal: Terminal, style: Style): Promise<void> {
  const reasons = reasonsOf(question)
  const all = describeReasons(reasons)
  // What the question has no room for.
  const doubts =
    firstReasons(reasons).at(-1) !== all.at(-1) ? [...all.flatMap(reason => indented(reason, style)), ''] : []
  const lines = [...doubts, ...reasoningLines(question.reasoning, style)]
  if (lines.length > mostShown) await terminal.page(lines.join('\n'))
  else for (const line of lines) terminal.err(line)
}

function reasonsOf(question: Of<'gate' | 'sensitive'>): readonly Reason[] {
  return question.kind === 'gate' ? question.reasons : question.flags.map(flag => ({ kind: 'flag', flag }))
}
