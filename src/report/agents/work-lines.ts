import type { Shipped } from '../../model/ship.ts'
import type { Committed, Landed, Stopped, TaskEnd, WorkEnd, WorkEvent } from '../../model/task.ts'
import { count, grouped } from '../text/count.ts'
import { describeDuration, describeHour } from '../text/describe-time.ts'
import { hanging } from '../text/hanging.ts'
import { shortWhy } from '../text/short-why.ts'
import type { Style } from '../text/style.ts'
import { visibleLine, visibleOutputLine } from '../text/visible.ts'
import { wrapLine } from '../text/wrap-line.ts'

type EventOf<K extends WorkEvent['kind']> = Extract<WorkEvent, { readonly kind: K }>

/** The book, the agent and its limits. */
export function begunLines(
  { book, agent, sandbox, enforcement, limits, tasks }: EventOf<'run-begun'>,
  style: Style,
): readonly string[] {
  const { attempts, iterations, timeout } = limits
  if (tasks === 1 && attempts === 1) {
    const words = `asking ${visibleLine(agent)} (${sandbox}: ${enforcement}), for at most ${describeDuration(1000 * timeout)}`
    return lineBehind(style.paint.meta(style.sign.watching), words, style)
  }
  const each = [
    ...(tasks === undefined ? [] : [count(tasks, 'task')]),
    ...(attempts === 1 ? [] : [count(attempts, 'attempt')]),
  ]
  const parts = [
    ...(iterations === undefined ? each : [count(iterations, 'iteration')]),
    describeDuration(1000 * timeout),
  ]
  const words = `${visibleLine(book)}: at most ${parts.join(' x ')}, with ${visibleLine(agent)} (${sandbox}: ${enforcement})`
  return lineBehind(style.paint.meta(style.sign.watching), words, style)
}

export function resumedLines({ task, attempt }: EventOf<'resumed'>, style: Style): readonly string[] {
  const words = `An earlier relay was stopped in attempt ${attempt} of ${visibleLine(task.title)}. It goes on from there.`
  return lineBehind(style.paint.meta(style.sign.watching), words, style)
}

const mostPaths = 10

/** Paths of the folder that the agent does not see. */
export function leftOutLines({ paths }: EventOf<'left-out'>, style: Style): readonly string[] {
  return lineBehind(style.paint.needsYou(style.sign.needsYou), `The agent does not see ${shortList(paths)}.`, style)
}

/** Changes of an agent that relay drops. */
export function droppedLines({ paths }: EventOf<'dropped'>, style: Style): readonly string[] {
  const words = `Not taken, because an agent may not change it: ${shortList(paths)}.`
  return lineBehind(style.paint.needsYou(style.sign.needsYou), words, style)
}

function shortList(paths: readonly string[]): string {
  const more = paths.length > mostPaths ? [`and ${paths.length - mostPaths} more`] : []
  return [...paths.slice(0, mostPaths).map(visibleLine), ...more].join(', ')
}

/** Dependencies that the checks miss in the checkout, and what to do about it. */
export function lacksLines({ missing }: EventOf<'lacks'>, style: Style): readonly string[] {
  return missing.flatMap(({ path, why, because }) => {
    const words =
      why === 'tracked'
        ? `${visibleLine(path)} is not linked into the checkout (\`checkout.link\`): git knows files in it.`
        : `${visibleLine(path)} holds your copy of the project (${visibleLine(because ?? '')}), so the agent does not get it. Set \`checkout.setup\` to a command that makes another one.`
    return lineBehind(style.paint.needsYou(style.sign.needsYou), words, style)
  })
}

export function attemptLines(event: EventOf<'attempt-begun'>, style: Style): readonly string[] {
  const { task, attempt, of, iteration } = event
  const times =
    iteration !== undefined
      ? ` (iteration ${iteration} of ${of})`
      : attempt === 1
        ? ''
        : ` (attempt ${attempt} of ${of})`
  return wrapLine(`${style.paint.strong(named(task))}${times}`, style.columns, style.sign.cut)
}

