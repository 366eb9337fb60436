// The floor: writes the files of a JSON list and nothing else; `full` syncs them, 64 at a time, and their folders once.
import { readFileSync } from 'node:fs'
import { mkdir, open } from 'node:fs/promises'
import { dirname } from 'node:path'

const [list, durability] = process.argv.slice(2)
const files = JSON.parse(readFileSync(list, 'utf8'))
const folders = [...new Set(files.map(([path]) => dirname(path)))]
const sync = async path => {
  const handle = await open(path, 'r')
  await handle.sync()
  await handle.close()
}
const write = async ([path, text]) => {
  const handle = await open(path, 'w')
  await handle.writeFile(text)
  if (durability === 'full') await handle.sync()
  await handle.close()
}
for (const folder of folders) await mkdir(folder, { recursive: true })
for (let at = 0; at < files.length; at += 64) await Promise.all(files.slice(at, at + 64).map(write))
if (durability === 'full') await Promise.all(folders.map(sync))
