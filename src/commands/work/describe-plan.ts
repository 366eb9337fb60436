import { join } from 'node:path'
import { isName, nameFrom } from '../../agents/books/raf/names.ts'
import { workFolder } from '../../agents/work-note.ts'
import { RelayError } from '../../errors.ts'
import type { System } from '../../ports.ts'
import { mayOpenEditor } from '../talk/may-open-editor.ts'
import { showNotes } from '../talk/show-notes.ts'

/** What the user wants to have planned, and what is done with the draft once that is at home. */
export interface Description {
  readonly text: string
  /** Where it is kept until then; `undefined`: it came from stdin. */
  readonly draft: string | undefined
  forget(): Promise<void>
}

const template = `<!-- Write here what is to be planned, then save and close the editor.
     Comments like this one are left out; without a text nothing is planned. -->

`

/** Bytes: no agent takes more. */
const mostBytes = 1_000_000

/**
 * The description: all of stdin where something is piped, else what is written in the user's editor. That is a file in relay's
 * own folder, which stays until the plan is there: nobody writes the same twice.
 *
 * @param what the draft is for: one for a new plan, one for each project
 */
export async function describePlan(root: string, what: string, system: System): Promise<Description> {
  const { terminal } = system
  if (terminal.piped) {
    const bytes = await terminal.readStdin(mostBytes)
    if (bytes.length > mostBytes) throw new RelayError('usage', 'The description has more than 1 MB')
    return { text: mustSay(withoutComments(new TextDecoder().decode(bytes))), draft: undefined, forget: async () => {} }
  }
  if (!terminal.canAsk) throw nothingSaid('relay plan <name> -y < description.md')
  return inEditor(root, what, system)
}

async function inEditor(root: string, what: string, system: System): Promise<Description> {
  const { terminal, files } = system
  if (!(await mayOpenEditor(terminal))) throw nothingSaid(otherWays)
  const folder = await workFolder(root, `draft of ${what}`, system)
  const draft = join(folder, 'input.md')
  const begun = (await files.read(draft)) !== null
  if (!begun) await files.create(draft, new TextEncoder().encode(template), { mode: 0o600 })
  else showNotes(['this is the description of a plan that did not come about'], system)
  const { end, editor } = await terminal.edit([draft])
  if (end === 'absent') {
    throw new RelayError('environment', `The editor "${editor}" did not start`, {
      hint: otherWays,
    })
  }
  const written = await files.read(draft)
  const text = withoutComments(new TextDecoder().decode(written ?? new Uint8Array()))
  const forget = async () => {
    await files.remove(draft)
    await files.removeFolder(folder)
  }
  if (text === '') await forget()
  return { text: mustSay(text), draft, forget }
}

const otherWays = 'Set EDITOR, or give the description on stdin: relay plan <name> < description.md'

/** Only those that begin a line: elsewhere they are the user's own. */
export function withoutComments(text: string): string {
  return text.replaceAll(/^<!--[\s\S]*?-->[ \t]*\n?/gm, '').trim()
}

function mustSay(text: string): string {
  if (text.trim() === '') throw nothingSaid(undefined)
  return text
}

function nothingSaid(hint: string | undefined): RelayError {
  return new RelayError('failed', 'No project description provided. Aborting.', { hint })
}

/** The name of a new project: the one that is given, else one made of the description, which a person may change. */
export async function nameOfPlan(
  given: string | undefined,
  { text, takesFirst }: { readonly text: string; readonly takesFirst: boolean },
  { terminal }: Pick<System, 'terminal'>,
): Promise<string> {
  if (given !== undefined) return given
  const suggested = suggestedName(text)
  if (takesFirst || !terminal.canAsk) {
    if (suggested !== '') return suggested
    throw new RelayError('usage', 'No name can be made of the description', { hint: 'relay plan <name>' })
  }
  for (;;) {
    const typed = await terminal.ask(suggested === '' ? 'Name of the plan:' : `Name of the plan (${suggested}):`)
    if (typed === undefined) throw new RelayError('declined', 'The plan has no name', { hint: 'relay plan <name>' })
    const name = typed.trim() === '' ? suggested : nameFrom(typed)
    if (name !== '') return name
    terminal.err('  A name has letters, digits and hyphens.')
  }
}

/** Its first three words of more than two letters. */
export function suggestedName(text: string): string {
  const words = text.split(/[^\p{L}\p{N}]+/u).filter(word => word.length > 2)
  return nameFrom(words.slice(0, 3).join(' '))
}

export function mustBeName(name: string): void {
  if (isName(name)) return
  throw new RelayError('usage', `"${name}" cannot be the name of a plan`, {
    hint: 'It has letters, digits, - and _, begins with a letter or digit, and is at most 50 long.',
  })
}
