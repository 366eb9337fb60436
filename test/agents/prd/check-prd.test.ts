import { describe, expect, it } from 'vitest'
import { checkPrd } from '../../../src/agents/prd/check-prd.ts'
import type { JsonObject } from '../../../src/agents/prd/prd-file.ts'
import { fileRules, storyRules } from '../../../src/agents/prd/prd-rules.ts'
import { prdFile, readFile, story } from './prd-world.ts'

/** Each finding in a line. */
function findings(stories: readonly JsonObject[], changes: JsonObject = {}): readonly string[] {
  return checkPrd(prdFile(stories, changes)).map(({ rule, story, message }) => `${story ?? '-'} ${rule}: ${message}`)
}

const screen = ['A red badge in the list', 'Typecheck passes', 'Verify in browser using dev-browser skill']
const titled = (id: string, title: string, changes: JsonObject = {}) => story(id, { title, ...changes })
const withCriteria = (...criteria: string[]) =>
  story('US-001', { acceptanceCriteria: [...criteria, 'Typecheck passes'] })

/** As the skills ask for it: the database, then the server, then what is seen. */
const good = [
  titled('US-001', 'Add priority column to tasks table', {
    description:
      'As a developer, I need to keep a priority with each task. It has three values. The default is medium.',
    acceptanceCriteria: [
      "Column `priority` with 'high', 'medium' and 'low'",
      'The migration runs twice without error',
      'Typecheck passes',
    ],
    dependsOn: [],
  }),
  titled('US-002', 'Return the priority from the tasks API', {
    acceptanceCriteria: [
      'GET /tasks returns `priority`',
      'Uses the column of US-001',
      'Tests pass',
      'Typecheck passes',
    ],
    dependsOn: ['US-001'],
  }),
  titled('US-003', 'Display a priority badge on task cards', {
    acceptanceCriteria: screen,
    notes: 'US-004 filters by it',
  }),
  titled('US-004', 'Filter tasks by priority', {
    acceptanceCriteria: ['The filter stays in the URL', 'npm run typecheck passes'],
  }),
  titled('US-005', 'Count tasks by priority on the dashboard page', { acceptanceCriteria: screen }),
]

describe('a prd.json', () => {
  it('of small stories in order, each with what can be verified, is found good', () => {
    expect(findings(good)).toEqual([])
    expect(findings(good.toReversed())).toEqual([])
  })

  it.each<[name: string, stories: readonly JsonObject[], changes: JsonObject, found: readonly string[]]>([
    ['no project', [story('US-001')], { project: undefined }, ['- missing-key: "project" is missing.']],
    ['an empty branch', [story('US-001')], { branchName: '' }, ['- missing-key: "branchName" is missing.']],
    ['a branch that git refuses', [story('US-001')], { branchName: 'ralph/my feature' }, ['- branch-name: git takes no branch of the name "ralph/my feature".']],
    ['a branch that reads as an option', [story('US-001')], { branchName: '--upload-pack=x' }, ['- branch-name: git takes no branch of the name "--upload-pack=x".']],
    ['a branch of another form', [story('US-001')], { branchName: 'feature/3828-Async_SDK.v2' }, []],
    ['no stories', [], {}, ['- no-stories: There is no user story in it.']],
    ['keys missing', [story('US-001', { title: '', priority: undefined, notes: undefined })], {}, ['title', 'priority', 'notes'].map(key => `US-001 missing-key: "${key}" is missing.`)],
    ['other ids', [story('1'), story('US-02'), story('US-0003')], {}, ['1 id: The id "1" is not of the form US-001.', 'US-02 id: The id "US-02" is not of the form US-001.']],
    ['one id twice', [story('US-001'), story('US-001', { title: 'Other' })], {}, ['US-001 same-id: The id US-001 is taken by a user story above.']],
    ['one title twice', [titled('US-001', 'Add a list'), titled('US-002', 'Add  a LIST.')], {}, ['US-002 same-title: Its title is that of US-001.']],
  ])('with %s', (_, stories, changes, found) => {
    expect(findings(stories, changes)).toEqual(found)
  }) // biome-ignore format: one line a case reads as a table
})

describe('the size of a story', () => {
  it.each(['Build entire dashboard', 'Add authentication', 'Refactor the API', 'Implement the payment system for the whole app', 'Rewrite our billing backend'])('is too large: %s', title => {
    expect(findings([titled('US-001', title)])).toEqual([`US-001 size: Too large for one turn: "${title}" is a whole area of work. Split it.`])
  }) // biome-ignore format: one line a case reads as a table

  it.each(['Add a complete button test to lists', 'Add authentication header to the client', 'Refactor the date parser', 'Add an entire-row highlight'])('is right: %s', title => {
    expect(findings([titled('US-001', title, { acceptanceCriteria: screen })])).toEqual([])
  }) // biome-ignore format: one line a case reads as a table

  it('is too large where it takes more than three sentences, or fifteen criteria', () => {
    const description = 'As a user, I want a list, e.g. of tasks. It is sorted. It has a filter. It can be printed!'
    expect(findings([story('US-001', { description })])).toEqual(['US-001 size: Too large for one turn: its description takes 4 sentences. Split it.'])
    const many = Array.from({ length: 15 }, (_, at) => `Line ${at}`)
    expect(findings([withCriteria(...many)])).toEqual(['US-001 size: Too large for one turn: it has 16 criteria. Split it.'])
    expect(findings([withCriteria(...many.slice(1))])).toEqual([])
  }) // biome-ignore format: one line a case reads as a table
})

