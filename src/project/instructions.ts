import { yamlScalar } from './yaml-scalar.ts'

/** What the user copies into the system prompt of an LLM: the text between the two dashed lines. */
export function instructions(projectId: string): string {
  // A function as replacement: `$&` in an id is no pattern.
  return template.replace('your-project-name', () => yamlScalar(projectId))
}

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

/** The whole text that `relay --init` prints: what the user has to do now, and the instructions to do it with. */
export function initText(projectId: string): string {
  return `✅ relaycode has been initialized for this project.

IMPORTANT: For relaycode to work, you must configure your AI assistant.
Copy the entire text below and paste it into your LLM's "System Prompt"
or "Custom Instructions" section.
${dashes}

${instructions(projectId)}${dashes}
You are now ready to run 'relay watch' in your terminal.
`
}

const dashes = '-'.repeat(75)
