import { logTypes } from '../../contract/log-types.ts'
import { log } from '../log.ts'
import type { Ledger } from './ledger.ts'
import type { LogRow } from './moves.ts'
import type { NodeStore, Orphan } from './node-store.ts'

const AT_A_TIME = 500

/**
 * Finishes the holds of processes that died: charged at their last checkpoint, or given back when there was
 * none. A process counts as dead when its beat has stood still for the whole time while this one's own rose:
 * no clock of another machine is believed, and a database that was away kills nobody.
 */
export class Reaper {
  readonly #nodes: NodeStore
  readonly #ledger: Ledger
  readonly #now: () => number
  readonly #deadAfterMs: number
  readonly #clock: () => number
  readonly #self: () => string
  readonly #seen = new Map<string, { beat: number; since: number }>()
  /** How long it has been able to watch, in milliseconds. */
  #watched = 0
  #last: { beat: number; at: number } | undefined

  constructor(parts: {
    nodes: NodeStore
    ledger: Ledger
    /** Under which name this process beats. */
    self: () => string
    now: () => number
    deadAfterMs: number
    clock: () => number
  }) {
    this.#nodes = parts.nodes
    this.#ledger = parts.ledger
    this.#self = parts.self
    this.#now = parts.now
    this.#deadAfterMs = parts.deadAfterMs
    this.#clock = parts.clock
  }

  /** Looks once; returns how many holds it finished. */
  async look(): Promise<number> {
    let finished = 0
    for (const node of await this.#dead()) {
      finished += await this.#finish(node)
      await this.#nodes.remove(node)
      this.#seen.delete(node)
    }
    return finished
  }

  async #dead(): Promise<string[]> {
    const beats = await this.#nodes.beats()
    this.#watch(beats.get(this.#self()))
    for (const id of this.#seen.keys()) if (!beats.has(id)) this.#seen.delete(id)
    const dead: string[] = []
    for (const [id, beat] of beats) {
      const seen = this.#seen.get(id)
      if (seen?.beat !== beat) this.#seen.set(id, { beat, since: this.#watched })
      else if (this.#watched - seen.since >= this.#deadAfterMs) dead.push(id)
    }
    return dead
  }

  /** Time counts when this process' own beat got through in it, for then the others' could; a long gap counts little. */
  #watch(beat: number | undefined): void {
    if (beat === undefined || beat === this.#last?.beat) return
    const at = this.#clock()
    if (this.#last) this.#watched += Math.min(at - this.#last.at, this.#deadAfterMs / 3)
    this.#last = { beat, at }
  }

  async #finish(node: string): Promise<number> {
    let finished = 0
    for (;;) {
      const orphans = await this.#nodes.openHolds(node, AT_A_TIME)
      if (orphans.length === 0) break
      await Promise.all(orphans.map(orphan => this.#close(orphan)))
      finished += orphans.length
    }
    if (finished > 0) log.warn('holds of a process that died were finished', { node, holds: finished })
    return finished
  }

  async #close(orphan: Orphan): Promise<void> {
    const request = { id: orphan.id, userId: orphan.user_id, tokenId: orphan.token_id }
    await this.#ledger.reap(request, this.#logRow(orphan))
  }

  #logRow(orphan: Orphan): LogRow {
    const { model = '', group = '' } = readPrice(orphan.price)
    return {
      created_at: this.#now(),
      type: logTypes.consumption,
      user_id: orphan.user_id,
      username: orphan.username ?? '',
      token_id: orphan.token_id,
      token_name: orphan.token_name ?? '',
      model_name: model,
      channel_id: 0,
      group,
      is_stream: 1,
      use_time: 0,
      prompt_tokens: 0,
      completion_tokens: 0,
      request_id: orphan.id,
      labels: orphan.labels ?? undefined,
      content: '请求中断，按已产生的用量结算',
      other: '',
    }
  }
}

function readPrice(price: string): { model?: string; group?: string } {
  try {
    return JSON.parse(price) as { model?: string; group?: string }
  } catch {
    return {}
  }
}
