import { parse } from 'node:path'
import { withoutProjects } from '../find-program.ts'
import { late } from '../late.ts'
import { endOf, inPlaceOfShell } from './end-of.ts'

/** In milliseconds. A pager that ended sooner has shown the user nothing, not even its error. */
const UNSEEN = 1000

/**
 * Shows a text in a pager on the terminal behind `screen`, a file descriptor. Answers what went wrong (`exit 127`)
 * when the user cannot have seen it. An interruption ends the pager.
 *
 * It starts outside of the project: `delta` reads the settings of the repository in which it starts, and one of them
 * names a command.
 */
export async function showInPager(
  command: string,
  text: string,
  options: { readonly screen: number; readonly env: NodeJS.ProcessEnv; readonly interruption: AbortSignal },
): Promise<string | undefined> {
  // As git does: quit when the text fits on one screen, keep colours, leave the text on the screen.
  const env = { LESS: 'FRX', LV: '-c', ...withoutProjects(options.env) }
  const began = performance.now()
  const begin = () => {
    const pager = late.childProcess.spawn(inPlaceOfShell(command), {
      shell: true,
      cwd: parse(process.execPath).root,
      env,
      stdio: ['pipe', options.screen, 'inherit'],
    })
    // A user who quits the pager has seen enough: the text that is left over may be lost.
    pager.stdin?.on('error', () => {})
    pager.stdin?.end(text)
    return pager
  }
  const code = await endOf(begin, options.interruption)
  if (code instanceof Error) return code.message
  const isMissing = code === 126 || code === 127
  const isUnseen = code !== 0 && code !== null && performance.now() - began < UNSEEN
  return isMissing || isUnseen ? `exit ${code}` : undefined
}
