import type { Entry } from '../model.ts'
import type { Files } from '../ports.ts'
import { readEntry } from './entry-yaml.ts'
import type { Layout } from './layout.ts'
import { readOwn } from './read-own.ts'

/** Tells from an entry's text whether it is to be read: YAML is slow. */
export type Wanted = (text: string) => boolean

const anyText: Wanted = () => true

/** The entry of a kept transaction; `undefined` when it is gone (pruned), is none, or its text is not `wanted`. */
export async function readApplied(
  uuid: string,
  layout: Layout,
  files: Files,
  wanted = anyText,
): Promise<Entry | undefined> {
  const text = await readText(uuid, wanted, layout, files)
  return text === undefined ? undefined : readEntry(text)
}

/**
 * The same without the contents of files, which are nearly all of it, and with a snapshot that only tells where paths
 * led: what a list shows.
 */
export async function readOutline(
  uuid: string,
  layout: Layout,
  files: Files,
  wanted = anyText,
): Promise<Entry | undefined> {
  const text = await readText(uuid, wanted, layout, files)
  return text === undefined ? undefined : (readEntry(withoutContents(text)) ?? readEntry(text))
}

/** Whether an entry of this text can be about a path; one of other signs may be printed with escapes. */
export function mayName(path: string, text: string): boolean {
  return text.includes(path) || !/^[\w./-]*$/.test(path)
}

async function readText(uuid: string, wanted: Wanted, layout: Layout, files: Files): Promise<string | undefined> {
  const text = await readOwn(layout.applied(uuid), files)
  return text !== undefined && wanted(text) ? text : undefined
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
