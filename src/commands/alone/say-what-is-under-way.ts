import { repositoryState } from '../../agents/checkout/repository-state.ts'
import type { Project } from '../../model/project.ts'
import type { System } from '../../ports.ts'
import { showNotes } from '../talk/show-notes.ts'

/** Tells the user why no commit will be possible. Checked before an agent is paid for. */
export async function sayWhatIsUnderWay({ root }: Project, system: System): Promise<void> {
  const state = await repositoryState(root, system)
  if (state === 'none' || state === 'ready') return
  const why = state === 'empty' ? 'nothing was ever committed here' : `a ${state} is under way`
  showNotes([`what lands will not be committed: ${why}`], system)
}