/** Why an attempt does not count: a short form of what the agent is told. Without a number, it is the only attempt. */
export function attemptFailedLines(
  { attempt, why }: { readonly attempt: number | undefined; readonly why: string },
  style: Style,
): readonly string[] {
  const all = why.split('\n').filter(line => line.trim() !== '')
  const more = all.length > mostWhy ? [`and ${count(all.length - mostWhy, 'more line')}`] : []
  const [first = '', ...others] = [...all.slice(0, mostWhy).map(visibleOutputLine), ...more]
  const words = attempt === undefined ? first : `attempt ${attempt} was not accepted: ${first}`
  const head = lineBehind(style.paint.fail(style.sign.fail), words, style)
  return [...head, ...others.flatMap(line => hanging('  ', wrapLine(line, style.columns - 2, style.sign.cut), 2))]
}

const mostWhy = 12

export function waitingLines({ until }: EventOf<'waiting'>, style: Style): readonly string[] {
  const words = `The agent has reached a limit of its provider. relay waits until ${describeHour(until)}; Ctrl+C stops it.`
  return lineBehind(style.paint.needsYou(style.sign.needsYou), words, style)
}

/** The end of the only task. The lines above it have told everything else. */
export function onlyTaskLines({ result }: TaskEnd, style: Style): readonly string[] {
  const { paint, sign } = style
  switch (result.kind) {
    case 'landed': {
      const { committed } = result.landed
      if (committed.kind === 'none') return []
      const isGood = committed.kind === 'commit'
      const mark = isGood ? paint.ok(sign.ok) : paint.needsYou(sign.needsYou)
      return lineBehind(mark, isGood ? `committed as ${committed.sha.slice(0, 7)}` : committedWords(committed), style)
    }
    case 'done':
      return lineBehind(paint.ok(sign.ok), 'the agent changed no file', style)
    case 'failed':
      return result.kept === undefined ? [] : lineBehind(paint.meta(sign.watching), keptWords(result.kept), style)
  }
}

function keptWords(number: number): string {
  return `Its work is kept: relay apply --kept ${number}`
}

/** The end of a task: one line, and what the user can do about it. */
export function taskEndLines({ task, attempts, ms, usage, result }: TaskEnd, style: Style): readonly string[] {
  const { paint, sign } = style
  const facts = [
    ...(attempts === 1 ? [] : [count(attempts, 'attempt')]),
    describeDuration(ms),
    ...(usage.outputTokens === undefined ? [] : [`${grouped((usage.inputTokens ?? 0) + usage.outputTokens)} tokens`]),
    ...(usage.cost === undefined || usage.cost === 0 ? [] : [`$${usage.cost.toFixed(2)}`]),
  ].join(', ')
  switch (result.kind) {
    case 'landed': {
      const words = [landedWords(result.landed), committedWords(result.landed.committed)].filter(word => word !== '')
      return lineBehind(paint.ok(sign.ok), `${named(task)}: ${words.join(', ')} (${facts})`, style)
    }
    case 'done':
      return lineBehind(paint.ok(sign.ok), `${named(task)}: nothing had to be changed (${facts})`, style)
    case 'failed': {
      const head = lineBehind(paint.fail(sign.fail), `${named(task)}: ${shortWhy(result.why)} (${facts})`, style)
      return [
        ...head,
        ...(result.option === undefined ? [] : [`  To agree to it beforehand: ${result.option}`]),
        ...(result.kept === undefined ? [] : [`  ${keptWords(result.kept)}`]),
      ]
    }
  }
}

function landedWords({ number, files }: Landed): string {
  return [...(number === undefined ? [] : [`#${number}`]), count(files, 'file')].join(', ')
}

function committedWords(committed: Committed): string {
  switch (committed.kind) {
    case 'commit':
      return `commit ${committed.sha.slice(0, 7)}`
    case 'not-committed':
      return `not committed: ${visibleOutputLine(committed.why)}`
    case 'none':
      return ''
  }
}

function named({ id, title }: TaskEnd['task']): string {
  return id === '' ? visibleLine(title) : `${visibleLine(id)} ${visibleLine(title)}`
}

