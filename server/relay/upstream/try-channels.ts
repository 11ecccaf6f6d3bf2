import { isUnsupported } from '../../dialects/refuse.ts'
import { AppError } from '../../errors.ts'
import { log } from '../../log.ts'
import { counter } from '../../metrics.ts'
import { type Claim, isRefusal, type Refusal } from '../../store/counters/counters.ts'
import { enterChannel } from '../limits/enter-channel.ts'
import { secondsOf } from '../limits/enter-limits.ts'
import type { Order } from '../order/order.ts'
import { countAttempt } from '../relay-figures.ts'
import type { Channel } from '../routing/channel.ts'
import type { Candidates } from '../routing/channel-index.ts'
import { type ChannelChoice, drawBy } from '../routing/choose-by.ts'
import { Attempts, type Preference } from '../routing/choose-channel.ts'
import { disableChannel } from '../routing/disable-channel.ts'
import type { Lack } from '../routing/fallbacks.ts'
import { candidatesFor } from '../routing/groups-in-turn.ts'
import { judgeFailure, type Verdict } from '../routing/judge-failure.ts'
import { mapModel } from '../routing/map-model.ts'
import { refusedFor } from '../routing/refused-for.ts'
import { GroupTurns } from './group-turns.ts'
import { isUnreached, UpstreamFailure } from './upstream-failure.ts'

const retries = counter('tollgate_relay_retries_total', 'Model calls that moved to another channel or key.')
retries.increment({}, 0)

export interface Wanted<Other = never> {
  /** Whether a channel is able to serve this kind of call at all. */
  readonly can: (channel: Channel) => boolean
  readonly prefer?: Preference | undefined
  /** The channels to ask, where it is not the model that says which. */
  readonly among?: Candidates | undefined
  /** For what must not be begun twice: whether a failure proves that nothing was begun. Others are asked only then. */
  readonly isSurelyRefused?: ((failure: UpstreamFailure) => boolean) | undefined
  /** The one key that knows what the call goes on from (a task, a stored response): no other is tried. */
  readonly keyOf?: ((channel: Channel) => string | undefined) | undefined
  /** Names a side errand such as counting tokens: its failures do not count against the channel's usual calls. */
  readonly errand?: string | undefined
  /**
   * Turns to other models where no channel could serve this one, or where it refused what another may take (too long,
   * filtered). Not called for other faults of the request: those are thrown, for the caller to hear.
   */
  readonly instead?: ((failure: unknown, lack: Lack) => Promise<Other>) | undefined
}

/** One attempt: the channel, the model as its upstream names it, and the key to use. */
export interface Attempt {
  readonly channel: Channel
  readonly model: string
  readonly key: string
}

/**
 * Asks one channel after the other until one answers: within the tier first, never one twice with the same key, and no
 * more often than the operator allows. What the last one said is what the caller is told.
 */
export async function tryChannels<Answer, Other = never>(
  order: Order,
  wanted: Wanted<Other>,
  ask: (attempt: Attempt) => Promise<Answer>,
): Promise<Answer | Other> {
  const choice = wanted.errand ? 'weight' : order.parts.settings.get('ChannelChoice')
  if (order.groups) order.turns ??= new GroupTurns(order)
  const attempts = attemptsAt(order, wanted, choice)
  let left = wanted.keyOf ? 0 : retriesOf(order)
  let last: unknown
  let hasFailed = false
  let limitedMs = Number.POSITIVE_INFINITY
  for (let channel = attempts.next(); channel; channel = attempts.next(left === 0)) {
    order.visit(channel, choice)
    const key = wanted.keyOf?.(channel) ?? attempts.takeKey(channel)
    if (key === undefined) continue
    // Nothing is awaited where nothing is limited.
    const place = order.turns || channel.limits ? await takePlace(order, channel) : undefined
    if (place && isRefusal(place)) {
      limitedMs = Math.min(limitedMs, place.waitMs)
      continue
    }
    const attempt = setOut(order, channel, key)
    if (hasFailed) retries.increment()
    try {
      const answer = await ask(attempt)
      noteAnswer(order, attempts, attempt)
      return answer
    } catch (error) {
      last = error
      order.incoming.trace?.noteFailure(error)
      if (place) await order.claims?.drop(place)
      if (!(error instanceof UpstreamFailure)) {
        attempts.abandoned()
        if (!isUnsupported(error)) throw error
        // Another upstream may be able to take what this one's dialect cannot say.
        order.tried.pop()
        continue
      }
      const verdict = reportFailure(order, attempts, attempt, error)
      const mayRetry = verdict.retry && (wanted.isSurelyRefused?.(error) ?? true)
      if (!mayRetry) return refuse(wanted, channel, error, told(error, verdict, attempts))
      if (left-- <= 0) return giveUp(wanted, told(error, verdict, attempts))
      hasFailed = true
      if (verdict.keyUnusable) last = told(error, verdict, attempts)
    }
  }
  order.leaveChannel()
  // A channel that was passed over for its limit may be able to do what the others cannot: come back later.
  if (!(last instanceof UpstreamFailure) && limitedMs < Number.POSITIVE_INFINITY)
    return giveUp(wanted, atTheirLimits(order, limitedMs))
  const word = lastWord(order, last, attempts)
  // None of them could be asked for such a thing: that is the request's own doing, and no other model's to mend.
  if (last !== undefined && !hasFailed) throw word
  return giveUp(wanted, word)
}

/** The channels that may be asked, in the order in which they are. */
function attemptsAt<Other>(order: Order, wanted: Wanted<Other>, choice: ChannelChoice): Attempts {
  const { parts, model } = order
  const { can, prefer, errand, among } = wanted
  return new Attempts({
    candidates: among ?? channelsOf(order),
    model: errand ? `${model} (${errand})` : model,
    health: parts.health,
    can,
    prefer,
    draw: drawBy(choice, order),
    own: order.own,
  })
}

