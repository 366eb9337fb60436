import type { Session } from './session.ts'

const patienceMs = 1000

/** Asks the desktop's clipboard manager, where there is one, to keep our text: without us it would be gone. */
export async function saveText(session: Session): Promise<void> {
  const { connection, atoms, own } = session
  if (own === undefined || connection.closed !== undefined) return
  const request = session.openRequest()
  const timer = setTimeout(() => request.fail(new Error('no answer')), patienceMs)
  try {
    await request.convert(atoms.manager, atoms.saveTargets)
  } catch {
    // Nobody keeps it. It was a convenience.
  } finally {
    clearTimeout(timer)
  }
}
