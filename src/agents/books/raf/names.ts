const mostLetters = 50

/** A name for folders and files, of whatever was typed; empty where nothing of it can stay. */
export function nameFrom(text: string): string {
  const name = text.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-')
  return name.replace(/^-/, '').slice(0, mostLetters).replace(/-$/, '')
}

/** Whether a name may be taken as it was typed. */
export function isName(text: string): boolean {
  return text.length <= mostLetters && /^[a-zA-Z0-9][a-zA-Z0-9_-]*$/.test(text)
}

/** `merge-guardian` as `Merge guardian`. */
export function titleOfName(name: string): string {
  const words = name.replaceAll(/[-_]+/g, ' ').trim()
  return words.charAt(0).toUpperCase() + words.slice(1)
}

/** The same of a project's folder: `ahnres-merge-guardian`. Also of one with an old id, which had digits in it. */
export function titleOfFolder(folder: string): string {
  return titleOfName(folder.replace(/^[a-z0-9]{6}-(?=.)/, ''))
}

/** The parts of a project's folder; `undefined`: it is none. */
export function projectOf(folder: string): { readonly id: string; readonly name: string } | undefined {
  const [, id, name] = /^([a-z]{6})-(.+)$/.exec(folder) ?? []
  return id === undefined || name === undefined ? undefined : { id, name }
}

/** The parts of the name of a task's file, also of its outcome: `0a-add-login.md`; `undefined`: it is none. */
export function taskOf(file: string): { readonly id: string; readonly name: string } | undefined {
  const [, id, name] = /^([0-9a-z]{2})-(.+)\.md$/.exec(file) ?? []
  return id === undefined || name === undefined ? undefined : { id, name }
}
