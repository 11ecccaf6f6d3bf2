import { asText, type JsonObject } from '../../dialects/json.ts'
import type { Lane, Waiting } from './lane.ts'
import type { Connected, Turn } from './run-turn.ts'
import {
  isSteer,
  requiredInput,
  type Steer,
  type SteerFailure,
  withSteers,
  writeAccepted,
  writeFailed,
  writePending,
} from './steering.ts'

/** Of one response, and of all that wait for results of tools. */
const MOST_ADDED = 16
const MOST_PENDING = 64
/** In letters, of one socket: nobody has set anything aside for it yet. */
const MOST_LENGTH = 16 * 1024 * 1024

interface Pending {
  readonly streamId: string | undefined
  readonly steers: readonly Steer[]
}

/**
 * Input that is added to a response while that is being made. It is said when the response is whole: by a turn of its
 * own, or, where the model waits for results of tools, with the turn that brings them.
 */
export class SteeredTurns {
  readonly #connected: Pick<Connected, 'kept' | 'wire'>
  /** By the response that waits for results. */
  readonly #pending = new Map<string, Pending>()
  #sequence = 0

  constructor(connected: Pick<Connected, 'kept' | 'wire'>) {
    this.#connected = connected
  }

  /** A `response.steer`, of so many letters. */
  hear(message: JsonObject, length: number, lanes: readonly Lane[]): void {
    const { input = null, previous_response_id = null } = message
    const lane = lanes.find(({ running }) => running?.responseId === previous_response_id)
    const target = asText(previous_response_id) ?? ''
    const isTooMuch = length + this.#lengthIn(lanes) > MOST_LENGTH
    const refusal = isSteer(message) ? this.#refuse(target, lane, isTooMuch) : 'invalid_input'
    const given = { responseId: previous_response_id, input }
    if (refusal || !lane) return this.#fail(given, refusal ?? 'response_not_found', lane?.streamId)
    const id = `steer_${Bun.randomUUIDv7('hex').replaceAll('-', '')}`
    const steer = { id, responseId: target, input, length }
    lane.added.push(steer)
    this.#connected.wire.send(writeAccepted(steer, this.#sequence++, lane.streamId))
  }

  /** Of all that was added and is not said yet. */
  #lengthIn(lanes: readonly Lane[]): number {
    const waiting = lanes.flatMap(lane => [...lane.added, ...lane.waiting.flatMap(({ steers }) => steers)])
    const pending = [...this.#pending.values()].flatMap(({ steers }) => steers)
    return [...waiting, ...pending].reduce((sum, { length }) => sum + length, 0)
  }

  #refuse(target: string, lane: Lane | undefined, isTooMuch: boolean): SteerFailure | undefined {
    const isDone = lane?.running?.outcome !== undefined
    if (!lane || isDone)
      return isDone || this.#connected.kept.has(target) ? 'response_already_completed' : 'response_not_found'
    if (lane.running?.message.context_management) return 'steering_not_supported'
    return isTooMuch || lane.added.length >= MOST_ADDED ? 'too_many_pending_steers' : undefined
  }

  /** A turn begins: with what was added to the response that it goes on from. */
  join(lane: Lane, { message, steers }: Waiting): Pick<Waiting, 'message' | 'steers'> {
    const previous = asText(message.previous_response_id) ?? ''
    const pending = this.#pending.get(previous)
    if (!pending || pending.streamId !== lane.streamId) return { message, steers }
    this.#pending.delete(previous)
    return {
      message: { ...message, input: withSteers(pending.steers, message.input) },
      steers: pending.steers,
    }
  }

  /** A turn is over. Returns the one that says what was added to it, if anything was. */
  settle(lane: Lane, turn: Turn, carried: readonly Steer[]): Waiting | undefined {
    const { responseId, streamId, message, output } = turn
    if (responseId === undefined) this.giveBack(carried, 'successor_creation_failed', streamId)
    const added = lane.added
    lane.added = []
    if (added.length === 0 || responseId === undefined) return undefined
    if (turn.outcome !== 'whole') {
      this.giveBack(added, 'response_not_active', streamId)
      return undefined
    }
    const required = requiredInput(output)
    if (required.length > 0) {
      this.#await(responseId, { streamId, steers: added }, required)
      return undefined
    }
    const next = { ...message, previous_response_id: responseId, input: withSteers(added, []) }
    return { message: next, length: 0, steers: added, isSuccessor: true }
  }

  #await(responseId: string, pending: Pending, required: readonly JsonObject[]): void {
    for (const [oldest, { steers, streamId }] of this.#pending) {
      if (this.#pending.size < MOST_PENDING) break
      this.#pending.delete(oldest)
      this.giveBack(steers, 'response_not_active', streamId)
    }
    this.#pending.set(responseId, pending)
    for (const steer of pending.steers)
      this.#connected.wire.send(writePending(steer, required, this.#sequence++, pending.streamId))
  }

  /** Whoever added it has it again. */
  giveBack(steers: readonly Steer[], code: SteerFailure, streamId: string | undefined): void {
    for (const steer of steers) this.#fail(steer, code, streamId)
  }

  #fail(steer: Parameters<typeof writeFailed>[0], code: SteerFailure, streamId: string | undefined): void {
    this.#connected.wire.send(writeFailed(steer, code, this.#sequence++, streamId))
  }
}
