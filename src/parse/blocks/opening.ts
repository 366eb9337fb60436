import { clean } from '../lines/clean.ts'
import { nextFilledLine, trimmed } from '../lines/lines.ts'
import { isDeleteDirective, startMarker } from '../lines/marker.ts'
import { looksLikePath, pathFromInfo } from '../lines/path.ts'
import type { Fence } from './fence.ts'

const controlKey = /^["']?(?:projectId|uuid|changeSummary)["']?[ \t]*[:\uff1a]/

/**
 * Tells whether a fence surely opens a block of ours: one with START, or the control block.
 *
 * A fence that closes is never followed by START, nor does it have an info.
 */
export function surelyOpens(text: string, fence: Fence): boolean {
  if (startMarker(text, fence.end + 1) !== undefined) return fence.kind === 'open' || fence.kind === 'bare'
  return fence.kind === 'open' && beginsControl(text, fence.end + 1)
}

/** Tells whether a fence opens a block that looks like a file: its info holds a path, or the block is a delete. */
export function seemsToOpenFile(text: string, fence: Fence): boolean {
  if (fence.kind !== 'open') return false
  const path = pathFromInfo(fence.info)
  if (path === undefined) return false
  if (looksLikePath(path)) return true
  const line = nextFilledLine(text, fence.end + 1)
  return line !== undefined && isDeleteDirective(text, line.start, line.end)
}

/**
 * Tells whether a block's text begins as a diff or as a codex patch: each of its lines has a sign in front. `files`: it names
 * the files itself that it is for.
 */
export function beginsSigned(text: string, from: number, info: string): 'files' | 'lines' | undefined {
  const line = nextFilledLine(text, from)
  if (line === undefined) return undefined
  const first = text.slice(line.start, Math.min(line.end, line.start + 200))
  if (fileHead.test(first)) return 'files'
  const below = text.slice(line.end + 1, line.end + 20)
  if (first.startsWith('--- ') && below.startsWith('+++ ')) return 'files'
  if (hereDocument.test(first) && below.startsWith('*** Begin Patch')) return 'files'
  return first.startsWith('@@') || (/(?:^|[\s-])(?:diff|patch|udiff|unified)\b/.test(info) && /^[-+]/.test(first))
    ? 'lines'
    : undefined
}

const fileHead = /^(?:diff --git |Index: \S|\*\*\* (?:Begin Patch|(?:Add|Update|Delete) File: ))/
const hereDocument = /^(?:\$ )?(?:apply_patch|cat|%%bash|bash)\b.*<</

/** Tells whether the first filled line from here on is a key of the control block. */
export function beginsControl(text: string, from: number): boolean {
  const line = nextFilledLine(text, from)
  return line !== undefined && isControlKey(text, line.start, Math.min(line.end, line.start + 200))
}

/** Tells whether a line begins with one of the control block's keys. */
export function isControlKey(text: string, start: number, end: number): boolean {
  return controlKey.test(clean(trimmed(text, start, end)))
}
