import { expect, it } from 'vitest'
import { checkPrd } from '../../../src/agents/prd/check-prd.ts'
import { loopPrompt } from '../../../src/agents/prd/loop-prompt.ts'
import { fileRules, storyRules } from '../../../src/agents/prd/prd-rules.ts'
import { conversionRules, questionRules, skillFiles, writingRules } from '../../../src/agents/prd/skills.ts'
import { readFile } from './prd-world.ts'

it('are two skills and a prompt', () => {
  expect(Object.keys(skillFiles)).toEqual(['prd/SKILL.md', 'ralph/SKILL.md', 'prompt.md'])
  expect(skillFiles['prd/SKILL.md']).toMatch(/^---\nname: prd\ndescription: "[^"\n]+"\n---\n/)
  expect(skillFiles['prd/SKILL.md']).toContain(questionRules)
  expect(skillFiles['prd/SKILL.md']).toContain(writingRules)
  expect(skillFiles['ralph/SKILL.md']).toMatch(/^---\nname: ralph\ndescription: "[^"\n]+"\n---\n/)
  expect(skillFiles['ralph/SKILL.md']).toContain(conversionRules)
  expect(skillFiles['prompt.md']).toBe(loopPrompt)
})

it.each([writingRules, conversionRules])('give all of the advice that `relay prd check` checks', text => {
  const advice = [...fileRules, ...storyRules].map(rule => rule.advice).filter(each => each !== '')
  expect(advice.filter(each => !text.includes(each))).toEqual([])
})

it('show a prd.json that can be read and is found good, but for the names to fill in', () => {
  const shown = /\n( {4}\{\n[\s\S]*?\n {4}\}\n)/.exec(conversionRules)?.[1] ?? ''
  const file = readFile(shown.replaceAll(/^ {4}/gm, '').replaceAll(/<([^<>]+)>/g, '$1'))
  expect(checkPrd(file)).toEqual([])
  expect(file.prd.stories).toHaveLength(1)
})

it.each(Object.entries(skillFiles))('%s is a text for any editor', (_, text) => {
  expect(text.endsWith('\n')).toBe(true)
  expect(text).not.toMatch(/[ \t]\n|\n\n\n|\n\n$|undefined|\[object/)
})

it('name all nine parts of a PRD', () => {
  expect(writingRules.match(/^\d\. \*\*.+?\*\*/gm)?.map(line => line.replaceAll(/[\d.* ]+/g, ' ').trim())).toEqual([
    'Introduction',
    'Goals',
    'User Stories',
    'Functional Requirements',
    'Non-Goals',
    'Design Considerations',
    'Technical Considerations',
    'Success Metrics',
    'Open Questions',
  ])
})
