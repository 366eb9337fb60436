import { RelayError } from '../../errors.ts'

/** The limit for any way to the clipboard but PowerShell. */
export const timeLimitMs = 2000

/** After the machine's start, or where a scanner looks at each new program, PowerShell takes seconds to start. */
export const powershellLimitMs = 10_000

/** A longer text is no response. */
export const sizeLimit = 64 * 1024 * 1024

export type Verb = 'read' | 'write'

export const otherWay = 'Save the answer and use `relay apply <file>`, or pipe it into `relay apply -`.'

export function noAnswer(verb: Verb, limitMs = timeLimitMs): RelayError {
  return new RelayError('environment', `Cannot ${verb} the clipboard: no answer within ${limitMs / 1000} s`, {
    hint:
      verb === 'read'
        ? 'It may hold too much (relay reads at most 64 MB), or its program hangs: copy something else.'
        : 'The program that owns it may hang: copy something from another one.',
  })
}

export function tooLarge(): RelayError {
  return new RelayError('environment', 'Cannot read the clipboard: it holds more than 64 MB', { hint: otherWay })
}

export function failed(verb: Verb, program: string, said: string, cause: unknown): RelayError {
  const reason = said.trim().split('\n')[0] ?? ''
  return new RelayError('environment', `Cannot ${verb} the clipboard: ${program} says "${reason}"`, {
    hint: otherWay,
    cause,
  })
}

/** Stops waiting at the time limit. The work may still end later, unheard. */
export async function within<T>(work: Promise<T>, verb: Verb, limitMs = timeLimitMs): Promise<T> {
  let timer: NodeJS.Timeout | undefined
  const limit = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(noAnswer(verb, limitMs)), limitMs)
  })
  try {
    return await Promise.race([work, limit])
  } catch (cause) {
    if (cause instanceof RelayError) throw cause
    throw failed(verb, 'clipboard', (cause as Error).message, cause)
  } finally {
    clearTimeout(timer)
  }
}
