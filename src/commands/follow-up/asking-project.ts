import type { Project } from '../../model/project.ts'

/** The project for an answer that a rule had declined (`approval: never`): this time its user is asked. */
export function askingProject(project: Project): Project {
  const { config } = project
  return config.approval === 'never' ? { ...project, config: { ...config, approval: 'yes' } } : project
}
