import { chmodSync, chownSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { openStateFolder, refuseForeignState } from '../../../src/agents/run/run-folder.ts'
import { listSessions } from '../../../src/agents/session/sessions.ts'
import { workFolder } from '../../../src/agents/work/work-note.ts'
import { realSystem } from '../../../src/system/system.ts'

let home: string
let stateFolder: string
const system = () => ({
  ...realSystem({ version: '0', noInput: true, trace: false, interruption: new AbortController() }),
  stateFolder,
})
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'relay-state-'))
  stateFolder = join(home, '.local/state/relaycode')
})
afterEach(() => rmSync(home, { recursive: true, force: true }))

describe('the folder of what relay keeps for agents', () => {
  it('is made, private, where it is not there', async () => {
    await openStateFolder(system())
    await expect(openStateFolder(system())).resolves.toBeUndefined()
    await expect(refuseForeignState(system())).resolves.toBeUndefined()
  })

  it.skipIf(process.getuid?.() !== 0)("is refused where it is another user's, for each use", async () => {
    mkdirSync(stateFolder, { recursive: true })
    chownSync(stateFolder, 4242, 4242)
    const refusal = { kind: 'environment', message: expect.stringContaining('belongs to another user (number 4242)') }
    await expect(openStateFolder(system())).rejects.toMatchObject(refusal)
    await expect(listSessions(system())).rejects.toMatchObject(refusal)
    await expect(workFolder('/project', 'key', system())).rejects.toMatchObject(refusal)
  })

  it('is refused where others can write to it', async () => {
    mkdirSync(stateFolder, { recursive: true })
    chmodSync(stateFolder, 0o777)
    const hint = `Run \`chmod go-w ${stateFolder}\`.`
    await expect(openStateFolder(system())).rejects.toMatchObject({ kind: 'environment', hint })
  })

  it.each(['a file', 'a device'])('is missed where the home is %s', async kind => {
    writeFileSync(join(home, 'home'), '')
    stateFolder = join(kind === 'a file' ? join(home, 'home') : '/dev/null', '.local/state/relaycode')
    const hint = 'Set HOME, or XDG_STATE_HOME, to a folder that you can write to.'
    await expect(openStateFolder(system())).rejects.toMatchObject({ kind: 'environment', hint })
    await expect(workFolder('/project', 'key', system())).rejects.toMatchObject({ kind: 'environment', hint })
  })
})
