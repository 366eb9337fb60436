import { describe, expect, it } from 'vitest'
import { listProjects, readProject } from '../../../src/agents/raf/read-project.ts'
import { failure } from '../../support/failure.ts'
import { diskError } from '../../support/fake-disk.ts'
import { fakeSystem } from '../../support/fake-system.ts'

const start = {
  'RAF/abcdef-fix-login/input.md': 'Users cannot log in.\n',
  'RAF/abcdef-fix-login/decisions.md': '# Project Decisions\n',
  'RAF/abcdef-fix-login/plans/02-second.md': '# Task: Second\r\n\r\n## Dependencies\r\n01\r\n',
  'RAF/abcdef-fix-login/plans/01-first.md': '\ufeff# Task: First\n',
  'RAF/abcdef-fix-login/plans/README.md': 'odd',
  'RAF/abcdef-fix-login/plans/03-folder.md/x': 'odd',
  'RAF/abcdef-fix-login/outcomes/01-first.md': 'Done.\n\n<promise>COMPLETE</promise>\n',
  'RAF/abcdef-fix-login/outcomes/.DS_Store': new Uint8Array([255]),
}
const read = ({ system }: ReturnType<typeof fakeSystem>) => {
  return readProject('/project/RAF', 'abcdef-fix-login', system.files)
}

describe('the projects of a folder', () => {
  it('are its folders of the right name, oldest first', async () => {
    const { system, disk } = fakeSystem({ files: start })
    for (const folder of ['aaaaaa-old', 'abcde-short', 'notes', 'zzzzzz-new']) disk.folder(`RAF/${folder}`)
    disk.write('RAF/bbbbbb-file', '')
    expect(await listProjects('/project/RAF', system.files)).toEqual(['aaaaaa-old', 'abcdef-fix-login', 'zzzzzz-new'])
    expect(await listProjects('/project/NONE', system.files)).toEqual([])
  })
})

describe('a project', () => {
  it('is read whole, and what is odd is passed over', async () => {
    expect(await read(fakeSystem({ files: start }))).toEqual({
      id: 'abcdef',
      name: 'fix-login',
      path: '/project/RAF/abcdef-fix-login',
      folder: 'abcdef-fix-login',
      plans: [
        { name: '01-first.md', text: '# Task: First\n' },
        { name: '02-second.md', text: '# Task: Second\r\n\r\n## Dependencies\r\n01\r\n' },
      ],
      outcomes: [{ name: '01-first.md', text: 'Done.\n\n<promise>COMPLETE</promise>\n' }],
      input: 'Users cannot log in.\n',
      decisions: '# Project Decisions\n',
      state: {
        tasks: [
          { id: '01', file: '01-first.md', title: 'First', status: 'completed', dependencies: [] },
          { id: '02', file: '02-second.md', title: 'Second', status: 'pending', dependencies: ['01'] },
        ],
        status: 'executing',
        problems: [],
        staleBlocks: [],
      },
    })
  })

  it('may have nothing yet', async () => {
    const world = fakeSystem()
    world.disk.folder('RAF/abcdef-fix-login')
    expect(await read(world)).toMatchObject({
      plans: [],
      outcomes: [],
      input: undefined,
      decisions: undefined,
      state: { tasks: [], status: 'planning' },
    })
  })

  it('is not read without a file of it that cannot be read', async () => {
    const path = '/project/RAF/abcdef-fix-login/plans/01-first.md'
    const text = fakeSystem({
      files: { ...start, 'RAF/abcdef-fix-login/plans/01-first.md': new Uint8Array([65, 255]) },
    })
    expect(await failure(read(text))).toEqual({
      kind: 'usage',
      message: `${path} is no text in UTF-8`,
      hint: 'Save it as UTF-8, then try again.',
    })
    const closed = fakeSystem({ files: start })
    closed.disk.onCall = (_, at) => {
      if (at === path) throw diskError('EACCES')
    }
    expect(await failure(read(closed))).toMatchObject({
      message: 'Cannot read RAF/abcdef-fix-login/plans/01-first.md: permission denied',
    })
  })

  it('is not read through links, which could lead to anything', async () => {
    const secret = { ...start, 'secret.md': 'KEY=1', 'RAF/abcdef-other/plans/01-x.md': 'KEY=1' }
    const one = fakeSystem({ files: secret })
    await one.system.files.symlink('/project/secret.md', '/project/RAF/abcdef-fix-login/plans/04-key.md')
    expect(await failure(read(one))).toEqual({
      kind: 'usage',
      message: '/project/RAF/abcdef-fix-login/plans/04-key.md is a link; relay reads plans from files alone',
      hint: undefined,
    })
    const folder = fakeSystem({ files: { 'elsewhere/01-x.md': 'KEY=1' } })
    folder.disk.folder('RAF/abcdef-fix-login')
    await folder.system.files.symlink('/project/elsewhere', '/project/RAF/abcdef-fix-login/plans')
    expect(await failure(read(folder))).toMatchObject({ kind: 'conflict' })
  })

  it('has the name of one', async () => {
    const { system } = fakeSystem()
    expect(await failure(readProject('/project/RAF', '../x', system.files))).toMatchObject({ kind: 'usage' })
  })
})
