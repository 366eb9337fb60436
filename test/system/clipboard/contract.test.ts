import type { ChildProcess } from 'node:child_process'
import { chooseBackEnd } from '../../../src/system/clipboard/choose-back-end.ts'
import { fakeSystem } from '../../support/fake-system.ts'
import { canRunWith } from '../../support/has-program.ts'
import { canStartWayland, startWaylandDisplay, type WaylandDisplay } from '../../support/wayland-display.ts'
import { startXDisplay, type XDisplay } from '../../support/x-display.ts'
import { ownAndDieMidway } from '../../support/x-owner.ts'
import { type ClipboardSubject, clipboardContract } from './contract.ts'

/** What other programs do on a real display. */
function desktop(display: XDisplay | WaylandDisplay): Omit<ClipboardSubject, 'backEnd'> {
  let owner: ChildProcess | undefined
  return {
    clear: async () => {},
    copy: async (content, type) => {
      owner = await display.own(content, type)
    },
    owner: fate => void owner?.kill(fate === 'hangs' ? 'SIGSTOP' : 'SIGKILL'),
    dieMidway: async () => void (await ownAndDieMidway(display.env)),
    display: is => (is === 'gone' ? display.stop() : display.restart()),
    stop: () => display.stop(),
  }
}

clipboardContract(
  'fake',
  async () => {
    const { clipboard } = fakeSystem()
    clipboard.tells = true
    return {
      backEnd: clipboard,
      clear: async () => clipboard.copy(null),
      copy: async (content, type) => clipboard.copy(type === undefined ? content : null),
      owner: fate => clipboard.owner(fate),
      display: async is => clipboard.display(is),
      stop: async () => {},
    }
  },
  { listens: true, hasDisplay: true },
)

// In CI what cannot run is a failure.
if (canRunWith('Xvfb', 'xclip')) {
  const all = { listens: true, diesMidway: true, hasDisplay: true }

  clipboardContract(
    'X11',
    async () => {
      const display = await startXDisplay()
      return { backEnd: await chooseBackEnd(display.env, 'auto'), ...desktop(display) }
    },
    all,
  )

  clipboardContract(
    'xclip',
    async () => {
      const display = await startXDisplay()
      return { backEnd: await chooseBackEnd(display.env, 'poll'), ...desktop(display) }
    },
    { diesMidway: true, hasDisplay: true },
  )
}

if (canStartWayland) {
  const start = async (wish: 'auto' | 'poll') => {
    const display = await startWaylandDisplay()
    return { backEnd: await chooseBackEnd(display.env, wish), ...desktop(display) }
  }
  clipboardContract('wl-paste --watch', () => start('auto'), { listens: true, hasDisplay: true })
  clipboardContract('wl-paste', () => start('poll'), { hasDisplay: true })
}
