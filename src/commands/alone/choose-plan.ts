import { findRaf, laterPlansIn, laterWords, mustNotBeLater } from '../../agents/raf/find-raf.ts'
import { findProject, projectFolder } from '../../agents/raf/identifier.ts'
import { rafBranchNames } from '../../agents/raf/raf-branches.ts'
import { readProject } from '../../agents/raf/read-project.ts'
import { RelayError } from '../../errors.ts'
import { type RafProject, statsOf } from '../../model/raf.ts'
import type { System } from '../../ports.ts'
import { cutLine } from '../../report/text/cut-line.ts'
import { visibleLine } from '../../report/text/visible.ts'
import { styleOf } from '../talk/style-of.ts'

/**
 * The folder of the plan that the user means: from the command line, else from a question. Throws `usage` where there is no
 * such plan, or the user cannot be asked.
 *
 * @param onBranches also offers plans that exist only on their branches
 */
export async function choosePlan(
  root: string,
  typed: string | undefined,
  onBranches: boolean,
  system: System,
): Promise<string> {
  const { folder, projects } = await findRaf(root, system.files)
  const branches = await rafBranchNames(root, system)
  const all = onBranches ? [...new Set([...projects, ...branches])].toSorted() : projects
  if (typed !== undefined) {
    const there = findProject(typed, branches)
    if (!onBranches && findProject(typed, projects).kind === 'none' && there.kind === 'project') {
      throw new RelayError('usage', `The plan ${there.folder} is on its branch, and not here`, {
        hint: `Run \`relay do ${there.folder} --worktree\`.`,
      })
    }
    await mustNotBeLater(typed, folder, system.files)
    return projectFolder(typed, all)
  }
  if (all.length === 0) {
    const later = await laterPlansIn(folder, system.files)
    if (later.length > 0) throw new RelayError('usage', laterWords(later))
    throw new RelayError('usage', `There is no plan in ${folder}`, { hint: 'Make one: `relay plan <name>`' })
  }
  const plans = await Promise.all(all.map(async each => ({ folder: each, words: await wordsOf(each) })))
  return pick(plans, system)

  async function wordsOf(each: string): Promise<string> {
    if (!projects.includes(each)) return `${each.replace('-', ' ')} (on its branch)`
    return planWords(await readProject(folder, each, system.files))
  }
}

interface Listed {
  readonly folder: string
  readonly words: string
}

async function pick(plans: readonly Listed[], { terminal }: System): Promise<string> {
  const [only] = plans
  const lines = plans.map(({ words }, at) => `  ${`${at + 1}`.padStart(`${plans.length}`.length)}  ${words}`)
  if (!terminal.canAsk) {
    const list = plans.map(({ words }) => `  ${words}`).join('\n')
    throw new RelayError('usage', `Which plan?\n${list}`, { hint: `Name it: \`relay do ${only?.folder}\`` })
  }
  const { columns, sign } = styleOf(terminal)
  for (const line of lines) terminal.err(cutLine(line, columns, sign.cut))
  for (;;) {
    const typed = await terminal.ask(
      plans.length === 1 ? 'Which plan? (Enter takes it) ' : `Which plan? (1 to ${plans.length}) `,
    )
    if (typed === undefined) throw new RelayError('declined', 'No plan was chosen', { isSaid: true })
    const answer = typed.trim() === '' && plans.length === 1 ? '1' : typed.trim()
    const chosen = plans[Number(answer) - 1] ?? plans.find(({ folder }) => answer !== '' && folder.startsWith(answer))
    if (chosen !== undefined) return chosen.folder
    terminal.err(`  Type a number from 1 to ${plans.length}.`)
  }
}

/** For example `abcdef fix-login (2/5 tasks)`. */
function planWords({ id, name, state }: RafProject): string {
  const { completed, total } = statsOf(state)
  return `${id} ${visibleLine(name)} (${completed}/${total} tasks)`
}
