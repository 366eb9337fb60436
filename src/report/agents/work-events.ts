import type { Shipped } from '../../model/ship.ts'
import type { Committed, NextAttempt, Stopped, TaskEnd, WorkEnd, WorkEvent } from '../../model/task.ts'
import { usageJson } from '../json/agent-json.ts'
import type { WatchEvent } from '../json/event-json.ts'
import { count, dollars, grouped } from '../text/count.ts'
import { describeDuration, describeHour } from '../text/describe-time.ts'
import { hanging, marked } from '../text/hanging.ts'
import { shortWhy } from '../text/short-why.ts'
import type { Style } from '../text/style.ts'
import { visibleLine, visibleOutputLine } from '../text/visible.ts'
import { wrapLine } from '../text/wrap-line.ts'

/** An event of a run, for a person and for a program (`--json`). */
interface Read {
  readonly lines: readonly string[]
  readonly json?: WatchEvent
}

/** @param isOnly one task with one attempt: the lines of the turn and of the transaction say nearly everything already */
export function readWorkEvent(
  event: WorkEvent,
  { agent, isOnly }: { readonly agent: string; readonly isOnly: boolean },
  style: Style,
): Read {
  switch (event.kind) {
    case 'run-begun': {
      const { book, sandbox, enforcement, limits, tasks = null } = event
      const { attempts, timeout } = limits
      return {
        lines: begunLines(event, style),
        json: { event: 'work-begun', book, agent, sandbox, enforcement, attempts, timeout, tasks },
      }
    }
    case 'resumed': {
      const { task, attempt } = event
      const title = visibleLine(task.title)
      return {
        lines: marked(
          'watching',
          `An earlier relay was stopped in attempt ${attempt} of ${title}. It goes on from there.`,
          style,
        ),
        json: { event: 'work-resumed', task, attempt },
      }
    }
    case 'left-out': {
      const { paths } = event
      return {
        lines: marked('needsYou', `The agent does not see ${shortList(paths)}.`, style),
        json: { event: 'left-out', paths },
      }
    }
    case 'lacks': {
      const { missing } = event
      return {
        lines: missing.flatMap(lack => marked('needsYou', lackWords(lack), style)),
        json: { event: 'lacks', missing: missing.map(({ path, why }) => ({ path, why })) },
      }
    }
    case 'attempt-begun': {
      const { task, attempt, of, iteration = null } = event
      return {
        lines: isOnly && task.id === '' ? [] : attemptLines(event, style),
        json: { event: 'attempt-begun', task, attempt, of, iteration },
      }
    }
    case 'step':
      return { lines: [], json: { event: 'step', step: event.step, command: '' } }
    case 'user-note':
      return readUserNote(event, style)
    // The live line and the line of the turn say these, and the view of the turn reports them to programs.
    case 'agent':
    case 'turn-ended':
      return { lines: [] }
    case 'not-compared': {
      const { paths } = event
      const words = `Not compared with the last commit, because a filter in .git/config would run: ${shortList(paths)}.`
      return { lines: marked('watching', words, style), json: { event: 'not-compared', paths } }
    }
    case 'dropped': {
      const { paths } = event
      return {
        lines: marked('needsYou', `Not taken, because an agent may not change it: ${shortList(paths)}.`, style),
        json: { event: 'dropped', paths },
      }
    }
    case 'waiting': {
      const hour = describeHour(event.until)
      const words = `The agent has reached a limit of its provider. relay waits until ${hour}; Ctrl+C stops it.`
      return {
        lines: marked('needsYou', words, style),
        json: { event: 'limit-waited', until: event.until.toISOString() },
      }
    }
    case 'attempt-failed': {
      const { task, attempt, why, toldBy } = event
      return {
        lines: isOnly && toldBy === 'turn' ? [] : failedLines(event, style),
        json: { event: 'attempt-failed', task, attempt, why },
      }
    }
    case 'task-ended':
      return {
        lines: isOnly ? onlyTaskLines(event.end, style) : taskEndLines(event.end, style),
        json: { event: 'task-ended', ...taskEndJson(event.end) },
      }
    case 'run-ended':
      return {
        lines: isOnly ? onlyStopLines(event.end, style) : runEndLines(event.end, style),
        json: { event: 'work-ended', ...runEndJson(event.end) },
      }
  }
}

