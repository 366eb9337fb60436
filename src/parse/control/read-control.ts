import { isRecord } from '../../ground/json.ts'
import { clean, cleanBlanks } from '../lines/clean.ts'
import { indentOf } from '../lines/dedent.ts'
import { readSummary, type Summary, summaryOf } from './read-summary.ts'
import { readYaml, yamlLimit } from './read-yaml.ts'
import { bullet } from './summary-entry.ts'

/** A control block as it stands in a response, before it is known whether it is good. */
export interface ControlText {
  /** The id without quotes, and the other ways to read it: `my #app` is one or has a comment. */
  readonly projectId: string
  readonly readings: readonly string[]
  readonly uuid: string | undefined
  /** The key changeSummary stands there, whatever it says. */
  readonly hasSummary: boolean
  readonly summary: Summary
  readonly promptSummary: string | undefined
  readonly gitCommitMsg: string | undefined
  /** One key with two different values. */
  readonly contradiction: string | undefined
  /** What is wrong with the YAML, although the ids could be read. */
  readonly invalid: string | undefined
}

/** The lines of one key of a mapping. */
interface Section {
  readonly key: string
  /** What stands behind the colon. */
  readonly value: string
  /** The lines below it. */
  readonly rest: readonly string[]
}

const keyLine = /^(?:"([^"]{1,100})"|'([^']{1,100})'|([A-Za-z_][\w.-]{0,100})) ?:(?:[ \t]+|$)/
const gluedKeyLine = /^["']?(projectId|uuid|changeSummary|promptSummary|gitCommitMsg)["']? ?[:\uff1a]/

/**
 * Reads a text as a control block: a YAML mapping with `projectId` and at least one of `uuid` and `changeSummary`.
 *
 * The ids are read off their lines as they stand, so that no YAML rule turns them into numbers or fails on them, and so
 * that a summary which is no valid YAML does not hide them.
 */
export function readControl(text: string): ControlText | undefined {
  const body = cleanBlanks(text)
  const sections = isFlow(body) ? readFlow(body) : readSections(body)
  if (sections === undefined || isEntry(sections.all)) return undefined

  const named = (key: string) => sections.all.filter(section => section.key === key)
  const [ids, uuids, summaries] = [named('projectId'), named('uuid'), named('changeSummary')]
  const [id] = ids
  const [uuid] = uuids
  const said = summaries.at(-1)
  if (id === undefined || (uuid ?? said) === undefined) return undefined

  const readings = readingsOf(id)
  const [projectId] = readings
  if (projectId === undefined) return undefined
  const summary = sections.summary ?? readSummary(said?.value ?? '', said?.rest ?? [])
  return {
    projectId,
    readings,
    uuid: uuid === undefined ? undefined : readingsOf(uuid)[0],
    hasSummary: said !== undefined,
    summary,
    promptSummary: freeText(sections.all, 'promptSummary'),
    gitCommitMsg: freeText(sections.all, 'gitCommitMsg'),
    contradiction: contradictory(ids) ?? contradictory(uuids),
    invalid: sections.stray ?? (summaries.length > 1 ? 'changeSummary is given twice' : summary.invalid),
  }
}

/** Whether a text begins like a mapping in braces: then the YAML library reads all of it. */
export function mayBeFlow(text: string): boolean {
  return isFlow(cleanBlanks(text))
}

function isFlow(body: string): boolean {
  return body.trimStart().startsWith('{')
}

/** An entry of relay's journal, or what `relay show --json` tells of it, holds the same keys and more. It asks for nothing. */
function isEntry(sections: readonly Section[]): boolean {
  const keys = new Set(sections.map(section => section.key))
  return keys.has('createdAt') && (keys.has('operations') || keys.has('outcome'))
}

interface Sections {
  readonly all: readonly Section[]
  /** The summary, where the mapping was read by the YAML library. */
  readonly summary?: Summary
  /** A line that belongs to no key. */
  readonly stray?: string
}

/** Cuts a block mapping into its keys; undefined when the text does not begin like one. */
function readSections(body: string): Sections | undefined {
  const lines = body.split('\n').filter(line => !/^(?:---|\.\.\.)$/.test(line.trim()))
  const first = lines.find(line => !/^(?:#|$)/.test(line.trim())) ?? ''
  const margin = indentOf(first)
  if (keyAt(first, margin) === undefined) return undefined
  const all: { key: string; value: string; rest: string[] }[] = []
  let stray: string | undefined

  for (const line of lines) {
    const words = line.trim()
    const key = keyAt(line, margin)
    const current = all.at(-1)
    if (key !== undefined) all.push({ key: key.name, value: words.slice(key.length).trim(), rest: [] })
    else if (words === '') current?.rest.push('')
    else if (isBelow(line, margin)) current?.rest.push(line.slice(margin))
    else if (!words.startsWith('#')) stray ??= `a line belongs to no key: ${words.slice(0, 60)}`
  }
  return { all, ...(stray === undefined ? {} : { stray }) }
}

/** A list may stand at its key's own margin. */
function isBelow(line: string, margin: number): boolean {
  return indentOf(line) > margin || bullet.test(line.trim())
}

function keyAt(line: string, margin: number): { readonly name: string; readonly length: number } | undefined {
  if (indentOf(line) !== margin) return undefined
  const words = clean(line.trim().slice(0, 200))
  const match = keyLine.exec(words) ?? gluedKeyLine.exec(words)
  const name = match?.[1] ?? match?.[2] ?? match?.[3]
  return match === null || name === undefined ? undefined : { name, length: match[0].length }
}

/** A mapping in braces, as JSON writes it. */
function readFlow(body: string): Sections | undefined {
  if (body.length > yamlLimit) return undefined
  // JSON with comments, as some call a block whose label is `jsonc`.
  const data = readYaml(clean(body).replace(/^[ \t]*\/\/.*$/gm, ''))
  if (data.kind !== 'data' || !isRecord(data.value)) return undefined
  const all = Object.entries(data.value).map(([key, value]) => ({
    key,
    value: typeof value === 'string' ? JSON.stringify(value) : '',
    rest: [],
  }))
  return { all, summary: summaryOf(data.value['changeSummary']) }
}

/** The ways to read an id, the likeliest first: without its quotes or comment, then as it stands. */
function readingsOf(section: Section): readonly string[] {
  const below = section.rest.filter(line => line !== '')
  const words = clean(section.value === '' && below.length === 1 ? (below[0] ?? '').trim() : section.value).trim()
  return [...new Set([unquoted(words), words])]
}

/** A scalar's text, without quotes, backticks or a comment behind it, and never as anything but text. */
function unquoted(words: string): string {
  const quote = words[0]
  if (quote === '"' || quote === "'" || quote === '`') {
    const closing = closingQuote(words, quote)
    if (closing > 0) return inner(words.slice(0, closing + 1), quote)
  }
  const comment = words.search(/[ \t]#/)
  return (comment < 0 ? words : words.slice(0, comment)).trim()
}

function inner(quoted: string, quote: string): string {
  const words = quoted.slice(1, -1)
  if (quote === "'") return words.replaceAll("''", "'")
  if (quote !== '"') return words
  try {
    return String(JSON.parse(quoted))
  } catch {
    return words
  }
}

function closingQuote(words: string, quote: string): number {
  for (let at = 1; at < words.length; at++) {
    const isEscape = (quote === '"' && words[at] === '\\') || (quote === "'" && words.startsWith("''", at))
    if (isEscape) at++
    else if (words[at] === quote) return at
  }
  return -1
}

function contradictory(sections: readonly Section[]): string | undefined {
  const values = new Set(sections.map(section => readingsOf(section)[0]))
  return values.size > 1 ? sections[0]?.key : undefined
}

/** A text of one line or of a YAML block. What is no valid YAML is taken as it stands: it is only for reading. */
function freeText(sections: readonly Section[], key: string): string | undefined {
  const section = sections.findLast(each => each.key === key)
  if (section === undefined) return undefined
  if (section.rest.every(line => line === '')) return unquoted(section.value)
  const lines = [`${key}: ${section.value}`, ...section.rest].join('\n')
  const data = readYaml(lines)
  const value = data.kind === 'data' ? Object.values(data.value ?? {})[0] : undefined
  return typeof value === 'string' ? value : [section.value, ...section.rest].join('\n').trim()
}
