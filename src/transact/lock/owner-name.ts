import { join } from 'node:path'
import type { Files, ProcessMark } from '../../ports.ts'

/**
 * The name of a file that says "this process is at it": process, start time and whereabouts tell whether it still
 * lives, and `unique` makes the name one that is never used again, so that anyone may remove a dead owner's.
 */
export function ownerName({ pid, startedAt, machine, boot, space }: ProcessMark, unique: string): string {
  return [String(pid), startedAt, machine, boot, space, unique].map(escapeDots).join('.')
}

export interface OwnerFile {
  readonly path: string
  readonly mark: ProcessMark
}

/** Also those of dead owners. */
export async function ownerFiles(folder: string, files: Pick<Files, 'list'>): Promise<readonly OwnerFile[]> {
  return ((await files.list(folder)) ?? []).flatMap(name => {
    const mark = readOwnerName(name)
    return mark === undefined ? [] : [{ path: join(folder, name), mark }]
  })
}

function readOwnerName(name: string): ProcessMark | undefined {
  try {
    const parts = name.split('.').map(decodeURIComponent)
    const [pid = '', startedAt = '', machine = '', boot = '', space = ''] = parts
    // The name must mean nothing to a shell: people are told to remove such a file.
    return parts.length === 6 && /^\d+\.[\w%.-]+$/.test(name)
      ? { pid: Number(pid), startedAt, machine, boot, space }
      : undefined
  } catch {
    return undefined
  }
}

function escapeDots(text: string): string {
  return encodeURIComponent(text).replaceAll('.', '%2E')
}
