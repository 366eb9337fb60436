import { readFileSync, readlinkSync } from 'node:fs'
import type { RelayError } from '../errors.ts'
import { codeOf, fileError } from './file-error.ts'

/** Reads one of the kernel's own files. The kernel has it in memory, so nobody has to wait. */
export async function readKernel(path: string): Promise<string> {
  return readOrThrow(path, () => readFileSync(path, 'utf8'))
}

/**
 * The fields behind the program's name in a process's `stat`. The name stands in parentheses, and may itself hold
 * some.
 */
export function statFields(stat: string): readonly string[] {
  return stat.slice(stat.lastIndexOf(')') + 2).split(' ')
}

export async function readKernelLink(path: string): Promise<string> {
  return readOrThrow(path, () => readlinkSync(path))
}

/** The file is not there, or not for us: nothing is known. A failed read for want of a handle is no answer. */
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
