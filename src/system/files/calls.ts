/**
 * Calls of the system, and what their errors mean. An interrupted call is made again. Only two codes say that nothing
 * is there. What a file system does not know is told from what it refuses.
 */

import { fchmodSync, fsync, lstatSync, type Stats, unlinkSync } from 'node:fs'
import { RelayError } from '../../errors.ts'
import { systemClock } from '../clock.ts'
import { codeOf } from '../file-error.ts'

export async function again<T>(call: () => Promise<T>): Promise<T> {
  for (let left = 100; ; left--) {
    try {
      return await call()
    } catch (error) {
      if (left === 0 || !isInterrupted(error)) throw error
    }
  }
}

/** The same for a call that does not wait for a thread. */
export function atOnce<T>(call: () => T): T {
  for (let left = 100; ; left--) {
    try {
      return call()
    } catch (error) {
      if (left === 0 || !isInterrupted(error)) throw error
    }
  }
}

function isInterrupted(error: unknown): boolean {
  const code = codeOf(error)
  return code === 'EINTR' || code === 'EAGAIN'
}

/**
 * Windows does not move or remove a file that another program has open, unless that program allows it. A virus
 * scanner or an indexer lets go of it soon.
 */
export async function patiently<T>(work: () => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries++) {
    try {
      return await work()
    } catch (error) {
      if (tries === mostTries || !mayBeInUse(error)) throw error
    }
    await systemClock.sleep(tries * 5)
  }
}

/** The pauses grow with each try: two seconds in all. */
const mostTries = 28

function mayBeInUse(error: unknown): boolean {
  const code = codeOf(error instanceof RelayError ? error.cause : error)
  return process.platform === 'win32' && (code === 'EBUSY' || code === 'EPERM' || code === 'EACCES')
}

/** Does not follow links. */
export function look(path: string): Stats | null {
  // An error for each place where nothing is would take longer than all the looks.
  return nullWhenAbsent(() => atOnce(() => lstatSync(path, { throwIfNoEntry: false })) ?? null)
}

export function nullWhenAbsent<T>(work: () => T): T | null {
  try {
    return work()
  } catch (error) {
    if (isAbsent(error)) return null
    throw error
  }
}

/** Only these two codes mean that nothing is there. Any other error must never be taken for that. */
export function isAbsent(error: unknown): boolean {
  const code = codeOf(error)
  return code === 'ENOENT' || code === 'ENOTDIR'
}

/** Waits until the disk has the file; meanwhile other work goes on. */
export async function flush(file: number): Promise<void> {
  await again(() => new Promise<void>((resolve, reject) => fsync(file, error => (error ? reject(error) : resolve()))))
}

/** Sets the mode of a file of ours. Only a file system without modes refuses that. */
export function setMode(file: number, mode: number): void {
  try {
    atOnce(() => fchmodSync(file, mode))
  } catch (error) {
    if (!unsupported.has(codeOf(error))) throw error
  }
}

export function unlink(path: string): void {
  atOnce(() => unlinkSync(path))
}

/** The codes of file systems that do not know a call at all, or not for this file. */
export const unsupported = new Set(['EINVAL', 'ENOSYS', 'EPERM', 'ENOTSUP', 'EOPNOTSUPP'])
