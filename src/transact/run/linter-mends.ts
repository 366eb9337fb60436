import { mendsFiles } from '../../ground/mends-files.ts'
import { scriptsFor, scriptsRunBy } from '../../ground/package-scripts.ts'
import type { Layout } from '../layout/layout.ts'

/** Whether the linter says that it mends files, or a script that it runs does: then what changes while it runs may be its work. */
export async function linterMends(linter: string, { root, files }: Layout): Promise<boolean> {
  const scripts = scriptsRunBy(linter, await scriptsFor([linter], root, files))
  return [linter, ...scripts.map(([, text]) => text)].some(mendsFiles)
}
