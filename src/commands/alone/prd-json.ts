import { checkPrd } from '../../agents/prd/check-prd.ts'
import { nextStory } from '../../agents/prd/next-story.ts'
import type { PrdFile } from '../../agents/prd/prd-file.ts'

/** The state of a prd.json and its findings, for `--json`. */
export function prdJson(path: string, file: PrdFile) {
  const { project, branchName, stories } = file.prd
  return {
    file: path,
    project,
    branchName,
    stories: stories.map(({ id, title, priority, passes }) => {
      return { id, title, priority: Number.isFinite(priority) ? priority : null, passes }
    }),
    next: nextStory(file.prd)?.id ?? null,
    findings: checkPrd(file).map(({ rule, story, message }) => ({ rule, story: story ?? null, message })),
  }
}
