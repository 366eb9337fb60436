import { Buffer } from 'node:buffer'
import { readFileSync, statSync } from 'node:fs'
import { hostname } from 'node:os'
import { join } from 'node:path'
import type { DisplayAddress } from './display-address.ts'

/** Proves to a server that we may come in. */
export interface Credential {
  readonly name: string
  readonly data: Buffer
}

/** Servers also let in each program of the same user without a credential. */
const noCredential: Credential = { name: '', data: Buffer.alloc(0) }

const cookieName = 'MIT-MAGIC-COOKIE-1'

/** The credentials to try at a display: the likeliest first, and none at all last. */
export function credentialsFor(address: DisplayAddress, env: NodeJS.ProcessEnv): readonly Credential[] {
  const path = env['XAUTHORITY'] || (env['HOME'] ? join(env['HOME'], '.Xauthority') : undefined)
  const file = path === undefined ? undefined : readAuthority(path)
  const cookies = file === undefined ? [] : cookiesFor(address, hostname(), file)
  return [...cookies.map(data => ({ name: cookieName, data })), noCredential]
}

/** What can be read of the file. Only a regular file is sure to end. */
function readAuthority(path: string): Buffer | undefined {
  try {
    return statSync(path).isFile() ? readFileSync(path) : undefined
  } catch {
    return undefined
  }
}

/** The family of an entry's address: a machine's name, or any. */
const [local, wild] = [256, 65535]

/** Which entries are likely meant for a display of this machine, and which for one elsewhere; the likeliest first. */
const orders = {
  here: ['this machine', 'any', 'a machine', 'an address'],
  elsewhere: ['an address', 'this machine', 'any', 'a machine'],
} as const

/** The cookies in an authority file that may be meant for this display. It never sees those of other displays. */
export function cookiesFor(address: DisplayAddress, machine: string, file: Buffer): readonly Buffer[] {
  const order = orders[address.host === undefined ? 'here' : 'elsewhere']
  const meant = entriesOf(file).filter(({ name, number }) => {
    return name === cookieName && (number === '' || number === address.number)
  })
  const ranked = order.flatMap(whose => meant.filter(entry => whoseIs(entry, machine) === whose))
  return [...new Map(ranked.map(({ data }) => [data.toString('hex'), data])).values()].slice(0, 4)
}

function whoseIs({ family, address }: AuthorityEntry, machine: string): (typeof orders)['here'][number] {
  if (family === wild) return 'any'
  if (family !== local) return 'an address'
  return address.toString() === machine ? 'this machine' : 'a machine'
}

interface AuthorityEntry {
  readonly family: number
  readonly address: Buffer
  readonly number: string
  readonly name: string
  readonly data: Buffer
}

/** The entries up to the first that is not whole. */
function entriesOf(file: Buffer): AuthorityEntry[] {
  const entries: AuthorityEntry[] = []
  let at = 0
  const field = () => {
    const end = at + 2 + file.readUInt16BE(at)
    if (end > file.length) throw new RangeError('cut off')
    const bytes = file.subarray(at + 2, end)
    at = end
    return bytes
  }
  try {
    while (at < file.length) {
      const family = file.readUInt16BE(at)
      at += 2
      const [address, number, name, data] = [field(), field(), field(), field()]
      entries.push({ family, address, number: number.toString(), name: name.toString(), data })
    }
  } catch {
    // The file ends in the middle of an entry.
  }
  return entries
}
