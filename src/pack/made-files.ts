/** Files that programs write and no model needs to read: they can be most of a project's tokens. */

const locks = new Set(
  `package-lock.json npm-shrinkwrap.json yarn.lock pnpm-lock.yaml bun.lock bun.lockb deno.lock composer.lock Gemfile.lock
  poetry.lock Pipfile.lock uv.lock pdm.lock pixi.lock Cargo.lock go.sum flake.lock mix.lock pubspec.lock Podfile.lock
  Package.resolved gradle.lockfile packages.lock.json paket.lock conan.lock .terraform.lock.hcl`.split(/\s+/),
)

const minified = /[.-]min\.(?:[cm]?js|css)$|\.(?:js|css)\.map$/i

/** By the names that generators give: `.g.dart`, `_pb2.py`, `.generated.ts`. */
const generated =
  /\.(?:generated|gen)\.[a-z]+$|_generated\.[a-z]+$|\.g\.dart$|\.freezed\.dart$|\.pb\.(?:go|cc|h|dart)$|_pb2(?:_grpc)?\.pyi?$|_pb\.(?:[jt]s|d\.ts|rb)$|\.designer\.cs$|\.g\.cs$/i

/** As generators write it at the top of a file. */
const generatedHead =
  /@generated\b|\bcode generated\b.*\bdo not edit\b|\bauto-?(?:matically )?generated\b.*\bdo not (?:edit|modify)\b/is

/** Bytes: nobody writes a line of this length on average. */
const longLine = 500

/** By its content, what made a file; `undefined` for one that a person may have written. */
export function whyMadeText(path: string, text: string): string | undefined {
  if (generatedHead.test(text.slice(0, headLength))) return 'generated'
  const isLong = text.length > 10 * longLine && text.length / text.split('\n').length > longLine
  return isLong && /\.(?:[cm]?js|css)$/.test(path) ? 'minified' : undefined
}

const headLength = 300

/** By its name, what made a file; `undefined` for one that a person may have written. */
export function whyMade(path: string): string | undefined {
  const name = path.slice(path.lastIndexOf('/') + 1)
  if (locks.has(name)) return 'a lock file'
  if (minified.test(name)) return 'minified'
  return generated.test(name) ? 'generated' : undefined
}
