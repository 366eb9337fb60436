import { type RafProject, statsOf } from '../../model/raf.ts'

/**
 * The answer of `raf status --json`, with the same keys, and what a task used where that is known; `worktrees` only when there
 * are some to show. RAF itself has no key `branches`, whose projects have no `path`, and no `title` of a task.
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
  const tasks = state.tasks.map(({ id, title, file, status, dependencies, usage = {} }) => {
    return { id, planFile: `plans/${file}`, status, dependencies, title, ...usage }
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

/** The projects in worktrees that are worth showing: their tasks differ from the folder's, or the folder does not have them. */
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
