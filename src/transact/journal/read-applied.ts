import type { Entry } from '../../model/entry.ts'
import { readOwn } from '../disk/read-own.ts'
import { readEntry } from '../entry/read-entry.ts'
import type { Layout } from '../layout/layout.ts'

/**
 * The entry of a kept transaction; `undefined` when it is gone (pruned) or is none.
 *
 * @param paths none is read that cannot be about one of these: YAML is slow
 */
export async function readApplied(uuid: string, layout: Layout, paths?: readonly string[]): Promise<Entry | undefined> {
  const text = await readText(uuid, layout, paths)
  return text === undefined ? undefined : readEntry(text)
}

/**
 * The same without the contents of files, which are nearly all of it, and with a snapshot that only tells where paths
 * led: what a list shows. `undefined` also for an entry that cannot be read, as `sudo relay` leaves one: a list goes on.
 */
export async function readOutline(uuid: string, layout: Layout, paths?: readonly string[]): Promise<Entry | undefined> {
  const text = await readText(uuid, layout, paths).catch(() => undefined)
  return text === undefined ? undefined : (readEntry(withoutContents(text)) ?? readEntry(text))
}

async function readText(
  uuid: string,
  layout: Layout,
  paths: readonly string[] | undefined,
): Promise<string | undefined> {
  const text = await readOwn(layout.applied(uuid), layout.files)
  if (text === undefined || paths === undefined) return text
  // Other paths may be printed with escapes.
  return paths.some(path => text.includes(path) || !/^[\w./-]*$/.test(path)) ? text : undefined
}

/**
 * Leaves out the contents of operations, all of the snapshot but where paths led, and what was written.
 *
 * Only lines of a shape that relay prints are touched, and only below the keys that hold files: a reasoning may well
 * quote an entry. What comes out wrong all the same is no entry, and then the whole text is read.
 */
function withoutContents(text: string): string {
  return text
    .split(/\n(?=[^ \n])/)
    .map(outlineOf)
    .join('\n')
}

/** The same of what stands below one key. */
function outlineOf(section: string): string {
  switch (section.split('\n', 1)[0]) {
    case 'operations:':
      return section.replaceAll(content, '\n    content: ""').replaceAll(seen, '')
    case 'snapshot:':
      return section
        .split('\n')
        .filter(line => /^(?: {2})?[^ ]|^ {4}target: /.test(line))
        .map(line => line.replace(/^ {2}[^ ].*:$/, '$&\n    absent: true'))
        .join('\n')
    case 'written:':
      return 'written: {}'
    default:
      return section
  }
}

const seen = /\n {4}(?:seen|formatted):[\s\S]*?(?=\n(?! {5}|\n|$)|$)/g

/** Up to the next line that is not further in. */
const content = /\n {4}content: [\s\S]*?(?=\n(?! {5}|\n|$)|$)/g
