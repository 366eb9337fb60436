import type { Entry } from '../../model.ts'
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
  // A path of other signs may be printed with escapes.
  return paths.some(path => text.includes(path) || !/^[\w./-]*$/.test(path)) ? text : undefined
}

/**
 * Leaves out the contents of operations, all of the snapshot but where paths led, and what was written.
 *
 * Only lines of a shape that relay prints are touched, and only below the keys that hold files: a reasoning may well
 * quote an entry. What comes out wrong all the same is no entry, and then the whole text is read.
 */
function withoutContents(text: string): string {
  const kept: string[] = []
  let section = ''
  let inContent = false
  for (const line of text.split('\n')) {
    if (line !== '' && line[0] !== ' ') {
      section = line
      inContent = false
      kept.push(line === 'written:' ? 'written: {}' : line)
    } else if (section === 'operations:') {
      if (inContent && (line === '' || line.startsWith('     '))) continue
      inContent = line.startsWith('    content: ')
      kept.push(inContent ? '    content: ""' : line)
    } else if (section === 'snapshot:') {
      if (/^ {2}[^ ].*:$/.test(line)) kept.push(line, '    absent: true')
      else if (/^ {2}[^ ]|^ {4}target: /.test(line)) kept.push(line)
    } else if (section !== 'written:') kept.push(line)
  }
  return kept.join('\n')
}
