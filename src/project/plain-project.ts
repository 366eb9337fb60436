import * as v from 'valibot'
import type { Project } from '../model/project.ts'
import { configSchema } from './config-schema.ts'

/** A folder without a configuration as a project: every key at its default, so that no command runs. */
export function plainProject(root: string, projectId: string): Project {
  return { root, config: v.parse(configSchema, { projectId }) }
}
