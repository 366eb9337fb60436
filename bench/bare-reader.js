// The floor of hearing a copy: an X client that does nothing but read what it is told of, and print how long it is.
import { readText } from '../src/system/clipboard/x11/read-text.ts'
import { Session } from '../src/system/clipboard/x11/session.ts'

const session = await Session.open(process.env)
session.onNewOwner(async () => console.log(((await readText(session)) ?? '').length))
console.log('ready')
