import {
  afterLine,
  isBlank,
  lineEndWithin,
  lineStart,
  nextFilledLine,
  remembering,
  type Seek,
  type Span,
  seeker,
  trimmed,
} from '../lines/lines.ts'
import { isDeleteDirective, isMarker, startMarker } from '../lines/marker.ts'
import { looksLikePath, pathFromInfo, templatePath } from '../lines/path.ts'
import { type Fence, fencesOf } from './fence.ts'
import { type BlockEnd, findEnd, findPlainEnd } from './find-end.ts'
import { type Guess, guessPaths, type Quoted } from './guess-paths.ts'
import { beginsControl, beginsSigned, isControlKey } from './opening.ts'

/** A fenced block that may be a file or the control block. Quotations that cannot be either are not kept. */
export interface Block {
  /** 1-based among all blocks of the response. */
  readonly number: number
  /** Where its opening line begins, and where the response goes on behind it. */
  readonly start: number
  readonly after: number
  /** What stands behind the opening fence. */
  readonly info: string
  /** How far the opening fence is indented; on the text's first line, which copying may have trimmed, the closing one. */
  readonly indent: number
  /** The path on the opening line. */
  readonly path: string | undefined
  /** Paths at weaker places, which count only where the change summary names them. */
  readonly guesses: readonly Guess[]
  /** The whole text between the fences. */
  readonly body: Span
  /** Where its text begins: behind START, or with the body where there is no START. */
  readonly contentFrom: number
  readonly hasStart: boolean
  /** It is a diff or a codex patch that names the files itself. */
  readonly namesFiles: boolean
  readonly how: BlockEnd['how']
  /** Another reading of its fences was possible; those inside do not come out even. */
  readonly unsure: boolean
  readonly uneven: boolean
  readonly isDelete: boolean
  /** It holds the word that every control block holds. */
  readonly mayBeControl: boolean
}

/** A response cut into blocks and prose. */
export interface Cut {
  readonly blocks: readonly Block[]
  /** How many there were, with the quotations that are not kept. */
  readonly count: number
  /** Those without START and without a path on the opening line: quotations, but for the control block. */
  readonly unnamed: readonly { readonly start: number; readonly info: string }[]
  /** Where a key `projectId` stands in the prose: a control block without a fence, perhaps. */
  readonly bareControls: readonly number[]
  /** Where a START line stands in the prose: the block around it was lost. */
  readonly strayStart: number | undefined
  /**
   * Where an END line stands in the prose, or in a quotation without START: above the first block or behind a file, whose
   * block may have closed too early.
   */
  readonly strayEnd: number | undefined
  /**
   * Where a fence stands below a block without markers that may be that block's own end: one that nothing closes, or a
   * bare one below what may hold such fences.
   */
  readonly strayFence: number | undefined
}

const none: readonly Guess[] = []

/** How many places of one kind are kept: what comes after them changes no verdict. */
const mostPlaces = 100

