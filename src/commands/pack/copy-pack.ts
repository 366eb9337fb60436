import type { Project } from '../../model/project.ts'
import type { System } from '../../ports.ts'
import { type PackFacts, packLines } from '../../report/screens/pack-lines.ts'
import { copyText } from '../talk/copy-text.ts'
import { styleOf } from '../talk/style-of.ts'
import type { Pack } from './make-pack.ts'
import { rememberPack } from './remember-pack.ts'

export function factsOf({ text, tokens, files, leftOut }: Pack): PackFacts {
  return { bytes: Buffer.byteLength(text), tokens, files, leftOut }
}

/** Puts a pack on the clipboard, and says what is in it; `false` where it did not get there. */
export async function copyPack(pack: Pack, project: Project, system: System): Promise<boolean> {
  const head = (done: string) => packLines(factsOf(pack), done, styleOf(system.terminal))
  const end = await copyText(pack.text, head, '`relay pack --stdout` prints it, `-o <path>` writes it.', system)
  if (end === 'failed') return false
  await rememberPack(pack, project, system)
  return true
}
