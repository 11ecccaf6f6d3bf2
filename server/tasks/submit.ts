import type { Json, JsonObject } from '../dialects/json.ts'
import { AppError } from '../errors.ts'
import { cost } from '../ledger/price/cost.ts'
import { toNumber } from '../ledger/price/decimal.ts'
import { PriceBook } from '../ledger/price/price-book.ts'
import { log } from '../log.ts'
import type { Admitted } from '../relay/callers/authorise.ts'
import { askFirst, guardTask } from '../relay/guards/admit-request.ts'
import type { CallGuard } from '../relay/guards/call-guard.ts'
import { enterLimits, hasLimits } from '../relay/limits/enter-limits.ts'
import { leastCost } from '../relay/order/group-prices.ts'
import { noteRefusal } from '../relay/order/note-refusal.ts'
import type { Order } from '../relay/order/order.ts'
import { takeOrder } from '../relay/order/take-order.ts'
import type { RelayParts } from '../relay/parts.ts'
import { asProblem } from '../relay/problems.ts'
import type { Channel } from '../relay/routing/channel.ts'
import { groupOf } from '../relay/routing/groups-in-turn.ts'
import { type Attempt, tryChannels } from '../relay/upstream/try-channels.ts'
import { isSurelyRefused } from '../relay/upstream/upstream-failure.ts'
import { accountOf, canAsk, Upstream } from './ask-upstream.ts'
import type { Book, OwnedCall, TaskProvider, TaskReport } from './define.ts'
import { takeReport } from './end-run.ts'
import { failedReport } from './failed-report.ts'
import { openRecord, updateRecord } from './records.ts'
import { findRun, moveRun, runStates, type TaskRun } from './runs.ts'
import { readWords, type TaskBody } from './task-words.ts'

/** A task to be submitted. */
export interface Submission {
  readonly provider: TaskProvider
  readonly action: string
  /** What it is routed and priced by. */
  readonly model: string
  /** Another name to price it by. */
  readonly priceName?: string | undefined
  /** How many units of its price it costs. */
  readonly calls?: number | undefined
  /** Whether its vendor has the last word on that: then it may be less, or more. */
  readonly vendorDecides?: boolean | undefined
  /** The task it goes on from: only the channel that made that one knows it. */
  readonly origin?: TaskRun | undefined
  /** What a person wrote, to be looked at for words that are not allowed. */
  readonly input: string
  /** What the record says was wanted, when that is not it. */
  readonly title?: string | undefined
  readonly state?: string | undefined
  readonly properties?: Readonly<Record<string, Json>> | undefined
  readonly hook?: string | undefined
  /** Asks an upstream; `id` is what the task is called here. */
  readonly ask: (upstream: Upstream, asked: { id: string; model: string }) => Promise<Accepted>
}

export interface Accepted {
  /** '' when there is nothing to ask after. */
  readonly upstreamId: string
  readonly report: TaskReport
  /** Of drawings. */
  readonly code?: number
  /** How much its vendor says that it is. */
  readonly calls?: number | undefined
  /** The vendor's answer. */
  readonly body: JsonObject
}

export interface Submitted {
  readonly id: string
  readonly action: string
  readonly accepted: Accepted
}

/** What is submitted, as it is read from a body; also from one in which something was masked. */
export type ReadTask = (body: TaskBody) => Submission | Promise<Submission>

/** The first look after this long, for a vendor that is quick. */
const FIRST_LOOK_SECONDS = 5
/** A submission that has left nothing open after this long has died with its process. */
const SUBMITTING_SECONDS = 20

/**
 * From the price set aside to the task accepted and paid for. In this order, so that whichever line a process
 * dies at, what was taken belongs to a task that runs, or comes back: the hold; the task's row with the hold's
 * name; the word that the hold is to be charged should nobody be left to say otherwise; the upstream; the row
 * with the upstream's name for it; the charge. A row that never got that name is failed and refunded later.
 */
