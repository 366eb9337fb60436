import { join } from 'node:path'
import { isName, nameFrom } from '../../agents/raf/names.ts'
import { workFolder } from '../../agents/work/work-note.ts'
import { RelayError } from '../../errors.ts'
import type { Project } from '../../model/project.ts'
import type { System } from '../../ports.ts'
import { mayOpenEditor } from '../talk/may-open-editor.ts'
import { showNotes } from '../talk/show-notes.ts'

/** The user's description of a plan, with its draft. */
export interface Description {
  readonly text: string
  /** The draft's file, kept until the plan is made; `undefined` where the description came from stdin. */
  readonly draft: string | undefined
  forget(): Promise<void>
}

const template = `<!-- Write here what is to be planned, then save and close the editor.
     Comments like this one are left out; without a text nothing is planned. -->

`

/** In bytes; no agent takes more. */
const mostBytes = 1_000_000

/**
 * Reads the description: from stdin where it is piped, else from the user's editor. The editor opens a file in relay's own
 * folder, which stays until the plan is made, so that the user never has to write the same twice.
 *
 * @param what the draft's purpose: a new plan, or the folder of a project that gets more tasks
 */
export async function describePlan(project: Project, what: string, system: System): Promise<Description> {
  const { terminal } = system
  if (terminal.piped) {
    const bytes = await terminal.readStdin(mostBytes)
    if (bytes.length > mostBytes) throw new RelayError('usage', 'The description has more than 1 MB')
    return { text: mustSay(withoutComments(new TextDecoder().decode(bytes))), draft: undefined, forget: async () => {} }
  }
  if (!terminal.canAsk) throw nothingSaid('relay plan <name> -y < description.md')
  return inEditor(project, what, system)
}

async function inEditor({ root, config }: Project, what: string, system: System): Promise<Description> {
  const { terminal, files } = system
  const setting = config.user.editor
  if (!(await mayOpenEditor(terminal, setting))) throw nothingSaid(otherWays)
  const folder = await workFolder(root, `draft of ${what}`, system)
  const draft = join(folder, 'input.md')
  const begun = (await files.read(draft)) !== null
  if (!begun) await files.create(draft, new TextEncoder().encode(template), { mode: 0o600 })
  else showNotes(['this is the description of a plan that did not come about'], system)
  const { end, editor } = await terminal.edit([draft], setting)
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

const otherWays =
  'Set `relay config --user editor …`, or give the description on stdin: relay plan <name> < description.md'

/** Removes comments at the beginning of a line. Others are the user's own. */
export function withoutComments(text: string): string {
  return text.replaceAll(/^<!--[\s\S]*?-->[ \t]*\n?/gm, '').trim()
}

function mustSay(text: string): string {
  if (text.trim() === '') throw nothingSaid(undefined)
  return text
}

function nothingSaid(hint: string | undefined): RelayError {
  return new RelayError('usage', 'No project description provided. Aborting.', { hint })
}

/** The name of a new project: the given one, else one made from the description, which the user may change. */
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

/** Makes a name from the first three words with more than two letters. */
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
