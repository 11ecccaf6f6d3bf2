import { randomBytes } from 'node:crypto'
import type { NodeStore } from './node-store.ts'

export interface NodeTimes {
  /** Milliseconds that only ever rise. */
  clock(): number
  /** After how long without a beat others finish this process' holds. */
  readonly deadAfterMs: number
}

/** This process among those that take holds: as long as its beat rises, nobody touches its holds. */
export class LedgerNode {
  readonly #nodes: NodeStore
  readonly #now: () => number
  readonly #times: NodeTimes
  readonly #newId: () => string
  /**
   * Its names, and whether the database has been told of them. The last one is in use; those from before a
   * silence beat on, for requests that began under them may still run.
   */
  readonly #names = new Map<string, boolean>()
  #name: string
  #beatAt: number

  constructor(nodes: NodeStore, now: () => number, times: NodeTimes, newId: () => string = randomId) {
    this.#nodes = nodes
    this.#now = now
    this.#times = times
    this.#newId = newId
    this.#name = this.#rename()
    this.#beatAt = times.clock()
  }

  /** The name that beats. */
  get name(): string {
    return this.#name
  }

  /**
   * The name to take a hold under. After a long silence (frozen, cut off) others may be finishing the holds of
   * the old name, so what begins now begins under a new one.
   */
  get id(): string {
    if (this.#isSilent()) this.#rename()
    return this.#name
  }

  async register(): Promise<void> {
    await this.#add(this.#name)
  }

  async beat(): Promise<void> {
    const at = this.#times.clock()
    const name = this.#name
    await Promise.all([...this.#names].map(([each, isKnown]) => this.#beat(each, isKnown)))
    if (name !== this.#name) return
    if (this.#isSilent() || !this.#names.has(name)) await this.#add(this.#rename())
    else this.#beatAt = at
  }

  /** Called when nothing is held any more. */
  async leave(): Promise<void> {
    await Promise.all([...this.#names.keys()].map(name => this.#nodes.remove(name)))
  }

  async #beat(name: string, wasKnown: boolean): Promise<void> {
    if (await this.#nodes.beat(name)) this.#names.set(name, true)
    // It has been taken for dead under this name.
    else if (wasKnown) this.#names.delete(name)
    else await this.#add(name)
  }

  async #add(name: string): Promise<void> {
    await this.#nodes.add(name, this.#now())
    this.#names.set(name, true)
  }

  #isSilent(): boolean {
    return this.#times.clock() - this.#beatAt > this.#times.deadAfterMs / 2
  }

  #rename(): string {
    this.#name = this.#newId()
    this.#names.set(this.#name, false)
    this.#beatAt = this.#times.clock()
    return this.#name
  }
}

function randomId(): string {
  return randomBytes(12).toString('hex')
}
