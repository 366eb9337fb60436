import { RelayError } from '../errors.ts'
import type { Web } from '../ports.ts'

export const systemWeb: Web = {
  async request({ method, url, headers, body, timeLimit, signal }) {
    const limit = AbortSignal.timeout(timeLimit * 1000)
    const whole = { method, headers, ...(body === undefined ? {} : { body }), signal: AbortSignal.any([signal, limit]) }
    try {
      const answer = await fetch(url, whole)
      return { status: answer.status, text: await answer.text() }
    } catch (cause) {
      signal.throwIfAborted()
      const why = limit.aborted ? `no answer in ${timeLimit} seconds` : reasonOf(cause)
      throw new RelayError('environment', `Cannot reach ${hostOf(url)}: ${why}`, {
        hint: 'Look at your network, then try again.',
      })
    }
  },
}

/**
 * The message that `fetch` throws says nothing. Its cause does, or in bun its code. A message without either may
 * quote a header.
 */
function reasonOf(error: unknown): string {
  const { cause, code } = error as {
    readonly cause?: { readonly code?: string; readonly message?: string }
    code?: unknown
  }
  return cause?.code ?? cause?.message ?? (typeof code === 'string' ? code : 'it is no URL or header that can be sent')
}

function hostOf(url: string): string {
  return URL.canParse(url) ? new URL(url).host : 'a server without a URL'
}
