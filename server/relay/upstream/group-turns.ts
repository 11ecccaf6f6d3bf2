import { type Claim, isRefusal, type Refusal } from '../../store/counters/counters.ts'
import { enterGroup } from '../limits/enter-limits.ts'
import type { Order } from '../order/order.ts'
import type { Channel } from '../routing/channel.ts'
import { groupOf } from '../routing/groups-in-turn.ts'

/** The groups of an order in their turn: each is counted while its channels are asked, and asked only if it has room. */
export class GroupTurns {
  readonly #order: Order
  readonly #full = new Map<string, Refusal>()
  #group: string | undefined
  #claim: Claim | undefined

  constructor(order: Order) {
    this.#order = order
  }

  /** Makes it the turn of the channel's group. A refusal when that group is at a limit: then the channel is passed over. */
  async enter(channel: Channel): Promise<Refusal | undefined> {
    const { groups = [] } = this.#order
    const group = groupOf(channel, groups) ?? groups[0] ?? ''
    if (group === this.#group) {
      // Counted already, for a model that could not be had; the one that is asked now has its own price here.
      if (this.#order.group !== group) this.#order.turnToGroup(group)
      return undefined
    }
    const known = this.#full.get(group)
    if (known) return known
    if (this.#claim) await this.#order.claims?.drop(this.#claim)
    this.#claim = this.#group = undefined
    const entered = await enterGroup(this.#order, group)
    if (entered && isRefusal(entered)) {
      this.#full.set(group, entered)
      return entered
    }
    this.#claim = entered
    this.#group = group
    this.#order.turnToGroup(group)
    return undefined
  }
}
