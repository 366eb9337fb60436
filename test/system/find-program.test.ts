import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { expect, it } from 'vitest'
import { withoutProjects } from '../../src/system/find-program.ts'

it.each(['.', '', '::', 'node_modules/.bin:./'])('lets a shell find nothing in the project by the PATH %j', PATH => {
  const project = mkdtempSync(join(tmpdir(), 'relay-path-'))
  writeFileSync(join(project, 'less'), '#!/bin/sh\necho found\n', { mode: 0o755 })
  const options = { cwd: project, env: withoutProjects({ PATH }), encoding: 'utf8' } as const
  expect(execFileSync('/bin/sh', ['-c', 'less 2>/dev/null || echo none'], options)).toBe('none\n')
  rmSync(project, { recursive: true })
})

it('tells the shell of Windows not to look in the current folder first', () => {
  const { NoDefaultCurrentDirectoryInExePath: told, PATH } = withoutProjects({ PATH: `.${delimiter}/usr/bin` }, 'win32')
  expect([told, PATH]).toEqual(['1', '/usr/bin'])
  expect(withoutProjects({}, 'linux')).toEqual({})
})
