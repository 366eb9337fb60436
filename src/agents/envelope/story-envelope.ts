import { cutBytes, cutBytesBefore } from '../../ground/cut-bytes.ts'
import type { Story } from '../../model/prd.ts'

/** What an agent of a loop is told. */
export interface StoryParts {
  /** How it works: the project's own prompt.md, or the built-in one. */
  readonly prompt: string
  /** The project's folder in the checkout. */
  readonly cwd: string
  readonly story: Story
  /** Paths are those that the agent sees, relative to its folder. */
  readonly prd: { readonly path: string; readonly text: string }
  /** What every story has to know, and the entries, the newest last. */
  readonly progress: { readonly path: string; readonly patterns: string; readonly log: string }
  /** Commands that it may run. */
  readonly allowed: readonly string[]
  /** Why the attempts before this one did not count, oldest first. */
  readonly before: readonly string[]
  /** An earlier attempt was stopped: what it had done is in the folder. */
  readonly isResumed: boolean
}

/** How much of each part is sent, in bytes of UTF-8; together less than an agent takes. */
export const storyLimits = {
  prompt: 100_000,
  story: 50_000,
  patterns: 30_000,
  log: 40_000,
  prd: 60_000,
  before: 20_000,
  allowed: 10_000,
}

/** Of the attempts before, so many are told, the newest. */
const MOST_BEFORE = 3

/**
 * The text for one user story. What relay needs of the agent comes last and holds against a project's own prompt: such a
 * prompt tells the agent to choose a story, to commit and to push, which relay does itself.
 */
export function storyEnvelope(parts: StoryParts): string {
  const { prompt, prd, progress } = parts
  const sections = [
    cut(prompt.trim(), storyLimits.prompt, 'prompt.md'),
    section('The user story', storyWords(parts.story)),
    progress.patterns.trim() === ''
      ? ''
      : section(
          'What agents before you learned',
          fenced(cut(progress.patterns.trim(), storyLimits.patterns, progress.path)),
        ),
    section(`prd.json (\`${prd.path}\`)`, fenced(cut(prd.text.trim(), storyLimits.prd, prd.path))),
    section(`progress.txt (\`${progress.path}\`)`, fenced(newest(progress.log, progress.path))),
    beforeWords(parts),
    section('What holds whatever is said above', ruleWords(parts)),
  ]
  return sections.filter(each => each !== '').join('\n\n')
}

function section(title: string, text: string): string {
  return `## ${title}\n\n${text}`
}

function storyWords({ id, title, description, acceptanceCriteria, notes }: Story): string {
  const words = [
    `**${oneLine(id)}: ${oneLine(title)}**`,
    description.trim(),
    acceptanceCriteria.length === 0 ? '' : `Acceptance criteria:\n\n${listed(acceptanceCriteria)}`,
    notes.trim() === '' ? '' : `Notes: ${notes.trim()}`,
  ]
  return cut(words.filter(each => each !== '').join('\n\n'), storyLimits.story, 'prd.json')
}

function beforeWords({ before, isResumed }: StoryParts): string {
  const resumed = isResumed
    ? 'An attempt at this story was stopped half-way. What it had done is in the folder: look at it first, then go on.'
    : ''
  const told = before.slice(-MOST_BEFORE).map((why, at, all) => {
    const number = before.length - all.length + at + 1
    return `Attempt ${number}:\n\n${fenced(cut(why.trim(), storyLimits.before, 'the log'))}`
  })
  if (told.length === 0) return resumed === '' ? '' : section('What went before', resumed)
  const lead = 'Attempts at this story did not count. Do not make the same mistake again.'
  return section('What went wrong before', [lead, ...told, ...(resumed === '' ? [] : [resumed])].join('\n\n'))
}

function ruleWords({ cwd, story, prd, progress, allowed }: StoryParts): string {
  const id = cutBytes(oneLine(story.id), 100)
  const rules = [
    `You work in \`${cwd}\`, a copy of the project that is yours alone. Change nothing outside of it.`,
    `Your story is ${id}, and no other. Of \`${prd.path}\` you may change its \`passes\` and its \`notes\`; everything else is put back.`,
    `To \`${progress.path}\` you may append, and you may rewrite its part \`## Codebase Patterns\`.`,
    'Leave git alone: do not commit, stash, reset, switch or make branches, push, or open a pull request. relay commits your work when its checks agree.',
    allowed.length === 0
      ? 'If a command is refused, do not look for a way around it.'
      : `You may run these commands, written as they are here; if another is refused, do not look for a way around it:\n${commandWords(allowed)}`,
    `When ${id} is done and the checks pass, end your last message with ${mark('COMPLETE')}. relay runs the checks itself: they decide.`,
    `When it cannot be done, end with a line \`Reason: <why>\` and ${mark('FAILED')}; when it waits for something that is not there, with ${mark('BLOCKED')} in its place.`,
  ]
  return listed(rules)
}

function mark(marker: string): string {
  return `<promise>${marker}</promise>`
}

function commandWords(allowed: readonly string[]): string {
  const words = listed(allowed.map(command => `\`${oneLine(command)}\``)).replaceAll(/^/gm, '  ')
  return cut(words, storyLimits.allowed, 'the configuration')
}

function listed(texts: readonly string[]): string {
  return texts.map(text => `- ${text}`).join('\n')
}

function oneLine(text: string): string {
  return text.replaceAll(/\s+/g, ' ').trim()
}

/** The start of a text, with a word on where the rest is. */
function cut(text: string, most: number, where: string): string {
  const kept = cutBytes(text, most)
  return kept === text ? text : `${kept}\n[cut here: the rest is in ${where}]`
}

/** The end of the log: what was learned last matters most. */
function newest(log: string, path: string): string {
  const text = log.trim()
  const kept = cutBytesBefore(text, storyLimits.log)
  return kept === text ? text : `[cut here: what is older is in ${path}]\n${kept.slice(kept.indexOf('\n') + 1)}`
}

/** Between fences that nothing in the text can close. */
function fenced(text: string): string {
  const longest = Math.max(2, ...Array.from(text.matchAll(/`+/g), ([run]) => run.length))
  const fence = '`'.repeat(longest + 1)
  return `${fence}\n${text}\n${fence}`
}
