import { type FoundAgent, type Sandbox, usualAgent } from '../../model/agent.ts'
import { columnsOf } from '../text/columns-of.ts'
import { cutLine, padLine } from '../text/cut-line.ts'
import { indented } from '../text/hanging.ts'
import type { Style } from '../text/style.ts'
import { visibleLine } from '../text/visible.ts'
import { wrapLine } from '../text/wrap-line.ts'

/**
 * The agents, a line each, or more on a narrow screen; then the agent that `relay ask` asks, and the meaning of the
 * words.
 */
export function agentLines(agents: readonly FoundAgent[], usual: string | null, style: Style): readonly string[] {
  const sentence = (text: string) => wrapLine(text, style.columns, style.sign.cut)
  if (agents.every(({ path }) => path === null)) return sentence(noneWords(agents))
  return [
    ...(tableOf(agents, style) ?? agents.flatMap(agent => listed(agent, style))),
    '',
    ...sentence(
      usual === null ? 'Here `relay ask` needs `--to`.' : `\`relay ask\` asks ${usual}, unless \`--to\` names another.`,
    ),
    ...[legend, limit].flatMap(sentence).map(line => style.paint.meta(line)),
  ]
}

const legend =
  'enforced: the operating system enforces it. rules: the agent follows it by itself. none: nothing enforces it, so relay refuses.'
const limit =
  'With rules, an agent that may run commands such as your tests can run any code as you: it writes the code that they run.'

function noneWords(agents: readonly FoundAgent[]): string {
  const names = agents.map(({ name }) => name).join(', ')
  const install = agents.find(({ name }) => name === usualAgent)?.install
  return `No agent is installed here (${names}). Install one: \`${install}\`, for example.`
}

const sandboxes: readonly (readonly [name: string, sandbox: Sandbox])[] = [
  ['read-only', 'read-only'],
  ['write', 'workspace-write'],
  ['full', 'danger-full-access'],
]
const heads = ['agent', 'version', ...sandboxes.map(([name]) => name), 'logged in']

/** `undefined`: it is too wide. */
function tableOf(agents: readonly FoundAgent[], style: Style): readonly string[] | undefined {
  const { paint, sign, columns } = style
  const rows = agents.map(agent => ({ agent, cells: cellsOf(agent, style) }))
  // How to install an agent may go on to the end of its line.
  const inColumns = rows.map(({ agent, cells }) => (agent.path === null ? cells.slice(0, 2) : cells))
  const widths = heads.map((head, at) => Math.max(head.length, ...inColumns.map(cells => columnsOf(cells[at] ?? ''))))
  const line = (cells: readonly string[]) => cells.map((cell, at) => padLine(cell, widths[at] ?? 0)).join('  ')
  const lines = [
    paint.meta(`${' '.repeat(sign.ok.length + 1)}${line(heads)}`),
    ...rows.map(({ agent, cells }) => marked(agent, line(cells).trimEnd(), style)),
  ]
  return lines.every(each => columnsOf(each) <= columns) ? lines : undefined
}

function cellsOf(agent: FoundAgent, style: Style): readonly string[] {
  const { name, path, tried } = agent
  if (path === null) return [name, 'not found', installWords(agent)]
  const kept = sandboxes.map(([, sandbox]) => agent.sandboxes[sandbox])
  return [name, versionWords(agent, style), ...kept, loginWords(agent), ...(tried ? [] : ['not tried'])]
}

/** One fact below the other, for a narrow screen. */
function listed(agent: FoundAgent, style: Style): readonly string[] {
  const { name, path, tried } = agent
  if (path === null) return [marked(agent, `${name} not found`, style), ...indented(installWords(agent), style)]
  const kept = sandboxes.map(([what, sandbox]) => `${what} ${agent.sandboxes[sandbox]}`)
  const facts = [...kept, `logged in: ${loginWords(agent)}`, ...(tried ? [] : ['not tried'])]
  return [marked(agent, `${name} ${versionWords(agent, style)}`, style), ...indented(facts.join(', '), style)]
}

function marked({ path }: FoundAgent, words: string, { paint, sign }: Style): string {
  return path === null ? paint.meta(`${sign.watching} ${words}`) : `${paint.ok(sign.ok)} ${words}`
}

function installWords({ install, tried }: FoundAgent): string {
  return `${install ?? ''}${tried ? '' : ' (not tried)'}`.trim()
}

const longestVersion = 16

function versionWords({ version, install }: FoundAgent, { sign }: Style): string {
  if (install === null) return 'your own'
  return version === null ? 'does not say' : cutLine(visibleLine(version), longestVersion, sign.cut)
}

function loginWords({ looksLoggedIn }: FoundAgent): string {
  if (looksLoggedIn === null) return 'unknown'
  return looksLoggedIn ? 'seems so' : 'no sign'
}
