import type { System } from '../../ports.ts'
import { type LoopPaths, readPrdAt } from './loop-files.ts'

/** The text of a loop's pull request: each story with its description. */
export async function prBodyOf(root: string, { prd: path }: LoopPaths, doors: Pick<System, 'files'>): Promise<string> {
  const { prd } = await readPrdAt(root, path, doors)
  const stories = prd.stories.map(({ id, title, description, passes }) => {
    return `- [${passes ? 'x' : ' '}] **${id}: ${title}**${description.trim() === '' ? '' : `\n  ${description.trim()}`}`
  })
  return `${prd.description.trim()}\n\n## User stories\n\n${stories.join('\n')}\n`
}
