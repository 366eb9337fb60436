import type { Clipboard, ClipboardBackEnd } from '../../ports.ts'
import { withoutProjects } from '../find-program.ts'

/** The desktop's clipboard. Which way leads to it is decided, and what knows the ways is loaded, when it is first needed. */
export function systemClipboard(env: NodeJS.ProcessEnv = process.env): Clipboard {
  const chosen = new Map<'auto' | 'poll', Promise<ClipboardBackEnd>>()
  const backEnd = (wish: 'auto' | 'poll') => {
    const known = chosen.get(wish) ?? choose(env, wish)
    chosen.set(wish, known)
    return known
  }
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
