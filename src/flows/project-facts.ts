import { type PackageScript, scriptsFor } from '../ground/package-scripts.ts'
import { agentCommandsOf, commandsOf } from '../model/commands-of.ts'
import type { Project } from '../model/project.ts'
import type { PlanRules } from '../plan/plan-patch.ts'
import type { System } from '../ports.ts'
import { findLinks, type Links } from '../transact/survey/find-links.ts'
import type { OpenProject } from '../transact/work/work.ts'

/**
 * What planning needs to know of a project besides the changed files. Each part is read from the disk once, at its first use.
 */
export function projectFacts({ config, root }: Project, { layout, system }: Pick<OpenProject, 'layout' | 'system'>) {
  const { interruption: signal, stateFolder } = system
  const commands = [...commandsOf(config), ...agentCommandsOf(config)].map(({ command }) => command)
  let links: Links | undefined
  let scripts: readonly PackageScript[] | undefined
  return {
    async surveyOptions() {
      links ??= await findLinks(root, layout.files, signal)
      return { ...config.limits, stateFolder, signal, links }
    },
    async rules(): Promise<PlanRules> {
      scripts ??= await scriptsFor(commands, root, layout.files)
      return { ...config, root, scripts }
    },
  }
}

/**
 * Runs a generator to its end, and lets signals through between its steps, of which there may be many.
 * Throws the signal's reason.
 */
export async function runInterruptibly<T>(steps: Generator<unknown, T>, { clock, interruption }: System): Promise<T> {
  for (let since = clock.monotonic(); ; ) {
    const step = steps.next()
    if (step.done === true) return step.value
    if (clock.monotonic() - since < pauseEachMs) continue
    await clock.sleep(0)
    interruption.throwIfAborted()
    since = clock.monotonic()
  }
}

/** Milliseconds between two pauses: shorter means that the pauses take more of the time. */
const pauseEachMs = 100
