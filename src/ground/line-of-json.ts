import { isNode, LineCounter, parseDocument } from 'yaml'

/** The line, from 1, on which the value at a path begins in a JSON text; `undefined` where there is none. */
export function lineOfJson(text: string, path: readonly (string | number)[]): number | undefined {
  const lines = new LineCounter()
  const node = parseDocument(text, { lineCounter: lines }).getIn(path, true)
  return isNode(node) && node.range ? lines.linePos(node.range[0]).line : undefined
}
