import { join } from 'node:path'
import { isId } from '../../ground/words.ts'
import type { Files } from '../../ports.ts'

/** Where everything stands in a project's `.relaycode/`; nothing else lives there. */
export interface Layout {
  readonly root: string
  /** Access to all of it, as durable as the project wants. */
  readonly files: Files
  readonly folder: string
  readonly locks: string
  /** The marks of processes that watch the clipboard for the project. */
  readonly watchers: string
  /** The marks of processes that wait for the user's answer. */
  readonly askers: string
  readonly rescues: string
  readonly outputs: string
  /** The versions of files that a model was given. */
  readonly seen: string
  readonly history: string
  /** The next version of a file, until it replaces that file; a recovery removes it. */
  readonly spare: string
  /** All transactions that began before this file's time have ended. */
  readonly allEnded: string
  readonly lastDeclined: string
  /** The newest answers that were not kept. */
  readonly declined: string
  /** The text on the clipboard that the user declined when relay offered it. */
  readonly declinedOffer: string
  /** Which other projects were named today, because an answer for them was copied. */
  readonly named: string
  readonly lastCheck: string
  pending(uuid: string): string
  applied(uuid: string): string
  stage(uuid: string): string
  rescue(uuid: string): string
  /** The output of an applied transaction's commands. */
  output(uuid: string): string
}

/** The root is absolute. Reads nothing from the disk. */
export function layoutOf(root: string, files: Files): Layout {
  const folder = join(root, '.relaycode')
  return {
    root,
    files,
    folder,
    locks: join(folder, 'lock'),
    watchers: join(folder, 'watch'),
    askers: join(folder, 'ask'),
    rescues: join(folder, 'rescue'),
    outputs: join(folder, 'output'),
    seen: join(folder, 'seen'),
    history: join(folder, 'history.jsonl'),
    spare: join(folder, 'history.jsonl.tmp'),
    allEnded: join(folder, 'all-ended'),
    lastDeclined: join(folder, `${RESERVED}.yml`),
    declined: join(folder, 'declined'),
    declinedOffer: join(folder, 'declined-offer'),
    named: join(folder, 'named'),
    // An older relay kept several checks in it.
    lastCheck: join(folder, 'last-checks.json'),
    pending: uuid => join(folder, `${uuid}.pending.yml`),
    applied: uuid => join(folder, `${uuid}.yml`),
    stage: uuid => join(folder, `${uuid}.stage`),
    rescue: uuid => join(folder, 'rescue', uuid),
    output: uuid => join(folder, 'output', uuid),
  }
}

/** A model could invent this uuid, and its entry would have the name of another file. */
export function isReserved(uuid: string): boolean {
  return uuid.toLowerCase() === RESERVED
}

const RESERVED = 'last-declined'

export interface StateName {
  readonly kind: 'pending' | 'applied' | 'stage'
  readonly uuid: string
}

/** All entries and stages, judged by their names alone. */
export async function stateNames({ folder, files }: Layout): Promise<readonly StateName[]> {
  return ((await files.list(folder)) ?? []).flatMap(name => readName(name) ?? [])
}

function readName(name: string): StateName | undefined {
  const [, uuid, ending] = /^([^.]+)(\.pending\.yml|\.yml|\.stage)$/.exec(name) ?? []
  if (!isId(uuid) || isReserved(uuid)) return undefined
  return { uuid, kind: ending === '.pending.yml' ? 'pending' : ending === '.yml' ? 'applied' : 'stage' }
}
