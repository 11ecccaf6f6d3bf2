import { promptHeader } from '../../../contract/prompts.ts'
import { asText, type JsonObject } from '../../dialects/json.ts'
import { refuseField } from '../../dialects/refuse.ts'
import { AppError } from '../../errors.ts'
import { log } from '../../log.ts'
import { type Admitted, admit, allowModel } from '../callers/authorise.ts'
import { isStored } from '../chat/conversation.ts'
import type { RelayParts } from '../parts.ts'
import { putPromptIn } from '../prompts/put-prompt-in.ts'
import { mayNamePrompt } from '../prompts/read-reference.ts'
import type { Incoming } from '../request/incoming.ts'
import { readModel } from '../request/look-at-request.ts'
import { readExactly } from '../request/read-body.ts'
import type { Sink } from '../stream/client-sink.ts'
import { addAnswer, composeTurn, openEnvelope } from './compose-turn.ts'
import type { KeptTurn, KeptTurns } from './kept-turns.ts'
import { TurnOutput, type Wire } from './turn-output.ts'
import { writeWarmUp } from './warm-up.ts'
import { asSocketError, readRefusal, type SocketError } from './write-error.ts'

/** The relay as a turn sees it: the door by which every other call comes in. */
export interface Door {
  readonly parts: RelayParts
  handle(incoming: Incoming): Promise<Response>
}

/** What is known of the client since it has connected, and goes for each of its turns. */
export interface Connected extends Pick<Incoming, 'path' | 'address' | 'language'> {
  readonly door: Door
  readonly url: string
  readonly headers: Headers
  readonly kept: KeptTurns
  readonly wire: Wire
}

const ROUTE = { kind: 'chat', dialect: 'openai-responses' } as const

/** One `response.create`. */
export class Turn {
  readonly #connected: Connected
  readonly #isSuccessor: boolean
  #message: JsonObject
  /** The prompt that it names. */
  #prompt: Incoming['prompt']
  readonly streamId: string | undefined
  readonly requestId = Bun.randomUUIDv7('hex')
  readonly #leaving = new AbortController()
  readonly #output: TurnOutput
  /** Where the conversation stands before the answer. */
  #before: Omit<KeptTurn, 'isOurs'> | undefined

