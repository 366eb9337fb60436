import { agentsOf } from '../agents/backends/own-agents.ts'
import { unknownAgent } from '../agents/choose-agent.ts'
import { lookForAgents } from '../agents/look-for-agents.ts'
import { usualAgent } from '../model/agent.ts'
import type { System } from '../ports.ts'
import { findProjectFolder } from '../project/load-project.ts'
import { outsideProject } from '../project/outside-project.ts'
import { agentLines } from '../report/agents/agent-lines.ts'
import { jsonText } from '../report/text/json-text.ts'
import { openProject } from './open/open-project.ts'
import { exitCodeOfInterruption } from './talk/exit-code.ts'
import { showNotes } from './talk/show-notes.ts'
import { outStyle } from './talk/style-of.ts'

/** `relay agents`: which agents are installed, what each may do, and whether it looks logged in. */
export async function agents(given: System, options: { readonly json?: boolean }): Promise<number> {
  const system = await outsideProject(given.cwd, given)
  const { terminal, interruption } = system
  const config = (await findProjectFolder(system)) === undefined ? undefined : (await openProject(system)).config
  const { agents, over } = await lookForAgents(agentsOf(config), system)
  if (!interruption.aborted) {
    const there = agents.filter(({ path }) => path !== null)
    const preferred = config?.agent || usualAgent
    const isKnown = agents.some(({ name }) => name === preferred)
    if (!isKnown) showNotes([unknownAgent(preferred)], system)
    const usual = (isKnown && (there.find(({ name }) => name === preferred) ?? there[0])?.name) || null
    if (options.json === true) terminal.out(jsonText({ ask: usual, agents }))
    else terminal.out(agentLines(agents, usual, outStyle(terminal)).join('\n'))
  }
  // The answer is on the screen. Only now relay waits for a program that hangs.
  await over
  return interruption.aborted ? exitCodeOfInterruption(system) : 0
}
