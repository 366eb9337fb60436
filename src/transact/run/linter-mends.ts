import { posix } from 'node:path'
import { foldersFrom } from '../../ground/folders-from.ts'
import { mendsFiles } from '../../ground/mends-files.ts'
import { HOLDS_SCRIPTS, mayRunScripts, ownScripts } from '../../ground/own-scripts.ts'
import type { Layout } from '../layout/layout.ts'
import { projectTexts } from '../survey/project-texts.ts'

/**
 * Whether the linter says that it mends files, be it in a script that it runs: then what changes while it runs may be its
 * work. Scripts are looked for in the root and in the folders above these files.
 */
export async function linterMends(linter: string, paths: readonly string[], layout: Layout): Promise<boolean> {
  const { read, list } = projectTexts(layout.root, [], layout.files, new AbortController().signal)
  const commands = [{ key: 'linter', command: linter }]
  const folders = new Set(['/', ...paths.flatMap(path => foldersFrom(posix.dirname(`/${path}`)))])
  const holders: string[] = []
  for (const folder of mayRunScripts(commands) ? folders : []) {
    for (const name of await list(folder)) {
      if (HOLDS_SCRIPTS.has(name)) holders.push(...(await read(posix.join(folder, name))))
    }
  }
  const texts = [...commands, ...ownScripts(commands, holders)].map(({ command }) => command)
  const scripts = texts.flatMap(text => text.match(SHELL_SCRIPT) ?? [])
  const all = await Promise.all(scripts.map(read))
  return [...texts, ...all.flat()].some(mendsFiles)
}

/** Tried once for each word: one of a hundred thousand letters would take a minute. */
const SHELL_SCRIPT = /(?<![\w./-])[\w./-]+\.(?:ba|z|k)?sh\b/g
