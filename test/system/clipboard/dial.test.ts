import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type Server, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, expect, it } from 'vitest'
import { dial } from '../../../src/system/clipboard/dial.ts'
import type { LineListener } from '../../../src/system/clipboard/line.ts'
import { until } from '../../support/until.ts'

const folder = mkdtempSync(join(tmpdir(), 'relay-dial-'))
const servers: Server[] = []
let places = 0

afterEach(async () => {
  for (const server of servers.splice(0)) await new Promise(resolve => server.close(resolve))
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

function place(): string {
  return join(folder, `server-${places++}`)
}

/** Where it listens. */
async function serve(meet: (socket: Socket) => void): Promise<{ path: string }> {
  const path = place()
  const server = createServer(meet)
  servers.push(server)
  await new Promise<void>(resolve => server.listen(path, resolve))
  return { path }
}

/** Hears all, and keeps it in the order in which it came. */
function fakeListener() {
  const heard: string[] = []
  const pieces: Buffer[] = []
  const listener: LineListener = {
    opened: () => heard.push('opened'),
    received(piece) {
      pieces.push(Buffer.from(piece))
      if (heard.at(-1) !== 'received') heard.push('received')
    },
    closed: reason => heard.push(`closed: ${(reason as NodeJS.ErrnoException).code ?? reason.message}`),
  }
  return {
    listener,
    heard,
    received: () => Buffer.concat(pieces),
    ended: () => until(() => heard.at(-1)?.startsWith('closed') === true, 'the end of the line'),
  }
}

const ofTheServer = 'closed: the server closed the connection'

it('brings bytes both ways, also to a server that takes them late', async () => {
  const greeting = Buffer.alloc(3_000_000, 'from the server ')
  const request = Buffer.alloc(3_000_000, 'from relay ')
  const door = await serve(socket => {
    const taken: Buffer[] = []
    socket.on('data', piece => {
      taken.push(piece)
      const all = Buffer.concat(taken)
      if (all.length === request.length) socket.end(all.equals(request) ? 'the same' : 'another')
    })
    // More waits meanwhile than fits between the two.
    socket.pause()
    socket.write(greeting, () => socket.resume())
  })
  const { listener, heard, received, ended } = fakeListener()
  const line = dial(door, listener)
  for (let at = 0; at < request.length; at += 100_000) line.send(request.subarray(at, at + 100_000))
  expect(heard).toEqual([])
  await ended()
  expect(heard).toEqual(['opened', 'received', ofTheServer])
  expect(received().equals(Buffer.concat([greeting, Buffer.from('the same')]))).toBe(true)
  line.send(Buffer.from('to nobody'))
})

it.each([
  ['is not there', 'ENOENT', () => {}],
  ['is no server', 'ECONNREFUSED', (path: string) => writeFileSync(path, '')],
])('tells why where it %s', async (_what, code, make) => {
  const path = place()
  make(path)
  const { listener, heard, ended } = fakeListener()
  const line = dial({ path }, listener)
  line.send(Buffer.from('to nobody'))
  expect(heard).toEqual([])
  await ended()
  expect(heard).toEqual([`closed: ${code}`])
})

it('ends where its hearer fails, and nothing else does', async () => {
  const door = await serve(socket => socket.on('error', () => undefined).write('what nobody can read'))
  const { listener, heard, ended } = fakeListener()
  dial(door, {
    ...listener,
    received() {
      throw new Error('unreadable')
    },
  })
  await ended()
  expect(heard).toEqual(['opened', 'closed: unreadable'])
})

it('takes a name that is in no file system', async () => {
  const { listener, heard, ended } = fakeListener()
  dial({ path: `\0${place()}` }, listener)
  await ended()
  expect(heard).toEqual(['closed: ECONNREFUSED'])
})

it('is handed to another listener, and after hanging up tells none of them anything', async () => {
  let hasLeft = false
  const door = await serve(socket => {
    socket.write('hello')
    socket.on('data', piece => socket.write(piece)).on('close', () => (hasLeft = true))
  })
  const [first, second] = [fakeListener(), fakeListener()]
  const line = dial(door, first.listener)
  await until(() => first.heard.includes('received'), 'a greeting')
  line.handTo(second.listener)
  line.send(Buffer.from('an '), Buffer.from('echo'))
  await until(() => second.received().length === 7, 'an echo')
  line.hangUp()
  line.send(Buffer.from('still there?'))
  await until(() => hasLeft, 'the server hears of the end')
  line.hangUp()
  expect([first.heard, second.heard]).toEqual([['opened', 'received'], ['received']])
})

it('can be hung up before it is open', async () => {
  let left = 0
  const door = await serve(socket => socket.resume().on('close', () => (left += 1)))
  const [first, second] = [fakeListener(), fakeListener()]
  dial(door, first.listener).hangUp()
  const line = dial(door, second.listener)
  await until(() => second.heard.length > 0, 'the second call')
  line.hangUp()
  await until(() => left >= 1, 'the server hears of the end')
  expect(first.heard).toEqual([])
})
