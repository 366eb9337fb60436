import { basename, join } from 'node:path'
import * as v from 'valibot'
import { RelayError } from '../errors.ts'
import { readJson } from '../ground/read-json.ts'
import type { Files } from '../ports.ts'
import { configSchema } from './config-schema.ts'
import { readTextFile } from './read-text-file.ts'

export interface DetectedId {
  readonly projectId: string
  readonly from: 'package.json' | 'folder name'
}

/** The id for a new project: the `name` in its package.json, else its folder's name. Throws when package.json is broken. */
export async function detectProjectId(root: string, files: Files): Promise<DetectedId> {
  const name = usable(await packageName(join(root, 'package.json'), files))
  return name === undefined
    ? { projectId: folderId(root), from: 'folder name' }
    : { projectId: name, from: 'package.json' }
}

async function packageName(path: string, files: Files): Promise<unknown> {
  const text = await readTextFile(path, files)
  if (text === null) return undefined
  const json = readJson(text)
  if (json.kind === 'broken') {
    throw new RelayError('usage', `${path} is broken: ${json.why}`, {
      hint: 'Correct it, then run `relay --init` again.',
    })
  }
  return (json.value as { readonly name?: unknown } | null)?.name
}

/** A folder can have any name, and the root of the disk has none. */
function folderId(root: string): string {
  const cleaned = basename(root)
    .replaceAll(/[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\ufff0-\uffff]+/gu, '-')
    .slice(0, 200)
  return usable(cleaned) ?? 'project'
}

function usable(name: unknown): string | undefined {
  // macOS stores letters and accents separately; a model joins them.
  const text = typeof name === 'string' ? name.trim().normalize('NFC') : name
  const result = v.safeParse(configSchema.entries.projectId, text)
  return result.success ? result.output : undefined
}
