import { deflateSync } from 'node:zlib'

/** Git's own form of a change of bytes: both contents whole, packed, as letters. The second one is for the reverse. */
export function binaryPatch(before: Uint8Array, after: Uint8Array): string {
  return `GIT binary patch\n${literal(after)}\n${literal(before)}\n`
}

function literal(bytes: Uint8Array): string {
  const packed = deflateSync(bytes)
  const lines = [`literal ${bytes.length}\n`]
  for (let at = 0; at < packed.length; at += LINE) lines.push(`${line(packed.subarray(at, at + LINE))}\n`)
  return lines.join('')
}

/** In bytes. The first letter of a line gives their number. */
const LINE = 52
const LENGTHS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
const DIGITS = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz!#$%&()*+-;<=>?@^_`{|}~'

function line(bytes: Uint8Array): string {
  let text = LENGTHS.charAt(bytes.length - 1)
  for (let at = 0; at < bytes.length; at += 4) {
    let word = 0
    for (let n = 0; n < 4; n++) word = word * 256 + (bytes[at + n] ?? 0)
    let digits = ''
    for (let n = 0; n < 5; n++) {
      digits = DIGITS.charAt(word % 85) + digits
      word = Math.floor(word / 85)
    }
    text += digits
  }
  return text
}