  constructor(connected: Connected, message: JsonObject, isSuccessor: boolean) {
    this.#connected = connected
    this.#message = message
    this.#isSuccessor = isSuccessor
    this.streamId = asText(message.stream_id)
    this.#output = new TurnOutput({
      wire: connected.wire,
      streamId: this.streamId,
      previousId: this.previousId,
      onWhole: (id, output) => this.#keep(id, output),
    })
  }

  /** As it was sent, and with what its prompt says as soon as that is known. */
  get message(): JsonObject {
    return this.#message
  }

  get previousId(): string | undefined {
    return asText(this.message.previous_response_id)
  }

  /** Undefined until the client has been told. */
  get responseId(): string | undefined {
    return this.#output.responseId
  }

  get output(): readonly JsonObject[] {
    return this.#output.output
  }

  /** Undefined when the answer ended without a word: its client did not take it. */
  get outcome(): TurnOutput['outcome'] {
    return this.#output.outcome
  }

  /** The client has left. */
  leave(): void {
    this.#leaving.abort()
  }

  /** Goes through all that any call goes through. Resolves when it is paid: with a refusal where nothing was said. */
  async run(): Promise<SocketError | undefined> {
    const { kept, language } = this.#connected
    let refusal: SocketError | undefined
    try {
      refusal = await this.#answer()
    } catch (error) {
      const { requestId } = this
      if (!(error instanceof AppError)) log.error('a turn over a socket failed', { requestId, error })
      refusal = asSocketError(error, { requestId, language })
    }
    // As the vendor does it: what led to a failure is not gone on from again unless its client sends it whole.
    if ((refusal ?? this.outcome === 'failed') && this.previousId !== undefined) kept.drop(this.previousId)
    return refusal
  }

  async #answer(): Promise<SocketError | undefined> {
    const { headers } = this.#connected
    // What nobody has sent goes on from a turn that has said it.
    if (!this.#isSuccessor && mayNamePrompt(ROUTE, { headers }, this.message)) await this.#putPromptIn()
    const { message } = this
    const former = await this.#findFormer()
    const { body, before } = composeTurn(message, former)
    this.#before = before
    if (message.generate === false) return this.#warmUp()
    const call = new TurnCall(this.#connected, this.requestId, body, this.#leaving.signal)
    call.prompt = this.#prompt
    const response = await this.#connected.door.handle(call)
    if (call.write) await call.write(this.#output)
    else if (!response.ok) return readRefusal(response)
    else {
      // A kept answer.
      this.#output.write(await response.text())
      this.#output.close()
    }
    return undefined
  }

  /** Here already, and not when it is asked for: those that go on from this turn go on from what its prompt says. */
  async #putPromptIn(): Promise<void> {
    const { door, headers } = this.#connected
    const call: Parameters<typeof putPromptIn>[1] = { request: { headers } }
    const sent = { text: JSON.stringify(this.#message), json: this.#message }
    this.#message = readExactly(await putPromptIn(door.parts, call, ROUTE, await this.#admit(), sent)).json
    this.#prompt = call.prompt
  }

  /** What an upstream stores is only named to it; what none stores is kept here. */
  async #findFormer(): Promise<Omit<KeptTurn, 'isOurs'> | undefined> {
    const { previousId } = this
    if (previousId === undefined) return undefined
    const { door, kept } = this.#connected
    const own = kept.find(previousId)
    if (own?.isOurs) return own
    const { caller } = await this.#admit()
    if (await isStored(door.parts, caller, previousId)) return { base: previousId, items: '' }
    if (!own) throw new AppError('relay.unknown-response', { id: previousId.slice(0, 200) })
    return own
  }

  async #admit(): Promise<Admitted> {
    const { door, url, headers, address } = this.#connected
    return admit(door.parts, new Request(url, { headers }), () => address)
  }

  /** Nothing is asked of anybody, so nothing is charged. */
  async #warmUp(): Promise<undefined> {
    const { settings } = openEnvelope(this.message)
    const { caller } = await this.#admit()
    allowModel(caller, readModel(settings.model))
    if (!this.#before) refuseField('input', 'field.string-or-list')
    const id = `resp_${Bun.randomUUIDv7('hex').replaceAll('-', '')}`
    for (const event of writeWarmUp(id, settings, this.previousId)) this.#output.write(event)
    return undefined
  }

  #keep(id: string, output: readonly JsonObject[]): void {
    if (!this.#before) return
    const isOurs = this.message.store === false || this.message.generate === false
    this.#connected.kept.keep(id, { ...addAnswer(this.#before, output), isOurs })
  }
}

/** The call that a turn is, as the relay's door knows calls. */
class TurnCall implements Incoming {
  readonly request: Request
  readonly path: string
  readonly requestId: string
  readonly address: string
  readonly language: Incoming['language']
  trace: Incoming['trace']
  prompt: Incoming['prompt']
  transcript: Incoming['transcript']
  /** Set when the answer streams. */
  write: ((sink: Sink) => Promise<void>) | undefined

  constructor(connected: Connected, requestId: string, body: string, signal: AbortSignal) {
    const { url, path, address, language } = connected
    const headers = new Headers(connected.headers)
    headers.set('content-length', String(Buffer.byteLength(body)))
    // What it names is in the body by now.
    headers.delete(promptHeader.name)
    this.request = new Request(url, { method: 'POST', headers, body, signal })
    this.path = path
    this.requestId = requestId
    this.address = address
    this.language = language
  }

  carry(write: (sink: Sink) => Promise<void>): void {
    this.write = write
  }

  /** The message is here already. */
  hold(): void {}
  /** The socket has clocks of its own. */
  keepOpen(): void {}
  letRest(): void {}
  upgrade(): boolean {
    return false
  }
}
