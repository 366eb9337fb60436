import { remembered } from '../../ground/collections.ts'
import type { Clipboard, ClipboardBackEnd } from '../../ports.ts'
import { withoutProjects } from '../find-program.ts'

/** The desktop's clipboard. The way to it is chosen, and its code loaded, at the first use. */
export function systemClipboard(env: NodeJS.ProcessEnv = process.env): Clipboard {
  const backEnd = remembered((wish: 'auto' | 'poll') => choose(env, wish))
  return {
    backEnd,
    read: async () => (await backEnd('auto')).read(),
    write: async text => (await backEnd('auto')).write(text),
  }
}

async function choose(env: NodeJS.ProcessEnv, wish: 'auto' | 'poll'): Promise<ClipboardBackEnd> {
  const { chooseBackEnd } = await import('./choose-back-end.ts')
  return chooseBackEnd(withoutProjects(env), wish)
}
