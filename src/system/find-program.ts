import { accessSync, constants, statSync } from 'node:fs'
import { delimiter, isAbsolute, join } from 'node:path'

/** Where a program is on the PATH. Folders on it that are not absolute are left out: they would be the project's. */
export function findProgram(program: string, env: NodeJS.ProcessEnv = process.env): string | null {
  const windows = process.platform === 'win32'
  const endings = windows ? ['', ...(env['PATHEXT'] ?? '.EXE;.CMD;.BAT').split(';')] : ['']
  const folders = isAbsolute(program) ? [''] : (env['PATH'] ?? '').split(delimiter).filter(isAbsolute)
  for (const folder of folders) {
    for (const ending of endings) {
      const path = `${folder === '' ? program : join(folder, program)}${ending}`
      if (isProgram(path)) return path
    }
  }
  return null
}

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK)
    return statSync(path).isFile()
  } catch {
    return false
  }
}