/** Finds the blocks of a response from an offset on, in order. */
export function findBlocks(text: string, from: number): Cut {
  const nextFence = fencesOf(text)
  const nextId = seeker(text, 'projectId')
  const nextBareControl = bareControlSeeker(text)
  const prose = proseReader(text, nextBareControl)
  const patience = { nested: 2 * text.length + 4_000_000, plain: 2 * text.length + 1_000_000 }
  const blocks: Block[] = []
  const unnamed: { readonly start: number; readonly info: string }[] = []
  let strayFence: number | undefined
  let goesOnTo: Elsewhere = nothing
  let number = 0

  let at = from
  let above: Quoted = { body: { from, to: from }, after: from }
  let fence = nextOpening(nextFence, at)
  while (fence !== undefined) {
    prose.read(at, fence.start, blocks.at(-1))
    number++
    const { block, end } = readBlock(fence, number)
    if (block?.path === undefined && goesOnTo(fence, end, block)) strayFence ??= fence.start
    if (block?.path === undefined && block?.hasStart !== true && block?.mayBeControl !== true) {
      unnamed.push({ start: fence.start, info: fence.info })
      prose.readQuotation(fence, end.to, blocks.at(-1))
    }
    if (block !== undefined) blocks.push(block)
    if (block !== undefined && mayBeFile(block)) goesOnTo = endsElsewhere(text, block)
    at = end.after
    fence = end.next ?? nextOpening(nextFence, at)
  }
  prose.read(at, text.length, blocks.at(-1))
  return { blocks, count: number, unnamed, ...prose.found, strayFence }

  /** On the text's first line, copying may have trimmed what stands before the fence; the closing one still has it. */
  function indentOf(fence: Fence, end: BlockEnd): number {
    const isFirst = number === 1 && nextFilledLine(text, from, fence.at) === undefined
    return Math.max(fence.at - fence.start, isFirst ? (end.indent ?? 0) : 0)
  }

  function readBlock(fence: Fence, blockNumber: number): { block: Block | undefined; end: BlockEnd } {
    const from = afterLine(text, fence.end)
    const path = pathFromInfo(fence.info)
    const start = startMarker(text, from, path)
    const hasStart = start !== undefined
    const bareMarkers = hasStart && trimmed(text, start.start, start.end) === 'START'
    const contentFrom = hasStart ? afterLine(text, start.end) : from
    const signed = beginsSigned(text, contentFrom, fence.info)
    const isSigned = signed !== undefined
    const begun = { text, nextFence, fence, from: contentFrom, isSigned, bareMarkers, nextBareControl, patience }
    const end = hasStart ? findEnd(begun) : findPlainEnd(begun, path !== undefined || mayHoldFences(fence.info))
    const body = { from, to: Math.max(from, end.to) }
    const isDelete = isDeleteDirective(text, contentFrom, body.to)
    const isFile = hasStart || isDelete
    const guesses = path === undefined ? guessPaths({ text, fence, body, isFile, above }) : none
    const mayBeControl = nextId(from) < body.to
    above = { body, after: end.after }
    const namesFiles = signed === 'files'
    const isNothing = path === undefined && !hasStart && !mayBeControl && !namesFiles
    if (isNothing && guesses.length === 0) return { block: undefined, end }
    const block = {
      number: blockNumber,
      start: fence.start,
      after: end.after,
      info: fence.info,
      indent: indentOf(fence, end),
      path: fence.info.includes(templatePath) ? templatePath : path,
      guesses,
      body,
      contentFrom,
      hasStart,
      namesFiles,
      how: end.how,
      unsure: end.unsure === true,
      uneven: end.uneven === true,
      isDelete,
      mayBeControl,
    }
    return { block, end }
  }
}

interface ProseReader {
  /** Reads a piece of prose; `above` is the block that stands over it. */
  read(start: number, end: number, above: Block | undefined): void
  /** Reads what stands between the fences of a quotation, which may be the end of the file above it. */
  readQuotation(fence: Fence, end: number, above: Block | undefined): void
  readonly found: Pick<Cut, 'bareControls' | 'strayStart' | 'strayEnd'>
}

function proseReader(text: string, nextBareControl: Seek): ProseReader {
  const nextStart = seeker(text, 'START')
  const nextEnd = seeker(text, 'END')
  const bareControls: number[] = []
  let strayStart: number | undefined
  let strayEnd: number | undefined
  const isMarkerAt = (at: number, word: 'START' | 'END') => {
    const line = { start: lineStart(text, at, 12) ?? at, end: lineEndWithin(text, at, 200) }
    return line.start < at && isMarker(text, line, word)
  }
  const first = (word: 'START' | 'END', next: Seek, start: number, end: number) => {
    for (let at = next(start); at < end; at = next(at + word.length)) if (isMarkerAt(at, word)) return at
    return undefined
  }
  const findEnd = (start: number, end: number, above: Block | undefined) => {
    if (above?.hasStart !== false) strayEnd ??= first('END', nextEnd, start, end)
  }
  return {
    read(start, end, above) {
      for (
        let at = nextBareControl(start);
        at < end && bareControls.length < mostPlaces;
        at = nextBareControl(at + 9)
      ) {
        bareControls.push(at)
      }
      strayStart ??= first('START', nextStart, start, end)
      findEnd(start, end, above)
    },
    readQuotation(fence, end, above) {
      const line = nextFilledLine(text, fence.end, end)
      const showsMarker = fence.kind === 'open' && line !== undefined && isMarker(text, line, 'END')
      if (showsMarker || first('START', nextStart, fence.end, end) !== undefined) return
      findEnd(fence.end, end, above)
    },
    get found() {
      return { bareControls, strayStart, strayEnd }
    },
  }
}

