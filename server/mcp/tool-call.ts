import { logTypes } from '../../contract/log-types.ts'
import { AppError } from '../errors.ts'
import type { LogRow } from '../ledger/moves.ts'
import { breakdown } from '../ledger/price/breakdown.ts'
import { cost } from '../ledger/price/cost.ts'
import { divide, exact } from '../ledger/price/decimal.ts'
import { ownRatio } from '../ledger/price/group-ratio.ts'
import type { PriceSnapshot } from '../ledger/price/price-snapshot.ts'
import type { Admitted } from '../relay/callers/authorise.ts'
import type { CallGuard } from '../relay/guards/call-guard.ts'
import { type Labels, labelsOf } from '../relay/labels/labels-of.ts'
import { Bill, requestOf } from '../relay/order/bill.ts'
import type { RelayParts } from '../relay/parts.ts'
import { countCharged } from '../relay/relay-figures.ts'
import type { Incoming } from '../relay/request/incoming.ts'
import type { ToolTrace } from '../relay/tracing/tool-trace.ts'
import type { McpServer } from './mcp-server.ts'

/** What is called, and the group that pays for it. */
export interface Called {
  readonly server: McpServer
  readonly group: string
  /** As its server knows it. */
  readonly name: string
  /** As the log does. */
  readonly model: string
}

/** One call of a tool, from its admission until it is paid for. */
export class ToolCall {
  readonly model: string
  readonly #parts: RelayParts
  readonly #incoming: Incoming
  readonly #admitted: Admitted
  readonly #group: string
  readonly #price: PriceSnapshot
  readonly #bill: Bill
  readonly #labels: Labels | undefined
  readonly #began = performance.now()
  /** Whether something of it reached the client before its end. */
  streams = false
  /** The operator's rules for it, where there are any. */
  guard: CallGuard | undefined
  /** Where it is traced. */
  trace: ToolTrace | undefined

  constructor(parts: RelayParts, incoming: Incoming, admitted: Admitted, called: Called) {
    this.model = called.model
    this.#parts = parts
    this.#incoming = incoming
    this.#admitted = admitted
    this.#group = called.group
    this.#price = priceOf(parts, admitted, called)
    this.#labels = labelsOf(parts, incoming, admitted.caller)
    const of = requestOf(incoming.requestId, admitted.caller, this.#labels?.counted)
    this.#bill = new Bill(parts.ledger, of, this.#price, parts.now())
  }

  /** Sets its price aside. What is free needs nothing: the settlement only writes it down. */
  async hold(): Promise<void> {
    const price = cost(this.#price, { calls: 1 })
    if (price === 0) this.#bill.holdNothing(0, () => {})
    else {
      await this.#bill.hold(price, price)
      // The answer is withheld until it is paid.
      await this.#bill.held(false)
    }
  }

  /** `calls` is 0 for an answer that is none yet, because the tool asks its user something first. */
  async settle(calls: 0 | 1): Promise<number> {
    const { quota, details } = breakdown(this.#price, { calls })
    const row = this.#row(logTypes.consumption, '', details)
    const isLogged = this.#parts.settings.get('LogConsumeEnabled')
    const charged = await this.#bill.settle(quota, isLogged ? row : { ...row, unwritten: true })
    if (this.trace) this.trace.quota = charged
    const ms = performance.now() - this.#began
    const { model, streams } = this
    countCharged({ model, stream: streams, ms, firstTokenMs: undefined, input: 0, output: 0, quota: charged })
    return charged
  }

  /** Nothing is charged; the log says why. */
  async cancel(status: number, reason: string): Promise<void> {
    this.#incoming.transcript?.fail()
    await this.#bill.cancel(this.#row(logTypes.error, reason, { status_code: status }))
  }

  #row(type: number, content: string, details: object): LogRow {
    const { caller } = this.#admitted
    const ms = performance.now() - this.#began
    const found = this.guard?.tally.seen
    const inside = { ...(found && { guards: found }), ...(this.trace && { trace_id: this.trace.traceId }) }
    const given = this.#labels?.given
    const other = {
      ...details,
      ...(given !== undefined && { given_labels: given }),
      ...(Object.keys(inside).length > 0 && { admin_info: inside }),
    }
    return {
      created_at: this.#parts.now(),
      type,
      user_id: caller.userId,
      username: caller.username,
      token_id: caller.tokenId,
      token_name: caller.tokenName,
      model_name: this.model,
      channel_id: 0,
      group: this.#group,
      is_stream: this.streams ? 1 : 0,
      use_time: Math.round(ms / 1000),
      ms: Math.round(ms),
      prompt_tokens: 0,
      completion_tokens: 0,
      request_id: this.#incoming.requestId,
      labels: this.#labels?.counted,
      content,
      other: JSON.stringify(other),
    }
  }
}

function priceOf(
  { settings, prices }: RelayParts,
  { caller }: Admitted,
  { server, group, name, model }: Called,
): PriceSnapshot {
  const { userGroup } = caller
  const groupRatio = prices().groupRatio(group, userGroup)
  if (groupRatio === undefined) throw new AppError('price.unknown-group', { group })
  const quotaPerUnit = settings.get('QuotaPerUnit')
  return Object.freeze({
    kind: 'call',
    price: exact(divide(server.priceOf(name), quotaPerUnit)),
    quotaPerUnit,
    model,
    group,
    groupRatio,
    ...(ownRatio(settings.all, group, userGroup) !== undefined && { userGroup }),
  })
}
