import { randomBytes } from 'node:crypto'
import type { NodeStore } from './node-store.ts'

/** This process among those that take holds: as long as its beat rises, nobody touches its holds. */
export class LedgerNode {
  readonly #nodes: NodeStore
  readonly #now: () => number
  readonly #newId: () => string
  #id: string

  constructor(nodes: NodeStore, now: () => number, newId: () => string = randomId) {
    this.#nodes = nodes
    this.#now = now
    this.#newId = newId
    this.#id = newId()
  }

  get id(): string {
    return this.#id
  }

  async register(): Promise<void> {
    await this.#nodes.add(this.#id, this.#now())
  }

  /** One that was frozen for too long finds its row gone, and goes on under a new name. */
  async beat(): Promise<void> {
    if (await this.#nodes.beat(this.#id)) return
    this.#id = this.#newId()
    await this.register()
  }

  /** Called when nothing is held any more. */
  async leave(): Promise<void> {
    await this.#nodes.remove(this.#id)
  }
}

function randomId(): string {
  return randomBytes(12).toString('hex')
}
