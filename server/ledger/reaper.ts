import { log } from '../log.ts'
import type { Ledger } from './ledger.ts'
import type { LogRow } from './moves.ts'
import type { NodeStore, Orphan } from './node-store.ts'

const AT_A_TIME = 500

/**
 * Finishes the holds of processes that died: charged at their last checkpoint, or given back when there was
 * none. A process counts as dead when this one has watched its beat stand still for the whole time; no
 * clock of another machine is believed.
 */
export class Reaper {
  readonly #nodes: NodeStore
  readonly #ledger: Ledger
  readonly #now: () => number
  readonly #deadAfterMs: number
  readonly #clock: () => number
  readonly #seen = new Map<string, { beat: number; since: number }>()

  constructor(parts: {
    nodes: NodeStore
    ledger: Ledger
    now: () => number
    deadAfterMs: number
    clock: () => number
  }) {
    this.#nodes = parts.nodes
    this.#ledger = parts.ledger
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
    const at = this.#clock()
    for (const id of this.#seen.keys()) if (!beats.has(id)) this.#seen.delete(id)
    const dead: string[] = []
    for (const [id, beat] of beats) {
      const seen = this.#seen.get(id)
      if (seen?.beat !== beat) this.#seen.set(id, { beat, since: at })
      else if (at - seen.since >= this.#deadAfterMs) dead.push(id)
    }
    return dead
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
    if (orphan.checkpoint === 0) await this.#ledger.release(request)
    else await this.#ledger.settle(request, orphan.checkpoint, this.#logRow(orphan))
  }

  #logRow(orphan: Orphan): LogRow {
    const { model = '', group = '' } = readPrice(orphan.price)
    return {
      created_at: this.#now(),
      type: 2,
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
