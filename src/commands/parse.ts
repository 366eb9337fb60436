import { preview } from '../flows/look-ahead.ts'
import { understand } from '../flows/understand.ts'
import type { Project } from '../model/project.ts'
import type { Parsed, Patch, Response } from '../model/response.ts'
import type { System } from '../ports.ts'
import { findProjectFolder } from '../project/load-project.ts'
import { describeParsed } from '../report/answers/describe-parsed.ts'
import { overlapJson } from '../report/json/overlap-json.ts'
import { jsonText } from '../report/text/json-text.ts'
import { readSource } from '../source/read-source.ts'
import { type Look, lookIn } from './open/look.ts'
import { openProject } from './open/open-project.ts'
import { showNotes } from './talk/show-notes.ts'
import { outStyle } from './talk/style-of.ts'

interface ParseOptions {
  readonly json?: boolean
  readonly projectId?: string
}

/**
 * `relay parse`: what relay understands of a response, and what would come of it in the project; with `--project-id`, and
 * where no project is, its text alone tells. Exits with 0 whatever it is.
 */
export async function parse(system: System, from: string | undefined, options: ParseOptions): Promise<number> {
  const isAlone = options.projectId !== undefined || (await findProjectFolder(system)) === undefined
  const project = isAlone ? undefined : await openProject(system)
  const response = await readSource(from, system)
  const projectId = options.projectId ?? project?.config.projectId ?? ownId(response.text)
  await showResponse(response, projectId, project, options, system)
  return 0
}

/** The id that a response itself names; empty where it names none. */
function ownId(text: string): string {
  const parsed = understand(text, '')
  return parsed.kind === 'ignored' && parsed.why.kind === 'other-project' ? parsed.why.projectId : ''
}

/** Prints what is understood of one response, and with a project what would come of it there. Changes nothing. */
export async function showResponse(
  { text, source }: Response,
  projectId: string,
  project: Project | undefined,
  options: Pick<ParseOptions, 'json'>,
  system: System,
): Promise<void> {
  const { terminal, clock } = system
  const parsed = understand(text, projectId)
  const isHere = project !== undefined && parsed.kind === 'patch'
  const look = isHere ? await lookIn(project, system) : undefined
  const here = look && isHere ? await preview(parsed.patch, project, look.journal, system) : undefined
  if (options.json === true)
    terminal.out(jsonText({ ...asJson(parsed), here: here === undefined ? null : hereJson(here) }))
  else {
    const about = { now: clock.now(), projectId, source }
    if (look !== undefined && isHere) sayUnderWay(parsed.patch, look, system)
    for (const line of describeParsed(parsed, about, outStyle(terminal), here)) terminal.out(line)
  }
}

/** An answer whose question is open stands in the files already, so that nothing of it seems to be left to do. */
function sayUnderWay({ control }: Patch, { underWay }: Look, system: System): void {
  const entry = underWay.find(({ uuid, modelUuid }) => (modelUuid ?? uuid) === control.uuid)
  if (entry !== undefined) showNotes([`#${entry.number} has the same uuid and is not finished yet`], system)
}

/** One documented object, whatever the verdict. */
function asJson(parsed: Parsed) {
  switch (parsed.kind) {
    case 'patch': {
      const { control, operations, reasoning, flags } = parsed.patch
      const told = flags.map(({ linterFinds: _, ...flag }) => flag)
      return { verdict: 'patch', ...NOTHING, control, operations, reasoning, flags: told }
    }
    case 'refused': {
      const { control, reasoning, problems } = parsed
      return { verdict: 'refused', ...NOTHING, problems, control, reasoning }
    }
    case 'ignored': {
      const { why } = parsed
      const control = why.kind === 'other-project' ? { projectId: why.projectId, uuid: why.uuid } : null
      return { verdict: 'ignored', ...NOTHING, why: why.kind, control }
    }
  }
}

const NOTHING = { why: null, problems: [], control: null, operations: [], reasoning: [], flags: [] }

/** What would come of a patch in the project before anything is run or written. */
function hereJson(here: Awaited<ReturnType<typeof preview>>) {
  const nothing = { ends: here.kind, earlier: null, problems: [], overlaps: [], flags: [] }
  switch (here.kind) {
    case 'skipped':
      return { ...nothing, earlier: { number: here.number, state: here.state, since: here.at } }
    case 'refused':
      return { ...nothing, problems: here.problems }
    case 'overlap':
      return { ...nothing, overlaps: here.overlaps.map(overlapJson) }
    case 'unchanged':
      return nothing
    case 'ready': {
      const { earlier, plan } = here
      const turn = earlier && { number: earlier.number, state: earlier.outcome, since: earlier.at }
      return { ...nothing, ends: null, earlier: turn ?? null, flags: plan.flags }
    }
  }
}
