import type { Story } from '../../model/prd.ts'
import type { JsonObject, PrdFile } from './prd-file.ts'

/** A rule of a good prd.json: the advice in the skills, and the message about a file that breaks it. */
interface Rule<Subject> {
  /** The rule's name, for programs. */
  readonly rule: string
  /** The advice for someone who writes a prd.json; empty if the format says it already. */
  readonly advice: string
  /** The message; `{}` is replaced by what was found. */
  readonly message: string
  /** Returns whatever breaks the rule; each one becomes a finding. */
  readonly found: (subject: Subject) => readonly string[]
}

/** A user story with its position among the others. */
export interface StoryInPlace {
  readonly story: Story
  /** The whole JSON object. */
  readonly value: JsonObject
  /** The stories above it in the file. */
  readonly above: readonly Story[]
  /** The stories that are worked on before it. */
  readonly earlier: readonly Story[]
  readonly all: readonly Story[]
}

/** Limits for what one turn of an agent can do. */
const MOST_SENTENCES = 3
const MOST_CRITERIA = 15

export const fileRules: readonly Rule<PrdFile>[] = [
  {
    rule: 'missing-key',
    advice: '',
    message: '"{}" is missing.',
    found: ({ value }) => ['project', 'branchName', 'description'].filter(key => isMissing(key, value[key])),
  },
  {
    rule: 'branch-name',
    advice: '"branchName" is `ralph/` and the name of the feature in kebab case.',
    message: 'git takes no branch of the name "{}".',
    found: ({ prd: { branchName } }) => (noBranch.test(branchName) ? [branchName] : []),
  },
  {
    rule: 'no-stories',
    advice: '',
    message: 'There is no user story in it{}.',
    found: ({ prd }) => (prd.stories.length === 0 ? [''] : []),
  },
]

