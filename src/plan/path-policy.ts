import { protectedPlace } from '../ground/protected-place.ts'
import type { Operation, Problem } from '../model/response.ts'
import { collisions } from './collisions.ts'
import { touches } from './edits/steps-of.ts'
import { invisibleIn } from './invisible.ts'

export type JudgedPath =
  | { readonly kind: 'sound'; readonly path: string }
  | { readonly kind: 'unsafe'; readonly problem: Problem }

export type JudgedOperations =
  | { readonly kind: 'sound'; readonly operations: readonly Operation[] }
  | { readonly kind: 'refused'; readonly problems: readonly [Problem, ...Problem[]] }

/**
 * Judges a path of a response by its text alone, and gives it its one spelling: `./src//x/../a.ts` is `src/a.ts`.
 *
 * The same on every system, since a project moves between them: what one of them could read as another file, or not hold
 * at all, is refused on all. Where a sound path leads on this disk is judged later, by `planSteps`.
 */
export function judgePath(path: string): JudgedPath {
  const sound = pathOf(path)
  const fault = faultOfText(path) ?? faultOfPlace(path, sound) ?? faultOfNames(sound)
  if (fault === undefined) return { kind: 'sound', path: sound }
  return { kind: 'unsafe', problem: { ...fault, path: shown(path) } }
}

/** The one spelling of a word that is a path: `./bin//lint` as `bin/lint`. */
export function pathOf(word: string): string {
  const parts: string[] = []
  const text = word.replaceAll('\\', '/')
  for (const part of text.split('/')) {
    if (part === '..' && parts.length > 0 && parts.at(-1) !== '..') parts.pop()
    else if (part !== '' && part !== '.') parts.push(part)
  }
  return `${text.startsWith('/') ? '/' : ''}${parts.join('/')}`
}

/**
 * Judges all operations of a patch by their paths' text, gives each path its one spelling, and lists every problem.
 *
 * The same change to one file twice is one operation; two different ones are refused, for one cannot know which is meant.
 */
export function judgeOperations(operations: readonly Operation[]): JudgedOperations {
  const problems: Problem[] = []
  const byPath = new Map<string, Operation>()
  for (const operation of operations) {
    const judged = judgePath(operation.path)
    if (judged.kind === 'unsafe') {
      problems.push(judged.problem)
      continue
    }
    const { path } = judged
    const to = operation.op === 'rename' ? judgePath(operation.to) : undefined
    if (to?.kind === 'unsafe') {
      problems.push({ ...to.problem, path })
      continue
    }
    const earlier = byPath.get(path)
    if (earlier === undefined) byPath.set(path, { ...operation, path, ...(to && { to: to.path }) })
    else if (isOther(earlier, operation, 'delete')) problems.push(writeAndDelete(path))
    else if (JSON.stringify(earlier) !== JSON.stringify({ ...operation, path })) problems.push(writtenTwice(path))
  }

  const sound = [...byPath.values()]
  problems.push(...collisions(touches(sound).map(({ op, path }) => ({ op, path, place: path }))))
  const [first, ...others] = problems
  return first === undefined ? { kind: 'sound', operations: sound } : { kind: 'refused', problems: [first, ...others] }
}

function isOther(one: Operation, other: Operation, op: Operation['op']): boolean {
  return (one.op === op) !== (other.op === op)
}

const EXPECTED = 'Ask for a path relative to the project, like src/main.ts, and nothing outside it.'
const PLAIN_NAME = 'Ask for a name that every system can hold and show.'
const LEAVE_OUT = 'Ask for the answer without it.'

/** What Linux takes as one path, and what every usual file system takes as one name. */
const MAX_PATH = 4096
const MAX_NAME = 255

type Fault = Omit<Problem, 'path'>

