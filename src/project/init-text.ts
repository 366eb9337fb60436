import { instructions } from './instructions.ts'

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
