import { join } from 'node:path'
import { RelayError } from '../errors.ts'
import type { Entry } from '../model/entry.ts'
import type { Change } from '../model/plan.ts'
import { titleOfEntry } from '../model/title.ts'
import { changesOf } from '../plan/entry-changes.ts'
import type { System } from '../ports.ts'
import { fileJson } from '../report/json/file-json.ts'
import { showDeclined } from '../report/screens/show-declined.ts'
import { showEntry } from '../report/screens/show-entry.ts'
import { jsonText } from '../report/text/json-text.ts'
import { visible, visibleOutput } from '../report/text/visible.ts'
import { inFlight } from '../transact/disk/in-flight.ts'
import { readDeclined } from '../transact/journal/declined.ts'
import { findEntry } from '../transact/journal/find-entry.ts'
import { wasKept } from '../transact/journal/history-line.ts'
import { readOutline } from '../transact/journal/read-applied.ts'
import { findOutputs, readPrinted } from '../transact/run/command-output.ts'
import { type ChosenEntry, chosenEntry } from './open/chosen-entry.ts'
import { type Look, look } from './open/look.ts'
import { lookAtPlace, type Since, sinceOf } from './open/since.ts'
import { printPatch } from './talk/print-patch.ts'
import { outStyle } from './talk/style-of.ts'

interface ShowOptions {
  readonly patch?: boolean
  readonly output?: boolean
  readonly reasoning?: boolean
  readonly json?: boolean
}

/** `relay show`: all that is known about one transaction that was kept, or an answer that was not. */
export async function show(system: System, word: string | undefined, options: ShowOptions): Promise<number> {
  const { terminal } = system
  const part = onlyOne(options)
  const looked = await look(system)
  const declined = part === undefined && word !== undefined ? await declinedLines(word, looked, system) : undefined
  if (declined !== undefined) {
    for (const line of declined) terminal.out(line)
    return 0
  }
  const chosen = await chosenEntry(word, looked)
  if (part === 'patch') printPatch(changesOf(chosen.entry), terminal)
  else if (part === 'reasoning') await printReasoning(chosen, looked, system)
  else if (part === 'output') await printOutput(chosen, looked, system)
  else if (part === 'json') terminal.out(jsonText(await asJson(chosen, looked)))
  else for (const line of await screen(chosen, looked, system)) terminal.out(line)
  return 0
}

/** Of an answer that was not kept, what is still known; `undefined` for one that was, or that is not stored any more. */
async function declinedLines(
  word: string,
  { journal, layout }: Look,
  { terminal, clock }: System,
): Promise<readonly string[] | undefined> {
  const turn = findEntry(word, journal)
  // What was kept since is shown as that.
  const isKept = wasKept(turn) || (await journal.lookUp(turn.uuid))?.outcome === 'committed'
  const found = isKept ? undefined : await readDeclined(turn.number, layout)
  if (found === undefined) return undefined
  const { number, outcome, at } = turn
  const { uuid, response, attempt } = found
  const shown = { number, outcome, at, uuid, source: response.source, text: response.text, attempt }
  return showDeclined(shown, outStyle(terminal), clock.now())
}

function onlyOne(options: ShowOptions): string | undefined {
  const given = Object.entries(options).flatMap(([name, value]) => (value === true ? [name] : []))
  if (given.length > 1) throw new RelayError('usage', `--${given[0]} and --${given[1]} do not go together`)
  return given[0]
}

async function printReasoning({ entry }: ChosenEntry, looked: Look, { terminal }: System): Promise<void> {
  const { number, source, undoes, reasoning } = entry
  if (undoes !== undefined) {
    const first = await firstOf(entry, looked)
    const of =
      first === undefined ? 'a change that is no longer stored' : `#${first}: \`relay show ${first} --reasoning\``
    terminal.err(`#${number} is ${source === 'undo' ? 'an' : 'a'} ${source} of ${of}`)
  } else if (reasoning.length === 0) terminal.err(`The answer of #${number} had no text beside its files.`)
  else terminal.out(visible(reasoning.join('\n\n')))
}

/** The number of the transaction that an undo or redo is about, however many of them lie between. */
async function firstOf({ number, undoes }: Entry, look: Look): Promise<number | undefined> {
  if (undoes === undefined) return number
  const earlier = await readOutline(undoes.uuid, look.layout)
  // Entries that came with a cloned project may name each other in a ring.
  return earlier === undefined || earlier.number >= number ? undefined : firstOf(earlier, look)
}

async function printOutput({ entry, turn }: ChosenEntry, { layout }: Look, { terminal }: System): Promise<void> {
  const outputs = await findOutputs(turn.uuid, layout)
  if (outputs.length === 0) terminal.err(`No command printed anything for #${entry.number}.`)
  for (const output of outputs) {
    if (outputs.length > 1) terminal.out(`== ${output.step} ==`)
    terminal.out(visibleOutput(await readPrinted(output, turn.uuid, layout)))
  }
}

async function screen(chosen: ChosenEntry, looked: Look, system: System): Promise<readonly string[]> {
  const { entry, turn } = chosen
  return showEntry(
    {
      entry,
      title: titleOfEntry(entry),
      state: stateWords(chosen),
      at: turn.at,
      files: await filesOf(chosen, looked),
      outputs: await findOutputs(turn.uuid, looked.layout),
    },
    outStyle(system.terminal),
    system.clock.now(),
  )
}

interface ShownFile {
  readonly change: Change
  readonly since: Since
}

/** What it changed, and what became of that. */
function filesOf({ entry }: ChosenEntry, { layout }: Look): Promise<readonly ShownFile[]> {
  return inFlight(changesOf(entry), async change => {
    return { change, since: sinceOf(change, await lookAtPlace(join(layout.root, change.target), layout.files)) }
  })
}

function stateWords({ entry, turn }: ChosenEntry): string {
  if (turn.undoneBy !== undefined) return `undone by #${turn.undoneBy}`
  return entry.outcome?.by === 'user' ? 'kept' : 'kept auto'
}

async function asJson(chosen: ChosenEntry, looked: Look) {
  const { entry, turn } = chosen
  const files = await filesOf(chosen, looked)
  return {
    number: entry.number,
    uuid: entry.uuid,
    modelUuid: entry.modelUuid ?? null,
    projectId: entry.projectId,
    createdAt: entry.createdAt,
    at: turn.at,
    outcome: turn.outcome,
    undoneBy: turn.undoneBy ?? null,
    source: entry.source,
    undoes: entry.undoes ?? null,
    commit: entry.commit ?? null,
    title: titleOfEntry(entry),
    promptSummary: entry.promptSummary ?? null,
    gitCommitMsg: entry.gitCommitMsg ?? null,
    changeSummary: entry.changeSummary,
    reasoning: entry.reasoning,
    flags: entry.flags,
    by: entry.outcome?.by ?? null,
    checks: entry.checks ?? null,
    files: files.map(({ change, since }) => ({ ...fileJson(change), since: since.kind })),
    outputs: await findOutputs(turn.uuid, looked.layout),
  }
}