export const storyRules: readonly Rule<StoryInPlace>[] = [
  {
    rule: 'missing-key',
    advice: 'Every user story has all of its keys; "passes" begins as false, and "notes" as an empty text.',
    message: '"{}" is missing.',
    found: ({ value }) => storyKeys.filter(key => isMissing(key, value[key])),
  },
  {
    rule: 'id',
    advice: 'Ids count up: US-001, US-002 and so on.',
    message: 'The id "{}" is not of the form US-001.',
    found: ({ story: { id } }) => (/^US-\d{3,}$/.test(id) ? [] : [id]),
  },
  {
    rule: 'same-id',
    advice: '',
    message: 'The id {} is taken by a user story above.',
    found: ({ story: { id }, above }) => (above.some(other => other.id === id) ? [id] : []),
  },
  {
    rule: 'same-title',
    advice: '',
    message: 'Its title is that of {}.',
    found: ({ story, above }) => {
      const twin = above.find(({ title }) => title !== '' && bare(title) === bare(story.title))
      return twin === undefined ? [] : [twin.id]
    },
  },
  {
    rule: 'size',
    advice: `A user story fits into one turn of an agent, which begins without memory. If ${MOST_SENTENCES} sentences cannot describe it, split it: "Add a filter to the list" is one, "Build the entire dashboard" or "Add authentication" are many.`,
    message: 'Too large for one turn: {}. Split it.',
    found: ({ story: { title, description, acceptanceCriteria } }) => {
      const sentences = description.trim().split(/[.!?]+\s+(?=\p{Lu})/u).length
      return [
        ...(bigWork.some(words => words.test(title)) ? [`"${title}" is a whole area of work`] : []),
        ...(sentences > MOST_SENTENCES ? [`its description takes ${sentences} sentences`] : []),
        ...(acceptanceCriteria.length > MOST_CRITERIA ? [`it has ${acceptanceCriteria.length} criteria`] : []),
      ]
    },
  },
  {
    rule: 'order',
    advice:
      'Priorities follow what is built on what: database, server, screens, dashboards. The lowest number comes first.',
    message: 'Its title speaks of {}: what others build on comes first.',
    found: ({ story, earlier }) => {
      const layer = layerOf(story)
      const open = earlier.filter(({ passes }) => !passes)
      const upper = layer < 0 ? undefined : open.find(other => layerOf(other) > layer)
      return upper === undefined ? [] : [`${nameOf(layer)}, that of ${upper.id} before it of ${nameOf(layerOf(upper))}`]
    },
  },
  {
    rule: 'depends-on-later',
    advice: 'A user story needs earlier ones at most, never later ones.',
    message: 'Needs {}, which does not come before it.',
    found: ({ story, earlier, all }) => {
      const needs = new Set(needsOf(story).filter(id => all.some(other => other.id === id)))
      return [...needs].filter(id => !earlier.some(other => other.id === id))
    },
  },
  {
    rule: 'depends-on-unknown',
    advice: '',
    message: 'Needs {}, which is not in the file.',
    found: ({ story, all }) => story.dependsOn.filter(id => !all.some(other => other.id === id)),
  },
  {
    rule: 'no-criteria',
    advice: '',
    message: 'It has no acceptance criterion of its own{}.',
    found: ({ story: { acceptanceCriteria } }) => {
      return acceptanceCriteria.some(each => each.trim() !== '' && !saysTypecheck.test(each)) ? [] : ['']
    },
  },
  {
    rule: 'typecheck',
    advice: 'Every user story has the criterion "Typecheck passes"; one with logic to test also "Tests pass".',
    message: 'The criterion "Typecheck passes" is missing{}.',
    found: ({ story: { acceptanceCriteria } }) =>
      acceptanceCriteria.some(each => saysTypecheck.test(each)) ? [] : [''],
  },
  {
    rule: 'browser',
    advice: 'A user story that changes what a user sees has the criterion "Verify in browser using dev-browser skill".',
    message: 'It changes what a user sees ({}), and has no criterion "Verify in browser using dev-browser skill".',
    found: ({ story: { title, acceptanceCriteria } }) => {
      if (acceptanceCriteria.some(each => saysBrowser.test(each))) return []
      const words = [title, ...acceptanceCriteria].map(text => onScreen.exec(text)?.[0])
      return words.filter(word => word !== undefined).slice(0, 1)
    },
  },
  {
    rule: 'vague',
    advice:
      'Each criterion can be looked up or run: "Clicking Delete shows a dialog", not "Works correctly", "Good UX" or "Handles edge cases".',
    message: 'Nobody can verify "{}": say what is seen, or what a command prints.',
    found: ({ story: { acceptanceCriteria } }) => {
      return acceptanceCriteria.filter(each => vague.some(words => words.test(each)))
    },
  },
]

const storyKeys = ['title', 'description', 'acceptanceCriteria', 'priority', 'passes', 'notes']

/** Notes may be empty, and an empty list of criteria has its own rule. */
function isMissing(key: string, value: unknown): boolean {
  return value === undefined || (value === '' && key !== 'notes')
}

