import { accessSync, constants, statSync } from 'node:fs'
import { delimiter, extname, isAbsolute, join, sep } from 'node:path'

/** Finds a program on the PATH. Relative folders on it do not count: they would lead into the project. */
export function findProgram(program: string, env: NodeJS.ProcessEnv = process.env): string | null {
  const endings = process.platform === 'win32' ? windowsEndings(program, env) : ['']
  for (const folder of isAbsolute(program) ? [''] : foldersOf(env)) {
    for (const ending of endings) {
      const path = `${folder === '' ? program : join(folder, program)}${ending}`
      if (isProgram(path)) return path
    }
  }
  return null
}

/**
 * The environment of a program that relay runs for itself: a shell must not look for its `less` in the project
 * either. The commands of a project get the user's PATH as it is.
 */
export function withoutProjects(env: NodeJS.ProcessEnv, platform = process.platform): NodeJS.ProcessEnv {
  // The shell of Windows looks in the current folder before the PATH.
  const own = platform === 'win32' ? { NoDefaultCurrentDirectoryInExePath: '1' } : {}
  if (env['PATH'] === undefined) return { ...env, ...own }
  // An empty entry means the current folder.
  return { ...env, ...own, PATH: foldersOf(env).join(delimiter) || sep }
}

/** Windows starts only files with an ending: beside `tsc.cmd` npm puts a `tsc` for other shells. */
function windowsEndings(program: string, env: NodeJS.ProcessEnv): readonly string[] {
  const endings = (env['PATHEXT'] ?? '.EXE;.CMD;.BAT').split(';').filter(ending => ending !== '')
  return extname(program) === '' ? endings : ['', ...endings]
}

function foldersOf(env: NodeJS.ProcessEnv): readonly string[] {
  return (env['PATH'] ?? '').split(delimiter).filter(isAbsolute)
}

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK)
    return statSync(path).isFile()
  } catch {
    return false
  }
}
