import type { Entry } from '../model.ts'
import type { Files } from '../ports.ts'
import { readEntry } from './entry-yaml.ts'
import type { Layout } from './layout.ts'
import { readOwn } from './read-own.ts'

/** The entry of a kept transaction; `undefined` when it is gone (pruned), is none, or its text is not `wanted`. */
export async function readApplied(
  uuid: string,
  layout: Layout,
  files: Files,
  wanted: (text: string) => boolean = () => true,
): Promise<Entry | undefined> {
  const text = await readText(uuid, layout, files)
  return text === undefined || !wanted(text) ? undefined : readEntry(text)
}

/**
 * The same without the contents of files, and with a snapshot that only tells where paths led: what a list shows. YAML
 * is slow to read, and nearly all of an entry is contents. With `mentions` only an entry that has this text somewhere.
 */
export async function readOutline(
  uuid: string,
  layout: Layout,
  files: Files,
  mentions = '',
): Promise<Entry | undefined> {
  const text = await readText(uuid, layout, files)
  if (text?.includes(mentions) !== true) return undefined
  return readEntry(withoutContents(text)) ?? readEntry(text)
}

async function readText(uuid: string, layout: Layout, files: Files): Promise<string | undefined> {
  return readOwn(layout.applied(uuid), files)
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
