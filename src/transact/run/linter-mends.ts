import { mendsFiles } from '../../ground/mends-files.ts'
import { scriptsIn, scriptsNamed } from '../../ground/package-scripts.ts'
import type { Layout } from '../layout/layout.ts'

/** Whether the linter says that it mends files, or a script that it runs does: then what changes while it runs may be its work. */
export async function linterMends(linter: string, { root, files }: Layout): Promise<boolean> {
  const names = scriptsNamed(linter)
  const scripts = names.length === 0 ? [] : await scriptsIn(root, files)
  return [linter, ...scripts.flatMap(([name, text]) => (names.includes(name) ? text : []))].some(mendsFiles)
}
