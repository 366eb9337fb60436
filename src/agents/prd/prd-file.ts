import { editJson } from '../../ground/edit-json.ts'
import { isRecord } from '../../ground/json.ts'
import { lineOfJson } from '../../ground/line-of-json.ts'
import { readJson } from '../../ground/read-json.ts'
import type { Prd, Story } from '../../model/prd.ts'

/** A prd.json: its text, its whole JSON value, and the parts that relay reads. */
export interface PrdFile {
  readonly text: string
  /** Includes unknown keys, in the file's order. */
  readonly value: JsonObject
  readonly prd: Prd
}

export type JsonObject = Readonly<Record<string, unknown>>

export type ReadPrd =
  | { readonly kind: 'prd'; readonly file: PrdFile }
  /** Each problem says where it is and what is wrong. */
  | { readonly kind: 'unreadable'; readonly problems: readonly string[] }

/** Reads a prd.json. It is unreadable only if a loop cannot work with it; bad style is reported by `checkPrd`. */
export function readPrd(text: string): ReadPrd {
  if (isTooDeep(text)) return unreadable([`it is nested more than ${MOST_DEPTH} levels deep`])
  const json = readJson(text)
  if (json.kind === 'broken') return unreadable([json.why])
  if (json.repeated.length > 0) {
    return unreadable(
      json.repeated.map(
        ({ key, line, firstLine }) => `line ${line}: ${quoted(key)} is there already, in line ${firstLine}`,
      ),
    )
  }
  const problems = firstProblems(json.value).map(({ path, problem }) => {
    const line = lineOfJson(text, path)
    return `${line === undefined ? '' : `line ${line}: `}${problem}`
  })
  if (problems.length > 0) return unreadable(problems)
  // `firstProblems` has just checked it.
  const value = json.value as JsonObject
  return { kind: 'prd', file: { text, value, prd: prdOf(value) } }
}

/** The user stories of a valid prd.json, each with all of its keys. */
export function storiesIn(value: JsonObject): readonly JsonObject[] {
  return value['userStories'] as readonly JsonObject[]
}

/** Sets `passes` or `notes` of one story and keeps all other bytes; `undefined` when there is no such story. */
export function setStory(
  file: PrdFile,
  id: string,
  change: { readonly passes?: boolean; readonly notes?: string },
): PrdFile | undefined {
  const at = file.prd.stories.findIndex(story => story.id === id)
  if (at < 0) return undefined
  const stories = storiesIn(file.value).map((story, index) => (index === at ? { ...story, ...change } : story))
  return withValue(file, { ...file.value, userStories: stories })
}

/**
 * A prd.json with a new value.
 *
 * If only single values differ, only these change in the text. If stories, keys or lists are added or removed, the whole file
 * is printed again with its old indentation.
 */
export function withValue(file: PrdFile, value: JsonObject): PrdFile {
  const text = sameJson(file.value, value) ? file.text : (editedText(file, value) ?? printPrd(value, file.text))
  return { text, value, prd: prdOf(value) }
}

/** Prints a prd.json in the layout of an earlier text, or else indented by two blanks. */
export function printPrd(value: JsonObject, like = ''): string {
  const indent = /^[^\n]*\n([ \t]+)"/.exec(like)?.[1] ?? '  '
  const json = JSON.stringify(value, null, indent)
  const end = like === '' || like.endsWith('\n') ? '\n' : ''
  const text = `${like.startsWith('\ufeff') ? '\ufeff' : ''}${json}${end}`
  return like.includes('\r\n') ? text.replaceAll('\n', '\r\n') : text
}

/** Whether two values are equal as JSON; the order of keys matters. */
export function sameJson(one: unknown, other: unknown): boolean {
  return JSON.stringify(one) === JSON.stringify(other)
}

/** The text with single values replaced; `undefined` when that is not enough. */
function editedText(file: PrdFile, value: JsonObject): string | undefined {
  const edits = [
    ...editsOf(file.value, value, []),
    ...storiesIn(value).flatMap((story, at) => editsOf(storiesIn(file.value)[at] ?? {}, story, ['userStories', at])),
  ]
  if (storiesIn(value).length !== storiesIn(file.value).length) return undefined
  let text = file.text
  for (const { path, to } of edits) text = editJson(text, path, to)
  const read = readJson(text)
  return read.kind === 'json' && sameJson(read.value, value) ? text : undefined
}

type Path = readonly (string | number)[]

/** The single values that differ. */
function editsOf(from: JsonObject, to: JsonObject, path: Path): { readonly path: Path; readonly to: unknown }[] {
  return Object.entries(to).flatMap(([key, value]) => {
    const isSingle = value === null || typeof value !== 'object'
    return isSingle && value !== from[key] ? [{ path: [...path, key], to: value }] : []
  })
}

function unreadable(problems: readonly string[]): ReadPrd {
  return { kind: 'unreadable', problems }
}

/** The deepest nesting that is read: deeper than any real prd.json, and a limit for recursive code. */
const MOST_DEPTH = 100

