import { gauge } from '../../metrics.ts'

/** In letters of JSON, for all sockets of this process. What is dropped has to be sent whole by its client. */
const MOST_KEPT = 256 * 1024 * 1024
/** The same of one socket, and how many turns of it. */
const MOST_OF_ONE = 16 * 1024 * 1024
const MOST_TURNS = 32

/** Where a conversation stands after a response that later ones on the same socket may go on from. */
export interface KeptTurn {
  /** The response of an upstream's store that all of this follows, if there is one. */
  readonly base: string | undefined
  /** What was said since, input and output: the items of a JSON list, without its brackets. */
  readonly items: string
  /** No upstream was asked to store it, so that none has to be asked whether it does. */
  readonly isOurs: boolean
}

interface Place {
  readonly owner: KeptTurns
  readonly id: string
  readonly turn: KeptTurn
}

/** Those that were used last come last. */
const everyPlace = new Set<Place>()
let keptLength = 0

gauge('tollgate_relay_kept_turns_letters', 'What sockets keep of conversations.', () => keptLength)

/** What one socket keeps, so that the next turn need only say what is new. */
export class KeptTurns {
  readonly #places = new Map<string, Place>()
  #length = 0
  #isClosed = false

  find(id: string): KeptTurn | undefined {
    const place = this.#places.get(id)
    if (!place) return undefined
    everyPlace.delete(place)
    everyPlace.add(place)
    return place.turn
  }

  has(id: string): boolean {
    return this.#places.has(id)
  }

  /** One that is too long is not kept. */
  keep(id: string, turn: KeptTurn): void {
    this.drop(id)
    const { length } = turn.items
    if (length > MOST_OF_ONE || this.#isClosed) return
    for (const former of this.#places.keys()) {
      if (this.#places.size < MOST_TURNS && this.#length + length <= MOST_OF_ONE) break
      this.drop(former)
    }
    const place = { owner: this, id, turn }
    this.#places.set(id, place)
    everyPlace.add(place)
    this.#length += length
    keptLength += length
    for (const oldest of everyPlace) {
      if (keptLength <= MOST_KEPT) break
      oldest.owner.drop(oldest.id)
    }
  }

  drop(id: string): void {
    const place = this.#places.get(id)
    if (!place) return
    this.#places.delete(id)
    everyPlace.delete(place)
    this.#length -= place.turn.items.length
    keptLength -= place.turn.items.length
  }

  /** The socket is closed: nothing can go on from an answer that ends only now. */
  close(): void {
    this.#isClosed = true
    for (const id of this.#places.keys()) this.drop(id)
  }
}
