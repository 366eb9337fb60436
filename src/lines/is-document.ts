/** In a document, a comment sign, a quote or a `-` in front of a line is a matter of style. */
export function isDocument(path: string): boolean {
  return documents.test(path) && !forPrograms.test(path)
}

const documents =
  /\.(?:mdx?|mdc|markdown|txt|text|rst|adoc|asciidoc|org|tex|textile|wiki|log|csv|tsv|po|pot)$|(?:^|\/)(?:readme|licen[cs]e|changelog|changes|notice|authors|contributing|copying|todo)[^/.]*$/i

/** A program reads these texts, and `#` begins a comment in them. */
const forPrograms = /(?:^|\/)(?:[^/]*(?:requirements|constraints)[^/]*|requirements\/[^/]+|CMakeLists|robots)\.txt$/i
