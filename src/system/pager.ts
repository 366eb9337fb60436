import { late } from './late.ts'

/** Something that went wrong within this time was seen by nobody. Milliseconds. */
const UNSEEN = 1000

/**
 * Shows a text in a pager on the terminal behind `screen`, a file descriptor. Answers what went wrong, `exit 127`, when
 * the user cannot have seen it.
 * An interruption ends it.
 */
export async function showInPager(
  command: string,
  text: string,
  options: { readonly screen: number; readonly env: NodeJS.ProcessEnv; readonly interruption: AbortSignal },
): Promise<string | undefined> {
  // As git has it: quit when it fits on one screen, keep colours, leave the text on the screen.
  const env = { LESS: 'FRX', LV: '-c', ...options.env }
  const began = performance.now()
  const pager = late.childProcess.spawn(command, { shell: true, env, stdio: ['pipe', options.screen, 'inherit'] })
  const end = () => pager.kill()
  options.interruption.addEventListener('abort', end)
  if (options.interruption.aborted) end()
  // Whoever quits a pager has seen enough: what is left over is nobody's loss.
  pager.stdin?.on('error', () => {})
  pager.stdin?.end(text)
  const code = await new Promise<number | string | null>(resolve => {
    pager.once('error', error => resolve(error.message))
    pager.once('exit', resolve)
  })
  options.interruption.removeEventListener('abort', end)
  if (typeof code === 'string') return code
  const isMissing = code === 126 || code === 127
  const isUnseen = code !== 0 && code !== null && performance.now() - began < UNSEEN
  return isMissing || isUnseen ? `exit ${code}` : undefined
}
