import { asText, type JsonObject } from '../../dialects/json.ts'
import { refuseChoice, refuseField } from '../../dialects/refuse.ts'
import { AppError } from '../../errors.ts'
import { log } from '../../log.ts'
import { gauge } from '../../metrics.ts'
import type { ClientSocket, SocketSession } from '../client-socket.ts'
import { IdleMessages } from '../idle-messages.ts'
import { closeCodes } from '../realtime/close-codes.ts'
import type { Frame } from '../realtime/frame.ts'
import { LARGEST_JSON, readExactly, readJson } from '../request/read-body.ts'
import { KeptTurns } from './kept-turns.ts'
import { Lane, type Waiting } from './lane.ts'
import { type Connected, Turn } from './run-turn.ts'
import { SteeredTurns } from './steered-turns.ts'
import { asSocketError, type SocketError, writeErrorMessage } from './write-error.ts'

/** The vendor's own limit. */
const LIFE_MS = 60 * 60 * 1000
/** Turns that run side by side, each with a `stream_id` of its own, and turns that wait, with their length. */
const MOST_LANES = 16
const MOST_WAITING = 32
const MOST_WAITING_LENGTH = LARGEST_JSON
const LONGEST_STREAM_ID = 128
/** What waits for the client before an answer waits too. */
const MOST_UNTAKEN = 64 * 1024

const open = new Set<ResponsesSocket>()
gauge('tollgate_relay_responses_sockets', 'Open WebSockets of the Responses API.', () => open.size)

/** For a worker that ends: those that are idle are closed, the others when what is under way is done. */
export function endResponsesSockets(): void {
  for (const socket of open) socket.retire(new AppError('relay.socket-ending'), closeCodes.goingAway)
}

/**
 * A client that sends its turns over one connection. Each is a call like any other; this only keeps their order, and
 * what they go on from.
 */
export class ResponsesSocket implements SocketSession {
  readonly #connected: Connected
  readonly #lanes = new Map<string | undefined, Lane>()
  readonly #steered: SteeredTurns
  readonly #lifeMs: number
  #client: ClientSocket | undefined
  #oldAge: Timer | undefined
  #waiting = 0
  #waitingLength = 0
  /** Those for which no model was asked. */
  readonly #idle = new IdleMessages()
  /** Set when no more turns are taken: why, and how it is closed when those under way are done. */
  #retiring: { readonly error: AppError; readonly code: number } | undefined
  #untaken: PromiseWithResolvers<void> | undefined

