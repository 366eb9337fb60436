import type { Clipboard, ClipboardBackEnd } from '../../ports.ts'
import { chooseBackEnd } from './choose-back-end.ts'

/** The desktop's clipboard. Which way leads to it is decided when it is first needed. */
export function systemClipboard(env: NodeJS.ProcessEnv = process.env): Clipboard {
  const chosen = new Map<'auto' | 'poll', Promise<ClipboardBackEnd>>()
  const backEnd = (wish: 'auto' | 'poll') => {
    const known = chosen.get(wish) ?? chooseBackEnd(env, wish)
    chosen.set(wish, known)
    return known
  }
  return {
    backEnd,
    read: async () => (await backEnd('auto')).read(),
    write: async text => (await backEnd('auto')).write(text),
  }
}
