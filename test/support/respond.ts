/** One file of a response: its new text, or `null` to delete it. */
export type Asked = Readonly<Record<string, string | null>>

/** The uuid of a response, where no test asks for another. */
export const uuid = '0b8f4f62-7d5e-4f5c-9a0e-2b9a5a6f3a11'

export const titleLine = 'promptSummary: I changed what you asked for'

/** A response in the instructed format, with a title. */
export function respond(files: Asked, control: { readonly projectId?: string; readonly uuid?: string } = {}): string {
  const { projectId = 'demo', uuid: given = uuid } = control
  const blocks = Object.entries(files).map(([path, text]) =>
    text === null
      ? `\`\`\`typescript // ${path}\n//TODO: delete this file\n\`\`\``
      : `\`\`\`typescript // ${path}\n// START\n\n${text.replace(/\n$/, '')}\n\n// END\n\`\`\``,
  )
  const summary = Object.entries(files).map(([path, text]) => `  - ${text === null ? 'delete' : 'edit'}: ${path}`)
  return [
    'I changed what you asked for.',
    ...blocks,
    ['```yaml', `projectId: ${projectId}`, `uuid: ${given}`, titleLine, 'changeSummary:', ...summary, '```'].join('\n'),
  ].join('\n\n')
}
