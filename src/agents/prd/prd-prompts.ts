import { cutBytes } from '../../ground/bytes.ts'
import { fenced } from '../../ground/words.ts'
import type { PrdFinding } from '../../model/prd.ts'
import { conversionRules, questionRules, writingRules } from './skills.ts'

/** The prompts that ask an agent without tools for a PRD and a prd.json. The same parts always give the same text. */

/** The limit in bytes for a description or a PRD. */
const mostText = 400_000

const planner = 'You plan a feature of a software project. You have no tools: all that you know of it stands here.'

/** Asks for open questions about a feature; an answer without a question mark has none. */
export function questionsPrompt(description: string): string {
  return joined(
    planner,
    part('The feature', description),
    `# What you do now\n\n${questionRules}\nAnswer with the questions and nothing else. Where nothing is unclear, answer with the word NONE.`,
  )
}

/** @param asked the questions and the user's answers; `undefined`: none were asked */
export function writingPrompt(
  description: string,
  asked?: { readonly questions: string; readonly answers: string },
): string {
  return joined(
    planner,
    part('The feature', description),
    ...(asked === undefined
      ? []
      : [part('What you asked', asked.questions), part('What the user answered', asked.answers)]),
    `# What you do now\n\n${writingRules}\nWrite the PRD. Answer with its Markdown and nothing else; its first line is \`# PRD: <name of the feature>\`.`,
  )
}

/** @param last the last answer, which was not good, and its problems */
export function conversionPrompt(
  prd: string,
  last?: { readonly answer: string; readonly problems: readonly string[] },
): string {
  return joined(
    'You turn a PRD into a prd.json, for a loop of agents that do one user story after the other.',
    part('The PRD', prd),
    `# What you do now\n\n${conversionRules}`,
    ...(last === undefined
      ? []
      : [
          part('What you answered before', last.answer),
          `# What speaks against that\n\n${last.problems.map(problem => `- ${problem}`).join('\n')}\n\nMend it.`,
        ]),
    'Answer with the JSON and nothing else, in one code block.',
  )
}

/** A finding in words, for an agent that has to fix it. */
export function findingWords({ story, message }: PrdFinding): string {
  return `${story === undefined ? '' : `${story}: `}${message}`
}

/** The JSON in an answer: the last code block that holds an object, or else from the first brace to the last. */
export function jsonIn(answer: string): string {
  const blocks = [...answer.matchAll(/^(`{3,})[^\n]*\n(.*?)^\1[ \t]*$/gms)].map(([, , text = '']) => text)
  const found = blocks.findLast(text => text.trimStart().startsWith('{'))
  return `${(found ?? answer.slice(answer.indexOf('{'), answer.lastIndexOf('}') + 1)).trim()}\n`
}

/** The Markdown in an answer, taken out of a code block if the agent put it into one. */
export function markdownIn(answer: string): string {
  const whole = /^(`{3,})(?:markdown|md)?[ \t]*\n(.*)\n\1$/s.exec(answer.trim())
  return `${(whole?.[2] ?? answer).trim()}\n`
}

/** The file name of a PRD without its ending: `prd-task-priority`. */
export function prdName(markdown: string): string {
  const title = /^#\s+(?:PRD:?\s*)?(.+)$/im.exec(markdown)?.[1] ?? 'feature'
  const kebab = title
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]+/gu, '-')
    .replaceAll(/^-+|-+$/g, '')
  return `prd-${kebab.slice(0, 60) || 'feature'}`
}

function part(title: string, text: string): string {
  return `# ${title}\n\n${fenced(cutBytes(text.trim(), mostText))}`
}

function joined(...texts: readonly string[]): string {
  return `${texts.join('\n\n')}\n`
}
