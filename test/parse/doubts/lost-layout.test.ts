import { expect, it } from 'vitest'
import { parseResponse } from '../../../src/parse/parse-response.ts'
import { control, file } from '../../support/answer.ts'

const flat = 'none of its lines is indented, not even in a body: the copy may have lost spaces'
const noTabs = 'its recipes do not begin with a tab, which make needs: the copy may have lost tabs'
const doubled = 'every second line of its block is blank, as in a text that was copied with the mouse'
const noBlankLine = 'the answer has no blank line: the copy may have lost those of its files'

/** The doubts about an answer; a refusal has no place here. */
function doubts(text: string): readonly string[] {
  const parsed = parseResponse(text, 'demo')
  if (parsed.kind !== 'patch') throw new Error(parsed.kind)
  return parsed.patch.flags.map(({ path = '-', reason }) => `${path}: ${reason}`)
}

function answer(path: string, content: string): string {
  return `I changed it.\n\n${file(path, content)}\n${control(`new: ${path}`)}`
}

const python = `import time


def retry(count):
    for each in range(count):
        try:
            return each
        except ValueError:
            time.sleep(0.1)

    return None`
const makefile = 'all: build\n\nbuild: a.c \\\n  b.c\n\t@echo "hi"\n\tcc a.c b.c\n\n.PHONY: all build'

/** As a browser copies an answer that the page shows line by line without its layout: `<div>` or `<br>` in common text. */
const collapsed = (text: string) => text.replace(/^[ \t]+/gm, '')

it.each([
  ['src/a.py', python],
  ['src/a.ts', 'export function a() {\n  if (b) {\n    c()\n  }\n}'],
  ['src/a.css', ':root {\n  --gap: 8px;\n}\n\n.a {\n  margin: 0;\n}'],
  ['bin/a.sh', 'if true; then\n  for a in *; do\n    echo "$a"\n  done\nfi'],
  ['deploy/a.yaml', 'kind: Pod\nmetadata:\n  name: a\n  labels:\n    app: x'],
])('asks about %s whose indentation a page left out', (path, content) => {
  expect(doubts(answer(path, content))).toEqual([])
  expect(doubts(collapsed(answer(path, content)))).toEqual([`${path}: ${flat}`])
  expect(doubts(collapsed(answer(path, content)).replaceAll('\n', '\r\n'))).toEqual([`${path}: ${flat}`])
})

it('asks about a Makefile that has no tabs, or blanks for them', () => {
  expect(doubts(answer('Makefile', makefile))).toEqual([])
  expect(doubts(answer('Makefile', collapsed(makefile.replace(' \\\n  b.c', ''))))).toEqual([`Makefile: ${noTabs}`])
  const blanks = makefile.replace(' \\\n  b.c', '').replaceAll('\t', '    ')
  expect(doubts(answer('Makefile', blanks))).toEqual([`Makefile: ${noTabs}`])
})

it.each([
  ['src/a.h', 'namespace a {\nnamespace b {\nclass C;\n}\n}'],
  ['src/a.ts', 'export const names = [\n"a",\n"b",\n]'],
  ['src/a.ts', 'const a = {}\nfoo(() => {\n})\nfoo(() => {\n})'],
  ['_config.yml', 'title: a\ndescription:\nauthor: b'],
  ['list.yaml', 'a:\n- 1\nb:\n- 2\nc:\n- 3'],
  ['list.yaml', 'a:\n# One.\n- 1\nb:\n# Two.\n- 2'],
  ['a.json', '{\n"a": {\n"b": 1\n},\n"c": [\n2\n]\n}'],
  ['map.geojson', '{\n"a": {\n"b": [\n2\n]\n}\n}'],
  ['a.toml', 'a = [\n1,\n]\nb = [\n2,\n]'],
  ['nginx.conf', 'http {\nserver {\nlisten 80;\n}\n}'],
  ['docs/a.md', 'if (a) {\nb {\nc\n}\n}'],
  ['a.diff', 'a {\nb {\nc\n}\n}'],
  ['a.mk', 'SRC := a.c\nall: $(SRC)\n\nb: CFLAGS = -g\n  X = 1'],
  ['a.mk', '.RECIPEPREFIX = >\nall:\n@echo'],
  ['a.mk', 'all: a \\\n  b'],
])('asks about nothing in %s that has its own layout: %j', (path, content) => {
  expect(doubts(answer(path, content))).toEqual([])
})

/** As a browser copies one of which each line is a paragraph, as in the field where a chat's questions are typed. */
const inParagraphs = (text: string) => text.replaceAll('\n', '\n\n')

it('asks about an answer that has a blank line between any two', () => {
  const two = `Two.\n\n${file('a.py', python)}\n${file('b.py', 'x = 1')}\n${control('new: a.py', 'new: b.py')}`
  expect(doubts(inParagraphs(two))).toEqual([`a.py: ${doubled}`, `b.py: ${doubled}`])
  const spaced = answer('docs/a.md', 'One.\n\nTwo.\n\nThree.').replaceAll('```\n', '```\n\n')
  expect(doubts(spaced)).toEqual([])
  expect(
    doubts(inParagraphs(control('delete: a.py')).replace(/^/, '```py // a.py\n//TODO: delete this file\n```\n')),
  ).toEqual([])
})

/** As a browser copies one that a page shows as a table, or with an empty `<div>` for an empty line. */
const withoutBlankLines = (text: string) => text.replace(/\n+/g, '\n')

it('asks about an answer whose blank lines are lost', () => {
  const text = answer('a.py', python)
  expect(doubts(withoutBlankLines(text))).toEqual([`-: ${noBlankLine}`])
  // A program that writes answers has no words above the block, and a short file may have no blank line.
  expect(doubts(withoutBlankLines(text.replace('I changed it.', '')).trimStart())).toEqual([])
  expect(doubts(withoutBlankLines(answer('a.py', 'x = 1\ny = 2')))).toEqual([])
})
