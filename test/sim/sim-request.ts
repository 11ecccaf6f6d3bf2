import { AppError } from '../../server/errors.ts'
import type { Ledger } from '../../server/ledger/ledger.ts'
import type { LogRow } from '../../server/ledger/moves.ts'
import { isUnavailable } from '../../server/store/store-error.ts'
import type { Scheduler, SimProcess } from './scheduler.ts'
import { type Script, type SimStream, type SimUpstream, UpstreamFailure } from './sim-upstream.ts'

export const DEAREST_TOKEN = 9
/** Seconds since 1970. */
export const START = 1_800_000_000
const PRICE = '{"model":"m","group":"g"}'

export interface SimRequest extends Script {
  readonly userId: number
  readonly tokenId: number
  readonly limits: readonly number[] | undefined
  readonly labels: string | undefined
  readonly most: number
  readonly least: number
  readonly checkpointEvery: number
  /** The client leaves after so many tokens. */
  readonly leavesAfter: number
  /** The provider ignores the limit it was given. */
  readonly overruns: boolean
  /** How often a settlement that failed is tried before the gateway gives up. */
  readonly patience: number
  /** A plain answer for someone with plenty: nothing is set aside, and it is charged when it is there. */
  readonly isPaidAtOnce: boolean
  /** A plain answer: it is handed over when it is paid, and withheld when that fails. */
  readonly isWhole: boolean
  /** Its log row is one that no database takes. */
  readonly isMad: boolean
}

/** What the client saw; the naive model of what the books must say in the end. */
export interface Seen {
  readonly request: SimRequest
  /** The cost of the tokens that reached the gateway. */
  received: number
  /** The greatest checkpoint that the ledger has acknowledged. */
  acknowledged: number
  ending?: 'refused' | 'failed' | 'done' | 'left' | 'broken' | 'cut' | 'unsettled' | 'withheld'
  /** What the ledger said was charged. */
  amount: number
  /** When the client was told. */
  at: number
  /** Its process was in such trouble meanwhile that others may have taken it for dead. */
  wasDisturbed?: boolean
}

export interface Gateway {
  readonly scheduler: Scheduler
  readonly process: SimProcess
  readonly ledger: Ledger
  readonly upstream: SimUpstream
  /** Something happened that must never happen. */
  failed(error: unknown): void
}

/** The life of a relayed request, as far as money is concerned. */
export async function serve(gateway: Gateway, seen: Seen): Promise<void> {
  const { ledger, scheduler, process } = gateway
  const { request } = seen
  const tell: Tell = (ending, amount) => {
    scheduler.note(process.name, () => `${request.id}: client is told "${ending}", charged ${amount}`)
    Object.assign(seen, { ending, amount, at: scheduler.now })
  }
  if (request.isPaidAtOnce) return serveAtOnce(gateway, seen, tell)
  const terms = { most: request.most, least: request.least, price: PRICE }
  // The hold is committed while the upstream is connecting; nothing reaches the client before both are there.
  const [held, stream] = await Promise.allSettled([ledger.hold(request, terms), connect(gateway, request)])
  if (held.status === 'rejected') {
    expected(held.reason)
    return tell('refused', 0)
  }
  if (stream.status === 'rejected') return giveBack(gateway, request, tell)
  if (request.isWhole) return handOver(gateway, seen, stream.value, tell)
  const ending = await relay(gateway, seen, stream.value, held.value)
  if (seen.received === 0 && ending !== 'done') return giveBack(gateway, request, tell)
  const charged = await persist(gateway, request, () =>
    ledger.settle(request, seen.received, logRow(scheduler, request)),
  )
  if (charged === undefined) tell('unsettled', 0)
  else tell(ending, charged)
}

/** Once only: whoever waits for an answer is told soon, and then pays nothing. */
async function handOver(gateway: Gateway, seen: Seen, stream: SimStream, tell: Tell): Promise<void> {
  const { ledger, scheduler } = gateway
  const { request } = seen
  try {
    for (let cost = await stream.next(); cost !== undefined; cost = await stream.next()) seen.received += cost
  } catch (error) {
    if (!(error instanceof UpstreamFailure)) throw error
    return giveBack(gateway, request, tell)
  }
  try {
    tell(
      'done',
      await ledger.settle(request, seen.received, logRow(scheduler, request), { isWithheld: true }),
    )
  } catch (error) {
    expected(error)
    await ledger.release(request).catch(expected)
    tell('withheld', 0)
  }
}

