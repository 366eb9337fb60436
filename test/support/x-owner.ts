import { OwnText } from '../../src/system/clipboard/x11/own-text.ts'
import { Session } from '../../src/system/clipboard/x11/session.ts'
import * as wire from '../../src/system/clipboard/x11/wire.ts'

/** A program that owns the clipboard of an X display and answers as a test wants it to. */
export interface XOwner {
  /** What it was asked for, by number. */
  readonly asked: number[]
  readonly session: Session
  /** Ends as a program does that is killed. */
  die(): void
}

type Answer = (request: wire.SelectionRequest, session: Session) => void

/** @param onProperty told when somebody has taken a piece and wants the next */
export async function ownXClipboard(
  env: NodeJS.ProcessEnv,
  answer: Answer,
  onProperty: (event: wire.XEvent & { kind: 'property' }, session: Session) => void = () => {},
): Promise<XOwner> {
  const session = await Session.open(env)
  const asked: number[] = []
  session.own = {
    text: '',
    onRequest(request) {
      asked.push(request.target)
      answer(request, session)
    },
    onProperty: event => onProperty(event, session),
  }
  session.connection.send(wire.setSelectionOwner(session.window, session.atoms.clipboard))
  await session.connection.ask(wire.getSelectionOwner(session.atoms.clipboard))
  return { asked, session, die: () => session.connection.close() }
}

/** A program in which a person copies one text after the other. */
export interface Copier {
  /** Ends when the server knows of it. */
  copy(text: string): Promise<void>
  /** As a program copies that has no text to give. */
  copyPicture(): Promise<void>
  /** How often the text that was copied last has been asked for. */
  reads(): number
  /** How many pieces of it have been taken, where it is too long for one. */
  pieces(): number
  end(): void
}

export async function startCopier(env: NodeJS.ProcessEnv): Promise<Copier> {
  const session = await Session.open(env)
  let reads = 0
  let pieces = 0
  const copy = async (text: string) => {
    const taken = OwnText.put(session, text)
    reads = 0
    pieces = 0
    const { own } = session
    if (own === undefined) return
    session.own = {
      text,
      onProperty(event) {
        if (event.deleted) pieces += 1
        own.onProperty(event)
      },
      onRequest(request) {
        if (request.target === session.atoms.utf8) reads += 1
        own.onRequest(request)
      },
    }
    await taken
  }
  return {
    copy,
    async copyPicture() {
      await copy('')
      const { own } = session
      if (own === undefined) return
      session.own = {
        text: '',
        onProperty: event => own.onProperty(event),
        onRequest: request => own.onRequest({ ...request, target: 0 }),
      }
    },
    reads: () => reads,
    pieces: () => pieces,
    end: () => session.connection.close(),
  }
}

/** Begins to hand out a text in pieces, and dies when the second one is wanted. */
export function ownAndDieMidway(env: NodeJS.ProcessEnv): Promise<XOwner> {
  return ownXClipboard(
    env,
    (request, { connection, atoms }) => {
      connection.send(
        wire.hearPropertyChanges(request.requestor, true),
        wire.changeProperty(request.requestor, request.property, atoms.incremental, 32, wire.words([2_000_000])),
        wire.notifySelection(request, request.property),
      )
    },
    ({ window, property, deleted }, { connection, atoms }) => {
      if (!deleted) return
      connection.send(wire.changeProperty(window, property, atoms.utf8, 8, Buffer.alloc(100_000, 'half')))
      // After it has gone out, and before anybody can take it.
      setImmediate(() => connection.close())
    },
  )
}

/** Answers each target from a table; what is not in it is refused. */
export function ownAs(
  env: NodeJS.ProcessEnv,
  table: (atoms: Session['atoms']) => Readonly<Record<number, [type: number, bytes: Buffer]>>,
): Promise<XOwner> {
  return ownXClipboard(env, (request, { connection, atoms }) => {
    const [type, bytes] = table(atoms)[request.target] ?? []
    if (type === undefined || bytes === undefined) {
      connection.send(wire.notifySelection(request, 0))
      return
    }
    const format = type === wire.atomOf.atom ? 32 : 8
    connection.send(
      wire.changeProperty(request.requestor, request.property, type, format, bytes),
      wire.notifySelection(request, request.property),
    )
  })
}
