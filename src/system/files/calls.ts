/**
 * Calls of the system, with what their errors mean: one that was only interrupted is made again, only two codes say that
 * nothing is there, and what a file system does not know is told from what it refuses.
 */
import { fchmodSync, fsync, lstatSync, type Stats, unlinkSync } from 'node:fs'
import { codeOf } from '../file-error.ts'

/** Repeats a call that was only interrupted. */
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

/** What is at a path, links not followed. */
export function look(path: string): Stats | null {
  // An error for each place where nothing is would take longer than all the looks.
  return nullWhenAbsent(() => atOnce(() => lstatSync(path, { throwIfNoEntry: false })) ?? null)
}

/** `null` where nothing is there. */
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

/** Waits until the disk has it; meanwhile other work goes on. */
export async function flush(file: number): Promise<void> {
  await again(() => new Promise<void>((resolve, reject) => fsync(file, error => (error ? reject(error) : resolve()))))
}

/** Sets the mode of a file of our own: only a file system that knows no modes refuses that. */
export function setMode(file: number, mode: number): void {
  try {
    atOnce(() => fchmodSync(file, mode))
  } catch (error) {
    if (!unsupported.has(codeOf(error))) throw error
  }
}

/** Takes away a name of a file. */
export function unlink(path: string): void {
  atOnce(() => unlinkSync(path))
}

/** What file systems answer that do not know a call at all, or not for this file. */
export const unsupported = new Set(['EINVAL', 'ENOSYS', 'EPERM', 'ENOTSUP', 'EOPNOTSUPP'])
