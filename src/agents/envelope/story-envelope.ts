import { cutBytesBefore } from '../../ground/bytes.ts'
import { fenced } from '../../ground/words.ts'
import type { Story } from '../../model/prd.ts'
import type { AttemptFacts } from '../../model/task.ts'
import { beforeSection, commandRule, cutTo, gitRule, markerRule, placeRule, section } from './work-rules.ts'

/** The parts of the envelope for one user story. */
export interface StoryParts {
  /** The general instructions: the project's own prompt.md, or the built-in one. */
  readonly prompt: string
  readonly story: Story
  /** The path is relative to the agent's folder. */
  readonly prd: { readonly path: string; readonly text: string }
  /** progress.txt: the patterns that every story has to know, and the entries, the newest last. */
  readonly progress: { readonly path: string; readonly patterns: string; readonly log: string }
  readonly allow: readonly string[] | 'any'
  readonly facts: AttemptFacts
}

/** Limits of each part in bytes of UTF-8; together they are less than an agent accepts. */
export const storyLimits = { prompt: 100_000, story: 50_000, patterns: 30_000, log: 40_000, prd: 60_000 }

/**
 * The envelope for one user story. relay's own rules come last and override the project's prompt: such a prompt tells the agent
 * to choose a story, to commit and to push, which relay does itself.
 */
export function storyEnvelope({ prompt, story, prd, progress, allow, facts }: StoryParts): string {
  return [
    cutTo(prompt.trim(), storyLimits.prompt),
    ...section('The user story', storyWords(story)),
    ...section('What agents before you learned', block(progress.patterns, storyLimits.patterns)),
    ...section(`prd.json (${prd.path})`, block(prd.text, storyLimits.prd)),
    ...section(`progress.txt (${progress.path})`, fenced(newest(progress.log))),
    ...beforeSection(facts),
    ...section('What holds whatever is said above', placeRule(facts.cwd), rules(story, prd.path, progress.path, allow)),
  ]
    .join('\n\n')
    .concat('\n')
}

function storyWords({ id, title, description, acceptanceCriteria, notes }: Story): string {
  const words = [
    `**${oneLine(id)}: ${oneLine(title)}**`,
    description.trim(),
    acceptanceCriteria.length === 0 ? '' : `Acceptance criteria:\n\n${listed(acceptanceCriteria)}`,
    notes.trim() === '' ? '' : `Notes: ${notes.trim()}`,
  ]
  return cutTo(words.filter(each => each !== '').join('\n\n'), storyLimits.story)
}

function rules(story: Story, prd: string, progress: string, allow: StoryParts['allow']): string {
  const id = cutTo(oneLine(story.id), 100)
  return [
    `- Your story is ${id}, and no other. Of ${prd} you may change its \`passes\` and its \`notes\`; everything else is put back.`,
    `- To ${progress} you may append, and you may rewrite its part \`## Codebase Patterns\`.`,
    commandRule(allow),
    gitRule,
    markerRule(),
  ].join('\n')
}

function listed(texts: readonly string[]): string {
  return texts.map(text => `- ${text}`).join('\n')
}

function oneLine(text: string): string {
  return text.replaceAll(/\s+/g, ' ').trim()
}

function block(text: string, most: number): string {
  return text.trim() === '' ? '' : fenced(cutTo(text.trim(), most))
}

/** The end of the log: the newest entries matter most. */
function newest(log: string): string {
  const text = log.trim()
  const kept = cutBytesBefore(text, storyLimits.log)
  return kept === text ? text : `[relay left out what is older]\n${kept.slice(kept.indexOf('\n') + 1)}`
}
