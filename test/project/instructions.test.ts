import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { initText, instructions, knownInstructions } from '../../src/project/instructions.ts'
import { fc } from '../support/chance.ts'

/** The text as users know it, word for word. */
const known = readFileSync(new URL('../fixtures/init.txt', import.meta.url), 'utf8')

describe('initText', () => {
  it('is the known text, byte for byte', () => {
    expect(initText('your-project-name')).toBe(known)
  })

  it('differs from it in the id alone', () => {
    expect(initText('my-app')).toBe(known.replace('your-project-name', 'my-app'))
    expect(initText('$& $1 $`')).toBe(known.split('your-project-name').join('"$& $1 $`"'))
  })
})

describe('instructions', () => {
  it('are what stands between the dashed lines, and ask for a title as well', () => {
    const [, between = ''] = known.split(/^-+$/m)
    expect(knownInstructions('your-project-name')).toBe(between.replace(/^\n+/, ''))
    const line = '    promptSummary: (a short title in the imperative)\n'
    expect(instructions('your-project-name')).toContain(
      `    uuid: (generate a random uuid)\n${line}    changeSummary:\n`,
    )
    expect(instructions('your-project-name').replace(line, '')).toBe(knownInstructions('your-project-name'))
  })

  it('also let a model edit large files, where that is wished', () => {
    const [files, edits] = [instructions('demo').split('\n'), instructions('demo', 'edits').split('\n')]
    expect(edits.filter(line => !files.includes(line)).join('\n')).toMatchInlineSnapshot(`
      "   Only for an existing file of more than 200 lines you may write edits instead, each with lines that stand exactly so, and only once, in the file:
          \`\`\`typescript // {filePath} search-replace
          <<<<<<< SEARCH
          {lines as they are now}
          =======
          {lines as they should be}
          >>>>>>> REPLACE"
    `)
    expect(files.every(line => edits.includes(line))).toBe(true)
  })

  it.each(['my-app', 'my app', 'café', '日本語', '3d-viewer', "it's", 'a/b', 'a, b', 'nobody', 'yes-man'])(
    'leave %s as it is',
    id => expect(idLine(id)).toBe(`projectId: ${id}`),
  )

  it.each([
    ['@acme/app', '"@acme/app"'],
    ['012', '"012"'],
    ['null', '"null"'],
    ['1e3', '"1e3"'],
    ['0x1F', '"0x1F"'],
    ['0o17', '"0o17"'],
    ['1_000', '"1_000"'],
    ['190:20:30', '"190:20:30"'],
    ['2001-12-14t21:59:43.10-05:00', '"2001-12-14t21:59:43.10-05:00"'],
    ['False', '"False"'],
    ['Yes', '"Yes"'],
    ['off', '"off"'],
    ['N', '"N"'],
    ['-', '"-"'],
    ['a:', '"a:"'],
    ['a #b', '"a #b"'],
    ['.inf', '".inf"'],
    [' a', '" a"'],
    ['a ', '"a "'],
    ['', '""'],
    ["'a'", '"\'a\'"'],
    ['"a"', '\'"a"\''],
    ['@a\\b', "'@a\\b'"],
    ['@a"it\'s', "'@a\"it''s'"],
    ['a\tb', '"a\\tb"'],
    ['a\u2028b', '"a\\u2028b"'],
    ['\ufeffa', '"\\ufeffa"'],
  ])('quote %s', (id, quoted) => {
    expect(idLine(id)).toBe(`projectId: ${quoted}`)
    expect(readBack(id)).toEqual({ core: id, old: id })
  })

  it('are read back with the same id, whatever it is, in both versions of YAML', () => {
    const bits = ['a', 'b', '0', '1', '9', '.', '-', '+', ':', '#', ' ', '"', "'", '\\', '@', '/', '_', 'e', 'x', 'o', 'no', 'on', 'null', '~', '[', ']', '{', '}', ',', '&', '*', '!', '|', '>', '%', '`', '?', '=', '<', 'é', '日', '😀', 'T', 'Z'] // biome-ignore format: signs
    const ids = fc.oneof(
      fc.string({ unit: 'grapheme' }),
      fc.array(fc.constantFrom(...bits), { maxLength: 8 }).map(parts => parts.join('')),
    )
    fc.assert(
      fc.property(ids, id => {
        expect(readBack(id)).toEqual({ core: id, old: id })
      }),
      { numRuns: 5000 },
    )
  })
})

function idLine(id: string): string | undefined {
  return instructions(id)
    .split('\n')
    .find(line => line.startsWith('    projectId: '))
    ?.trimStart()
}

/** What readers of YAML 1.2 and 1.1 make of the block that a model would copy. */
function readBack(id: string): { core: unknown; old: unknown } {
  const block = `${instructions(id).split('```yaml\n')[1]?.split('changeSummary')[0]}`
  return { core: parse(block).projectId, old: parse(block, { version: '1.1' }).projectId }
}
