import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { printPrd, readPrd, setStory, withValue } from '../../../src/agents/prd/prd-file.ts'
import { prdText, readFile, story } from './prd-world.ts'

/** As people write it: keys of their own, numbers as they like them, lists on one line, tabs. */
const byHand = `{
\t"project": "MyApp", "branchName": "ralph/a",

\t"verificationCommands": { "test": "npm test", "budget": 1.50e2, "id": 12345678901234567890 },
\t"userStories": [
\t\t{ "id": "US-001", "priority" : 2, "passes":false, "notes": "", "estimate": 1.0 },
\t\t{
\t\t\t"id": "US-002",
\t\t\t"acceptanceCriteria": ["a", "Typecheck passes"],
\t\t\t"passes": false
\t\t}
\t]
}`

describe('a prd.json', () => {
  it('is read with what is missing filled in by what asks for least', () => {
    const { prd } = readFile('{"userStories": [{"id": "US-001", "dependsOn": ["US-000"]}]}')
    expect(prd).toEqual({
      project: '',
      branchName: '',
      description: '',
      stories: [
        {
          id: 'US-001',
          title: '',
          description: '',
          acceptanceCriteria: [],
          priority: Number.POSITIVE_INFINITY,
          passes: false,
          notes: '',
          dependsOn: ['US-000'],
        },
      ],
    })
  })

  it.each<[name: string, text: string, problems: readonly string[]]>([
    ['nothing', '', ['line 1, column 1: value expected']],
    ['half of it', '{"userStories": [', ['line 1, column 18: close bracket expected']],
    ['a comma too many', '{\n  "userStories": [],\n}', ['line 3, column 1: property name expected']],
    ['a list', '[]', ['line 1: an object { … } is expected, with "userStories" in it']],
    ['null', 'null', ['line 1: an object { … } is expected, with "userStories" in it']],
    ['no stories', '{}', ['line 1: "userStories" is missing: the list of user stories']],
    ['stories that are none', '{\n"userStories": {}}', ['line 2: "userStories" must be a list [ … ]']],
    ['a story that is none', '{"userStories": [\n"US-001"]}', ['line 2: user story 1 must be an object { … }']],
    [
      'two values of one key',
      '{"userStories": [{"id": "US-001",\n"passes": true,\n"passes": false}]}',
      ['line 3: "passes" is there already, in line 2'],
    ],
    [
      'other kinds of values, all of them said',
      prdText([
        story('US-001', { passes: 'false', priority: '1' }),
        story('US-002', { id: undefined, notes: null }),
        story('US-003', { id: ' ', acceptanceCriteria: ['a', 1], title: { en: 'x' } }),
        story('US-004', { acceptanceCriteria: 'x'.repeat(50) }),
      ]),
      [
        'line 14: US-001: "priority" must be a number, and is "1"',
        'line 15: US-001: "passes" must be true or false, and is "false"',
        'line 18: user story 2 has no "id"',
        'line 27: user story 2: "notes" must be a text in double quotes, and is null',
        'line 30: user story 3 has no "id"',
        'line 31: user story 3: "title" must be a text in double quotes, and is an object',
        'line 35: user story 3: "acceptanceCriteria" must be a list of texts, and is a list with other values',
        `line 47: US-004: "acceptanceCriteria" must be a list of texts, and is "${'x'.repeat(39)}…`,
      ],
    ],
    [
      'too many stories',
      `{"userStories": [${'{},'.repeat(1000)}{}]}`,
      ['line 1: "userStories" has 1001 user stories; at most 1000 are read'],
    ],
    [
      'more problems than anyone reads',
      `{"userStories": [${'{},'.repeat(999)}{}]}`,
      Array.from({ length: 20 }, (_, at) => `line 1: user story ${at + 1} has no "id"`),
    ],
    ['brackets without end', '['.repeat(200_000), ['it is nested more than 100 levels deep']],
  ])('that holds %s is unreadable, and it is said where', (_, text, problems) => {
    expect(readPrd(text)).toEqual({ kind: 'unreadable', problems })
  })

  it('stays as it is but for the one value', () => {
    const file = readFile(byHand)
    expect(setStory(file, 'US-001', { passes: true })?.text).toBe(byHand.replace('"passes":false', '"passes":true'))
    expect(setStory(file, 'US-002', { passes: true })?.text).toBe(
      byHand.replace('"passes": false\n', '"passes": true\n'),
    )
    expect(setStory(file, 'US-001', { notes: 'a "b"\n$&' })?.text).toBe(
      byHand.replace('"notes": ""', () => '"notes": "a \\"b\\"\\n$&"'),
    )
  })

  it('gets a key that was missing behind the others', () => {
    expect(setStory(readFile(byHand), 'US-002', { notes: 'x' })?.text).toBe(
      byHand.replace('"passes": false\n', '"passes": false,\n\t\t\t"notes": "x"\n'),
    )
  })

  it('is the same text where nothing changes', () => {
    const file = readFile(byHand)
    expect(setStory(file, 'US-001', { passes: false, notes: '' })?.text).toBe(byHand)
    expect(withValue(file, file.value).text).toBe(byHand)
    expect(setStory(file, 'US-009', { passes: true })).toBeUndefined()
  })

  it.each<[name: string, text: string]>([
    ['CRLF', prdText([story('US-001')]).replaceAll('\n', '\r\n')],
    ['a byte order mark', `\ufeff${prdText([story('US-001')])}`],
    ['no line end at its end', prdText([story('US-001')]).trimEnd()],
    ['four blanks', `${JSON.stringify(JSON.parse(prdText([story('US-001')])), null, 4)}\n`],
    ['one line', JSON.stringify(JSON.parse(prdText([story('US-001')])))],
  ])('keeps %s', (_, text) => {
    const passed = setStory(readFile(text), 'US-001', { passes: true })
    expect(passed?.text).toBe(text.replace(/"passes":( ?)false/, '"passes":$1true'))
    expect(passed?.prd.stories[0]?.passes).toBe(true)
  })

  it.each<[name: string, like: (text: string) => string]>([
    ['CRLF', text => text.replaceAll('\n', '\r\n')],
    ['a byte order mark', text => `\ufeff${text}`],
    ['no line end at its end', text => text.trimEnd()],
    ['tabs', text => text.replaceAll(/^ +/gm, blanks => '\t'.repeat(blanks.length / 2))],
  ])('keeps %s when it is printed as a whole', (_, like) => {
    const file = readFile(like(prdText([story('US-001'), story('US-002')])))
    const value = { ...file.value, userStories: [story('US-001')] }
    expect(withValue(file, value).text).toBe(like(prdText([story('US-001')])))
  })

  it('changes nothing but what is set, however it is laid out', () => {
    const texts = fc.string({ unit: 'binary', maxLength: 12 })
    const extra = fc.dictionary(texts, fc.jsonValue({ maxDepth: 2 }), { maxKeys: 3 })
    const layout = fc.constantFrom<string | number>(0, 1, 2, 4, '\t')
    fc.assert(
      fc.property(extra, extra, layout, texts, fc.nat(2), (top, own, indent, notes, at) => {
        const stories = [0, 1, 2].map(each => ({ ...own, ...story(`US-00${each}`) }))
        const value = JSON.parse(JSON.stringify({ ...top, userStories: stories }))
        const file = readFile(JSON.stringify(value, null, indent))
        value.userStories[at] = { ...value.userStories[at], notes, passes: true }
        const set = setStory(file, `US-00${at}`, { notes, passes: true })
        expect(JSON.parse(set?.text ?? '')).toEqual(value)
        // Only its own two values may differ.
        const bare = (text = '') => text.replaceAll(/"(notes|passes)":\s*("(?:[^"\\]|\\.)*"|true|false)/g, '')
        expect(bare(set?.text)).toBe(bare(file.text))
      }),
      { numRuns: 150 },
    )
  })

  it('is printed with two blanks a level where there was none', () => {
    expect(printPrd({ userStories: [{ id: 'US-001' }] })).toBe(
      '{\n  "userStories": [\n    {\n      "id": "US-001"\n    }\n  ]\n}\n',
    )
  })
})