function faultOfText(path: string): Fault | undefined {
  if (path.trim() === '') return { code: 'path-empty', message: `The path is empty. ${EXPECTED}` }
  if (Buffer.byteLength(path) > MAX_PATH) {
    return { code: 'path-too-long', message: `The path is longer than ${MAX_PATH} bytes. Ask for a shorter one.` }
  }
  const invisible = invisibleIn(path)
  if (invisible !== undefined) {
    const message = `The path holds the character ${invisible}, which cannot be seen. ${PLAIN_NAME}`
    return { code: 'path-invisible', message }
  }
  const [, what] = ROOTS.find(([root]) => root.test(path)) ?? []
  return what === undefined ? undefined : { code: 'path-absolute', message: `The path ${what}. ${EXPECTED}` }
}

const ROOTS: readonly (readonly [root: RegExp, what: string])[] = [
  [/^[a-z]:/i, 'begins with a drive letter'],
  [/^[/\\]{2}/, 'names another machine or device'],
  [/^[/\\]/, 'is absolute'],
]

function faultOfPlace(path: string, sound: string): Fault | undefined {
  if (/^\.\.(?:\/|$)/.test(sound)) {
    return { code: 'path-outside', message: `The path leaves the project. ${EXPECTED}` }
  }
  if (/(?:^|[/\\])\.{0,2}$/.test(path)) {
    return { code: 'path-folder', message: `The path names a folder, not a file. ${EXPECTED}` }
  }
  if (sound.startsWith('~')) {
    return { code: 'path-home', message: `The path begins with ~, which stands for a home folder. ${EXPECTED}` }
  }
  const place = protectedPlace(sound)
  if (place === undefined) return undefined
  return { code: 'path-protected', message: `The path leads into ${place}, which no answer may touch. ${LEAVE_OUT}` }
}

function faultOfNames(sound: string): Fault | undefined {
  for (const name of sound.split('/')) {
    const fault = faultOf(name)
    if (fault !== undefined) return { code: fault.code, message: `${fault.what}. ${PLAIN_NAME}` }
  }
  return undefined
}

/** What some system cannot hold as a name, or would quietly read as another one. */
function faultOf(name: string): { readonly code: string; readonly what: string } | undefined {
  if (ORDINARY.test(name) && !DEVICE.test(name)) return undefined
  if (Buffer.byteLength(name) > MAX_NAME)
    return { code: 'path-too-long', what: `A name is longer than ${MAX_NAME} bytes` }
  const character = /[<>:"|?*]/.exec(name)?.[0]
  if (character !== undefined) return { code: 'path-character', what: `A name holds ${character}` }
  if (/[. ]$/.test(name)) return { code: 'path-ending', what: 'A name ends with a dot or a space, which Windows drops' }
  if (name.startsWith(' ')) return { code: 'path-ending', what: 'A name begins with a space, which nobody can see' }
  const plain = name.normalize('NFKC')
  if (/[/\\]|^\.+$/.test(plain)) return { code: 'path-character', what: 'A name holds a look-alike of / or ..' }
  if (DEVICE.test(plain)) return { code: 'path-device', what: 'A name is that of a device on Windows' }
  if (SHORT_NAME.test(plain)) return { code: 'path-short-name', what: 'A name may be the short form of another one' }
  return undefined
}

/** Nearly every name there is, told from the others quickly. */
const ORDINARY = /^[\w.-]{0,254}[\w-]$/

/** With any extension: Windows opens the device for `nul.txt` and `con .log` too. */
const DEVICE = /^(?:con|prn|aux|nul|conin\$|conout\$|clock\$|(?:com|lpt)[0-9\u00b9\u00b2\u00b3]) *(?:\.|$)/i

/** The 8.3 form that Windows gives long names: `PACKAG~1.JSO` opens package.json there. */
const SHORT_NAME = /^(?=[^.]{3,8}(?:\.|$))[^.]+~[0-9]{1,6}(?:\.[^.]{0,3})?$/

function shown(path: string): string {
  return path.length > 200 ? `${path.slice(0, 200)}…` : path
}

function writeAndDelete(path: string): Problem {
  return {
    code: 'write-and-delete',
    path,
    message: 'The answer both writes and deletes this file. Ask which of the two is meant.',
  }
}

function writtenTwice(path: string): Problem {
  return {
    code: 'written-twice',
    path,
    message: 'The answer writes this file twice, with different content. Ask for one block with the full file.',
  }
}
