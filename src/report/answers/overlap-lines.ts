import type { Named, Overlap, OverlapWhy } from '../../model/back.ts'
import type { AnswerOverlap, OverlapPlace } from '../../model/stale.ts'
import { count } from '../text/count.ts'
import { cutLine, cutPath } from '../text/cut-line.ts'
import { indented, type Keys } from '../text/hanging.ts'
import { moreLine } from '../text/more-line.ts'
import type { Style } from '../text/style.ts'
import { visibleLine } from '../text/visible.ts'

const MOST_PLACES = 3
const MOST_LINES = 8

/** Why a file cannot be merged, and the places with both of their texts. */
export function overlapLines(overlap: Overlap, of: Named, style: Style): readonly string[] {
  const { paint, sign } = style
  const { path, why, places } = overlap
  return [
    `${paint.needsYou(sign.needsYou)} ${paint.strong(paint.path(cutPath(visibleLine(path), style.columns - 3, sign.cut)))}`,
    ...indented(whyWords(why, places.length, of), style),
    ...places.slice(0, MOST_PLACES).flatMap(place => placeLines(place, `without #${of.number}`, style)),
    ...moreLine(places.length - MOST_PLACES, 'place', style),
  ]
}

function whyWords(why: OverlapWhy, places: number, { number }: Named): string {
  switch (why) {
    case 'text':
      return `#${number} changed ${count(places, 'place')} that ${places === 1 ? 'was' : 'were'} edited later:`
    case 'binary':
      return `changed since, and it is a binary file: relay cannot merge the two versions.`
    case 'deleted-since':
      return `is gone, but #${number} changed it.`
    case 'edited-since':
      return `#${number} created it, so it would be removed, but it has changed since.`
    case 'there-again':
      return `#${number} deleted it, so it would come back, but another file is there now.`
  }
}

/** The signs are those of the diff of the undo: the present text would go, the old text would come. */
function placeLines({ line, ours, theirs }: OverlapPlace, other: string, style: Style): readonly string[] {
  const { paint } = style
  return [
    `    ${paint.meta(`line ${line}, now:`)}`,
    ...textLines(ours, '-', paint.fail, style),
    `    ${paint.meta(`${other}:`)}`,
    ...textLines(theirs, '+', paint.ok, style),
  ]
}

function textLines(
  lines: readonly string[],
  mark: string,
  colour: (text: string) => string,
  style: Style,
): readonly string[] {
  const { paint, sign, columns } = style
  if (lines.length === 0) return [paint.meta('      (nothing)')]
  return [
    ...lines.slice(0, MOST_LINES).map(line => {
      const text = visibleLine(line.replaceAll('\t', '    '))
      return `      ${colour(`${mark} ${cutLine(text, columns - 8, sign.cut)}`.trimEnd())}`
    }),
    ...moreLine(lines.length - MOST_LINES, 'line', style, 6),
  ]
}

/**
 * Why a file cannot be merged that an answer and the user changed in the same places, and the places with both texts.
 *
 * @param isAgain the user decided already, and then changed these places once more
 */
export function answerOverlapLines(overlap: AnswerOverlap, isAgain: boolean, style: Style): readonly string[] {
  const { paint, sign } = style
  const { path, places, by } = overlap
  return [
    `${paint.needsYou(sign.needsYou)} ${paint.strong(paint.path(cutPath(visibleLine(path), style.columns - 3, sign.cut)))}`,
    ...(isAgain ? indented('It changed again while relay asked, so relay did not use your choice.', style) : []),
    ...indented(whyAsked(overlap), style),
    ...places
      .slice(0, MOST_PLACES)
      .flatMap(place => placeLines(place, by === undefined ? 'in the answer' : `of ${visibleLine(by)}`, style)),
    ...moreLine(places.length - MOST_PLACES, 'place', style),
  ]
}

function whyAsked({ why, places, since, by }: AnswerOverlap): string {
  const [it, when] = [nameOf(by), visibleLine(since)]
  switch (why) {
    case 'text':
      return `After ${when} you changed ${count(places.length, 'place')} that ${it} changes too:`
    case 'binary':
      return `You changed it since ${when}, and it is a binary file: relay cannot merge the two versions.`
    case 'link':
      return `You changed it since ${when}, and one of the two is a link: relay cannot merge them.`
    case 'edited-since':
      return `${sentence(it)} removes it, but you changed it since ${when}.`
    case 'deleted-since':
      return `${sentence(it)} changes it, but you removed it since ${when}.`
    case 'made-since':
      return `${sentence(it)} creates this file, and you created it too since ${when}.`
  }
}

/** `isReplaced`: the user copied another answer instead of a decision. */
export function untakenOverlapLine(
  [first, ...others]: readonly AnswerOverlap[],
  isReplaced: boolean,
  style: Style,
): string {
  if (!isReplaced || first === undefined) return '  Nothing was written.'
  const { paint, sign, columns } = style
  const more = others.length === 0 ? '' : ` and ${others.length} more`
  const path = cutPath(visibleLine(first.path), Math.max(1, columns - 45 - more.length), sign.cut)
  return `${paint.meta(sign.watching)} ${paint.strong('skipped')}  ${path}${more}: you copied another answer`
}

/** The author of the other text. */
function nameOf(by: string | undefined): string {
  return by === undefined ? 'the answer' : visibleLine(by)
}

function sentence(words: string): string {
  return words.replace(/^the /, 'The ')
}

/**
 * Each key with what it does to this file. `isWatching`: the user may copy something else. `afterNo`: what a no does, besides
 * that nothing is applied.
 */
export function answerKeys(
  { why, canMark, places, by }: AnswerOverlap,
  isWatching: boolean,
  afterNo?: string | undefined,
): Keys {
  const here = places.length === 1 ? 'here' : 'at these places'
  const [it, rest] = [nameOf(by), 'merge everything else']
  const texts = [`use the text of ${it} ${here}; ${rest}`, `keep your text ${here}; ${rest}`] as const
  const whole = [`use the file as ${it} has it`, 'keep your file as it is'] as const
  const does: Readonly<Record<AnswerOverlap['why'], readonly [model: string, mine: string]>> = {
    text: texts,
    'made-since': texts,
    binary: whole,
    link: whole,
    'edited-since': [`remove the file, as ${it} does`, 'keep your file as it is'],
    'deleted-since': [whole[0], 'keep the file removed'],
  }
  const [model, mine] = does[why]
  const nothing = by === undefined ? 'apply nothing of this answer' : 'apply nothing of it'
  const none = afterNo === undefined ? nothing : `${nothing}; ${afterNo}`
  return [
    ...(canMark ? [['m', 'keep both versions in the file, between conflict markers'] as const] : []),
    ['a', model],
    ['s', mine],
    ['n', isWatching ? `${none} (so does copying another one)` : none],
  ]
}

/** The ways out of an overlap: each key with what it does to this file. */
export function overlapKeys({ old, markers, why }: Overlap, { number }: Named): Keys {
  const aside = 'the present one goes to .relaycode/rescue/'
  const oldDoes =
    why === 'deleted-since'
      ? 'restore the file from before'
      : old.after === null
        ? `remove the file; ${aside}`
        : `restore the file from before #${number}; ${aside}`
  return [
    ...(markers === undefined ? [] : [['m', 'keep both versions in the file, between conflict markers'] as const]),
    ['s', why === 'deleted-since' ? 'skip this file: it stays removed' : 'skip this file: it stays as it is'],
    ['o', oldDoes],
    ['n', 'leave everything as it is, the other files too'],
  ]
}
