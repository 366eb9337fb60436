// What the transaction's order costs by itself: an entry that holds everything, a stage, links out of it, the entry once
// more with its outcome, each synced before the next (docs/reliability.md). Nothing is parsed, judged, hashed or locked.
import { linkSync, mkdirSync, readFileSync, renameSync, rmdirSync, unlinkSync } from 'node:fs'
import { open } from 'node:fs/promises'
import { dirname } from 'node:path'

const [list, durability, id] = process.argv.slice(2)
const text = readFileSync(list, 'utf8')
const journal = '.journal'
const stage = `${journal}/${id}.stage`
const [draft, pending] = [`${stage}/draft`, `${journal}/${id}.pending`]

const sync = async path => {
  if (durability !== 'full') return
  const handle = await open(path, 'r')
  await handle.sync()
  await handle.close()
}
const write = async (path, content) => {
  const handle = await open(path, 'w')
  await handle.writeFile(content)
  if (durability === 'full') await handle.sync()
  await handle.close()
}
const writeEntry = async content => {
  await write(draft, content)
  renameSync(draft, pending)
  await sync(journal)
}

mkdirSync(stage, { recursive: true })
await writeEntry(text)
const files = JSON.parse(readFileSync(pending, 'utf8')).map(([path, content], index) => ({
  path,
  content,
  staged: `${stage}/${index}`,
}))
for (let at = 0; at < files.length; at += 64) {
  await Promise.all(files.slice(at, at + 64).map(({ staged, content }) => write(staged, content)))
}
await sync(stage)
const folders = [...new Set(files.map(({ path }) => dirname(path)))]
for (const folder of folders) mkdirSync(folder, { recursive: true })
for (const { staged, path } of files) {
  linkSync(staged, path)
  unlinkSync(staged)
}
await Promise.all(folders.map(sync))
await writeEntry(`${text}\n`)
renameSync(pending, `${journal}/${id}.applied`)
await sync(journal)
rmdirSync(stage)
