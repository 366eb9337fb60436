/** A part of a Markdown text: a heading and what stands below it up to the next heading, whatever their levels. */
export interface Section {
  /** As it is written, with its `#`; empty for what stands before the first heading. */
  readonly heading: string
  /** Without blank lines at its ends. */
  readonly text: string
}

/** Cuts a Markdown text at its headings. What stands in fenced code is no heading. */
export function sectionsOf(text: string): readonly Section[] {
  const sections: { heading: string; lines: string[] }[] = [{ heading: '', lines: [] }]
  let fence: string | undefined
  for (const line of linesOf(text)) {
    const mark = /^ {0,3}(`{3,}(?=[^`]*$)|~{3,})\s*(.*)$/.exec(line)
    const [, signs = '', rest = ''] = mark ?? []
    if (fence === undefined && /^#{1,6}(?:\s|$)/.test(line)) sections.push({ heading: line.trimEnd(), lines: [] })
    else sections.at(-1)?.lines.push(line)
    if (mark === null) continue
    if (fence === undefined) fence = signs
    else if (rest === '' && signs.startsWith(fence)) fence = undefined
  }
  return sections.map(({ heading, lines }) => ({ heading, text: lines.join('\n').replace(/^(?:[ \t]*\n)+|\s+$/g, '') }))
}

/** What stands in the first section with this heading; `undefined`: there is none. */
export function sectionOf(text: string, heading: string): string | undefined {
  return sectionsOf(text).find(each => each.heading === heading)?.text
}

function linesOf(text: string): readonly string[] {
  return text.replace(/^\ufeff/, '').split(/\r?\n/)
}
