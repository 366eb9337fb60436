import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { hasProgram } from '../support/has-program.ts'
import { relayCommand } from '../support/real-relay.ts'
import { type Pane, startPane } from '../support/tmux-pane.ts'
import { until } from '../support/until.ts'
import { DelegateWorld } from './delegate-world.ts'

let world: DelegateWorld
let pane: Pane | undefined
beforeEach(async () => {
  world = new DelegateWorld()
  await world.withOrigin().withApi()
  world.write({ 'relaycode.config.json': '{"projectId":"demo"}' })
  world.commit('second')
})
afterEach(async () => {
  await pane?.stop()
  await world.remove()
})

const env = () => {
  const plain = { ...world.env, DISPLAY: '', WAYLAND_DISPLAY: '', WSL_DISTRO_NAME: '', TZ: 'UTC' }
  return Object.entries(plain).map(([name, value]) => `${name}=${value}`)
}

describe.runIf((hasProgram('tmux') && process.platform === 'linux') || process.env['CI'])('in a terminal', () => {
  it('is asked by relay watch about a text that ends with the name of an agent, which is delegated after a yes alone', async () => {
    const command = [...env(), ...relayCommand, 'watch'].map(word => `'${word}'`).join(' ')
    pane = startPane(`exec env ${command}`, { cwd: world.cwd, env: {}, columns: 80 })
    await pane.until(/○ watching/)
    pane.paste('Make it two\nand no more /claude')
    await pane.until(/claude, in a clone of .*Make it two[\s\S]*Delegate it\?/)
    await pane.typeUntil(/○ watching[\s\S]*○ watching/, 'n', 'Enter')
    expect(world.sessions()).toEqual([])
    pane.paste('Make it two /claude')
    await pane.until(/Delegate it\?[\s\S]*Delegate it\?/)
    await pane.typeUntil(/What do you want to add\?/, 'x', 'Enter')
    await pane.typeUntil(/Make it two \/\s+quickly/, 'quickly', 'Enter')
    await pane.typeUntil(/It goes on in the background: relay delegate status \w{8}/, 'y', 'Enter')
    await until(() => world.sessions()[0]?.['status'] === 'completed', 'it is done')
    expect(world.sessions()).toMatchObject([{ instructions: 'Make it two', extra: 'quickly' }])
  })

  it('goes on after the terminal is closed', async () => {
    world.agent(`until [ -e '${world.home}/go' ]; do sleep 0.1; done; echo 2 > a.txt`)
    const words = [...env(), ...relayCommand, 'delegate', 'Make it two', '--detach'].map(word => `'${word}'`)
    pane = startPane(`env ${words.join(' ')}; exec sleep 600`, { cwd: world.cwd, env: {}, columns: 80 })
    await pane.until(/It goes on in the background/)
    await pane.stop()
    pane = undefined
    writeFileSync(join(world.home, 'go'), '')
    await until(() => world.sessions()[0]?.['status'] === 'completed', 'it is done')
  })
})
