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
 * Each piece stands below a block of the one before, and the last below them all: what a piece says in one word goes before
 * what a later one says in many. Where the first sentence tells only with which file it begins, the others tell no more.
 */
function firstSentence(reasoning: readonly string[], files: number): string {
  for (const piece of reasoning.join('\0').slice(0, ENOUGH).split('\0')) {
    const sentences = piece
      .split(/\n|(?<=[.!?])\s|(?<=[。！？])/)
      .map(sentence => withoutCourtesies(oneLine(withoutMarks(sentence))))
      .filter(sentence => /\p{L}/u.test(sentence) && !TALK.test(sentence) && !LEAD_IN.test(sentence))
      .map(sentence => begun(sentence.replace(DOER, ''), sentence))
      .filter(sentence => !TALK.test(sentence))
    const telling = files > 1 ? sentences.filter(sentence => !STEP.test(sentence)) : sentences
    const meaningful = telling.filter(isMeaningful)
    // What is said to the user is about the talk, more often than about the change.
    const found = meaningful.find(sentence => !ADDRESS.test(sentence)) ?? meaningful[0] ?? telling[0]
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
    .replace(/^(.{3,}[^.])[.:。！]$/u, '$1')
}

/** `Sure, good point: the toggle was missing`: what it says begins behind that. */
function withoutCourtesies(sentence: string): string {
  let rest = sentence
  for (let left = ''; left !== rest; ) {
    left = rest
    rest = rest.replace(COURTESY, '')
  }
  return begun(rest, sentence)
}

/** With a capital, where it has become the beginning. */
function begun(rest: string, sentence: string): string {
  return rest === sentence ? rest : rest.replace(/^\p{Ll}/u, first => first.toUpperCase())
}

function isMeaningful(sentence: string): boolean {
  return /\S\s+\S|[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]{4}/u.test(sentence)
}

const anyOf = (...words: readonly string[]) => `(?:${words.join('|').replaceAll("'", "['\u2019]")})`

/** What an answer begins with, up to the sign behind it; alone it is all of its sentence. */
const COURTESY = new RegExp(
  `^${anyOf(
    'sure(?: thing)?|certainly|of course|yes|yeah|ok|okay|alright|all right|absolutely|definitely|got it|no problem|understood',
    '(?:great|good|nice|excellent|fair)(?: (?:question|point|catch|idea|spot))?|perfect|done|thanks?(?: you)?(?: for [^,.!:]+)?',
    'sorry(?: (?:about|for) [^,.!:]+)?|(?:my )?apologies(?: for [^,.!:]+)?|i apologi[sz]e(?: for [^,.!:]+)?|my (?:bad|mistake)',
    "(?:you're|you are|that's|that is) (?:\\w+ly )?(?:right|correct)(?: (?:about|that|to) [^,.!:]+)?|good to know|hmm|ah|oh|wait",
    'klar|gerne?|natürlich|verstanden|alles klar|du hast recht|sie haben recht|entschuldigung|stimmt',
    "bien sûr|d'accord|parfait|très bien|(?:tu as|vous avez) raison|désolée?|compris",
    'claro(?: que sí)?|por supuesto|tienes razón|tiene razón|entendido|perfecto|lo siento|perdón|com certeza|você tem razão|desculpe',
    'certo|certamente|hai ragione|natuurlijk|je hebt gelijk|конечно|хорошо|(?:вы правы|ты прав)|извините|понятно',
    '当然(?:可以)?|好的?|没问题|明白了?|抱歉|对不起|[你您]说得对|もちろん(?:です)?|はい|承知(?:いた)?しました|了解(?:です|しました)?|申し訳ありません',
  )}(?:\\s*[,.:;!…，。！：、\u2013\u2014]+\\s*|\\s+-\\s+|$)`,
  'iu',
)

const I =
  "(?:now,? )?(?:i(?:'ve|'ll|'d| have| will|'m going to| am going to)|we(?:'ve|'ll| have| will)|let(?:'s| us| me))(?: (?:now|also|just|first|then|gone ahead and|go ahead and))*"

/** `I've now`: who does it is clear. */
const DOER = new RegExp(`^${anyOf(I)} (?!not )`, 'i')

/** What only announces, offers or asks, what is done to "the code", a heading over anything, and a bare path. */
const TALK = new RegExp(
  `^${anyOf(
    `${I} (?:help|walk|go|start|begin|explain|know|think|look|take|break|show|provide|give|be)`,
    "here(?:'s| is| are| you go| we go)|below (?:is|are)|i (?:understand|see)|(?:i )?hope|feel free|(?:i'm |i am )?(?:happy|glad) to|please|note|(?:it|that) was",
    '(?:updated?|fix(?:ed)?|changed?|implement(?:ed)?|correct(?:ed)?|revised?) (?:(?:the|your|all) )?(?:code|files?|changes?|project|issues?|bugs?|problems?|errors?|everything|it|this|that)$',
    'hier (?:ist|sind|is|zijn)|voici|voilà|aquí (?:está|están|tienes|tiene)|aqui (?:está|estão)|ecco|вот',
    '(?:summary|overview|explanation|changes|reasoning|plan|analysis|approach|implementation|solution|zusammenfassung|änderungen)$',
    '[^\\s./]{0,99}[./]\\S+$',
  )}(?![\\p{L}\\p{N}])|^(?:以下|下面|这是|これ[はが])|[?？]$`,
  'iu',
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