export async function submitTask(call: OwnedCall, given: TaskBody, read: ReadTask): Promise<Submitted> {
  const { parts, incoming } = call
  const { submission: first, guard, body } = await readFirst(call, given, read)
  const { provider } = first
  const order = orderTask(call, first)
  order.guard = guard
  if (hasLimits(parts, call.admitted)) await enterLimits(order)
  const id = provider.newId()
  incoming.keepOpen()
  let isOpen = false
  try {
    const submission = guard?.asksFirst ? await readAgain(order, guard, body, first, read) : first
    const { calls = 1 } = submission
    const charge = cost(order.price, { calls })
    await order.bill.hold(charge, charge)
    await openRun(parts, order, submission, id, charge)
    isOpen = true
    const { vendorDecides } = submission
    const least = { calls: vendorDecides ? 1 : calls }
    if (!(await order.bill.checkpoint(leastCost(order, least)))) throw new AppError('store.unavailable')
    const { accepted, place } = await askChannels(order, submission, id)
    // What makes it more than was asked for, its vendor asks money for.
    const paid = vendorDecides ? (accepted.calls ?? calls) : Math.max(calls, accepted.calls ?? 0)
    // Now it is known in which of several groups it is paid, and how much it is.
    const isNews = order.groups !== undefined || vendorDecides
    if (isNews && !(await order.bill.checkpoint(cost(order.price, { calls: paid }))))
      throw new AppError('store.unavailable')
    await acceptRun(parts, order, submission, id, { accepted, place, calls: paid })
    await order.settleUsage({ calls: paid }, undefined, { task_id: id, action: submission.action })
    return { id, action: submission.action, accepted }
  } catch (error) {
    await giveUp(order, provider, isOpen ? id : undefined, error)
    throw error
  }
}

/** With what rules that look for themselves have masked in it. */
async function readFirst(
  { parts, incoming, admitted }: OwnedCall,
  body: TaskBody,
  read: ReadTask,
): Promise<{ submission: Submission; guard?: CallGuard; body: TaskBody }> {
  const submission = await read(body)
  if (parts.guards.areIdle) return { submission, body }
  const { model } = submission
  const guarded = guardTask({ parts, incoming, admitted, model }, readWords(body))
  if (!guarded) return { submission, body }
  return { ...guarded, submission: guarded.body === body ? submission : await read(guarded.body) }
}

/** With what others have masked in it. What they make of it has to cost what it did: anything else is no answer. */
async function readAgain(
  order: Order,
  guard: CallGuard,
  given: TaskBody,
  first: Submission,
  read: ReadTask,
): Promise<Submission> {
  const body = await askFirst(order, guard, readWords(given))
  const submission = body === given ? first : await read(body)
  if (submission.priceName === first.priceName && submission.calls === first.calls) return submission
  throw new AppError('guard.unanswered', { rule: guard.rules.input?.asked[0]?.name ?? '' })
}

function orderTask({ parts, incoming, admitted }: OwnedCall, submission: Submission): Order {
  const { origin, input, model } = submission
  const ordered = { model, stream: false }
  const refuse = (error: AppError): never => {
    noteRefusal(parts, incoming, admitted, ordered, error)
    throw error
  }
  const off = whatIsOff(parts, submission.provider.book)
  if (off) return refuse(new AppError(off))
  if (origin && !mayGoOn(parts, admitted, origin))
    return refuse(new AppError('relay.no-channel', { group: admitted.group, model }))
  const to = origin ? { ...admitted, pinned: origin.channel_id } : admitted
  const priced = pricedAs(parts, submission)
  const order = takeOrder(priced, incoming, to, ordered, { json: { prompt: input } })
  // What is charged by the token has no price before it is made.
  return order.price.kind === 'call' ? order : refuse(new AppError('price.unknown-model', { model }))
}

/**
 * Whether one of the caller's groups has the channel that made a task: with a token of a cheaper group nobody goes on
 * with what was made in another. A channel that is gone is not asked anyway.
 */
function mayGoOn({ channels }: RelayParts, { group, groups, pinned }: Admitted, origin: TaskRun): boolean {
  const channel = pinned === undefined ? channels.byId(origin.channel_id) : undefined
  return !channel || groupOf(channel, groups ?? [group]) !== undefined
}

/** What has begun before it was switched off goes on to its end. */
function whatIsOff({ settings }: RelayParts, book: Book): 'task.drawings-off' | 'task.tasks-off' | undefined {
  if (book === 'drawings') return settings.get('DrawingEnabled') ? undefined : 'task.drawings-off'
  return settings.get('TaskEnabled') ? undefined : 'task.tasks-off'
}

