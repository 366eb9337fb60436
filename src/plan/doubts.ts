import { isUtf8 } from 'node:buffer'
import type { PackageScript } from '../ground/package-scripts.ts'
import { agentCommandsOf, commandsOf, type WithCommands } from '../model/commands-of.ts'
import { linterLine } from '../model/linters-of.ts'
import type { Change, PathState } from '../model/plan.ts'
import type { Policy } from '../model/project.ts'
import type { Flag } from '../model/response.ts'
import { copyDamage } from './damage/copy-damage.ts'
import { diffSigns } from './damage/diff-signs.ts'
import { doubledFiles } from './damage/doubled-files.ts'
import { difference, type LineBag, lineBag, takeLine } from './damage/line-bag.ts'
import { lostIndentation } from './damage/lost-indentation.ts'
import { lostTabs } from './damage/lost-tabs.ts'
import { replacedByRemark } from './damage/replaced-by-remark.ts'
import { shrunkenFiles } from './damage/shrunken-files.ts'
import { type TextChange, textChanges } from './damage/text-changes.ts'
import { hiddenErrors } from './hidden-errors.ts'
import { firstGlob } from './path-glob.ts'
import { judgePath } from './path-policy.ts'
import { readByLinter } from './read-by-linter.ts'
import { ownPrograms } from './sensitive/own-programs.ts'
import { packageChanges } from './sensitive/package-changes.ts'
import { sensitivity } from './sensitive/sensitive-paths.ts'
import { OF_PACKAGES } from './sensitive/sensitive-table.ts'

export interface DoubtRules extends WithCommands {
  readonly policy: Policy
  /** Those of the project's package.json. */
  readonly scripts?: readonly PackageScript[] | undefined
}

/** The changes that are asked about before anything runs, with each reason. */
export function sensitiveFlags(changes: readonly Change[], { policy, scripts, ...commands }: DoubtRules): Flag[] {
  const ofCommands = ownPrograms(commands, scripts)
  const asked = firstGlob(policy.ask)
  const lines = [...commandsOf(commands), ...agentCommandsOf(commands)].map(({ command }) => command)
  const whyAsk = (path: string, change: Change) => {
    const usual = ofCommands(path) ?? sensitivity(path)
    const why = usual === OF_PACKAGES ? (packageChanges({ ...change, path }, lines) ?? usual) : usual
    if (why !== undefined && why !== '') return why
    const glob = asked(path)
    return glob === undefined ? undefined : `matches "${glob}" of policy.ask`
  }
  return changes.flatMap(change => sensitive(change, whyAsk))
}

/**
 * The doubts about what was made elsewhere, in a folder: no chat window was between, and what a linter finds is left to it.
 */
export function madeDoubts(changes: readonly Change[], rules: DoubtRules): readonly Flag[] {
  const moved = followed(changes)
  return [
    ...sensitiveFlags(changes, rules),
    ...moved.flatMap(becomesProgram),
    ...massDelete(changes),
    ...hiddenErrors(moved, linterLine(rules)),
  ]
}

/**
 * The doubts that remain, or arise, when a patch meets what is on the disk; those of one look at a time. What a linter finds
 * in a file is left to it where it reads the file.
 */
export function* doubts(
  flags: readonly Flag[],
  changes: readonly Change[],
  rules: DoubtRules,
): Generator<readonly Flag[]> {
  const isRead = readByLinter(linterLine(rules), rules.scripts)
  const moved = followed(changes)
  const texts = textChanges(moved)
  const unfound = flags.flatMap(({ linterFinds, ...flag }) => (linterFinds && isRead(flag.path ?? '') ? [] : [flag]))
  const onDisk = notOnDisk(countingHere(unfound, texts), changes)
  const edited = new Set(changes.flatMap(({ path, edits }) => (edits === undefined ? [] : [path])))
  // An edit says itself what goes, and answers for nothing but what it brings.
  const isWhole = ({ path = '' }: { readonly path?: string }) => !edited.has(path)
  const whole = texts.filter(isWhole)
  const unread = whole.filter(({ path }) => !isRead(path))
  yield onDisk
  yield sensitiveFlags(changes, rules)
  yield moved.flatMap(becomesProgram)
  yield changes.flatMap(unreadable)
  for (const flags of shrunkenFiles(texts)) yield flags.filter(isWhole)
  yield replacedByRemark(whole).filter(flag => !isTold(flag, onDisk))
  yield diffSigns(unread)
  yield doubledFiles(whole)
  yield copyDamage(texts, isRead)
  yield lostIndentation(unread).filter(
    ({ path }) => !onDisk.some(flag => flag.flag === 'chat-artifact' && pathOf(flag) === path),
  )
  yield lostTabs(whole)
  yield massDelete(changes)
}

/** A file that gets another name, as one change of one file. */
export function followed(changes: readonly Change[]): readonly Change[] {
  const sources = new Set(changes.flatMap(({ renamedFrom = [] }) => renamedFrom))
  if (sources.size === 0) return changes
  const byPath = new Map(changes.map(change => [change.path, change]))
  return changes.flatMap(change => {
    if (sources.has(change.path)) return []
    const from = byPath.get(change.renamedFrom ?? '')
    return [from === undefined ? change : { ...change, before: from.before }]
  })
}

