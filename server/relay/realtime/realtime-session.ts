import { parseObject } from '../../dialects/json.ts'
import { AppError } from '../../errors.ts'
import { log } from '../../log.ts'
import { counter } from '../../metrics.ts'
import { mayUseGroup } from '../../store/user-groups.ts'
import { admitAgain } from '../callers/authorise.ts'
import type { Caller } from '../callers/caller.ts'
import type { ClientSocket, SocketSession } from '../client-socket.ts'
import { IdleMessages } from '../idle-messages.ts'
import type { Live } from '../live-requests.ts'
import type { Order } from '../order/order.ts'
import { asProblem } from '../problems.ts'
import { scrub } from '../upstream/scrub.ts'
import { closeCodes, closeReason, isBreak, sendableCode } from './close-codes.ts'
import { scrubEvent, writeErrorEvent } from './error-event.ts'
import { type Frame, LARGEST_FRAME, MOST_WAITING } from './frame.ts'
import { refuseAccountFrame } from './guard-account-data.ts'
import { guardModel, type Refused } from './guard-model.ts'
import { readCreated, readDelta, readReport, responseOf, sortEvent } from './read-event.ts'
import { SessionBill } from './session-bill.ts'
import { TalkGuard } from './talk-guard.ts'
import type { UpstreamSocket } from './upstream-socket.ts'

const IDLE_MS = 30 * 60 * 1000
const CHECKPOINT_MS = 2000
/** An upstream gets this long to say what a response cost that nobody listens to any more. */
const HEAR_OUT_MS = 2000

const ends = counter('tollgate_relay_realtime_ends_total', 'Realtime sessions that ended, by who ended them.')

/** Why a session ends, and what its client is told when everything is paid. */
interface Ending {
  readonly by: 'client' | 'upstream' | 'us'
  readonly code: number
  readonly reason?: string
  /** A frame that may only be seen when it is paid. */
  readonly last?: Frame
  readonly error?: AppError
  /** Whoever talks is no longer let in: they are told at once, and only what they used is waited for. */
  readonly turnedOut?: AppError
}

function isRefused(guarded: Frame | Refused): guarded is Refused {
  return typeof guarded === 'object' && 'error' in guarded
}

/** For the log, when nothing was used. */
const unusedStatus = { client: 499, upstream: 502, us: 503 } as const

function logUnraised(error: unknown): void {
  log.warn('a hold could not be raised', { error })
}

const open = new Set<RealtimeSession>()

/** A worker that ends waits no longer than this: what is not paid by then is finished by the reaper. */
const ENDS_WITHIN_MS = 10_000

/** For a worker that ends: closes every session, and resolves when all of them are paid. */
export async function endRealtime(): Promise<void> {
  const ended = Array.from(open, session => session.end({ by: 'us', code: closeCodes.goingAway }))
  if (ended.length > 0) await Promise.race([Promise.all(ended), Bun.sleep(ENDS_WITHIN_MS)])
}

/**
 * A client and an upstream that talk to each other. Frames pass in their order; one that reports usage waits
 * until that is on disk, and those behind it wait with it. The bill is closed exactly once, whoever leaves.
 */
export class RealtimeSession implements Live, SocketSession {
  readonly #order: Order
  readonly #upstream: UpstreamSocket
  readonly #bill: SessionBill
  /** The operator's rules, where there are any. */
  readonly #guard: TalkGuard | undefined
  #client: ClientSocket | undefined
  /** The client's events that were refused. */
  readonly #refused = new IdleMessages()
  #heardAt = performance.now()
  #checkedAt = performance.now()
  /** Frames of the upstream that wait for the client to come, or for a charge to be on disk. */
  readonly #waiting: Frame[] = []
  #waitingLength = 0
  #working: Promise<void> | undefined
  #ending: Ending | undefined
  #finished: Promise<void> | undefined
  #isDeaf = false
  /** How the callers and the settings were when this one was last looked at, and until when the token is good. */
  #admittedAge: number | undefined
  #admittedUnder: unknown
  #expiresAt: number
  #isAsking = false
  /** Called when the upstream has reported its response, or is gone. */
  #heardOut: (() => void) | undefined

