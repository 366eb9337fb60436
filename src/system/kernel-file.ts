import { promises as fs } from 'node:fs'
import type { RelayError } from '../errors.ts'
import { fileError } from './file-error.ts'

/** What the kernel tells in a file of its own. */
export async function readKernel(path: string): Promise<string> {
  return told(path, fs.readFile(path, 'utf8'))
}

/** Where a link of the kernel's points. */
export async function readKernelLink(path: string): Promise<string> {
  return told(path, fs.readlink(path))
}

/** It is not there, or not for us: nothing is known. That it could not be read, for want of a handle, is no answer. */
export function isHidden(error: unknown): boolean {
  const { code = '' } = (error as RelayError).cause as NodeJS.ErrnoException
  return ['ENOENT', 'ESRCH', 'EACCES', 'EPERM'].includes(code)
}

async function told(path: string, look: Promise<string>): Promise<string> {
  try {
    return await look
  } catch (error) {
    throw fileError(error, 'read', path, process.cwd())
  }
}
