// Reads the clipboard again and again, as relay does, and prints how long each read took and how long the text was.
import { readText } from '../src/system/clipboard/x11/read-text.ts'
import { Session } from '../src/system/clipboard/x11/session.ts'

const session = await Session.open(process.env)
for (let left = Number(process.argv[2]); left > 0; left--) {
  const begun = performance.now()
  const text = await readText(session).catch(() => null)
  console.log(performance.now() - begun, (text ?? '').length)
}
session.connection.close()