function channelsOf(order: Order): Candidates {
  const { parts, model, admitted } = order
  return admitted.pinned === undefined
    ? candidatesFor(parts.channels, order, model)
    : only(order, admitted.pinned)
}

/** A place within the limits of the channel's group, and within its own: only that is given back when it fails. */
async function takePlace(order: Order, channel: Channel): Promise<Claim | Refusal | undefined> {
  const full = order.turns && (await order.turns.enter(channel))
  if (full) return full
  return channel.limits && enterChannel(order, channel, channel.limits)
}

/** From here on the order is with this channel. */
function setOut(order: Order, channel: Channel, key: string): Attempt {
  order.channel = channel
  order.key = key
  order.tried.push(channel.id)
  const model = mapModel(channel.mapping, order.model)
  order.upstreamModel = model
  order.incoming.trace?.noteTry(channel, model)
  return { channel, model, key }
}

function noteAnswer(order: Order, attempts: Attempts, { channel, key }: Attempt): void {
  order.incoming.trace?.noteAnswer()
  if (order.stream) attempts.began()
  else {
    attempts.succeeded(key)
    order.noteAnswered()
  }
  countAttempt(channel.id, 'ok')
}

/** How many more channels may be asked: a caller may want fewer than the operator allows. */
function retriesOf({ parts, failover }: Order): number {
  const most = parts.settings.get('RetryTimes')
  return failover?.retries === undefined ? most : Math.min(failover.retries, most)
}

async function giveUp<Other>(
  { instead }: Wanted<Other>,
  failure: unknown,
  lack: Lack = 'unserved',
): Promise<Other> {
  if (!instead) throw failure
  return instead(failure, lack)
}

/** The request is at fault, and other channels of the model would say the same; only another model may take it. */
function refuse<Other>(
  wanted: Wanted<Other>,
  { type }: Channel,
  failure: UpstreamFailure,
  word: unknown,
): Promise<Other> {
  const reason = failure.problem && refusedFor(type, failure.problem)
  if (!reason) throw word
  return giveUp(wanted, word, reason)
}

function reportFailure(
  order: Order,
  attempts: Attempts,
  { channel, key }: Attempt,
  failure: UpstreamFailure,
): Verdict {
  const { problem, without } = failure
  const verdict = judgeFailure(channel.type, { status: 0, ...problem, without })
  // While the channel has keys that work, it is only the key that rests.
  if (verdict.keyUnusable && retireKey(order, channel, key, verdict.reason, problem?.status))
    attempts.keyFailed(key)
  else if (verdict.cool) {
    const said = { kind: verdict.cool, status: problem?.status, retryAfter: problem?.retryAfter }
    const isSure = !order.own || isUnreached(failure.cause)
    if (!attempts.failed(said, key, isSure) && isSure) order.failChannel()
  } else attempts.abandoned()
  order.leaveChannel()
  order.noteFailure(verdict.reason)
  countAttempt(channel.id, without === 'lack' ? 'lack' : (verdict.cool ?? 'refused'))
  log.info('a channel failed', {
    requestId: order.incoming.requestId,
    channel: channel.id,
    model: order.model,
    reason: verdict.reason,
    ...(channel.keys.length > 1 && { keyNumber: channel.keys.indexOf(key) + 1 }),
  })
  return verdict
}

/**
 * Puts a key to rest. The last one that worked takes its channel out of service, if the operator wants that. Answers
 * whether the channel has others that work.
 */
function retireKey(
  { parts }: Order,
  channel: Channel,
  key: string,
  reason: string,
  status?: number,
): boolean {
  channel.setAside(key)
  parts.health.keysRest(channel, { kind: 'auth', status })
  if (channel.keyReadyAt === 0) return true
  if (!channel.autoBan || !parts.settings.get('AutomaticDisableChannelEnabled')) return false
  disableChannel(parts.store, channel, { reason, now: parts.now(), onDisabled: parts.onDisabled }).catch(
    error => log.error('a channel could not be disabled', { channel: channel.id, error }),
  )
  return false
}

/** What the caller hears of a failure. That the operator's key was refused is nothing a caller could mend. */
function told(
  failure: UpstreamFailure,
  { keyUnusable }: Pick<Verdict, 'keyUnusable'>,
  attempts: Attempts,
): unknown {
  const status = failure.problem?.status
  if (status === 429) {
    const retryAfter = attempts.worthAsking(failure.problem?.retryAfter ?? 5)
    return new AppError('relay.upstream-busy', { retryAfter }, failure)
  }
  if (keyUnusable || status === 401 || status === 402)
    return new AppError('relay.upstream-failed', {}, failure)
  return failure
}

function atTheirLimits({ model }: Order, waitMs: number): AppError {
  return new AppError('limit.channels', { model, retryAfter: secondsOf(waitMs) })
}

function lastWord({ model, admitted }: Order, last: unknown, attempts: Attempts): unknown {
  if (last instanceof UpstreamFailure) return told(last, { keyUnusable: false }, attempts)
  if (last) return last
  const retryAfter = attempts.retryAfter()
  if (retryAfter !== undefined) return new AppError('relay.upstream-busy', { retryAfter })
  return new AppError('relay.no-channel', { group: admitted.group, model })
}

/** The channel that an administrator has named. */
function only({ parts }: Order, id: number): Candidates {
  const channel = parts.channels.byId(id)
  if (!channel) throw new AppError('relay.bad-channel')
  if (!channel.isEnabled) throw new AppError('relay.channel-disabled')
  return [[channel]]
}
