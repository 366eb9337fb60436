import { dirname, resolve } from 'node:path'
import type { System } from '../../ports.ts'

/** Writes new files below a folder, by path. `left`: files that already exist with another text and are left alone. */
export async function writeNewFiles(
  folder: string,
  texts: Readonly<Record<string, string>>,
  { cwd, files }: Pick<System, 'cwd' | 'files'>,
): Promise<{ readonly written: readonly string[]; readonly left: readonly string[] }> {
  const [written, left]: [string[], string[]] = [[], []]
  for (const [name, text] of Object.entries(texts)) {
    const path = resolve(cwd, folder, name)
    await makeFolder(dirname(path), files)
    const bytes = new TextEncoder().encode(text)
    const isNew = (await files.create(path, bytes)) === 'created'
    const isSame = !isNew && Buffer.from((await files.read(path)) ?? new Uint8Array()).equals(bytes)
    if (isNew) written.push(path)
    else if (!isSame) left.push(path)
  }
  return { written, left }
}

async function makeFolder(path: string, files: System['files']): Promise<void> {
  if ((await files.realPath(path)) !== null) return
  await makeFolder(dirname(path), files)
  await files.makeFolder(path)
}
