import type { Control, Entry, EntryOperation } from './model.ts'

/** A patch's name for people, on one line: what the model called it, else the first thing it said, else what it does. */
export function titleOf({ control, reasoning, operations }: Titled): string {
  const said = oneLine(control.promptSummary ?? '') || oneLine(firstLine(control.gitCommitMsg ?? ''))
  return cut(said || firstSentence(reasoning, operations.length), LONGEST) || describeOperations(operations)
}

/** The same of a patch that was applied. */
export function titleOfEntry(entry: Entry): string {
  return titleOf({ control: entry, reasoning: entry.reasoning, operations: entry.operations })
}

/** What a name is taken from. */
interface Titled {
  readonly control: Pick<Control, 'promptSummary' | 'gitCommitMsg'>
  readonly reasoning: readonly string[]
  readonly operations: readonly Pick<EntryOperation, 'op' | 'path'>[]
}

const LONGEST = 60

/** How much of the reasoning is looked at: whoever has not come to the point by then never will. */
const ENOUGH = 4_000

/**
 * The first sentence that says what the patch does, from the first piece of prose that holds one.
 *
 * Each piece stands below a block of the one before, and the last below them all. Where the first sentence tells only with
 * which file it begins, the others tell no more. A single word says nothing. What ends with an exclamation mark is said for
 * the pleasure of it, unless it tells what was done.
 */
function firstSentence(reasoning: readonly string[], files: number): string {
  for (const piece of reasoning.join('\0').slice(0, ENOUGH).split('\0')) {
    const sentences = piece
      .split(/\n|(?<=[.!?])\s|(?<=[。！？])/)
      .map(sentence => oneLine(withoutMarks(sentence)))
      .filter(sentence => isMeaningful(sentence) && (DOER.test(sentence) || !/[!！]$/.test(sentence)))
      .map(withoutCourtesies)
      .filter(sentence => isMeaningful(sentence) && !isTalk(sentence))
      .map(sentence => begun(sentence.replace(DOER, '').replace(/[!！]+$/, ''), sentence))
    const telling = files > 1 ? sentences.filter(sentence => !STEP.test(sentence)) : sentences
    // What is said to the user is about the talk, more often than about the change.
    const found = telling.find(sentence => !ADDRESS.test(sentence)) ?? telling[0]
    if (found !== undefined) return found
    if (sentences.length > 0) return ''
  }
  return ''
}

