import { isUtf8 } from 'node:buffer'
import { RelayError } from '../errors.ts'
import { bufferOf } from '../ground/bytes.ts'
import { shellWord } from '../ground/words.ts'
import type { Files } from '../ports.ts'

/** Larger than any configuration; the limit keeps a file from using up the memory. */
const limit = 1_000_000

/** Reads a small text file of the project's, links followed; `null` when nothing is there. Throws for what is no text file. */
export async function readTextFile(path: string, files: Files): Promise<string | null> {
  const there = await files.stat(path)
  if (there === null) return null
  const real = await files.realPath(path)
  if (real === null) throw unusable(`${path} is a link that leads nowhere`, path)

  const stat = await files.stat(real)
  if (stat === null) return null
  if (stat.kind !== 'file')
    throw unusable(`${path} is ${stat.kind === 'folder' ? 'a folder' : 'not a regular file'}`, path)
  if (stat.size > limit) throw unusable(`${path} has ${stat.size} bytes; at most ${limit} are read`, path)

  const bytes = await files.read(real)
  if (bytes === null) return null
  if (!isUtf8(bytes)) {
    throw new RelayError('usage', `${path} is not UTF-8 text`, { hint: 'Save it as UTF-8 in your editor.' })
  }
  return bufferOf(bytes).toString('utf8')
}

function unusable(message: string, path: string): RelayError {
  return new RelayError('usage', message, { hint: `Look at it: \`ls -ld -- ${shellWord(path)}\`` })
}
