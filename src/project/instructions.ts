import type { Config } from '../model/project.ts'

/** What an LLM is told of the format of its answers: the known text, and beside it that each answer has a title. */
export function instructions(projectId: string, answers: Config['instructions'] = 'files'): string {
  const text = answers === 'edits' ? template.replace(onlyFiles, orEdits) : template
  return withId(text.replace(uuidLine, `$&${titleLine}`), projectId)
}

/** What an LLM is told in a project: beside the format, and last, what the user wants to tell each of them. */
export function instructionsIn({ projectId, instructions: answers, user }: TellingConfig): string {
  const own = user.instructions === undefined ? '' : `\n${user.instructions.trim()}\n`
  return instructions(projectId, answers) + own
}

type TellingConfig = Pick<Config, 'projectId' | 'instructions' | 'user'>

/** The text that many users have in their system prompts, word for word. */
export function knownInstructions(projectId: string): string {
  return withId(template, projectId)
}

function withId(text: string, projectId: string): string {
  // A function, because `$&` in an id would be a pattern in a text.
  return text.replace('your-project-name', () => yamlScalar(projectId))
}

const uuidLine = /^ *uuid: .*\n/m
const titleLine = '    promptSummary: (a short title in the imperative)\n'

const onlyFiles = 'Do not use placeholders or comments like "... rest of the code".\n'

const orEdits = `${onlyFiles}
   Only for an existing file of more than 200 lines you may write edits instead, each with lines that stand exactly so, and only once, in the file:
    \`\`\`typescript // {filePath} search-replace
    // START
    <<<<<<< SEARCH
    {lines as they are now}
    =======
    {lines as they should be}
    >>>>>>> REPLACE
    // END
    \`\`\`
`

const template = `Code changes rules 1-6:

1. Make sure to isolate every file's code block with:
    \`\`\`typescript // {filePath}
    // START

    {content}

    // END
    \`\`\`

2. Only write new or affected files. Ignore unaffected files in the codebase.

3. Always write the FULL source code for each file. Do not use placeholders or comments like "... rest of the code".

4. Add your step-by-step reasoning in plain text before each code block as you progress.

5. If you need to delete a file, use this exact format:
    \`\`\`typescript // {filePath}
    //TODO: delete this file
    \`\`\`

6. ALWAYS add the following YAML block at the very end of your response. Use the exact projectId shown here. Generate a new random uuid for each response.

    \`\`\`yaml
    projectId: your-project-name
    uuid: (generate a random uuid)
    changeSummary:
      - edit: src/main.ts
      - new: src/components/Button.tsx
      - delete: src/utils/old-helper.ts
      - .... (so on)
    \`\`\`
`

/** The text that `relay --init` prints: what the user has to do now, and the instructions for the model. */
export function initText(projectId: string): string {
  return `✅ relaycode has been initialized for this project.

IMPORTANT: For relaycode to work, you must configure your AI assistant.
Copy the entire text below and paste it into your LLM's "System Prompt"
or "Custom Instructions" section.
${dashes}

${knownInstructions(projectId)}${dashes}
You are now ready to run 'relay watch' in your terminal.
`
}

const dashes = '-'.repeat(75)

/**
 * A text as a one-line YAML value, quoted unless every reader takes it for plain words: `no` is a text in YAML 1.2 and
 * `false` in 1.1, which many readers still use.
 */
function yamlScalar(text: string): string {
  if (words.test(text) && !otherTypes.test(text)) return text
  // In single quotes only the quote itself is escaped, which is easier for a model to copy.
  const needsEscapes = unprintable.test(text)
  if (!needsEscapes && /["\\]/.test(text)) return `'${text.replaceAll("'", "''")}'`
  return JSON.stringify(text).replaceAll(beyondJson, sign => `\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}`)
}

const words = /^[\p{L}\p{N}_](?:[\p{L}\p{M}\p{N}_/.,'+ -]*[\p{L}\p{M}\p{N}_'+-])?$/u

/**
 * Texts that one of the YAML versions takes for a truth value, null, a number or a date: a digit first, and then only
 * characters of numbers and dates; or an exponent without a number.
 */
const otherTypes = /^(?:(?:null|true|false|yes|no|on|off|y|n)|\d[\dA-FxotzT_.,:+ -]*|e[-+]?[\d_]+)$/i

/** Characters that no YAML text may hold unescaped, or that end a line in one of the versions. */
const unprintable = /[\p{Cc}\p{Cs}\u2028\u2029\ufeff\ufffe\uffff]/u

/** Those of them that JSON does not escape. */
const beyondJson = /[\u007f-\u009f\u2028\u2029\ufeff\ufffe\uffff]/g
