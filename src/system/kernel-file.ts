import { readFileSync, readlinkSync } from 'node:fs'
import type { RelayError } from '../errors.ts'
import { codeOf, fileError } from './file-error.ts'

/** What the kernel tells in a file of its own: it has that in memory, and nobody has to wait for it. */
export async function readKernel(path: string): Promise<string> {
  return readOrThrow(path, () => readFileSync(path, 'utf8'))
}

/** The fields of a process's `stat` behind the program's name: that stands in parentheses, and may itself hold some. */
export function statFields(stat: string): readonly string[] {
  return stat.slice(stat.lastIndexOf(')') + 2).split(' ')
}

/** Where a link of the kernel's points. */
export async function readKernelLink(path: string): Promise<string> {
  return readOrThrow(path, () => readlinkSync(path))
}

/** It is not there, or not for us: nothing is known. That it could not be read, for want of a handle, is no answer. */
export function isHidden(error: unknown): boolean {
  return ['ENOENT', 'ESRCH', 'EACCES', 'EPERM'].includes(codeOf((error as RelayError).cause))
}

function readOrThrow(path: string, look: () => string): string {
  try {
    return look()
  } catch (error) {
    throw fileError(error, 'read', path, process.cwd())
  }
}
