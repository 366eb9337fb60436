import { caution, type DoctorFinding, ok, problem } from './finding.ts'

interface SeenBackEnd {
  readonly kind: 'events' | 'looks' | 'none'
  readonly name: string
  readonly why: string
  readonly caution?: string
  readonly fleeting?: { readonly why: string; readonly hint: string }
}

/**
 * The way to the clipboard, and the reason for it.
 *
 * @param terminal whether the user can paste answers into the window of relay watch, and relay can send copies to it
 * @param trouble why the clipboard could not be read, or `must-poll`: copies are not announced here, although they should be
 */
export function clipboardFindings(
  backEnd: SeenBackEnd,
  { canPaste, takesCopies }: { readonly canPaste: boolean; readonly takesCopies: boolean },
  trouble?: { readonly message: string; readonly hint: string | undefined } | 'must-poll',
): readonly DoctorFinding[] {
  const { kind, name, why, fleeting } = backEnd
  const copies = takesCopies ? [ok('copies', "go to your terminal's clipboard (OSC 52), if it accepts them")] : []
  if (kind === 'none') {
    return [
      canPaste
        ? caution('clipboard', `none: ${why}`, 'Paste each answer into the window of `relay watch`.')
        : problem('clipboard', `none: ${why}`, 'Save the answer and use `relay apply <file>`.'),
      ...copies,
    ]
  }
  if (trouble !== undefined && trouble !== 'must-poll') {
    return [problem('clipboard', `${name}: ${trouble.message}`, trouble.hint)]
  }
  return [
    trouble === 'must-poll'
      ? caution('clipboard', `${name}: it does not announce copies here, so \`relay watch\` checks it at intervals`)
      : ok('clipboard', `${name}: ${why}`),
    ...(backEnd.caution === undefined ? [] : [caution('clipboard', backEnd.caution)]),
    ...(fleeting === undefined
      ? []
      : [caution('clipboard', `cannot be written: ${fleeting.why}`, fleeting.hint), ...copies]),
  ]
}

/** How a text came back that was written to the clipboard and read again. */
export type RoundTrip =
  | { readonly kind: 'whole' | 'line-ends' | 'changed' | 'lost' }
  /** The earlier text could not be put back. */
  | { readonly kind: 'not-restored'; readonly why: string }
  | { readonly kind: 'failed'; readonly message: string; readonly hint: string | undefined }
  | { readonly kind: 'skipped'; readonly why: 'unasked' | 'declined' | 'holds-answer' | 'fleeting' }

export function roundTripFinding(trip: RoundTrip): DoctorFinding | undefined {
  const about = 'round trip'
  switch (trip.kind) {
    case 'whole':
      return ok(about, 'a text with emoji and CRLF came back unchanged; the clipboard is restored')
    case 'line-ends':
      return caution(about, 'CRLF came back as LF; everything else came back unchanged')
    case 'changed':
      return problem(
        about,
        'a text came back changed',
        'Try another way: "clipboard": "poll" in relaycode.config.json.',
      )
    case 'lost':
      return problem(
        about,
        'a text did not come back',
        'A clipboard manager may have taken it: run `relay doctor` again.',
      )
    case 'not-restored':
      return problem(about, `relay could not put your text back: ${trip.why}`, 'Copy it again.')
    case 'failed':
      return problem(about, trip.message, trip.hint)
    case 'skipped':
      return skipped[trip.why]
  }
}

const skipped = {
  unasked: caution(
    'round trip',
    'skipped: it overwrites the clipboard for a moment, and relay could not ask',
    'Run `relay doctor --yes`.',
  ),
  declined: caution('round trip', 'skipped, because you said no'),
  'holds-answer': caution(
    'round trip',
    'skipped: the clipboard holds an answer, and putting it back would look like a new copy to `relay watch`',
    'Copy something else, then run `relay doctor` again.',
  ),
  // The finding about the way to the clipboard has said so.
  fleeting: undefined,
} as const
