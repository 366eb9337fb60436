import { RelayError } from '../../errors.ts'

/** No way to the clipboard may take longer than this. */
export const timeLimitMs = 2000

/** But PowerShell may: after the machine's start, or among programs that look at each new one, it takes seconds to start. */
export const powershellLimitMs = 10_000

/** More than this is no response. */
export const sizeLimit = 64 * 1024 * 1024

export type Verb = 'read' | 'write'

export const otherWay = 'Save the answer and use `relay apply <file>`, or pipe it into `relay apply -`.'

export function noAnswer(verb: Verb, limitMs = timeLimitMs): RelayError {
  return new RelayError('environment', `Cannot ${verb} the clipboard: no answer within ${limitMs / 1000} s`, {
    hint: 'The program that owns it may hang: copy something from another one.',
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

/** Gives up on what takes too long; it may still end later, unheard. */
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
