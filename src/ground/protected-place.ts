/**
 * Finds a protected folder in a path: relay's own, or that of a version control system, whose hooks and settings run
 * commands. No patch may reach into it.
 *
 * Every spelling counts on every system, because a project moves between systems: any case, characters that HFS+
 * ignores, letters that look alike, trailing dots and blanks and alternate streams as NTFS drops them, DOS short
 * names.
 */
export function protectedPlace(path: string): string | undefined {
  for (const part of path.split(/[/\\]/)) {
    const plain = withoutTail(undisguised(part).split(':', 1)[0] ?? '')
    const name = PLACES.get(plain) ?? (plain.includes('~') ? longNameOf(plain) : undefined)
    if (name !== undefined) return name
  }
  return undefined
}

const PLACES: ReadonlyMap<string, string> = new Map(
  ['.git', '.relaycode', '.hg', '.svn', '.jj', '.sl', '.bzr', '.pijul', '_darcs'].map(name => [name, name]),
)

function undisguised(part: string): string {
  if (ASCII.test(part)) return part.toLowerCase()
  return part
    .normalize('NFKD')
    .replace(/[\p{M}\p{Default_Ignorable_Code_Point}\p{Cc}]/gu, '')
    .toLowerCase()
    .toUpperCase()
    .toLowerCase()
}

const ASCII = /^[ -~]*$/

/** Removes the dots and blanks at the end. A pattern would look at each run of them again and again. */
function withoutTail(name: string): string {
  let end = name.length
  while (end > 0 && (name[end - 1] === '.' || name[end - 1]?.trim() === '')) end--
  return name.slice(0, end)
}

/** Reads `git~1`, and `gi7d29~1`: Windows puts a hash into the name when four such names are in use. */
function longNameOf(name: string): string | undefined {
  const short = SHORT_NAME.exec(name)?.[1]
  if (short === undefined) return undefined
  return [...PLACES.values()].find(place => place.replace('.', '').startsWith(short.slice(0, 2)))
}

const SHORT_NAME = /^(git|relayc|hg|svn|jj|sl|bzr|pijul|_darcs|(?:gi|re|hg|sv|jj|sl|bz|pi|_d)[0-9a-f]{4})~[0-9]+$/
