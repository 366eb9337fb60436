import { findNodeAtLocation, parseTree } from 'jsonc-parser'

/** The line, from 1, on which the value at a path begins in a JSON text; `undefined` where there is none. */
export function lineOfJson(text: string, path: readonly (string | number)[]): number | undefined {
  const tree = parseTree(text)
  const node = tree && findNodeAtLocation(tree, [...path])
  return node && text.slice(0, node.offset).split('\n').length
}
