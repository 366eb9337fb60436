import type { Change, FileState, PathState } from '../../src/model/plan.ts'
import type { Project } from '../../src/model/project.ts'
import { createStyle } from '../../src/report/text/style.ts'
import { fakeConfig } from '../support/fake-project.ts'

/** The three looks that every screen must hold in. */
export const plain = createStyle({ colour: false, unicode: true, columns: 80 })
export const ascii = createStyle({ colour: false, unicode: false, columns: 80 })
export const coloured = createStyle({ colour: true, unicode: true, columns: 80 })
export const narrow = createStyle({ colour: false, unicode: true, columns: 40 })

export function screen(lines: readonly string[]): string {
  return `\n${lines.join('\n')}\n`
}

export function file(content: string | Uint8Array, mode = 0o644): FileState {
  return { kind: 'file', bytes: typeof content === 'string' ? new TextEncoder().encode(content) : content, mode }
}

export function numbered(from: number, to: number, word = 'line'): string {
  let text = ''
  for (let n = from; n <= to; n++) text += `${word} ${n}\n`
  return text
}

/** A change with the effect that its two sides have. */
export function change(
  path: string,
  before: PathState | string,
  after: FileState | string | null,
  target = path,
): Change {
  const old = typeof before === 'string' ? file(before) : before
  const now = typeof after === 'string' ? file(after) : after
  const effect = now === null ? (old === null ? 'none' : 'delete') : old === null ? 'create' : 'modify'
  return { op: now === null ? 'delete' : 'write', path, target, before: old, after: now, effect }
}

/** The local time of the mock-ups, whatever the time zone. */
export function at(hour: number, minute: number, second = 0, day = 20): Date {
  return new Date(2026, 10, day, hour, minute, second)
}

export function projectWith(config: Partial<Project['config']>): Project {
  const mine = { projectId: 'my-app', linter: 'npx tsc --noEmit' }
  return { root: '/home/ann/code/my-app', config: fakeConfig({ ...mine, ...config }) }
}