/** The result of a run, and why it ended. */
export function runEndLines({ tasks, of, ms, stopped, shipped }: WorkEnd, style: Style): readonly string[] {
  const { paint, sign } = style
  const failed = tasks.filter(({ result }) => result.kind === 'failed').length
  const good = tasks.length - failed
  const used = tasks.reduce((sum, { usage }) => sum + (usage.inputTokens ?? 0) + (usage.outputTokens ?? 0), 0)
  const cost = tasks.reduce((sum, { usage }) => sum + (usage.cost ?? 0), 0)
  const tells = (what: keyof TaskEnd['usage']) => tasks.some(({ usage }) => usage[what] !== undefined)
  const facts = [
    of === undefined ? `${count(good, 'task')} done` : `${good} of ${count(Math.max(of, tasks.length), 'task')} done`,
    ...(failed === 0 ? [] : [`${failed} failed`]),
    describeDuration(ms),
    !tells('inputTokens') && !tells('outputTokens') ? 'tokens unknown' : `${grouped(used)} tokens`,
    !tells('cost') ? 'cost unknown' : `$${cost.toFixed(2)}`,
  ].join(', ')
  const isGood = stopped.kind === 'all-done'
  const mark = isGood ? paint.ok(sign.ok) : paint.needsYou(sign.needsYou)
  return [...lineBehind(mark, `${facts}${stoppedWords(stopped)}`, style), ...shippedLines(shipped, style)]
}

function shippedLines(shipped: Shipped | undefined, style: Style): readonly string[] {
  if (shipped === undefined) return []
  const { paint, sign } = style
  const branch = visibleLine(shipped.branch)
  switch (shipped.kind) {
    case 'left': {
      if (shipped.why === undefined)
        return lineBehind(paint.meta(sign.watching), `all of it is on the branch ${branch}`, style)
      const words = `${visibleOutputLine(shipped.why).replace(/\.$/, '')}. All of it is on the branch ${branch}.`
      return lineBehind(paint.needsYou(sign.needsYou), words, style)
    }
    case 'merged': {
      const into = visibleLine(shipped.into)
      const words =
        shipped.commit === undefined
          ? `${branch} is merged into ${into} already`
          : `merged into ${into} (${shipped.commit.slice(0, 7)}); git takes it back, and not relay undo`
      return lineBehind(paint.ok(sign.ok), words, style)
    }
    case 'pull-request': {
      const words = `pull request ${shipped.isNew ? '' : '(open already) '}${visibleLine(shipped.url)}`
      return lineBehind(paint.ok(sign.ok), words, style)
    }
    case 'pushed':
      return lineBehind(paint.needsYou(sign.needsYou), `${branch}: ${visibleOutputLine(shipped.why)}`, style)
  }
}

/** Why the only task has not ended, where the lines above do not say so. */
export function onlyStopLines({ stopped }: WorkEnd, style: Style): readonly string[] {
  if (stopped.kind !== 'interrupted' && stopped.kind !== 'held') return []
  const words = stoppedWords(stopped).replace(/^\. /, '')
  return lineBehind(style.paint.needsYou(style.sign.needsYou), words, style)
}

/** Why no further task begins, as the end of a sentence; empty where all is done. */
function stoppedWords(stopped: Stopped): string {
  switch (stopped.kind) {
    case 'all-done':
      return ''
    case 'work-left': {
      const next = stopped.option === undefined ? '' : `. The same command with ${stopped.option} takes it`
      return `. Stopped: ${shortWhy(stopped.why)}${next}`
    }
    case 'no-agent':
      return `. Stopped: ${shortWhy(stopped.why)}`
    case 'interrupted':
      return '. Interrupted: the same command goes on from here'
    case 'held':
      return '. A question is left open: answer it with `relay recover`, then run the same command again'
  }
}

function lineBehind(mark: string, words: string, { columns, sign }: Style): readonly string[] {
  return hanging(`${mark} `, wrapLine(words, columns - 2, sign.cut), 2)
}
