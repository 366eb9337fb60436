import type { AgentStart } from '../../model/agent.ts'
import type { Task } from '../../model/task.ts'
import { describeSize } from '../text/count.ts'
import { hanging } from '../text/hanging.ts'
import type { Style } from '../text/style.ts'
import { visibleLine } from '../text/visible.ts'
import { wrapLine } from '../text/wrap-line.ts'

/** The tasks in their order, each with the size of its envelope, and the command that would start the agent. */
export function dryRunLines(
  tasks: readonly (Task & { readonly bytes: number })[],
  { argv }: Pick<AgentStart, 'argv'>,
  { columns, sign, paint }: Style,
): readonly string[] {
  const wrapped = (words: string, room: number) => wrapLine(words, columns - room, sign.cut)
  return [
    ...tasks.flatMap(({ id, title, bytes }) => {
      const words = `${visibleLine(id)} ${visibleLine(title)} (envelope: ${describeSize(bytes)})`
      return hanging('  ', wrapped(words, 2), 4)
    }),
    ...hanging(`  ${paint.meta('starts')}  `, wrapped(argv.map(wordOf).join(' '), 10), 10),
    'Nothing was run: this is a dry run.',
  ]
}

function wordOf(word: string): string {
  return /^[\w./@%+=:,{}-]+$/.test(word) ? word : JSON.stringify(word)
}