  constructor(order: Order, upstream: UpstreamSocket, quantum: number) {
    this.#order = order
    this.#upstream = upstream
    this.#bill = new SessionBill(order, quantum)
    this.#guard = order.guard && new TalkGuard(order.guard)
    this.#expiresAt = order.admitted.caller.expiresAt
    order.parts.live.add(this)
    open.add(this)
    order.incoming.trace?.keepOpen()
    upstream.listen({
      frame: frame => this.#hearUpstream(frame),
      closed: (code, reason) => this.#upstreamClosed(code, reason),
    })
  }

  tick(at: number): void {
    if (at - this.#heardAt > IDLE_MS) this.#stop({ by: 'us', code: closeCodes.normal, reason: 'idle' })
    if (this.#mayHaveChanged() && !this.#isAsking && !this.#ending) void this.#askAgain()
    if (at - this.#checkedAt < CHECKPOINT_MS || this.#isDeaf) return
    this.#checkedAt = at
    this.#bill.watch()
  }

  #mayHaveChanged(): boolean {
    const { callers, settings, now } = this.#order.parts
    if (callers.age !== this.#admittedAge || settings.all !== this.#admittedUnder) return true
    return this.#expiresAt !== -1 && this.#expiresAt <= now()
  }

  /** A session has no next request at which a user who was banned, or a token that is gone, would be refused. */
  async #askAgain(): Promise<void> {
    const { parts, incoming, model } = this.#order
    const { age } = parts.callers
    const { all: under } = parts.settings
    this.#isAsking = true
    try {
      const admitted = await admitAgain(parts, incoming, model)
      if (admitted instanceof AppError) return this.#turnOut(admitted)
      const refusal = this.#refuseGroup(admitted.caller)
      if (refusal) return this.#turnOut(refusal)
      this.#admittedAge = age
      this.#admittedUnder = under
      this.#expiresAt = admitted.caller.expiresAt
    } catch (error) {
      log.debug('a realtime session could not be looked at; it is asked again', { error })
    } finally {
      this.#isAsking = false
    }
  }

  /** Whose plan is over, or who was given another group, has this one's channels at its price no longer. */
  #refuseGroup({ userGroup }: Caller): AppError | undefined {
    const { group, book, parts, admitted } = this.#order
    if (!mayUseGroup(parts.settings, userGroup, group)) return new AppError('relay.group-denied', { group })
    const before = book.groupRatio(group, admitted.caller.userGroup)
    return book.groupRatio(group, userGroup) === before ? undefined : new AppError('relay.group-changed')
  }

  #turnOut(error: AppError): void {
    if (this.#ending) return
    const { incoming } = this.#order
    this.#send(writeErrorEvent(asProblem(error, incoming)))
    const reason = error.text(incoming.language)
    this.#stop({ by: 'us', code: closeCodes.policy, reason, turnedOut: error })
    this.#hangUp()
    this.#client = undefined
  }

  /** The client's connection is there. */
  attach(client: ClientSocket): void {
    this.#client = client
    if (!this.#finished) return this.#work()
    // The upstream was gone by then; what it said is why.
    for (const frame of this.#waiting.splice(0)) this.#pass(frame)
    void this.#finished.then(() => this.#hangUp())
  }

  hearClient(frame: Frame): void {
    if (this.#ending) return
    if (frame.length > LARGEST_FRAME) return this.#stop({ by: 'us', code: closeCodes.tooBig })
    this.#heardAt = performance.now()
    const { model: asked, upstreamModel: upstream } = this.#order
    const isOpened = this.#order.channel?.setting.allow_account_data
    let guarded = (isOpened ? undefined : refuseAccountFrame(frame)) ?? guardModel(frame, { asked, upstream })
    if (this.#guard && !isRefused(guarded)) guarded = this.#guard.readClient(guarded)
    if (isRefused(guarded)) {
      this.#send(writeErrorEvent(asProblem(guarded.error, this.#order.incoming), guarded.eventId))
      if (this.#refused.add()) this.#stop({ by: 'us', code: closeCodes.policy })
    } else if (!this.#upstream.send(guarded)) this.#stop({ by: 'us', code: closeCodes.busy })
    else void this.#bill.hear(guarded)?.then(error => error && this.#outOfMoney(error), logUnraised)
  }

  #outOfMoney(error: AppError): void {
    this.#stop({ by: 'us', code: closeCodes.policy, error })
  }

  clientClosed(code: number, reason: string): Promise<void> {
    this.#client = undefined
    return this.end({ by: 'client', code, reason })
  }

  /** The first reason counts. Resolves when everything is paid and closed. */
  end(ending: Ending): Promise<void> {
    this.#ending ??= ending
    this.#finished ??= this.#finish(ending).catch(error => {
      log.error('a realtime session did not end well', { requestId: this.#order.incoming.requestId, error })
    })
    return this.#finished
  }

  /** The same from inside, where nobody waits for it. */
  #stop(ending: Ending): void {
    // Who left meanwhile need not be told; who is still there is.
    if (this.#ending?.by === 'upstream') this.#ending = ending
    void this.end(ending)
  }

  #hearUpstream(frame: Frame): void {
    if (this.#isDeaf) return
    this.#heardAt = performance.now()
    if (frame.length > LARGEST_FRAME) return this.#stop({ by: 'us', code: closeCodes.tooBig })
    const isReady = this.#client !== undefined || this.#ending !== undefined
    if (isReady && !this.#working && this.#pass(frame)) return
    this.#waiting.push(frame)
    this.#waitingLength += frame.length
    if (this.#waitingLength > MOST_WAITING) this.#stop({ by: 'us', code: closeCodes.busy })
    else if (isReady) this.#work()
  }

  #upstreamClosed(code: number, reason: string): void {
    this.#heardOut?.()
    if (this.#ending) return
    const { channel, parts, model } = this.#order
    if (channel && isBreak(code)) {
      parts.health.failed(channel, model, { kind: 'server' })
      this.#order.failChannel()
    }
    const error = code === 1006 ? new AppError('relay.upstream-cut') : undefined
    if (error) this.#order.noteBreak('cut', asProblem(error, this.#order.incoming).message)
    this.#stop({ by: 'upstream', code, reason: this.#clean(reason), ...(error && { error }) })
  }

  /** Hands a frame on at once; false for one that has to be paid first. */
  #pass(frame: Frame): boolean {
    // Some gateways send events as bytes, and they cost as much.
    const text = frame.toString()
    const kind = sortEvent(text)
    if (kind === undefined) {
      this.#tell(frame)
      return true
    }
    const { usage } = this.#bill
    switch (kind) {
      case 'report':
        return false
      case 'error':
        this.#tell(this.#cleanEvent(text))
        return true
      case 'created':
        usage.noteCreated(readCreated(text))
        break
      case 'delta': {
        this.#order.noteFirstByte()
        const delta = readDelta(text)
        if (delta) usage.noteDelta(delta, responseOf(text))
      }
    }
    this.#tell(text)
    return true
  }

  #work(): void {
    this.#working ??= this.#workOff()
      .catch(error => {
        const { requestId } = this.#order.incoming
        log.error('a realtime session could not be charged', { requestId, error })
        this.#stop({
          by: 'us',
          code: closeCodes.failed,
          error: new AppError('server.internal', { requestId }),
        })
      })
      .finally(() => {
        this.#working = undefined
      })
  }

  /** We ended it, and what comes now is nobody's. */
  get #isCutOff(): boolean {
    return this.#ending?.by === 'us' && !this.#ending.turnedOut
  }

  /** What waits, one after the other, until we end the session ourselves. */
  async #workOff(): Promise<void> {
    while (this.#waiting.length > 0 && !this.#isCutOff) {
      const frame = this.#waiting.shift() ?? ''
      this.#waitingLength -= frame.length
      if (!this.#pass(frame)) await this.#charge(frame)
    }
  }

  /** A frame that reports usage is handed on when that is on disk. */
  async #charge(frame: Frame): Promise<void> {
    const text = frame.toString()
    const event = parseObject(text)
    const report = event && readReport(event)
    if (!report) return this.#tell(text)
    const refusal = await this.#bill.note(report)
    if (!this.#bill.usage.isResponding) this.#heardOut?.()
    const last = scrubEvent(event, said => this.#clean(said)) ?? text
    if (!refusal) return this.#tell(last)
    const code = refusal.code === 'relay.quota-ended' ? closeCodes.policy : closeCodes.busy
    this.#stop({ by: 'us', code, last, error: refusal })
  }

  async #finish({ by, code, reason, turnedOut }: Ending): Promise<void> {
    ends.increment({ by })
    if (by === 'client' || turnedOut) await this.#hearOut()
    await this.#working
    this.#isDeaf = true
    this.#upstream.close(code, reason)
    const isPaid = await this.#bill.settle(turnedOut?.status ?? unusedStatus[by])
    const { last, error } = this.#ending ?? {}
    if (isPaid && last !== undefined) this.#tell(last)
    for (const event of this.#guard?.breakOff() ?? []) this.#send(event)
    if (error) this.#send(writeErrorEvent(asProblem(error, this.#order.incoming)))
    this.#hangUp()
    this.#order.parts.live.remove(this)
    open.delete(this)
    this.#order.incoming.trace?.end()
  }

  /** The client left in the middle of a response: only the upstream can say what that has cost. */
  async #hearOut(): Promise<void> {
    if (!this.#bill.usage.isResponding) return
    const { promise, resolve } = Promise.withResolvers<void>()
    this.#heardOut = resolve
    // Without its id only the one of the conversation is meant, and others may be made beside that.
    for (const id of this.#bill.usage.responding)
      this.#upstream.send(JSON.stringify({ type: 'response.cancel', ...(id !== '' && { response_id: id }) }))
    await Promise.race([promise, Bun.sleep(HEAR_OUT_MS)])
  }

  /** What the upstream says, as far as the rules let it through. One that blocks ends the session. */
  #tell(frame: Frame): void {
    if (!this.#guard || typeof frame !== 'string') return this.#send(frame)
    for (const event of this.#guard.readUpstream(frame)) this.#send(event)
    const { refusal } = this.#guard
    if (!refusal || this.#ending) return
    this.#order.noteBreak('guard', asProblem(refusal, this.#order.incoming).message)
    this.#turnOut(refusal)
  }

  #send(frame: Frame): void {
    if (!this.#client || frame.length === 0) return
    // Too much waits already for this client.
    const isFull = this.#client.getBufferedAmount() > MOST_WAITING
    if (isFull || this.#client.send(frame) === 0) this.#stop({ by: 'us', code: closeCodes.busy })
  }

  #hangUp(): void {
    const { code, reason = '' } = this.#ending ?? { code: closeCodes.normal }
    this.#client?.close(sendableCode(code), closeReason(reason))
  }

  #cleanEvent(frame: string): Frame {
    const event = parseObject(frame)
    return (event && scrubEvent(event, text => this.#clean(text))) ?? frame
  }

  /** An upstream's words without what only the operator may know. */
  #clean(text: string): string {
    const { channel } = this.#order
    const address = URL.parse(this.#upstream.url)
    return channel ? scrub(text, channel, address ? [address.host, address.hostname] : []) : ''
  }
}
