import { hostname } from 'node:os'
import { digest } from '../ground/bytes.ts'
import { isHidden, readKernel, readKernelLink } from './kernel-file.ts'
import { outputOf } from './output-of.ts'

/** Identifies this boot of the machine. */
export const bootMark = once(async () => {
  if (process.platform === 'linux') {
    return (await readKernel('/proc/sys/kernel/random/boot_id').catch(emptyWhenHidden)).trim()
  }
  if (process.platform === 'darwin') return (await outputOf('sysctl', ['-n', 'kern.bootsessionuuid'])).trim()
  return ''
})

/**
 * Identifies this machine, or the container that passes for one: its name, and a hash of the name and the system's
 * own id.
 */
export const machineMark = once(async () => {
  const name = hostname()
  const id = process.platform === 'linux' ? await readKernel('/etc/machine-id').catch(emptyWhenHidden) : ''
  const hash = digest('sha256', `${id.trim()}\n${name}`)
  return `${name.replaceAll(/[^A-Za-z0-9-]/g, '-').slice(0, 24)}-${hash.slice(0, 8)}`
})

/** Identifies the set of process numbers; empty where a machine has only one. */
export const spaceMark = once(async () => {
  if (process.platform !== 'linux') return ''
  const link = await readKernelLink('/proc/self/ns/pid').catch(emptyWhenHidden)
  return link.replaceAll(/\D/g, '')
})

/** Looks once and remembers. A look that failed is not remembered. */
function once(look: () => Promise<string>): () => Promise<string> {
  let found: Promise<string> | undefined
  return () => {
    found ??= look().catch(error => {
      found = undefined
      throw error
    })
    return found
  }
}

function emptyWhenHidden(error: unknown): string {
  if (isHidden(error)) return ''
  throw error
}
