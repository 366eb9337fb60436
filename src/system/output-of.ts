import { findProgram, withoutProjects } from './find-program.ts'
import { late } from './late.ts'

/** What a program of the system prints; empty when it cannot run. */
export async function outputOf(program: string, args: readonly string[]): Promise<string> {
  // For a bare name, Windows looks in the current folder first, and a program there may have come with the project.
  const file = process.platform === 'win32' ? findProgram(program) : program
  if (file === null) return ''
  return new Promise(resolve => {
    const options = {
      env: { ...withoutProjects(process.env), LC_ALL: 'C', TZ: 'UTC' },
      timeout: 5000,
      windowsHide: true,
    }
    try {
      late.childProcess.execFile(file, [...args], options, (_error, stdout) => resolve(stdout))
    } catch {
      // A `.cmd` alone is no program.
      resolve('')
    }
  })
}