  constructor(connected: Omit<Connected, 'kept' | 'wire'>, lifeMs = LIFE_MS) {
    const kept = new KeptTurns()
    const wire = { send: (message: string) => this.#send(message), taken: () => this.#taken() }
    this.#connected = { ...connected, kept, wire }
    this.#steered = new SteeredTurns(this.#connected)
    this.#lifeMs = lifeMs
  }

  attach(client: ClientSocket): void {
    this.#client = client
    open.add(this)
    this.#oldAge = setTimeout(() => {
      const minutes = Math.round(this.#lifeMs / 60_000)
      this.retire(new AppError('relay.socket-old', { minutes }), closeCodes.normal)
    }, this.#lifeMs)
    this.#oldAge.unref()
  }

  hearClient(frame: Frame): void {
    // What had come already when it was closed.
    if (!this.#client) return
    let streamId: string | undefined
    try {
      if (typeof frame !== 'string') throw new AppError('relay.invalid-json')
      const message = readExactly(readJson(frame)).json
      streamId = asText(message.stream_id)?.slice(0, LONGEST_STREAM_ID)
      if (message.type === 'response.create') this.#take(message, frame.length)
      else if (message.type === 'response.steer') {
        this.#steered.hear(message, frame.length, [...this.#lanes.values()])
        this.#noteIdle()
      } else refuseChoice('type', ['response.create', 'response.steer'])
    } catch (error) {
      this.#tell(asSocketError(error, this.#about()), streamId)
      this.#noteIdle()
    }
  }

  #noteIdle(): void {
    if (!this.#idle.add()) return
    const client = this.#client
    this.clientClosed()
    client?.close(closeCodes.policy, 'too many messages for which no model is asked')
  }

  clientReads(): void {
    if ((this.#client?.getBufferedAmount() ?? 0) < MOST_UNTAKEN) this.#goOn()
  }

  clientClosed(): void {
    this.#client = undefined
    open.delete(this)
    clearTimeout(this.#oldAge)
    for (const lane of this.#lanes.values()) {
      lane.waiting.length = 0
      lane.running?.leave()
    }
    this.#connected.kept.close()
    this.#goOn()
  }

  /** Takes no more turns; the connection is closed when those that run are done. */
  retire(error: AppError, code: number): void {
    if (this.#retiring) return
    this.#retiring = { error, code }
    for (const lane of this.#lanes.values())
      for (const waiting of lane.waiting.splice(0)) this.#refuse(lane, waiting, error)
    this.#closeWhenIdle()
  }

  #take(message: JsonObject, length: number): void {
    const streamId = asText(message.stream_id)
    checkEnvelope(message)
    if (this.#retiring) throw this.#retiring.error
    const lane = this.#lanes.get(streamId) ?? new Lane(streamId)
    const isFull = this.#waiting >= MOST_WAITING || this.#waitingLength + length > MOST_WAITING_LENGTH
    if (lane.running ? isFull : this.#lanes.size >= MOST_LANES) throw new AppError('relay.socket-full')
    this.#lanes.set(streamId, lane)
    this.#waiting++
    this.#waitingLength += length
    lane.waiting.push({ message, length, steers: [], isSuccessor: false })
    this.#advance(lane)
  }

  #advance(lane: Lane): void {
    if (lane.running) return
    const next = lane.waiting.shift()
    if (next) return this.#start(lane, next)
    this.#lanes.delete(lane.streamId)
    this.#closeWhenIdle()
  }

  #start(lane: Lane, waiting: Waiting): void {
    this.#forget(waiting)
    const { message, steers } = this.#steered.join(lane, waiting)
    const turn = new Turn(this.#connected, message, waiting.isSuccessor)
    lane.running = turn
    turn
      .run()
      .then(refusal => this.#finish(lane, turn, { ...waiting, steers }, refusal))
      .catch(error => {
        log.error('a turn on a socket did not end well', { requestId: turn.requestId, error })
        this.#client?.close(closeCodes.failed)
      })
      .finally(() => {
        lane.running = undefined
        this.#advance(lane)
      })
  }

  #finish(lane: Lane, turn: Turn, waiting: Waiting, refusal: SocketError | undefined): void {
    if (!this.#client) return
    if (refusal && !waiting.isSuccessor) this.#tell(refusal, lane.streamId)
    if (refusal || waiting.message.generate === false) this.#noteIdle()
    if (!this.#client) return
    // It did not take its answer: what comes after a gap would be misunderstood.
    if (!refusal && turn.outcome === undefined) return this.#client.terminate()
    const successor = this.#steered.settle(lane, turn, waiting.steers)
    if (!successor) return
    this.#waiting++
    if (this.#retiring) return this.#refuse(lane, successor, this.#retiring.error)
    lane.waiting.unshift(successor)
  }

  #refuse(lane: Lane, waiting: Waiting, error: AppError): void {
    this.#forget(waiting)
    this.#steered.giveBack(waiting.steers, 'successor_creation_failed', lane.streamId)
    if (!waiting.isSuccessor) this.#tell(asSocketError(error, this.#about()), lane.streamId)
  }

  #forget({ length }: Waiting): void {
    this.#waiting--
    this.#waitingLength -= length
  }

  #closeWhenIdle(): void {
    if (!this.#retiring || this.#lanes.size > 0 || !this.#client) return
    const { error, code } = this.#retiring
    if (error.code === 'relay.socket-old') this.#tell(asSocketError(error, this.#about()))
    this.#client.close(code)
  }

  /** What belongs to no turn has a number of its own, by which it is found in a log. */
  #about() {
    return { requestId: Bun.randomUUIDv7('hex'), language: this.#connected.language }
  }

  #tell(error: SocketError, streamId?: string): void {
    this.#send(writeErrorMessage(error, streamId))
  }

  #send(message: string): void {
    // Nothing was taken: too much waits already for this client.
    if (this.#client?.send(message) === 0) this.#client?.terminate()
  }

  #taken(): Promise<void> | undefined {
    if ((this.#client?.getBufferedAmount() ?? 0) < MOST_UNTAKEN) return undefined
    this.#untaken ??= Promise.withResolvers<void>()
    return this.#untaken.promise
  }

  #goOn(): void {
    this.#untaken?.resolve()
    this.#untaken = undefined
  }
}

/** The fields that no call has, and that decide what becomes of one. */
function checkEnvelope({ stream_id, generate, previous_response_id }: JsonObject): void {
  if (stream_id !== undefined && (!asText(stream_id) || String(stream_id).length > LONGEST_STREAM_ID))
    refuseField('stream_id', 'field.text-within', { most: LONGEST_STREAM_ID })
  if (generate !== undefined && typeof generate !== 'boolean') refuseField('generate', 'field.flag')
  if (previous_response_id !== null && typeof (previous_response_id ?? '') !== 'string')
    refuseField('previous_response_id', 'field.string')
}