/** Without headings, list marks, emphasis, back-ticks and the emoji that some headings begin with. */
function withoutMarks(line: string): string {
  return line
    .trim()
    .replace(/^(?:(?:#+|>|[-*+]|\d{1,3}[.)])\s+)+/, '')
    .replace(/^(?:\*\*|__)?step \d+(?:\*\*|__)?\s?[:.)\u2013\u2014-]\s?/i, '')
    .replace(/\*\*|__|`/g, '')
    .replace(/^(?:\p{Extended_Pictographic}\ufe0f?\s*|[¡¿])+/u, '')
    .replace(/^(.{3,}[^.])[.:。]$/u, '$1')
}

/** `Sure, good point: the toggle was missing`: what it says begins behind that. */
function withoutCourtesies(sentence: string): string {
  let rest = sentence
  for (;;) {
    const end = SIGN.exec(rest)
    if (end === null || !isCourtesy(rest.slice(0, end.index))) return begun(rest, sentence)
    rest = rest.slice(end.index + end[0].length)
  }
}

/** With a capital, where it has become the beginning. */
function begun(rest: string, sentence: string): string {
  return rest === sentence ? rest : rest.replace(/^\p{Ll}/u, first => first.toUpperCase())
}

/** What announces, offers, asks or regrets, and tells of nothing that was done. */
function isTalk(sentence: string): boolean {
  const deed = sentence.replace(DOER, '')
  if (deed !== sentence && (NOT_DONE.test(deed) || !isMeaningful(deed) || TALK.test(deed))) return true
  return TALK.test(sentence) || LEAD_IN.test(sentence)
}

function isMeaningful(sentence: string): boolean {
  return /\S\s+\S|[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]{4}/u.test(sentence)
}

const anyOf = (...words: readonly string[]) => `(?:${words.join('|').replaceAll("'", "['\u2019]")})`

/** Up to it goes what an answer begins with; alone that is all of its sentence. */
const SIGN = /\s*[,.:;!…，。！：、\u2013\u2014]+\s*|\s+-\s+|$/

function isCourtesy(words: string): boolean {
  const plain = words.toLowerCase().replaceAll('\u2019', "'")
  return COURTESIES.has(plain) || COURTESY.test(plain)
}

/** Looked up: as one pattern they took longer to be read than all the rest of a title. */
const COURTESIES: ReadonlySet<string> = new Set(
  [
    'sure|sure thing|certainly|of course|yes|yeah|ok|okay|alright|all right|absolutely|definitely|got it|no problem|understood',
    "perfect|done|my bad|my mistake|good to know|hmm|ah|oh|wait|all set|all done|that's it|that's all",
    'klar|gern|gerne|natürlich|verstanden|alles klar|du hast recht|sie haben recht|entschuldigung|stimmt',
    "bien sûr|d'accord|parfait|très bien|tu as raison|vous avez raison|désolé|désolée|compris",
    'claro|claro que sí|por supuesto|tienes razón|tiene razón|entendido|perfecto|lo siento|perdón',
    'com certeza|você tem razão|desculpe|certo|certamente|hai ragione|natuurlijk|je hebt gelijk',
    'конечно|хорошо|вы правы|ты прав|извините|понятно',
    '当然|当然可以|好|好的|没问题|明白|明白了|抱歉|对不起|你说得对|您说得对|もちろん|もちろんです|はい|承知しました|承知いたしました',
    '了解|了解です|了解しました|申し訳ありません',
  ].flatMap(line => line.split('|')),
)

const COURTESY =
  /^(?:(?:great|good|nice|excellent|fair)(?: (?:question|point|catch|idea|spot))?|(?:thanks?(?: you)?|sorry|(?:my )?apologies|i apologi[sz]e)(?: (?:about|for) .+)?|(?:you're|you are|that's|that is) (?:\w+ly )?(?:right|correct)(?: (?:about|that|to) .+)?)$/

const I =
  "(?:now,? )?(?:i(?:'ve|'ll|'d| have| will|'m going to| am going to)|we(?:'ve|'ll| have| will)|let(?:'s| us| me))(?: (?:now|also|just|first|then|gone ahead and|go ahead and))*"

/** `I've now`: who does it is clear. */
const DOER = new RegExp(`^${anyOf(I)} (?!not )`, 'i')

/** What follows `I'll` where nothing was done yet, and `I've` where something was not. */
const NOT_DONE =
  /^(?:help|walk|go|start|begin|explain|know|think|look|take|break|show|provide|give|be|forgotten|missed|overlooked|made an? (?:mistake|error))\b/i

/** What only offers or asks, what was forgotten, and what is done to "the code". */
const TALK = new RegExp(
  `^${anyOf(
    "here(?:'s| is| are| you go| we go)|below (?:is|are)|i (?:understand|see|forgot|missed|overlooked|misread|made an? (?:mistake|error))|(?:i )?hope|feel free|n'hésitez pas|(?:i'm |i am )?(?:happy|glad) to|please|note|(?:it|that) was",
    '(?:updated?|fix(?:ed)?|changed?|implement(?:ed)?|correct(?:ed)?|revised?) (?:(?:the|your|all) )?(?:code|files?|changes?|project|issues?|bugs?|problems?|errors?|everything|it|this|that)$',
    'hier (?:ist|sind|is|zijn)|voici|voilà|aquí (?:está|están|tienes|tiene)|aqui (?:está|estão)|ecco|вот',
  )}(?=[^a-zà-ÿа-яё0-9]|$)|^(?:以下|下面|这是|これ[はが])|[?？]$`,
  // With a `u` it takes longer to be read.
  'i',
)

/** `I have made the following changes:` */
const LEAD_IN =
  /\b(?:(?:following|these|the|of|requested|necessary|some|few) changes|as (?:follows|requested)|step-by-step reasoning)$/i

/** One of several. */
const STEP =
  /^(?:first(?:ly)?|second(?:ly)?|next|then|finally|last(?:ly)?|to (?:start|begin)|zuerst|zunächst|dann|danach|d['\u2019]abord|ensuite|primero|luego|сначала|затем)(?![\p{L}\p{N}-])|^(?:首先|然后|まず|次に)/iu

const ADDRESS = /\byour?\b/i

function describeOperations(operations: Titled['operations']): string {
  const first = operations.find(({ op }) => op !== 'delete') ?? operations[0]
  if (first === undefined) return 'no changes'
  const others = operations.length > 1 ? ` and ${operations.length - 1} more` : ''
  // Not "edit": whether the file is new, nobody knows who has only the operations.
  return `${first.op === 'delete' ? 'delete' : 'write'} ${oneLine(first.path)}${others}`
}

function firstLine(text: string): string {
  return text.trimStart().split(/\r?\n/, 1)[0] ?? ''
}

/** On one line, and with nothing in it that a terminal obeys or the eye does not see; the joiners of emoji may stay. */
function oneLine(text: string): string {
  return text
    .slice(0, ENOUGH)
    .replace(/[\p{Cc}\p{Zl}\p{Zp}\p{Zs}]+/gu, ' ')
    .replace(
      /(?![\u200d\ufe0f])[\p{Cs}\p{Default_Ignorable_Code_Point}\p{Bidi_Control}\p{Noncharacter_Code_Point}]/gu,
      '',
    )
    .trim()
}

/** Cut at the end of a word where there is one, else between characters. */
function cut(text: string, length: number): string {
  const characters = [...text]
  if (characters.length <= length) return text
  // One character more, to see whether a word ends right here.
  const start = characters.slice(0, length + 1).join('')
  const end = start.search(/\s\S*$/)
  const kept = end > 0 ? start.slice(0, end) : characters.slice(0, length).join('')
  return `${kept.replace(/[\s,;:.-]+$/, '')}…`
}
