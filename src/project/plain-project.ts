import * as v from 'valibot'
import type { Project, UserConfig } from '../model/project.ts'
import { configSchema } from './config-schema.ts'
import { belowProject } from './read-config.ts'

/** A folder without a configuration as a project: what the user has set, and defaults, so that no command of a project runs. */
export function plainProject(root: string, projectId: string, user: UserConfig): Project {
  const { $schema, ...config } = v.parse(configSchema, { ...belowProject(user), projectId })
  return { root, config: { ...config, user } }
}
