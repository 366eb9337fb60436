import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { it, type TestAPI } from 'vitest'
import { tally } from '../support/tally.ts'

/** Whether this machine lets us mount: root, and a kernel that has not taken that away. */
const canMount = process.platform === 'linux' && process.getuid?.() === 0 && tryToMount()

/** `it` where mounting is possible; elsewhere the test is left out, and that is said. */
export function whereMounting(kind: string): TestAPI | TestAPI['skip'] {
  if (!canMount) tally({ kind, why: 'mounting needs root on Linux, and a kernel that allows it' })
  return it.runIf(canMount)
}

function tryToMount(): boolean {
  const folder = mkdtempSync(join(tmpdir(), 'relay-mount-'))
  try {
    run('mount', '-t', 'tmpfs', '-o', 'size=64k', 'none', folder)
    run('umount', folder)
    return true
  } catch {
    return false
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** Does some work in a small file system of its own. */
export async function withMount(kind: 'tmpfs' | 'ext4', work: (folder: string) => Promise<void>): Promise<void> {
  const base = mkdtempSync(join(tmpdir(), 'relay-mount-'))
  const folder = join(base, 'here')
  mkdirSync(folder)
  try {
    if (kind === 'tmpfs') run('mount', '-t', 'tmpfs', '-o', 'size=2m', 'none', folder)
    else {
      const image = join(base, 'image')
      makeImage(image, 4)
      run('mount', '-o', 'loop', image, folder)
    }
    await work(folder)
  } finally {
    try {
      run('umount', folder)
    } finally {
      rmSync(base, { recursive: true, force: true })
    }
  }
}

/** An ext4 image of some MB without room that only root may use. */
export function makeImage(path: string, megabytes: number): void {
  writeFileSync(path, '')
  truncateSync(path, megabytes * 1024 * 1024)
  run('mkfs.ext4', '-q', '-m', '0', path)
}

export function run(program: string, ...args: readonly string[]): string {
  return execFileSync(program, args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] })
}
