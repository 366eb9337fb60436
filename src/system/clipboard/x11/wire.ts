import { Buffer } from 'node:buffer'

/**
 * The part of the X11 protocol that a clipboard needs: requests as bytes, replies and events as values. Numbers are
 * little-endian, as the set-up asks for.
 */

/** Every server knows these atoms by these numbers. */
export const atomOf = { atom: 4, integer: 19, string: 31 } as const

export const currentTime = 0

// ── Set-up ─────────────────────────────────────────────────────────────────────────────────────

/** The first message: the byte order, and our credential (`MIT-MAGIC-COOKIE-1` and its bytes, or nothing). */
export function setup(name: string, data: Buffer): Buffer {
  const head = Buffer.alloc(12)
  head.write('l', 0)
  head.writeUInt16LE(11, 2)
  head.writeUInt16LE(Buffer.byteLength(name), 6)
  head.writeUInt16LE(data.length, 8)
  return Buffer.concat([head, padded(Buffer.from(name)), padded(data)])
}

/** The length of the answer to the set-up, read from its first eight bytes. */
export function setupLength(head: Buffer): number {
  return 8 + head.readUInt16LE(6) * 4
}

/** How much of the server's reason is shown in one message of ours. */
const longestReason = 200

export type SetupAnswer =
  | { readonly kind: 'refused'; readonly reason: string }
  | {
      readonly kind: 'accepted'
      readonly idBase: number
      readonly idMask: number
      /** In bytes. */
      readonly longestRequest: number
      readonly root: number
    }

/** The server's answer to the set-up: the range of our identifiers and the limits, or why it lets nobody in. */
export function readSetup(answer: Buffer): SetupAnswer {
  if (answer[0] !== 1) {
    const length = answer[0] === 0 ? answer.readUInt8(1) : answer.length - 8
    const reason = answer
      .toString('latin1', 8, 8 + length)
      .replaceAll(/[\0\s]+/g, ' ')
      .trim()
    return { kind: 'refused', reason: reason.length > longestReason ? `${reason.slice(0, longestReason)}…` : reason }
  }
  const screens = answer.length < 40 ? 40 : 40 + align(answer.readUInt16LE(24)) + answer.readUInt8(29) * 8
  if (answer.length < screens + 4) return { kind: 'refused', reason: 'its answer is none of an X server' }
  return {
    kind: 'accepted',
    idBase: answer.readUInt32LE(12),
    idMask: answer.readUInt32LE(16),
    longestRequest: answer.readUInt16LE(26) * 4,
    root: answer.readUInt32LE(screens),
  }
}

// ── Requests ───────────────────────────────────────────────────────────────────────────────────

const anyType = 0
const eventMask = 1 << 11
const structureChanges = 1 << 17
const propertyChanges = 1 << 22

/** A window that nobody sees. It receives the changes to its properties, and its end. */
export function createWindow(id: number, root: number): Buffer {
  const [place, size, inputOnly, visual] = [0, 1 | (1 << 16), 2 << 16, 0]
  return request(1, 0, [id, root, place, size, inputOnly, visual, eventMask, structureChanges | propertyChanges])
}

export function destroyWindow(id: number): Buffer {
  return request(4, 0, [id])
}

export function hearPropertyChanges(window: number, wanted: boolean): Buffer {
  return request(2, 0, [window, eventMask, wanted ? propertyChanges : 0])
}

export function internAtom(name: string): Buffer {
  const bytes = Buffer.from(name)
  return request(16, 0, [bytes.length], bytes)
}

/** @param format how many bits one item has */
export function changeProperty(window: number, property: number, type: number, format: 8 | 32, data: Buffer): Buffer {
  return request(18, 0, [window, property, type, format, data.length / (format / 8)], data)
}

export function getProperty(window: number, property: number, most: number): Buffer {
  return request(20, 0, [window, property, anyType, 0, Math.ceil(most / 4)])
}

/** Reads a property and deletes it, when it is no longer than `most` bytes. */
export function takeProperty(window: number, property: number, most: number): Buffer {
  return request(20, 1, [window, property, anyType, 0, Math.ceil(most / 4)])
}

export function setSelectionOwner(window: number, selection: number): Buffer {
  return request(22, 0, [window, selection, currentTime])
}

export function getSelectionOwner(selection: number): Buffer {
  return request(23, 0, [selection])
}

export function convertSelection(window: number, selection: number, target: number, property: number): Buffer {
  return request(24, 0, [window, selection, target, property, currentTime])
}

