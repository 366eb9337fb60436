import { foldPath } from './fold-path.ts'
import { codePoint } from './invisible.ts'

/** A name with the capitals, the Unicode form and the look-alike letters of all its doubles: equal for names that look alike. */
export function foldLookAlikes(name: string): string {
  if (PLAIN.test(name)) return name.toLowerCase()
  letters ??= new Map(TWINS.split(' ').map(([foreign = '', latin = '']) => [foreign, latin]))
  let plain = ''
  for (const sign of name.normalize('NFKC')) plain += letters.get(sign) ?? sign
  return foldPath(plain)
}

/** How two names differ that look alike, and what another system makes of them. */
export function differenceOf(name: string, twin: string): string {
  if (name.toLowerCase() === twin.toLowerCase()) {
    return 'they differ only in capitals, and macOS and Windows take them for one file'
  }
  const signs = `the new name has ${foreignIn(name, twin)} where the other has ${foreignIn(twin, name)}`
  return foldPath(name) === foldPath(twin)
    ? `${signs}, and other systems take them for one file`
    : `they look alike, but ${signs}`
}

/** The first character that the other name does not have at its place, by its number. */
function foreignIn(name: string, other: string): string {
  const [signs, others] = [[...name], [...other]]
  const at = signs.findIndex((sign, index) => sign !== others[index])
  const sign = signs[at]
  return sign === undefined ? 'nothing' : codePoint(sign)
}

/**
 * Finds a letter of another alphabet among Latin ones, within one word; `undefined` when there is none. A name in any one
 * alphabet is a name; `pаckage` with a Cyrillic `а` is a disguise. Japanese and the like do mix Latin letters in.
 */
function mixedAlphabets(name: string): string | undefined {
  for (const [word] of name.normalize('NFC').matchAll(/[\p{L}\p{M}\p{N}]+/gu)) {
    const foreign = DOUBLES.exec(word)
    if (foreign === null || !/\p{Script=Latin}/u.test(word)) continue
    const [letter, alphabet = ''] = [foreign[0], Object.keys(foreign.groups ?? {}).find(it => foreign.groups?.[it])]
    return `${codePoint(letter)} (${alphabet}) among Latin letters`
  }
  return undefined
}

/** What about a name alone makes it look like another one: `holds …`, `mixes …`. */
export function disguiseIn(name: string): string | undefined {
  if (PLAIN.test(name)) return undefined
  const sign = SLASH_LIKE.exec(name)?.[0]
  if (sign !== undefined) return `holds ${codePoint(sign)}, which looks like a slash but is not one`
  const mixed = mixedAlphabets(name)
  return mixed === undefined ? undefined : `mixes alphabets: ${mixed}`
}

/**
 * What Unicode's confusables.txt has for `/` and `\\`, but for the letters of Chinese and Japanese among them. The path policy
 * refuses those that NFKC turns into a slash.
 */
const SLASH_LIKE =
  /[\u1735\u2041\u2044\u2215\u2216\u2571\u2572\u29f5\u29f8\u29f9\u2cc6\u2f03\u3033\u31d3\u31d4\u4e3f\u{1d20f}\u{1d23a}\u{1d23b}]/u

/** The alphabets with letters that look like Latin ones. */
const DOUBLES =
  /(?<Cyrillic>\p{Script=Cyrillic})|(?<Greek>\p{Script=Greek})|(?<Armenian>\p{Script=Armenian})|(?<Cherokee>\p{Script=Cherokee})|(?<Coptic>\p{Script=Coptic})|(?<Lisu>\p{Script=Lisu})/u

const PLAIN = /^[\x20-\x7e]*$/

/** Made with the first name that needs it: nearly all are plain. */
let letters: ReadonlyMap<string, string> | undefined

/**
 * Letters of other alphabets, each with the Latin one that it looks like: Cyrillic, then Greek, Armenian and Latin's own; and
 * the dashes that chats make of a hyphen.
 */
const TWINS =
  'АA ВB ЕE ЅS ІI ЈJ КK МM НH ОO РP СC ТT УY ХX ҮY ԌG ԚQ ԜW аa еe ѕs іi јj оo рp сc уy хx һh ԁd ԛq ԝw ҽe ' +
  'ΑA ΒB ΕE ΖZ ΗH ΙI ΚK ΜM ΝN ΟO ΡP ΤT ΥY ΧX αa ιi νv οo ρp υu γy ' +
  "օo ոn սu հh զq ցg ɑa ɡg ıi ꞌ' " +
  '\u2010- \u2011- \u2012- \u2013- \u2014- \u2015- \u2212-'
