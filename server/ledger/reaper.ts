import type { Kysely } from 'kysely'
import { log } from '../log.ts'
import type { Schema } from '../store/schema.ts'
import type { Ledger } from './ledger.ts'
import { holdStates, type LogRow } from './moves.ts'

const AT_A_TIME = 500

interface Orphan {
  readonly id: string
  readonly user_id: number
  readonly token_id: number
  readonly checkpoint: number
  readonly price: string
  readonly username: string | null
  readonly token_name: string | null
}

/**
 * Finishes the holds of processes that died: charged at their last checkpoint, or given back when there was
 * none. A process counts as dead when this one has watched its beat stand still for the whole time; no
 * clock of another machine is believed.
 */
export class Reaper {
  readonly #db: Kysely<Schema>
  readonly #ledger: Ledger
  readonly #now: () => number
  readonly #deadAfterMs: number
  readonly #clock: () => number
  readonly #seen = new Map<string, { beat: number; since: number }>()

  constructor(parts: {
    db: Kysely<Schema>
    ledger: Ledger
    now: () => number
    deadAfterMs: number
    clock: () => number
  }) {
    this.#db = parts.db
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
      await this.#db.deleteFrom('nodes').where('id', '=', node).execute()
      this.#seen.delete(node)
    }
    return finished
  }

  async #dead(): Promise<string[]> {
    const known = await this.#db.selectFrom('nodes').select(['id', 'beat']).execute()
    const holding = await this.#db
      .selectFrom('holds')
      .select('node_id')
      .distinct()
      .where('state', '=', holdStates.open)
      .execute()
    const beats = new Map(known.map(({ id, beat }) => [id, beat]))
    // Holds of a name that is not registered: of one that woke up after it was taken for dead.
    for (const { node_id } of holding) if (!beats.has(node_id)) beats.set(node_id, 0)
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
      const orphans: Orphan[] = await this.#db
        .selectFrom('holds')
        .leftJoin('users', 'users.id', 'holds.user_id')
        .leftJoin('tokens', 'tokens.id', 'holds.token_id')
        .select(['holds.id', 'holds.user_id', 'holds.token_id', 'holds.checkpoint', 'holds.price'])
        .select(['users.username', 'tokens.name as token_name'])
        .where('holds.state', '=', holdStates.open)
        .where('holds.node_id', '=', node)
        .limit(AT_A_TIME)
        .execute()
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