type EventOf<K extends WorkEvent['kind']> = Extract<WorkEvent, { readonly kind: K }>

function readUserNote({ sentences, isTold }: EventOf<'user-note'>, style: Style): Read {
  const words = isTold ? 'The agent is told:' : 'The agent was not told, because no turn came after it:'
  const mark = isTold ? 'watching' : 'needsYou'
  return {
    lines: sentences.flatMap(each => marked(mark, `${words} ${visibleLine(each)}`, style)),
    json: { event: 'user-note', sentences, isTold },
  }
}

export function begunLines(
  { book, agent, sandbox, enforcement, limits, tasks }: EventOf<'run-begun'>,
  style: Style,
): readonly string[] {
  const { attempts, iterations, timeout } = limits
  const who = `${visibleLine(agent)} (${sandbox}: ${enforcement})`
  const time = describeDuration(1000 * timeout)
  if (tasks === 1 && attempts === 1) return marked('watching', `asking ${who}, for at most ${time}`, style)
  const each = [
    ...(tasks === undefined ? [] : [count(tasks, 'task')]),
    ...(attempts === 1 ? [] : [count(attempts, 'attempt')]),
  ]
  const parts = [...(iterations === undefined ? each : [count(iterations, 'iteration')]), time]
  return marked('watching', `${visibleLine(book)}: at most ${parts.join(' x ')}, with ${who}`, style)
}

const mostPaths = 10

function shortList(paths: readonly string[]): string {
  const more = paths.length > mostPaths ? [`and ${paths.length - mostPaths} more`] : []
  return [...paths.slice(0, mostPaths).map(visibleLine), ...more].join(', ')
}

/** A dependency that the checks miss in the checkout, and what to do about it. */
function lackWords({ path, why, because = '' }: EventOf<'lacks'>['missing'][number]): string {
  return why === 'tracked'
    ? `${visibleLine(path)} is not linked into the checkout (\`checkout.link\`): git knows files in it.`
    : `${visibleLine(path)} holds your copy of the project (${visibleLine(because)}), so the agent does not get it. Set \`checkout.setup\` to a command that makes another one.`
}

function attemptLines({ task, attempt, of, iteration }: EventOf<'attempt-begun'>, style: Style): readonly string[] {
  const times =
    iteration !== undefined
      ? ` (iteration ${iteration} of ${of})`
      : attempt === 1
        ? ''
        : ` (attempt ${attempt} of ${of})`
  return wrapLine(`${style.paint.strong(named(task))}${times}`, style.columns, style.sign.cut)
}

/** Why an attempt does not count, and what follows. Where nothing has told the details, they are what the agent is told. */
function failedLines({ why, toldBy, next, isSame }: EventOf<'attempt-failed'>, style: Style): readonly string[] {
  if (toldBy === undefined) return [...detailLines(why, style), ...(next === undefined ? [] : [`  ${nextWords(next)}`])]
  const short = shortWhy(why).replace(/^Not accepted: /, '')
  const then =
    next !== undefined ? nextWords(next) : isSame === true ? 'the same twice, so no attempt follows' : undefined
  const words = then === undefined ? short : `${short.replace(/\.$/, '')}; ${then}`
  return marked('fail', `not accepted: ${words}`, style)
}

/** `the agent tries again (2 of 3)`. */
function nextWords({ of, attempt, iteration }: NextAttempt): string {
  return `the agent tries again (${iteration === undefined ? attempt : `iteration ${iteration}`} of ${of})`
}