/** Tells the program that asked for a selection that it is there. The property 0 says that there is none. */
export function notifySelection(asked: SelectionRequest, property: number): Buffer {
  const words = [31, asked.time, asked.requestor, asked.selection, asked.target, property, 0, 0]
  return request(25, 0, [asked.requestor, 0, ...words])
}

export function queryExtension(name: string): Buffer {
  const bytes = Buffer.from(name)
  return request(98, 0, [bytes.length], bytes)
}

/** It must come before any other request of XFixes. */
export function xfixesQueryVersion(opcode: number): Buffer {
  return request(opcode, 0, [5, 0])
}

/** Has the server tell `window` about each new owner of a selection, and about the end of one. */
export function hearSelection(opcode: number, window: number, selection: number): Buffer {
  return request(opcode, 2, [window, selection, 0b111])
}

// ── Replies ────────────────────────────────────────────────────────────────────────────────────

/** Reads an atom, or the window that owns a selection. */
export function readNumber(reply: Buffer): number {
  return reply.readUInt32LE(8)
}

export interface Extension {
  readonly opcode: number
  readonly firstEvent: number
}

export function readExtension(reply: Buffer): Extension | undefined {
  return reply[8] === 1 ? { opcode: reply.readUInt8(9), firstEvent: reply.readUInt8(10) } : undefined
}

export interface Property {
  readonly type: number
  readonly bytes: Buffer
  /** How many bytes follow these. */
  readonly more: number
}

export function readProperty(reply: Buffer): Property {
  const length = reply.readUInt32LE(16) * (reply.readUInt8(1) / 8)
  return { type: reply.readUInt32LE(8), more: reply.readUInt32LE(12), bytes: reply.subarray(32, 32 + length) }
}

// ── Events ─────────────────────────────────────────────────────────────────────────────────────

export interface SelectionRequest {
  readonly kind: 'selection-request'
  readonly time: number
  readonly requestor: number
  readonly selection: number
  readonly target: number
  readonly property: number
}

export type XEvent =
  | { readonly kind: 'destroyed'; readonly window: number }
  | { readonly kind: 'property'; readonly window: number; readonly property: number; readonly deleted: boolean }
  /** `sequence`: the last request of ours that the server had seen by then. */
  | { readonly kind: 'selection-cleared'; readonly sequence: number }
  | SelectionRequest
  /** `property` is 0 when there is no such selection or target. */
  | { readonly kind: 'selection-ready'; readonly window: number; readonly property: number }
  /** `owner` is 0 when the last owner ended and no other took its place. */
  | { readonly kind: 'new-owner'; readonly owner: number; readonly since: number }
  | { readonly kind: 'other' }

/** @param xfixes the first event of XFixes, where the server has it */
export function readEvent(bytes: Buffer, xfixes: number | undefined): XEvent {
  const word = (at: number) => bytes.readUInt32LE(at)
  // The highest bit says that another client sent it.
  switch (bytes.readUInt8(0) & 0x7f) {
    case 17:
      return { kind: 'destroyed', window: word(8) }
    case 28:
      return { kind: 'property', window: word(4), property: word(8), deleted: bytes[16] === 1 }
    case 29:
      return { kind: 'selection-cleared', sequence: bytes.readUInt16LE(2) }
    case 30:
      return {
        kind: 'selection-request',
        time: word(4),
        requestor: word(12),
        selection: word(16),
        target: word(20),
        property: word(24),
      }
    case 31:
      return { kind: 'selection-ready', window: word(8), property: word(20) }
    case xfixes:
      return { kind: 'new-owner', owner: word(8), since: word(20) }
    default:
      return { kind: 'other' }
  }
}

// ── Bytes ──────────────────────────────────────────────────────────────────────────────────────

export function words(values: readonly number[]): Buffer {
  const bytes = Buffer.alloc(values.length * 4)
  values.forEach((value, at) => {
    bytes.writeUInt32LE(value >>> 0, at * 4)
  })
  return bytes
}

function request(opcode: number, detail: number, body: readonly number[], data: Buffer = Buffer.alloc(0)): Buffer {
  const rest = Buffer.concat([words(body), padded(data)])
  const head = Buffer.alloc(4)
  head.writeUInt8(opcode, 0)
  head.writeUInt8(detail, 1)
  head.writeUInt16LE(1 + rest.length / 4, 2)
  return Buffer.concat([head, rest])
}

function padded(bytes: Buffer): Buffer {
  const missing = align(bytes.length) - bytes.length
  return missing === 0 ? bytes : Buffer.concat([bytes, Buffer.alloc(missing)])
}

function align(length: number): number {
  return Math.ceil(length / 4) * 4
}
