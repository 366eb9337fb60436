import type { WorkOptions } from '../../agents/work/work-parts.ts'
import type { Task } from '../../model/task.ts'
import type { System } from '../../ports.ts'
import { dryRunLines } from '../../report/agents/dry-run-lines.ts'
import { begunLines } from '../../report/agents/work-events.ts'
import { outStyle } from '../talk/style-of.ts'

/** Shows what a run would do, and starts nothing. `tasks` are in order, with the size of each envelope in bytes. */
export function showDryRun(
  book: string,
  tasks: readonly (Task & { readonly bytes: number })[],
  { backend, sandbox, model, allow, limits }: WorkOptions,
  { terminal }: Pick<System, 'terminal'>,
): void {
  const style = outStyle(terminal)
  const enforcement = backend.sandboxes[sandbox]
  const begun = { kind: 'run-begun', book, agent: backend.name, sandbox, enforcement, limits } as const
  const start = backend.build({ prompt: '', sandbox, model, cwd: '{checkout}', allow })
  const lines = [...begunLines({ ...begun, tasks: tasks.length }, style), ...dryRunLines(tasks, start, style)]
  for (const line of lines) terminal.out(line)
}