describe('the order of stories', () => {
  const badge = { acceptanceCriteria: screen }
  it('puts what others build on first', () => {
    const stories = [
      titled('US-001', 'Display a badge on cards', badge),
      titled('US-002', 'Add status column to tasks table'),
      titled('US-003', 'Add an endpoint that returns the status'),
    ]
    expect(findings(stories)).toEqual([
      'US-002 order: Its title speaks of the database, that of US-001 before it of a screen: what others build on comes first.',
      'US-003 order: Its title speaks of the server, that of US-001 before it of a screen: what others build on comes first.',
    ])
    expect(findings(stories.map(each => (each['id'] === 'US-001' ? { ...each, priority: 9 } : each)))).toEqual([])
  })

  it('does not judge after what passes already, nor titles that speak of several things', () => {
    const migration = titled('US-002', 'Add a migration for tags')
    expect(findings([titled('US-001', 'Display a badge on cards', { ...badge, passes: true }), migration])).toEqual([])
    expect(findings([titled('US-001', 'Show the database version', badge), migration])).toEqual([])
  })

  it.each<[name: string, changes: JsonObject, found: readonly string[]]>([
    ['in its description', { description: 'Depends on US-002.' }, ['US-002']],
    ['in a criterion', { acceptanceCriteria: ['Uses the new column from US-002', 'Typecheck passes'] }, ['US-002']],
    ['in its notes, several', { notes: 'Do this after US-002 and US-003' }, ['US-002', 'US-003']],
    ['in a key', { dependsOn: ['US-003'] }, ['US-003']],
    ['itself', { dependencies: ['US-001'] }, ['US-001']],
    ['without a need for it', { notes: 'Compile errors are fixed in US-002, so that US-003 can build.' }, []],
  ])('finds a later story named %s', (_, changes, found) => {
    expect(findings([story('US-001', changes), story('US-002'), story('US-003')])).toEqual(
      found.map(id => `US-001 depends-on-later: Needs ${id}, which does not come before it.`),
    )
  }) // biome-ignore format: one line a case reads as a table

  it('goes by priority, and knows what is not there', () => {
    const needs = (id: string) => ({ blockedBy: [id] })
    expect(findings([story('US-001', { ...needs('US-002'), priority: 3 }), story('US-002')])).toEqual([])
    expect(findings([story('US-001', needs('US-009'))])).toEqual([
      'US-001 depends-on-unknown: Needs US-009, which is not in the file.',
    ])
  })
})

describe('acceptance criteria', () => {
  const missing = 'US-001 typecheck: The criterion "Typecheck passes" is missing.'
  it.each<[criteria: readonly string[], found: readonly string[]]>([
    [['A line more'], [missing]],
    [[], ['US-001 no-criteria: It has no acceptance criterion of its own.', missing]],
    [['Typecheck passes'], ['US-001 no-criteria: It has no acceptance criterion of its own.']],
    [['A line more', 'Type checking passes for this package'], []],
    [['A line more', 'The type-check passes.'], []],
  ])('%j', (acceptanceCriteria, found) => {
    expect(findings([story('US-001', { acceptanceCriteria })])).toEqual(found)
  })

  it.each(['Works correctly', 'The filter works as expected', 'User can do this easily', 'Good UX', 'Handles edge cases', 'Handles all errors gracefully.', 'Returns an appropriate status', 'The list loads fast', 'Looks nice on phones'])('cannot be verified: %s', criterion => {
    expect(findings([withCriteria(criterion)])).toEqual([`US-001 vague: Nobody can verify "${criterion}": say what is seen, or what a command prints.`])
  }) // biome-ignore format: one line a case reads as a table

  it.each(['The list loads fast: in less than 200 ms', 'Handles errors of the network with a message', 'Exits with 1 for an unknown id', '`npm test` prints no failure', 'Networks correctly named are kept'])('can be verified: %s', criterion => {
    expect(findings([withCriteria(criterion)])).toEqual([])
  }) // biome-ignore format: one line a case reads as a table

  it.each<[criterion: string, word: string]>([
    ['A dropdown with three values', 'dropdown'],
    ['Clicking Delete shows a question', 'Clicking'],
    ['The settings page has a switch', 'settings page'],
  ])('ask for a browser where something is seen: %s', (criterion, word) => {
    expect(findings([withCriteria(criterion)])).toEqual([
      `US-001 browser: It changes what a user sees (${word}), and has no criterion "Verify in browser using dev-browser skill".`,
    ])
    expect(findings([withCriteria(criterion, 'Verify in browser')])).toEqual([])
  })

  it('ask for none where nothing is', () => {
    expect(findings([withCriteria('The page size is 50', 'Transforms the form of ids', 'Built with a guide')])).toEqual(
      [],
    )
  })
})

it('quotes what it found as it stands there', () => {
  expect(findings([withCriteria('$& works correctly')])).toEqual([
    'US-001 vague: Nobody can verify "$& works correctly": say what is seen, or what a command prints.',
  ])
})

it('finds much in the least that can be read', () => {
  const rules = checkPrd(readFile('{"userStories": [{"id": "x"}]}')).map(({ rule }) => rule)
  expect(rules).toEqual([
    ...Array(3).fill('missing-key'),
    ...Array(6).fill('missing-key'),
    'id',
    'no-criteria',
    'typecheck',
  ])
})

it('has a name for each rule, and a message that a finding fits into', () => {
  for (const rules of [fileRules, storyRules]) {
    const names = rules.map(({ rule }) => rule)
    expect(new Set(names).size).toBe(names.length)
    expect(rules.filter(({ message }) => message.split('{}').length !== 2)).toEqual([])
  }
})
