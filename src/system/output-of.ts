import { findProgram, withoutProjects } from './find-program.ts'
import { late } from './late.ts'

/** What a program of the system's prints; empty when it cannot run. */
export async function outputOf(program: string, args: readonly string[]): Promise<string> {
  // By its name alone Windows finds what is called so in the current folder, which may have come with the project.
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
      // A `.cmd` is no program by itself.
      resolve('')
    }
  })
}