function detailLines(why: string, style: Style): readonly string[] {
  const all = why.split('\n').filter(line => line.trim() !== '')
  const more = all.length > mostWhy ? [`and ${count(all.length - mostWhy, 'more line')}`] : []
  const [first = '', ...others] = [...all.slice(0, mostWhy).map(visibleOutputLine), ...more]
  const below = others.flatMap(line => hanging('  ', wrapLine(line, style.columns - 2, style.sign.cut), 2))
  return [...marked('fail', `not accepted: ${first.replace(/^Not accepted: /, '')}`, style), ...below]
}

const mostWhy = 12

/** The end of the only task. The lines above it have told everything else. */
function onlyTaskLines({ result }: TaskEnd, style: Style): readonly string[] {
  switch (result.kind) {
    case 'landed': {
      const { committed } = result.landed
      if (committed.kind === 'none') return []
      return committed.kind === 'commit'
        ? marked('ok', `committed as ${committed.sha.slice(0, 7)}`, style)
        : marked('needsYou', committedWords(committed), style)
    }
    case 'done':
      return marked('ok', 'the agent changed no file', style)
    case 'failed':
      return [
        ...optionLines(result.option),
        ...(result.kept === undefined ? [] : marked('watching', keptWords(result.kept), style)),
      ]
  }
}

function keptWords(number: number): string {
  return `Its work is kept: relay apply --kept ${number}`
}

/** The end of a task: one line, and what the user can do about it. */
function taskEndLines({ task, attempts, ms, usage, result }: TaskEnd, style: Style): readonly string[] {
  const facts = [
    ...(attempts === 1 ? [] : [count(attempts, 'attempt')]),
    describeDuration(ms),
    ...(usage.outputTokens === undefined ? [] : [`${grouped((usage.inputTokens ?? 0) + usage.outputTokens)} tokens`]),
    ...(usage.cost === undefined || usage.cost === 0 ? [] : [dollars(usage.cost)]),
  ].join(', ')
  switch (result.kind) {
    case 'landed': {
      const { number, files, committed } = result.landed
      const words = [number === undefined ? '' : `#${number}`, count(files, 'file'), committedWords(committed)]
      return marked('ok', `${named(task)}: ${words.filter(word => word !== '').join(', ')} (${facts})`, style)
    }
    case 'done':
      return marked('ok', `${named(task)}: nothing had to be changed (${facts})`, style)
    case 'failed':
      return [
        ...marked('fail', `${named(task)}: ${shortWhy(result.why)} (${facts})`, style),
        ...optionLines(result.option),
        ...(result.kept === undefined ? [] : [`  ${keptWords(result.kept)}`]),
      ]
  }
}

function optionLines(option: string | undefined): readonly string[] {
  return option === undefined ? [] : [`  To agree to it beforehand: ${option}`]
}