/** The same parts, in whose prices the model costs what another name does. */
function pricedAs(parts: RelayParts, { model, priceName }: Submission): RelayParts {
  if (priceName === undefined) return parts
  const price = parts.prices().price(priceName)
  if (price.kind !== 'call') return parts
  const { all } = parts.settings
  const book = new PriceBook({ ...all, ModelPrice: { ...all.ModelPrice, [model]: toNumber(price.price) } })
  return { ...parts, now: () => parts.now(), prices: () => book }
}

/** The channel that serves it, or the only one that can go on from what it made. */
async function askChannels(
  order: Order,
  { provider, origin, ask }: Submission,
  id: string,
): Promise<{ accepted: Accepted; place: Pick<Attempt, 'channel' | 'key'> }> {
  const { parts, incoming } = order
  const can = (channel: Channel): boolean => canAsk(provider, channel)
  const bound = origin && ((channel: Channel) => keyOf(parts, channel, origin.key_hash))
  const wanted = { can, isSurelyRefused, keyOf: bound }
  return tryChannels(order, wanted, async ({ channel, key, model }) => {
    const place = { channel, key }
    const account = accountOf(provider, channel)
    if (!account) throw new AppError('relay.bad-channel')
    const upstream = new Upstream(parts, account, place, incoming.request)
    return { accepted: await ask(upstream, { id, model }), place }
  })
}

/** The key that a task was submitted with: another account does not know the task. */
export function keyOf(parts: RelayParts, channel: Channel, hash: string): string | undefined {
  return channel.keys.find(key => hashKey(parts, key) === hash) ?? channel.key
}

export function hashKey({ store }: RelayParts, key: string): string {
  return store.cipher.hash('task-key', key)
}

async function openRun(
  parts: RelayParts,
  { admitted, incoming, model }: Order,
  submission: Submission,
  id: string,
  quota: number,
): Promise<void> {
  const { provider, action, input, title, state = '', properties = {}, hook = '', calls = 1 } = submission
  const { platform } = provider
  const { userId, tokenId } = admitted.caller
  const now = parts.now()
  await parts.store.transaction(async transaction => {
    await transaction
      .insertInto('task_runs')
      .values({
        id,
        platform,
        action,
        user_id: userId,
        token_id: tokenId,
        channel_id: 0,
        key_hash: '',
        model: model.slice(0, 255),
        groups: [admitted.group, ...(admitted.groups ?? [])].join(',').slice(0, 1000),
        calls,
        request_id: incoming.requestId,
        upstream_id: '',
        state: runStates.submitting,
        hook,
        submitted_at: now,
        deadline_at: now + provider.limitSeconds,
        next_poll_at: now + SUBMITTING_SECONDS,
        claim: '',
      })
      .execute()
    const record = { id, platform, userId, action, input: title ?? input, state, properties, quota, now }
    await openRecord(transaction, provider.book, record)
  })
}

/** Refused when it has been given up meanwhile: a process that slept too long must not bring it back. */
async function acceptRun(
  parts: RelayParts,
  order: Order,
  { provider }: Submission,
  id: string,
  found: { accepted: Accepted; place: Pick<Attempt, 'channel' | 'key'>; calls: number },
): Promise<void> {
  const { accepted, place, calls } = found
  const { report, upstreamId, code = 0 } = accepted
  const now = parts.now()
  const isDone = report.outcome === 'done' || upstreamId === ''
  const to = isDone ? runStates.done : runStates.running
  await parts.store.transaction(async transaction => {
    const isOurs = await moveRun(transaction, id, runStates.submitting, to, {
      channel_id: place.channel.id,
      key_hash: hashKey(parts, place.key),
      upstream_id: upstreamId.slice(0, 191),
      calls,
      next_poll_at: now + FIRST_LOOK_SECONDS,
    })
    if (!isOurs) throw new AppError('task.interrupted')
    const quota = cost(order.price, { calls })
    const submitted = { code, channelId: place.channel.id, quota }
    await updateRecord(transaction, provider.book, { id, report, now, submitted })
  })
}

/** The money goes back, and the record says why. */
async function giveUp(
  order: Order,
  provider: TaskProvider,
  id: string | undefined,
  error: unknown,
): Promise<void> {
  const { parts, incoming } = order
  const { status, message } = asProblem(error, incoming)
  await order.cancel(status, message)
  if (id === undefined) return
  try {
    const run = await findRun(parts.store, id)
    if (run) await takeReport(parts, provider, run, failedReport(message))
  } catch (failure) {
    log.warn('a task that was given up could not be marked; it will be', { task: id, error: failure })
  }
}
