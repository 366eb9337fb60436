const mostLetters = 50

/** Turns any text into a name for folders and files; empty when no character can stay. */
export function nameFrom(text: string): string {
  const name = text.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-')
  return name.replace(/^-/, '').slice(0, mostLetters).replace(/-$/, '')
}

/** Whether a name can be used exactly as it was typed. */
export function isName(text: string): boolean {
  return text.length <= mostLetters && /^[a-zA-Z0-9][a-zA-Z0-9_-]*$/.test(text)
}

/** Turns `merge-guardian` into `Merge guardian`. */
export function titleOfName(name: string): string {
  const words = name.replaceAll(/[-_]+/g, ' ').trim()
  return words.charAt(0).toUpperCase() + words.slice(1)
}

/** The title of a project's folder: `ahnres-merge-guardian`. Also accepts old ids, which had digits. */
export function titleOfFolder(folder: string): string {
  return titleOfName(folder.replace(/^[a-z0-9]{6}-(?=.)/, ''))
}

/** The parts of the name of a project's folder; `undefined` when it is no such name. */
export function projectOf(folder: string): { readonly id: string; readonly name: string } | undefined {
  const [, id, name] = /^([a-z]{6})-(.+)$/.exec(folder) ?? []
  return id === undefined || name === undefined ? undefined : { id, name }
}

/** The parts of the file name of a task or its outcome, `0a-add-login.md`; `undefined` when it is no such name. */
export function taskOf(file: string): { readonly id: string; readonly name: string } | undefined {
  const [, id, name] = /^([0-9a-z]{2})-(.+)\.md$/.exec(file) ?? []
  return id === undefined || name === undefined ? undefined : { id, name }
}