/** Nothing reaches the client before all of it is there and paid. */
async function serveAtOnce(gateway: Gateway, seen: Seen, tell: Tell): Promise<void> {
  const { ledger, scheduler } = gateway
  const { request } = seen
  try {
    const stream = await connect(gateway, request)
    for (let cost = await stream.next(); cost !== undefined; cost = await stream.next()) seen.received += cost
  } catch (error) {
    if (!(error instanceof UpstreamFailure)) throw error
    return tell('failed', 0)
  }
  const terms = { charge: seen.received, price: PRICE, began: wallClock(scheduler) }
  try {
    const charged = await persist(gateway, request, () =>
      ledger.pay(request, terms, logRow(scheduler, request)),
    )
    tell(charged === undefined ? 'unsettled' : 'done', charged ?? 0)
  } catch (error) {
    expected(error)
    tell('refused', 0)
  }
}

type Tell = (ending: Seen['ending'], amount: number) => void

async function giveBack(gateway: Gateway, request: SimRequest, tell: Tell): Promise<void> {
  await persist(gateway, request, () => gateway.ledger.release(request))
  tell('failed', 0)
}

/** Before the first token another channel may be tried. */
async function connect({ upstream, process }: Gateway, request: SimRequest): Promise<SimStream> {
  try {
    return await upstream.connect(process, request)
  } catch {
    return upstream.connect(process, request)
  }
}

async function relay(
  gateway: Gateway,
  seen: Seen,
  stream: SimStream,
  held: number,
): Promise<'done' | 'left' | 'broken' | 'cut'> {
  const { ledger } = gateway
  const { request } = seen
  let amount = held
  let isCheckpointing = false
  for (let count = 1; ; count++) {
    if (!request.overruns && seen.received + DEAREST_TOKEN > amount * 0.8)
      amount = await extend(gateway, seen, amount)
    if (!request.overruns && seen.received + DEAREST_TOKEN > amount) return 'cut'
    let cost: number | undefined
    try {
      cost = await stream.next()
    } catch (error) {
      if (error instanceof UpstreamFailure) return 'broken'
      throw error
    }
    if (cost === undefined) return 'done'
    seen.received += cost
    if (count >= request.leavesAfter) return 'left'
    if (count % request.checkpointEvery !== 0 || isCheckpointing) continue
    isCheckpointing = true
    const used = Math.min(seen.received, amount)
    ledger
      .checkpoint(request, used)
      .then(isTaken => {
        if (isTaken) seen.acknowledged = Math.max(seen.acknowledged, used)
      }, expected)
      .finally(() => {
        isCheckpointing = false
      })
      .catch(gateway.failed)
  }
}

async function extend({ ledger }: Gateway, { request, received }: Seen, amount: number): Promise<number> {
  try {
    return await ledger.extend(request, { to: amount + request.most, least: received + DEAREST_TOKEN })
  } catch (error) {
    expected(error)
    return amount
  }
}

/** Tries again while the database and the journal both refuse; undefined when patience ran out. */
async function persist<T>(
  { scheduler, process }: Gateway,
  { patience }: SimRequest,
  act: () => Promise<T>,
): Promise<T | undefined> {
  for (let attempt = 1; attempt <= patience; attempt++) {
    try {
      return await act()
    } catch (error) {
      if (!isUnavailable(error)) throw error
      await scheduler.sleep(process, scheduler.random.between(50, 300))
    }
  }
  return undefined
}

/** A refusal or an absent database is part of life; anything else is a finding. */
function expected(error: unknown): void {
  if (!(error instanceof AppError)) throw error
}

function logRow(scheduler: Scheduler, { id, userId, tokenId, labels, isMad }: SimRequest): LogRow {
  return {
    created_at: wallClock(scheduler),
    type: 2,
    user_id: userId,
    username: `user ${userId}`,
    token_id: tokenId,
    token_name: `token ${tokenId}`,
    model_name: 'm',
    channel_id: 1,
    group: 'g',
    is_stream: 1,
    use_time: 0,
    prompt_tokens: isMad ? 1e300 : 1,
    completion_tokens: 1,
    request_id: id,
    labels,
    content: '',
    other: '',
  }
}

/** An hour passes in every ten simulated seconds, so that hours change while requests run. */
export function wallClock(scheduler: Scheduler): number {
  return START + Math.floor(scheduler.now * 0.36)
}
