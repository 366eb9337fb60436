import { RelayError } from '../../src/errors.ts'
import type { Web, WebAnswer, WebRequest } from '../../src/ports.ts'
import type { Life } from './fake-disk.ts'

/** Servers that are a table; what is not in it cannot be reached. */
export class FakeWeb implements Web {
  /** By method and URL: `GET https://api.github.com/`. */
  readonly answers = new Map<string, WebAnswer | ((request: WebRequest) => WebAnswer)>()
  /** What was asked, in order. */
  readonly asked: WebRequest[] = []
  readonly #life: Life

  constructor(life: Life) {
    this.#life = life
  }

  async request(request: WebRequest): Promise<WebAnswer> {
    this.#life.check()
    request.signal.throwIfAborted()
    this.asked.push(request)
    const answer = this.answers.get(`${request.method} ${request.url}`)
    if (answer === undefined) {
      throw new RelayError('environment', `Cannot reach ${new URL(request.url).host}: ECONNREFUSED`, {
        hint: 'Look at your network, then try again.',
      })
    }
    return typeof answer === 'function' ? answer(request) : answer
  }
}
