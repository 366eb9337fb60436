import type { System } from '../../../ports.ts'
import { type LoopPaths, readPrdAt } from './loop-files.ts'

/** What a pull request says of a loop: each story with what it was for. */
export async function prBodyOf(root: string, { prd: path }: LoopPaths, doors: Pick<System, 'files'>): Promise<string> {
  const { prd } = await readPrdAt(root, path, doors)
  const stories = prd.stories.map(({ id, title, description, passes }) => {
    return `- [${passes ? 'x' : ' '}] **${id}: ${title}**${description.trim() === '' ? '' : `\n  ${description.trim()}`}`
  })
  return `${prd.description.trim()}\n\n## User stories\n\n${stories.join('\n')}\n`
}