function mayBeFile({ hasStart, path, guesses }: Block): boolean {
  return hasStart || path !== undefined || guesses.length > 0
}

type Elsewhere = (fence: Fence, end: BlockEnd, block: Block | undefined) => boolean

const nothing: Elsewhere = () => false

/**
 * Tells of the fences below a file whether they may be its end: its block closed too early, at a fence of its content.
 *
 * One that nothing closes may be it, and a bare one below a document, or below a program that stops within a comment; one that
 * neither a path nor the control block stands at also where text goes on right below the file: prose leaves a line blank.
 */
function endsElsewhere(text: string, file: Block): Elsewhere {
  if (file.hasStart || file.isDelete) return nothing
  const mayHoldBare = mayHoldBareFence(text, file)
  const goesOn = goesOnBelow(text, file.after)
  return (fence, end, block) =>
    end.how === 'open' || (fence.kind === 'bare' && (mayHoldBare || (goesOn && !isAnnounced(text, block))))
}

/** Tells whether the bare fence that closes a block without markers may be a line of its file: a document, or a comment. */
export function mayHoldBareFence(text: string, { info, guesses, body }: Block): boolean {
  const isDocument = mayHoldFences(info) || guesses.some(({ path }) => mayHoldFences(path))
  return isDocument || endsInComment(text.slice(body.from, body.to))
}

/** It begins as the control block does, or something like a path stands at it. */
function isAnnounced(text: string, block: Block | undefined): boolean {
  if (block?.mayBeControl === true && beginsControl(text, block.body.from)) return true
  return block?.guesses.some(({ path }) => looksLikePath(path)) === true
}

function goesOnBelow(text: string, after: number): boolean {
  const line = nextFilledLine(text, after)
  return line?.start === after && !/^[ \t]*(?:```|~~~)/.test(text.slice(line.start, line.start + 60))
}

function endsInComment(program: string): boolean {
  return program.lastIndexOf('/*') > program.lastIndexOf('*/') || program.split(/"{3}|'{3}/).length % 2 === 0
}

/** A bare fence opens a block out here; one that is glued to prose or to code does not. */
function nextOpening(nextFence: (from: number) => Fence | undefined, from: number): Fence | undefined {
  let fence = nextFence(from)
  while (fence !== undefined && (fence.kind === 'glued' || fence.kind === 'tail')) fence = nextFence(fence.end)
  return fence
}

/** Finds the next line that starts with the key `projectId`. */
function bareControlSeeker(text: string): Seek {
  const nextId = seeker(text, 'projectId')
  return remembering((from, before) => {
    for (let at = nextId(from); at < text.length && at < before; at = nextId(at + 9)) {
      let start = at
      while (start > from && at - start < 40 && isBeforeKey(text.charCodeAt(start - 1))) start--
      const atLineStart = start === 0 || text.charCodeAt(start - 1) === 10
      if (atLineStart && isControlKey(text, start, lineEndWithin(text, at, 80))) return start
    }
    return Number.POSITIVE_INFINITY
  })
}

function isBeforeKey(code: number): boolean {
  return isBlank(code) || code === 34 || code === 39
}

/** Markdown's files hold fences of their own, by its name or by a path: some call every block `typescript`. */
function mayHoldFences(info: string): boolean {
  return /^(?:markdown|mdx?)\b|\.(?:markdown|mdx?|mdc)\b/i.test(info)
}