/** The flags that count for the files as they are on the disk. */
function countingHere(flags: readonly Flag[], texts: readonly TextChange[]): readonly Flag[] {
  return flags.flatMap(({ ifLinesGo, ifIndented, ...flag }) => {
    if (ifLinesGo === undefined && ifIndented === undefined) return [flag]
    const { before = '', after = '' } = texts.find(({ path }) => path === pathOf(flag)) ?? {}
    if (ifLinesGo && difference(lineBag(before), lineBag(after)).size === 0) return []
    return ifIndented && before !== '' && !/^[ \t]+\S/m.test(before) ? [] : [flag]
  })
}

/**
 * A line that looks like a placeholder, or holds what a chat or a wrong decoding leaves, is not doubted where the file
 * already has it; as often as it has it. Of the latter the blanks in front count, which may be what was lost.
 */
function notOnDisk(flags: readonly Flag[], changes: readonly Change[]): Flag[] {
  if (!flags.some(flag => isPlaceholder(flag) || flag.lines !== undefined)) return [...flags]
  const byPath = new Map(changes.map(change => [change.path, change]))
  const bags = new Map<string, LineBag>()
  const takeFor = (flag: Flag, trim: (line: string) => string) => {
    const change = byPath.get(pathOf(flag) ?? '')
    if (change?.before?.kind !== 'file') return () => false
    // A line may raise two doubts, and has to clear both.
    const key = `${change.path}\n${flag.reason}`
    const bag = bags.get(key) ?? lineBag(new TextDecoder().decode(change.before.bytes), trim)
    bags.set(key, bag)
    return (line: string) => takeLine(bag, trim(line))
  }
  return flags.flatMap(flag => {
    const { lines, ...told } = flag
    if (lines !== undefined) {
      const take = takeFor(flag, line => line.trimEnd())
      const isNew = lines.find(({ text }) => !take(text))
      return isNew === undefined ? [] : [{ ...told, line: isNew.line }]
    }
    return isPlaceholder(flag) && takeFor(flag, line => line.trim())(flag.text ?? '') ? [] : [flag]
  })
}

function isPlaceholder({ flag, text }: Flag): boolean {
  return flag === 'placeholder' && text !== undefined
}

/** Whether the text alone was enough to doubt the same line; once is enough. */
function isTold({ path, text = '' }: Flag, flags: readonly Flag[]): boolean {
  return flags.some(flag => isPlaceholder(flag) && flag.text?.trim() === text && pathOf(flag) === path)
}

/** The path as changes have it, of a flag that holds it as the answer does. */
function pathOf({ path = '' }: Flag): string | undefined {
  const judged = judgePath(path)
  return judged.kind === 'sound' ? judged.path : undefined
}

function sensitive(change: Change, whyAsk: (path: string, change: Change) => string | undefined): Flag[] {
  const { path, target, otherNames = [], before, isClosed, effect } = change
  if (effect === 'none') return []
  const reasons: string[] = []
  const own = whyAsk(path, change)
  if (own !== undefined) reasons.push(own)
  const led = target === path ? undefined : whyAsk(target, change)
  if (led !== undefined) reasons.push(`leads to ${target}: ${led}`)
  for (const name of otherNames) {
    const why = reasons.length > 0 ? undefined : whyAsk(name, change)
    if (why !== undefined) reasons.push(`${name} leads to it: ${why}`)
  }
  const asProgram = reasons.length > 0 ? undefined : whyProgram(change)
  if (asProgram !== undefined) reasons.push(asProgram)
  if (before?.kind === 'file' && (before.mode & ANY_MAY_WRITE) === 0) reasons.push('is write-protected')
  else if (isClosed) reasons.push('is not yours to write')
  return reasons.map(reason => ({ flag: 'sensitive-path', path, reason }))
}

const ANY_MAY_WRITE = 0o222

/**
 * A file that is executable keeps that when it is rewritten. One with an ending is told by the table: many sources are
 * executable by mistake, and all files are on some disks.
 */
function whyProgram({ op, target, before }: Change): string | undefined {
  if (op !== 'write' || before?.kind !== 'file') return undefined
  if ((before.mode & RUNS_AS_OWNER) !== 0) return 'runs with the rights of its owner or group'
  const isPlainName = !/[^/]\.[^/]*$/.test(target)
  return isPlainName && mayRun(before) ? 'is a program that tools and people run' : undefined
}

/** What a response makes a program of may be run by whoever finds it. */
function becomesProgram({ path, before, after }: Change): Flag[] {
  if (mayRun(before) || !mayRun(after)) return []
  return [{ flag: 'sensitive-path', path, reason: 'becomes a program that can be run' }]
}

function mayRun(state: PathState): boolean {
  return state?.kind === 'file' && (state.mode & ANY_MAY_RUN) !== 0
}

const RUNS_AS_OWNER = 0o6000
const ANY_MAY_RUN = 0o111

/** Whoever wrote the new content cannot have seen the old one right. */
function unreadable({ op, path, before, effect, edits }: Change): Flag[] {
  if (op !== 'write' || edits !== undefined || effect === 'none' || before?.kind !== 'file') return []
  if (before.bytes.includes(0)) return [{ flag: 'encoding', path, reason: 'replaces a binary file' }]
  if (isUtf8(before.bytes)) return []
  return [{ flag: 'encoding', path, reason: 'replaces a file that is not UTF-8 text' }]
}

function massDelete(changes: readonly Change[]): Flag[] {
  const renamed = new Set(changes.map(({ renamedFrom }) => renamedFrom))
  const deleted = changes.filter(({ effect, path }) => effect === 'delete' && !renamed.has(path)).length
  return deleted > MANY ? [{ flag: 'mass-delete', reason: `deletes ${deleted} files` }] : []
}

const MANY = 10
