import { isDocument } from './is-document.ts'

/**
 * How surely a line says that something was left out. `dots`: nothing but an ellipsis; `certain`: in any file;
 * `place`: it tells where the code below it goes; `sure`: where code is gone, it hardly means anything else; `maybe`:
 * a complete file may hold these words as well; `other`: a comment about something else.
 */
export type Remark = 'dots' | 'certain' | 'place' | 'sure' | 'maybe' | 'other'

/** Reads a line that is a comment, or words in brackets or dots, which no language has. */
export function remarkIn(line: string, path: string): Remark | undefined {
  if (line.length > LONGEST) return undefined
  const said = commentIn(line, path) ?? wordsSetOff(line, path)
  if (said === undefined) return undefined
  if (dotsAlone.test(said)) return 'dots'
  const core = said.toLowerCase().replace(/\s+/g, ' ')
  if (tellsPlace.test(core)) return 'place'
  // Code that was commented out, a heading, a question, or a ruler.
  if (!/\p{L}/u.test(core) || /[=;{}]|[:?,]$|\w\([^)]|^[#@!]/.test(core)) return 'other'
  const remark = howSure(core)
  if (remark === 'other' || explains.test(core)) return 'other'
  return saysWhere.test(asBefore.test(core) ? core.replace(listedName, '') : core) ? 'other' : remark
}

/** A line in the middle of a long comment counts where it begins with `*`. */
export function isComment(line: string, path: string): boolean {
  return opens(path).test(line) || (!isDocument(path) && /^\*(?:\s|\/|$)/.test(line))
}

/** Tells whether a comment says where lines went: its author knows that they are gone. */
export function tellsOfGone(line: string): boolean {
  return saysWhere.test(line.toLowerCase()) && !/^\W*(?:todo|fixme|hack|xxx)\b/i.test(line)
}

/** A longer line explains something. */
const LONGEST = 120

function commentIn(line: string, path: string): string | undefined {
  const open = opens(path).exec(line)?.[0]
  return open === undefined ? undefined : line.slice(open.length).replace(close, '').trim()
}

function opens(path: string): RegExp {
  return isDocument(path) ? inDocuments : inCode
}

const inCode =
  /^(?:\/\/+!?|\/\*+!?|\{\s*\/\*+|<!--+|#+(?=[\s.…[(<-]|$)|--+(?=[\s.…[(]|$)|;+(?=\s)|%+(?=\s)|\{#|\{\{!(?:--)?|\{\{--|<%(?:#|--)|<#--|@\*|\(\*|"""(?=.*""")|'''(?=.*''')|@?rem\s|dnl\s|'(?=\s))\s*/i
const inDocuments = /^(?:<!--+|\{\/\*+|%+(?=\s)|(?:#+|\/\/)(?=\s*(?:\.{3}|…)))\s*/
const close = /\s*(?:\*+\/\s*\}?|--+%?>|#\}|(?:--)?\}\}|%>|\*@|\*\)|"""|''')$/

/** `[...]`, `(rest of file unchanged)`, `*unchanged*`, `... existing code ...`; in documents only with dots at both ends. */
function wordsSetOff(line: string, path: string): string | undefined {
  const text = line
    .replace(/^([*_])(.+)\1$/, '($2)')
    .replace(/^\(\((.+)\)\)$/, '($1)')
    .replace(/^(?:\.{3}|…)\s*([([].+[)\]])\s*(?:\.{3}|…)?$/, '$1')
  if (dotsAlone.test(text)) return text
  if (isDocument(path) && /^[.…]/.test(text) && !/^(?:\.{3}|…).*\p{L}.*(?:\.{3}|…)$/u.test(text)) return undefined
  const framed = /^(?:\[([^[\]()]+)\]|\(([^()]+)\)|<([^<>/]+)>)$/.exec(text)
  const words = framed?.slice(1).find(each => each !== undefined) ?? /^(?:\.{3}|…)\s+(\S.*)$/.exec(text)?.[1]
  if (words === undefined || !/\p{L}\s.*\p{L}|\p{Script=Han}{2}|^(?:unchanged|omitted|truncated)$/u.test(words)) {
    return undefined
  }
  return /^[\p{L}\p{N}\p{M}\s.…,'’/-]+$/u.test(words) && !/,$|,\S/.test(words) ? `(${words})` : undefined
}

const dotsAlone = /^[[({<]?\s*(?:\.{3,5}|…{1,2}|[⋮⋯︙])\s*[\])}>]?$/

/** It tells where the lines went, or what to do. */
const saysWhere =
  /(?<!\p{L})(?:re-?moved?|removes|removing|deleted?|moved?|moving|migrated?|replace[ds]?|deprecat\w+|obsolete|legacy|dropped|drop|no longer|not needed|unneeded|unnecessary|handled|extracted|inlined|merged|refactored|instead|now|superseded|unused|disabled?|lives? in|delegated?|generated|anymore|any more|elsewhere|todo|fixme|hack|nothing|ignore[ds]?|preserve[sd]?|intentionally|deliberately|xxx|eslint|prettier|biome|istanbul|noqa|nolint|pylint|pragma|type:|ts-|copyright|licen[cs]e|entfernt|gelöscht|verschoben|ersetzt|verwijderd|verplaatst|usunięt\w+|przeniesion\w+|kaldırıldı|silindi|taşındı|supprimé\w*|déplacé\w*|eliminad\w+|movid\w+|removid\w+|rimoss\w+|spostat\w+|удален\w*|удалён\w*|перенес\p{L}*|删除|移除|移到|削除|移動|삭제)(?!\p{L})/u

/** `total, add and remove are unchanged`: a verb among other names is the name of something that stays. */
const asBefore = /\b(?:unchanged|unmodified|untouched|same|identical|as (?:is|before|they (?:are|were)))\W*$/
const listedName =
  /(?<=^|[,&(]\s?|\band )(?:remove|delete|move|replace|drop|disable)(?=(?:\(\))?(?:[,)]| (?:and|&|is|are|stays?|remains?|unchanged|unmodified|untouched)(?!\w)))/g

const put = '(?:add|insert|append|prepend|put|place|paste|include)'
const these = '(?:this|these|the following|it|the (?:code|lines?|imports?|function|method) below)'
const ends = 'the (?:very )?(?:top|bottom|end|beginning|start)'

/**
 * `// Add this import at the top of the file:`, `// Inside start(), after listen():`: comments in a program hardly
 * speak like this.
 */
const tellsPlace = new RegExp(
  '^(?:(?:step )?\\d+[.):]? ?)?(?:(?:then|now|next|also|and|finally|first|please|just)[,:]? )*(?:' +
    `${put} ${these}\\b.* (?:at|to|in|into|inside|within|after|before|below|above|under|near|where) .*:$` +
    `|${put} (?:this|these|the following)(?: \\w+){0,2} (?:(?:at|to|near) ${ends}|(?:inside|within|in|after|before|below|above|under) [\\w.]+\\W*$)` +
    `|(?:${put} .*)?\\b(?:at|to|near) ${ends} of (?:the|this|your|that) (?:file|module|script|class|component|function|page)\\W*$` +
    '|(?:in|inside|within|after|before|below|above) .*\\w\\(\\)`?:$)',
)

const explains =
  /\b(?:but|because|when|whenever|unless|until|if|since|while|whether|must|should|can|cannot|may|will|would)\b/

function howSure(core: string): Remark {
  const words = core.match(/[\p{L}\p{N}_$'’]+(?:\(\))?/gu) ?? []
  if (words.length > 14) return 'other'
  const foreign = (core.match(saidElsewhere()) ?? core.replaceAll(' ', '').match(withoutBlanks) ?? []).length
  if (foreign > 0) return howSureElsewhere(core, words.length, foreign)
  // Dots with words that have no Latin letter: the language is unknown.
  if (/\.{3}|…/.test(core) && !/\p{Script=Latin}/u.test(core)) return 'maybe'
  if (!signal.test(core) && !filler.test(core)) return 'other'
  const unknown = words.filter(word => !around.has(word) && !/^\d+$/.test(word)).length
  const more = /^[([<{]|\.{3}|…|^-{2,}/.test(core) ? 1 : 0
  if (unknown <= 2 + more && surely.test(core)) return isCertain(core, unknown) ? 'certain' : 'sure'
  return unknown <= 3 + more ? 'maybe' : 'other'
}

/** @param foreign how many words say in some language that something was left out */
function howSureElsewhere(core: string, words: number, foreign: number): Remark {
  if (isSetOff(core) || (foreign > 1 && words <= 6) || saysNothingElse(core)) return 'certain'
  return foreign > 1 || words <= 5 ? 'sure' : 'maybe'
}

function isCertain(core: string, unknown: number): boolean {
  if (andSoOn.test(core)) return false
  if (goesOn.test(core)) return true
  return isSetOff(core) ? unknown < 3 : unknown === 0 && left.test(core) && !vague.test(core)
}

function isSetOff(core: string): boolean {
  return /^[([<（【]|\.{3}|…|^-{2,}.*-{2,}$/.test(core)
}

const signal =
  /\b(?:existing|unchanged|unmodified|untouched|unaltered|unaffected|rest|remain(?:s|ing|der|ed)?|same|identical|previous(?:ly)?|original|omitted|elided|skipped|truncated|abbreviated|shortened|snip(?:ped)?|brevity|not shown|ditto|continue[ds]?|as (?:is|before|above|it (?:is|was)|they (?:are|were))|and so on|etc|no (?:other |further )?changes?|stays?|everything else|all else|paste|see above|(?:current|present) (?:code|implementation|logic))\b|^\W*cut\W*$/
/** `// Your routes here`, `// other endpoints`, `// business logic`, `// ... (add, remove)`. */
const filler =
  /\b(?:your|the|more|other|all|current|logic|code|implementation)\b.* (?:go(?:es)? )?here\W*$|^\W*(?:\d+ )?(?:more|other|additional|further) |^\W*(?:\w+ )?(?:logic|implementation)\W*$|^\W*(?:\.{3}|…)|(?:\.{3}|…)\W*$/

/** Nearly all such remarks have one of these words, and a heading of code has none. */
const surely =
  /\b(?:unchanged|unmodified|untouched|unaltered|unaffected|omitted|elided|skipped|truncated|abbreviated|shortened|snip(?:ped)?|brevity|not shown|ditto|and so on|paste|see above)\b|^\W*(?:etc|cut)\W*$|\b(?:stays?|remains?|remained|kept)\b.*\b(?:as|same|identical|here|unchanged|were)\b|\b(?:as|like) (?:is|before|above|it (?:is|was)|they (?:are|were))\W*$|\b(?:same|identical) (?:as|to|in)\b|\b(?:same|identical)\W*$|\b(?:rest|remainder) of\b|\bno (?:other |further )?changes?\b|\b(?:existing|previous|original|remaining|current|your|other)\b.*\bhere\W*$|\b(?:previous|next|last|earlier) (?:message|response|answer|reply)\b|\b(?:keep|leave) (?:\w+ )*(?:existing|current|rest|everything else|all else)\b|\bcurrent (?:code|implementation)\b|\bexisting code\b|(?:\.{3}|…).*\b(?:existing|rest|remaining|previous|other|more|here)\b|\bcode continues\b|\bcontinue[ds]? in (?:part|the next)\b/

/** What is left out, or that it is left out: `// as is` may also be about the line below. */
const left =
  /\b(?:rest|remaining|remainder|existing|previous|original|everything else|all else|before|unchanged|unmodified|untouched|unaltered|unaffected|omitted|elided|snip(?:ped)?|brevity|continue[ds]?)\b|\bno changes? (?:here|below|above)\b|\btruncated for\b/

/** `// to be continued in the next message`: the file is cut off there. */
const goesOn = /^\W*(?:to be )?continue[ds]? in (?:the |my )?next (?:message|response|answer|reply)\W*$/

/** `# ... etc.` ends the examples of a template. Only where code is gone does it stand for code. */
const andSoOn = /^\W*(?:etc|and so (?:on|forth))\W*$/

/** Words of such a remark that a comment about a line of code has, too. */
const vague = /\b(?:etc|ditto|above|skipped|it)\b|\bchanges?\W*$/

/** Words that say little by themselves. */
const around = new Set(
  `the a an your this our my all any other others more additional old above below of from in for and or with to it its is are
   was were be being been remain remains remaining remained remainder rest stay stays keep keeps kept leave left as before
   after here there go goes follow follows continue continues continued brevity shown not no change changes changed needed
   required exactly like current etc so on still both these those that which have has already everything else existing
   unchanged unmodified untouched unaltered unaffected same identical previous previously original originally omitted elided
   skipped truncated abbreviated shortened snip snipped ditto they add insert paste copy put include note lines line code file
   files function functions method methods class classes component components implementation import imports logic content
   contents style styles test tests route routes response message answer version see just only part parts section sections
   rules fields property properties props variables constants config configuration options settings handlers helpers types
   definitions module script body markup html css jsx page template readme table tables hooks items entries cases columns
   dependencies setup elements selectors exports statements schema document length full`.split(/\s+/),
)

/** "Rest", "existing", "unchanged", "as before" in other languages. No code is written in these words. */
const elsewhere = [
  'unverändert\\w*|unveraendert\\w*|bleib(?:t|en)|wie (?:bisher|gehabt|zuvor|vorher|oben)|bestehende\\w?|restliche\\w?|übrige\\w?|weggelassen|ausgelassen|gekürzt|rest (?:des|der|vom)|der rest|vorhandene\\w?|identisch',
  'ongewijzigd|onveranderd|blijft|blijven|bestaande|overige|weggelaten|zoals (?:voorheen|eerst|hierboven|eerder)|rest van|hetzelfde|ingekort',
  'bez zmian|reszt[ay]|pozostał\\p{L}*|istniejąc\\p{L}*|pominięt\\p{L}*|tak(?:ie)? sam\\p{L}*|jak (?:wcześniej|poprzednio|wyżej)|niezmienion\\p{L}*',
  'geri kalan\\p{L}*|kalan(?:ı|lar\\p{L}*)?|aynı|mevcut|değişmedi|değişmeden|değişiklik yok|olduğu gibi|atlandı|kısaltıldı',
  'reste|inchang\\p{L}+|identiques?|existante?s?|comme avant|sans (?:changement|modification)s?|omise?s?|tels? quels?',
  'resto|sin (?:cambios|modificar)|existentes?|omitid[oa]s?|como antes|permanecen?|se mantienen?|sem (?:alteraç\\p{L}+|mudanças)|inalterad[oa]s?|restantes?',
  'invariat[oaie]|uguale|rimane|esistent[ei]|come prima|omess[oaie]|senza modifiche',
  'zbytek|beze změny?|zůstává|stávající|решта|без змін|як було|залиша\\p{L}+',
  'остальн\\p{L}+|оста[её]тся|остаются|без изменений|как (?:было|раньше)|существующ\\p{L}+|не измен\\p{L}+|пропущен\\p{L}?|опущен\\p{L}?',
  'resten|oförändra\\p{L}+|uændret|uendret|befintlig\\p{L}*|eksisterende|som (?:förut|tidigare|før)',
  'giữ nguyên|không (?:thay )?đổi|phần còn lại|tetap sama|tidak berubah|sisanya',
]
let anyElsewhere: RegExp | undefined

/** Compiled when a file first has a remark: many patches have none. */
function saidElsewhere(): RegExp {
  anyElsewhere ??= new RegExp(`(?<!\\p{L})(?:${elsewhere.join('|')})(?!\\p{L})`, 'gu')
  return anyElsewhere
}

/** `unverändert`, `sin cambios` */
function saysNothingElse(core: string): boolean {
  return !/\p{L}/u.test(core.replace(saidElsewhere(), ''))
}

const withoutBlanks =
  /不变|不變|保持|省略|同上|相同|一样|一樣|照旧|其余|其餘|现有|現有|原有|剩余|未(?:更改|修改|改动)|变更なし|変更なし|そのまま|同じ|既存|残り|동일|그대로|생략|기존|나머지|변경없음/g
