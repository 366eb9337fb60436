import { type RafProject, statsOf } from '../../../model/raf.ts'

/**
 * The answer of `raf status --json`, key by key; `worktrees` only where there are some to show. RAF has no `branches`: they have
 * no path.
 */
export function rafStatusJson({ projects, worktrees = [], branches = [] }: Listed) {
  return {
    projects: projects.map(projectJson),
    ...(worktrees.length === 0 ? {} : { worktrees: worktrees.map(projectJson) }),
    ...(branches.length === 0 ? {} : { branches: branches.map(projectJson).map(({ path: _, ...project }) => project) }),
  }
}

interface Listed {
  readonly projects: readonly RafProject[]
  readonly worktrees?: readonly RafProject[]
  readonly branches?: readonly RafProject[]
}

function projectJson({ id, name, path, state }: RafProject) {
  const tasks = state.tasks.map(({ id, file, status, dependencies }) => {
    return { id, planFile: `plans/${file}`, status, dependencies }
  })
  return {
    number: id,
    name,
    path,
    status: state.status,
    state: { tasks, status: state.status },
    stats: statsOf(state),
  }
}

/** The worktrees' projects that are worth showing: those that stand otherwise than in the folder, or are not there. */
export function differingFrom<Project extends RafProject>(
  projects: readonly RafProject[],
  worktrees: readonly Project[],
): readonly Project[] {
  const standing = ({ state }: RafProject) => JSON.stringify(state.tasks)
  return worktrees.filter(worktree => {
    const here = projects.find(({ id, name }) => id === worktree.id && name === worktree.name)
    return here === undefined || standing(here) !== standing(worktree)
  })
}