function taskEndJson({ task, attempts, ms, usage, result }: TaskEnd) {
  const landed = result.kind === 'landed' ? result.landed : undefined
  const failed = result.kind === 'failed' ? result : undefined
  const committed = landed?.committed
  return {
    task,
    result: result.kind,
    attempts,
    ms: Math.round(ms),
    ...usageJson(usage),
    number: landed?.number ?? null,
    files: landed?.files ?? null,
    commit: committed?.kind === 'commit' ? committed.sha : null,
    notCommitted: committed?.kind === 'not-committed' ? committed.why : null,
    why: failed?.why ?? null,
    kept: failed?.kept ?? null,
  }
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

function runEndLines({ tasks, of, ms, turns, usage, stopped, shipped }: WorkEnd, style: Style): readonly string[] {
  const failed = tasks.filter(({ result }) => result.kind === 'failed').length
  const good = tasks.length - failed
  const { inputTokens, outputTokens, cost } = usage
  const isUnknown = inputTokens === undefined && outputTokens === undefined
  const done =
    of === undefined ? `${count(good, 'task')} done` : `${good} of ${count(Math.max(of, tasks.length), 'task')} done`
  const used = [
    isUnknown ? 'tokens unknown' : `${grouped((inputTokens ?? 0) + (outputTokens ?? 0))} tokens`,
    cost === undefined ? 'cost unknown' : dollars(cost),
  ]
  const facts = [
    turns === 0 && tasks.length === 0 && stopped.kind === 'all-done' ? 'no work was left to do' : done,
    ...(failed === 0 ? [] : [`${failed} failed`]),
    describeDuration(ms),
    ...(turns === 0 ? [] : used),
  ].join(', ')
  const mark = stopped.kind === 'all-done' ? 'ok' : 'needsYou'
  return [...marked(mark, `${facts}${stoppedWords(stopped)}`, style), ...shippedLines(shipped, style)]
}

/** The end of a run, for programs. */
export function runEndJson({ stopped, ms, usage, tasks, shipped }: WorkEnd) {
  const done = tasks.filter(({ result }) => result.kind !== 'failed').length
  return {
    stopped: stopped.kind,
    why: 'why' in stopped ? stopped.why : null,
    done,
    failed: tasks.length - done,
    ms: Math.round(ms),
    ...usageJson(usage),
    shipped: shippedJson(shipped),
  }
}

function shippedLines(shipped: Shipped | undefined, style: Style): readonly string[] {
  if (shipped === undefined) return []
  const branch = visibleLine(shipped.branch)
  switch (shipped.kind) {
    case 'left': {
      if (shipped.why === undefined) return marked('watching', `all of it is on the branch ${branch}`, style)
      const why = visibleOutputLine(shipped.why).replace(/\.$/, '')
      return [
        ...marked('needsYou', `${why}. All of it is on the branch ${branch}.`, style),
        ...(shipped.next === undefined ? [] : [`  Next: ${visibleLine(shipped.next)}`]),
      ]
    }
    case 'merged': {
      const into = visibleLine(shipped.into)
      const words =
        shipped.commit === undefined
          ? `${branch} is merged into ${into} already`
          : `merged into ${into} (${shipped.commit.slice(0, 7)}); to take it back: ${shipped.undo}`
      return marked('ok', words, style)
    }
    case 'pull-request':
      return [
        ...marked('ok', `pull request ${shipped.isNew ? '' : '(open already) '}${visibleLine(shipped.url)}`, style),
        ...(shipped.isMasked ? marked('needsYou', 'secrets in its text were masked (***)', style) : []),
      ]
    case 'pushed':
      return marked('needsYou', `${branch}: ${visibleOutputLine(shipped.why)}`, style)
  }
}

function shippedJson(shipped: Shipped | undefined) {
  if (shipped === undefined) return null
  const { kind: how, branch, ...facts } = shipped
  const known = Object.entries(facts).filter(([, value]) => value !== undefined)
  return { how, branch, into: null, commit: null, url: null, why: null, ...Object.fromEntries(known) }
}

/** Why the only task has not ended, where the lines above do not say so. */
function onlyStopLines({ tasks, stopped }: WorkEnd, style: Style): readonly string[] {
  const isTold = tasks.length > 0 || (stopped.kind === 'no-agent' && stopped.isTold === true)
  const words = isTold ? '' : stoppedWords(stopped)
  return words === '' ? [] : marked('needsYou', words.replace(/^\. /, ''), style)
}

/** Why no further task begins, as the end of a sentence; empty where all is done. */
function stoppedWords(stopped: Stopped): string {
  switch (stopped.kind) {
    case 'all-done':
      return ''
    case 'work-left': {
      const next = stopped.option === undefined ? '' : `. The same command with ${stopped.option} takes it`
      const kept =
        stopped.kept === undefined
          ? ''
          : `. What was refused is kept: \`relay apply --kept ${stopped.kept}\` (it lies in ${visibleLine(stopped.folder ?? '')})`
      return `. Stopped: ${shortWhy(stopped.why).replace(/\.$/, '')}${next}${kept}`
    }
    case 'no-agent':
      return `. Stopped: ${shortWhy(stopped.why)}`
    case 'interrupted':
      return '. Interrupted: the same command goes on from here'
    case 'held':
      return '. A question is left open: answer it with `relay recover`, then run the same command again'
  }
}
