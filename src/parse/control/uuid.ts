import { isId } from '../../ground/words.ts'

/** Whether a uuid can name an entry. */
export type JudgedUuid =
  | { readonly kind: 'good'; readonly uuid: string }
  /** The instructions' placeholder or one like it. */
  | { readonly kind: 'template'; readonly code: string; readonly message: string }
  | { readonly kind: 'bad'; readonly code: string; readonly message: string }

const again = 'Ask for the YAML block again, with a new random uuid.'

/**
 * Judges a uuid: any id that is safe as a file's name.
 *
 * Models invent them, so their form says nothing. But a word that stands in for one would be the same in every answer, and
 * the second answer would be taken for the first.
 */
export function judgeUuid(said: string | undefined): JudgedUuid {
  const plain = said?.replace(/[\u2010-\u2015\u2212]/g, '-')
  const uuid = plain === undefined ? undefined : (bracketed.exec(plain)?.[1] ?? plain)
  if (uuid === undefined || uuid === '') {
    return { kind: 'bad', code: 'no-uuid', message: `The YAML block has no uuid. ${again}` }
  }
  const shown = uuid.length > 70 ? `${uuid.slice(0, 70)}…` : uuid
  if (isPlaceholder(uuid)) {
    return {
      kind: 'template',
      code: 'uuid-placeholder',
      message: `The uuid is a placeholder: ${JSON.stringify(shown)}. ${again}`,
    }
  }
  if (!isId(uuid)) {
    return {
      kind: 'bad',
      code: 'uuid-invalid',
      message: `The uuid ${JSON.stringify(shown)} is not an id: expected 8 to 64 letters, digits and dashes. ${again}`,
    }
  }
  return { kind: 'good', uuid }
}

/** The brackets of the instructions' placeholder, kept around what took its place. */
const bracketed = /^[([{<]\s*([\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12})\s*[)\]}>]$/i

function isPlaceholder(uuid: string): boolean {
  if (uuid.length > 200) return false
  if (/^[([{<$].*[)\]}>]$/.test(uuid)) return true
  if (/uuid|guid|random|generate|placeholder|unique|insert|your-|-here$/i.test(uuid)) return true
  const signs = new Set(uuid.toLowerCase().replaceAll('-', ''))
  return signs.size <= 1 || /^x{8}-/i.test(uuid)
}