function isTooDeep(text: string): boolean {
  let depth = 0
  for (const [sign] of text.matchAll(/"(?:[^"\\]|\\.)*"?|[[\]{}]/gs)) {
    if (sign === '[' || sign === '{') depth++
    else if (sign === ']' || sign === '}') depth--
    if (depth > MOST_DEPTH) return true
  }
  return false
}

interface Problem {
  readonly path: Path
  readonly problem: string
}

/** The number of problems that are reported: more than anyone fixes at once. */
const MOST_PROBLEMS = 20

/** More than a loop ever works through; a limit for code that compares all stories with each other. */
const MOST_STORIES = 1000

function firstProblems(value: unknown): readonly Problem[] {
  const found: Problem[] = []
  for (const problem of problemsOf(value)) {
    found.push(problem)
    if (found.length === MOST_PROBLEMS) break
  }
  return found
}

function* problemsOf(value: unknown): Generator<Problem> {
  if (!isRecord(value)) return yield { path: [], problem: 'an object { … } is expected, with "userStories" in it' }
  yield* wrongTypes(value, prdKeys, [], '')
  const stories = value['userStories']
  if (stories === undefined) return yield { path: [], problem: '"userStories" is missing: the list of user stories' }
  if (!Array.isArray(stories)) return yield { path: ['userStories'], problem: '"userStories" must be a list [ … ]' }
  if (stories.length > MOST_STORIES) {
    const problem = `"userStories" has ${stories.length} user stories; at most ${MOST_STORIES} are read`
    return yield { path: ['userStories'], problem }
  }
  for (const [at, story] of stories.entries()) yield* storyProblems(story, at)
}

function* storyProblems(story: unknown, at: number): Generator<Problem> {
  const path = ['userStories', at]
  const name = `user story ${at + 1}`
  if (!isRecord(story)) return yield { path, problem: `${name} must be an object { … }` }
  const { id } = story
  if (id === undefined || (typeof id === 'string' && id.trim() === '')) {
    yield { path: id === undefined ? path : [...path, 'id'], problem: `${name} has no "id"` }
  }
  yield* wrongTypes(story, storyKeys, path, `${typeof id === 'string' && id.trim() !== '' ? id : name}: `)
}

type Kind = 'text' | 'number' | 'flag' | 'texts'

const prdKeys: Readonly<Record<string, Kind>> = { project: 'text', branchName: 'text', description: 'text' }

const storyKeys: Readonly<Record<string, Kind>> = {
  id: 'text',
  title: 'text',
  description: 'text',
  acceptanceCriteria: 'texts',
  priority: 'number',
  passes: 'flag',
  notes: 'text',
}

const kinds: Readonly<Record<Kind, { readonly words: string; readonly is: (value: unknown) => boolean }>> = {
  text: { words: 'a text in double quotes', is: value => typeof value === 'string' },
  number: { words: 'a number', is: value => typeof value === 'number' },
  flag: { words: 'true or false', is: value => typeof value === 'boolean' },
  texts: { words: 'a list of texts', is: isTexts },
}

function* wrongTypes(
  value: JsonObject,
  keys: Readonly<Record<string, Kind>>,
  path: Path,
  where: string,
): Generator<Problem> {
  for (const [key, kind] of Object.entries(keys)) {
    const found = value[key]
    if (found === undefined || kinds[kind].is(found)) continue
    yield { path: [...path, key], problem: `${where}"${key}" must be ${kinds[kind].words}, and is ${shown(found)}` }
  }
}

function isTexts(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every(each => typeof each === 'string')
}

function shown(value: unknown): string {
  if (Array.isArray(value)) return value.every(each => typeof each === 'string') ? 'a list' : 'a list with other values'
  return isRecord(value) ? 'an object' : quoted(value)
}

function quoted(value: unknown): string {
  const json = JSON.stringify(value)
  return json.length > 40 ? `${json.slice(0, 40)}…` : json
}

function prdOf(value: JsonObject): Prd {
  return {
    project: textOf(value['project']),
    branchName: textOf(value['branchName']).trim(),
    description: textOf(value['description']),
    stories: storiesIn(value).map(storyOf),
  }
}

function storyOf(story: JsonObject): Story {
  const { id, title, description, acceptanceCriteria, priority, passes, notes } = story as Readonly<
    Record<keyof Story, unknown>
  >
  return {
    id: textOf(id),
    title: textOf(title),
    description: textOf(description),
    acceptanceCriteria: isTexts(acceptanceCriteria) ? acceptanceCriteria : [],
    priority: typeof priority === 'number' ? priority : Number.POSITIVE_INFINITY,
    passes: passes === true,
    notes: textOf(notes),
    dependsOn: dependencyKeys.flatMap(key => (isTexts(story[key]) ? story[key] : [])),
  }
}

/** The format has no such key; people add one. */
const dependencyKeys = ['dependsOn', 'dependencies', 'blockedBy']

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : ''
}
