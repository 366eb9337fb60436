import { join } from 'node:path'
import { isId } from '../../ground/words.ts'
import type { Files } from '../../ports.ts'

/** Where everything stands in a project's `.relaycode/`; nothing else lives there. */
export interface Layout {
  readonly root: string
  /** What reaches all of it, as durable as the project wants that. */
  readonly files: Files
  readonly folder: string
  readonly locks: string
  /** Who watches the clipboard for the project. */
  readonly watchers: string
  /** Who waits for an answer of the user's. */
  readonly askers: string
  readonly rescues: string
  readonly outputs: string
  /** Which versions of the files a model was given. */
  readonly seen: string
  readonly history: string
  /** What takes the place of a whole file, until it does; a recovery removes it. */
  readonly spare: string
  /** Its time says up to when every transaction has ended. */
  readonly allEnded: string
  readonly lastDeclined: string
  /** Which text on the clipboard the user wanted nothing of when it was offered. */
  readonly declinedOffer: string
  readonly lastCheck: string
  pending(uuid: string): string
  applied(uuid: string): string
  stage(uuid: string): string
  rescue(uuid: string): string
  /** What an applied transaction's commands printed. */
  output(uuid: string): string
}

/** The places below a project's root, which is absolute; looks at nothing. */
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
    declinedOffer: join(folder, 'declined-offer'),
    lastCheck: join(folder, 'last-check.json'),
    pending: uuid => join(folder, `${uuid}.pending.yml`),
    applied: uuid => join(folder, `${uuid}.yml`),
    stage: uuid => join(folder, `${uuid}.stage`),
    rescue: uuid => join(folder, 'rescue', uuid),
    output: uuid => join(folder, 'output', uuid),
  }
}

/** A uuid that a model could give, and whose entry would take another file's name. */
export function isReserved(uuid: string): boolean {
  return uuid.toLowerCase() === RESERVED
}

const RESERVED = 'last-declined'

/** What a name in `.relaycode/` says: there is an entry of this uuid, or a stage. */
export interface StateName {
  readonly kind: 'pending' | 'applied' | 'stage'
  readonly uuid: string
}

/** All entries and stages, by the endings of their names alone. */
export async function stateNames({ folder, files }: Layout): Promise<readonly StateName[]> {
  return ((await files.list(folder)) ?? []).flatMap(name => readName(name) ?? [])
}

function readName(name: string): StateName | undefined {
  const [, uuid, ending] = /^([^.]+)(\.pending\.yml|\.yml|\.stage)$/.exec(name) ?? []
  if (!isId(uuid) || isReserved(uuid)) return undefined
  return { uuid, kind: ending === '.pending.yml' ? 'pending' : ending === '.yml' ? 'applied' : 'stage' }
}
