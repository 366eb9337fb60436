import type { Config } from '../../model/project.ts'
import type { Session } from '../../model/session.ts'

/** The text of a pull request: what was done, what was asked for, what was checked, and which agent did it. */
export function pullRequestBody(
  session: Pick<Session, 'agent' | 'instructions' | 'extra' | 'fromFile' | 'summary'>,
  { postCommand, linter }: Pick<Config, 'postCommand' | 'linter'>,
): string {
  const { agent, instructions, extra = '', fromFile = '', summary = '' } = session
  const commands = [postCommand, linter].filter(command => command.trim() !== '')
  const checks =
    commands.length === 0
      ? 'The project has no commands of its own that relay could run.'
      : [
          ...commands.map(command => `- \`${command.replaceAll(/[`\n]/g, ' ')}\``),
          '',
          'relay ran them after the agent was done, and took the result.',
        ].join('\n')
  return [
    ['## Summary', withoutOrders(summary).trim() || instructions],
    ['## Instructions', [instructions, extra, fromFile].filter(text => text.trim() !== '').join('\n\n')],
    ['## Checks', checks],
    ['---', `Made by an agent (${agent}), by way of \`relay delegate\`.`],
  ]
    .flat()
    .join('\n\n')
    .concat('\n')
}

/**
 * Puts issue references after words like "closes" into code, where GitHub does not act on them: closing an issue is for the
 * user to decide, not for an agent.
 */
function withoutOrders(text: string): string {
  return text.replaceAll(
    /\b((?:close[sd]?|fix(?:e[sd])?|resolve[sd]?):?\s+)((?:[\w.-]+\/[\w.-]+)?#\d+|GH-\d+|https?:\/\/[^\s/]+\/[^\s)]+\/\d+)/gi,
    '$1`$2`',
  )
}
