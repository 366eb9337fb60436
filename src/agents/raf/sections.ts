/** A part of a Markdown text: a heading and the text up to the next heading, whatever their levels. */
export interface Section {
  /** The heading as written, with its `#`; empty for the text before the first heading. */
  readonly heading: string
  /** Without blank lines at the beginning and the end. */
  readonly text: string
}

/** Cuts a Markdown text at its headings; fenced code has no headings. */
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

/** The text of the first section with this heading; `undefined` when there is none. */
export function sectionOf(text: string, heading: string): string | undefined {
  return sectionsOf(text).find(each => each.heading === heading)?.text
}

function linesOf(text: string): readonly string[] {
  return text.replace(/^\ufeff/, '').split(/\r?\n/)
}