/** The names that `git check-ref-format --branch` refuses. */
const noBranch = /^-|^@$|[\s\x00-\x1f\x7f~^:?*[\\]|\.\.|@\{|\/\/|^\/|\/$|\.$|(?:^|\/)\.|\.lock(?:\/|$)/

function bare(text: string): string {
  return text
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()
}

/** The layer that the title names; -1 when it names none or several. */
function layerOf({ title }: Story): number {
  const found = layers.flatMap(([, words], at) => (words.test(title) ? [at] : []))
  // A dashboard is also a screen.
  const last = layers.length - 1
  if (found.includes(last) && found.every(at => at >= last - 1)) return last
  return found.length === 1 ? (found[0] ?? -1) : -1
}

function nameOf(layer: number): string {
  return layers[layer]?.[0] ?? ''
}

function needsOf({ title, description, acceptanceCriteria, notes, dependsOn }: Story): readonly string[] {
  const texts = [title, description, ...acceptanceCriteria, notes]
  const named = texts.flatMap(text => [...text.matchAll(dependencyWords)].map(([, ids = '']) => ids))
  return [...dependsOn, ...named.flatMap(ids => ids.match(/[A-Z]+-\d+\w*/gi) ?? [])]
}

/**
 * Words that hint at problems of a user story. They are English and few: a rule that misses a story costs less than a rule
 * that criticises a good one.
 */

/** Titles of work that takes more than one turn. */
const bigWork: readonly RegExp[] = [
  /\b(?:entire|whole|complete|full)\s+(?:[\w-]+\s+){0,2}(?:app|application|system|dashboard|site|website|api|backend|front-?end|codebase|product|feature|ui|platform)\b/i,
  /^(?:add|implement|build|create|set up)\s+(?:an?\s+|the\s+)?(?:user\s+|admin\s+)?(?:auth|authentication|authorization|payments?|billing|dashboard|api|backend|front-?end|admin panel)(?:\s+(?:system|module|feature))?\.?$/i,
  /^(?:refactor|rewrite|redesign|overhaul|migrate)\s+(?:the\s+|our\s+)?(?:[\w-]+\s+)?(?:api|app|application|backend|front-?end|codebase|code|database|system|ui)\.?$/i,
]

/** Criteria that two people may judge differently. */
const vague: readonly RegExp[] = [
  /\bworks?\s+(?:correctly|properly|well|fine|perfectly|as (?:expected|intended))\b/i,
  /\b(?:easy|easily|intuitive|intuitively|user[- ]friendly|seamless|seamlessly|nicely|robust|robustly)\b/i,
  /\b(?:good|great|nice|clean)\s+(?:ux|ui|user experience|performance|design|code)\b|\blooks? (?:good|great|nice)\b/i,
  /\bhandles?\s+(?:all\s+)?(?:the\s+)?(?:edge cases|errors)(?:\s+(?:gracefully|properly|well|correctly))?\.?$/i,
  /\b(?:appropriate|appropriately|as needed)\b/i,
  // "Loads fast" says nothing; "loads fast: under 200 ms" does.
  /^\D*\b(?:is|are|feels?|loads?|runs?|responds?)\s+(?:fast|quick|quickly|snappy|responsive)\b\D*$/i,
]

const saysTypecheck = /\btype-?\s?check(?:s|ing)?\b.{0,80}\bpass(?:es)?\b/i
const saysBrowser = /\bbrowser\b/i

/** Words for what a user sees and touches. */
const onScreen =
  /\b(?:ui|button|drop-?down|modal|dialog|checkbox|badge|sidebar|navbar|tooltip|toast|css|hover\w*|click\w*)\b|\b(?:web|settings?|landing|home|login|profile|details?|existing|new)\s+page\b/i

/** The layers of an application, each built on those before it, with words in a title that name them. */
const layers: readonly (readonly [name: string, words: RegExp])[] = [
  [
    'the database',
    /\b(?:schema|migrations?|database|db|sql|foreign keys?)\b|\b(?:column|field|index)\b.{0,80}\bto\b.{0,80}\btable\b/i,
  ],
  ['the server', /\b(?:api|endpoints?|backend|server actions?|route handlers?|webhooks?|queries)\b/i],
  ['a screen', /\b(?:ui|display|show|page|view|cards?|button|drop-?down|modal|dialog|badge|sidebar|screen)\b/i],
  ['a dashboard', /\b(?:dashboard|overview)\b/i],
]

/** Words before the id or ids of stories that a story needs. */
const dependencyWords =
  /\b(?:depends? (?:up)?on|depending on|requires?|needs?|blocked by|builds? (?:up)?on|relies on|after|once|uses?\b[^.;,]{0,60}?\b(?:from|of|by))\s+(?:the\s+)?(?:(?:user\s+)?stor(?:y|ies)\s+)?((?:[A-Z]+-\d+\w*)(?:\s*(?:,|and|&|or)+\s*[A-Z]+-\d+\w*)*)/gi
