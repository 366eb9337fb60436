import { withoutProjects } from './find-program.ts'
import { late } from './late.ts'

/** What a program of the system's prints; empty when it cannot run. */
export function outputOf(program: string, args: readonly string[]): Promise<string> {
  return new Promise(resolve => {
    const options = {
      env: { ...withoutProjects(process.env), LC_ALL: 'C', TZ: 'UTC' },
      timeout: 5000,
      windowsHide: true,
    }
    late.childProcess.execFile(program, [...args], options, (_error, stdout) => resolve(stdout))
  })
}
