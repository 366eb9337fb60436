import { describe, expect, it } from 'vitest'
import { hasEditor } from '../../../src/system/terminal/editor.ts'

describe('hasEditor', () => {
  it.each([
    ['sh', true],
    [' sh -c x', true],
    ['/bin/sh', true],
    ['exec sh', true],
    ['no-such-editor', false],
    ['no-such-editor --wait', false],
    ['/no/such/editor', false],
    // What only running it would tell is nothing to warn of.
    ['"/my editors/vi" -f', true],
    ['LC_ALL=C no-such-editor', true],
    ['~/bin/no-such-editor', true],
  ])('says of %s: %s', async (command, there) => {
    expect(await hasEditor(command, 'linux')).toBe(there)
  })
})
