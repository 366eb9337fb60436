import type { Initialised } from '../project/init-project.ts'
import { visibleLine } from '../report/visible.ts'

/** What `relay --init` did, in lines for the user. */
export function describeInit(done: Initialised): string[] {
  const { config, folder, ignore, linter, projectId } = done
  const rows = [
    ...(config === 'created'
      ? row('created', 'relaycode.config.json', `projectId ${projectId} (from ${done.idFrom})`)
      : row('kept', 'relaycode.config.json', `already initialised; projectId ${projectId}`)),
    ...row(folder, '.relaycode/', ''),
    ...row(ignore, '.gitignore', ignore === 'created' || ignore === 'updated' ? '+ .relaycode/' : ''),
    ...row('linter', linter.command === '' ? '-' : linter.command, linter.why),
    ...approval(done),
    ...done.notes.flatMap(note => row('note', '', note)),
  ]
  return rows.map(visibleLine)
}

/** Told before the first patch, since nobody should learn it from a kept one. */
function approval({ approval, linter }: Initialised): string[] {
  if (approval === 'no') return row('approval', 'no', 'every patch is asked about')
  const lines =
    linter.command === ''
      ? ['yes: a patch without doubts is kept unchecked, without a question;']
      : ['yes: the linter runs after each patch; one without new errors', 'and doubts is kept without a question;']
  return [...lines, '"approval": "no" in relaycode.config.json asks every time'].flatMap((line, index) =>
    row(index === 0 ? 'approval' : '', line, ''),
  )
}

/** One line in three columns, or two where the third finds no room. */
function row(what: string, name: string, more: string): string[] {
  const left = `  ${what.padEnd(9)}${name.padEnd(name === '' ? 0 : 22)}`
  if (more === '') return [left.trimEnd()]
  const line = name === '' ? left + more : `${left}  ${more}`
  return name === '' || line.length <= 78 ? [line] : [left.trimEnd(), ' '.repeat(11) + more]
}
