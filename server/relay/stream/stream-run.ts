import type { Problem, TokenUsage } from '../../dialects/spec.ts'
import { AppError } from '../../errors.ts'
import { log } from '../../log.ts'
import { counter } from '../../metrics.ts'
import { providerOf } from '../../providers/index.ts'
import type { ReadResult, StreamedChat } from '../chat/ask-chat.ts'
import type { ChatCall } from '../chat/chat-call.ts'
import { noteMade, noteStored } from '../chat/conversation.ts'
import { asSaid } from '../counting/count-answer.ts'
import { countInput, holdsUncounted } from '../counting/count-input.ts'
import { roughInput } from '../counting/estimate-input.ts'
import type { Live } from '../live-requests.ts'
import { settleAnswer } from '../openai-kept/settle-answer.ts'
import { believe, tellsAll } from '../order/charge-usage.ts'
import type { Order } from '../order/order.ts'
import { asProblem } from '../problems.ts'
import { type BrokenOff, blameChannel } from '../upstream/blame-channel.ts'
import { scrubProblem } from '../upstream/scrub.ts'
import { UpstreamFailure } from '../upstream/upstream-failure.ts'
import { ClientGone } from './client-gone.ts'
import { ClientSink, streamTo } from './client-sink.ts'
import type { Piece } from './conveyor.ts'

const CHECKPOINT_MS = 2000
/** An upstream that has said everything may take this long to hang up. */
const CLOSING_MS = 1000
/** If its usage is still to come, it may take this long. */
const READ_ON_MS = 20_000
const KEEP_ALIVE_MS = 15_000
/** More is set aside when this part of what is held is used up. */
const EXTEND_AT = 0.8
/** After the client has left: how long the upstream may take to tell what thoughts that nobody saw have cost. */
const HEAR_OUT_MS = 30_000
/** The same for input whose length only the vendor knows. */
const HEAR_READ_MS = 120_000

const cuts = counter('tollgate_relay_streams_cut_total', 'Streams that did not end well, by reason.')

/**
 * One streamed answer on its way to the client: forwards, keeps the clocks, and closes the bill exactly once,
 * whoever ends it. The frames that complete the answer are sent when the charge is on disk.
 */
export class StreamRun implements Live {
  readonly #order: Order
  readonly #call: ChatCall
  readonly #answer: StreamedChat
  readonly #idleMs: number
  #contentType = ''
  #sink = new ClientSink(undefined)
  #started = false
  #heardAt = performance.now()
  #checkedAt = performance.now()
  #closingAt: number | undefined
  /** Set when the client has left and the upstream is still read, only to learn what the answer costs. */
  #leftAt: number | undefined
  /** For how long at most. */
  #hearMs = HEAR_OUT_MS
  #extending = false
  #checkpointed = 0
  /** Input tokens, as near as is known before the upstream says. */
  readonly #input: number

  constructor(order: Order, call: ChatCall, answer: StreamedChat) {
    this.#order = order
    this.#call = call
    this.#answer = answer
    this.#idleMs = order.parts.settings.get('UpstreamIdleSeconds') * 1000
    this.#input = roughInput(call.outline.textLength)
    order.parts.live.add(this)
  }

  response(contentType: string): Response {
    this.#contentType = contentType
    return streamTo(
      this.#order.incoming,
      contentType,
      sink => this.#run(sink),
      () => this.#leave(),
    )
  }

  tick(at: number): void {
    this.#order.incoming.keepOpen()
    const { upstream, conveyor } = this.#answer
    if (this.#closingAt !== undefined) {
      const most = conveyor.awaitsUsage ? READ_ON_MS : CLOSING_MS
      if (at - this.#closingAt > most) upstream.stop(closedByUs)
    } else if (at - this.#heardAt > this.#idleMs) {
      if (this.#sink.isDraining) this.#leave()
      else upstream.stop(new AppError('outbound.timeout'))
    }
    if (this.#leftAt !== undefined && at - this.#leftAt > this.#hearMs) upstream.stop(new ClientGone())
    if (at - this.#sink.wroteAt > KEEP_ALIVE_MS) this.#keepAlive()
    if (at - this.#checkedAt < CHECKPOINT_MS) return
    this.#checkedAt = at
    this.#watchMoney(conveyor.certain)
  }

  /**
   * The client has left. The upstream is stopped, unless it has yet to tell a cost that cannot be counted here. A client
   * may leave before its stream is asked for: then nobody pulls, and the bill is closed from here.
   */
  #leave(): void {
    const { conveyor, upstream } = this.#answer
    const isUnseen = conveyor.tellsLater || this.#call.outline.acts || this.#hidesInput()
    if (isUnseen) this.#hearMs = HEAR_READ_MS
    if (isUnseen || conveyor.awaitsUsage || this.#hidesThoughts()) this.#leftAt ??= performance.now()
    else upstream.stop(new ClientGone())
    // Whoever stops an answer may ask the next question at once, however long this one is still read.
    if (this.#leftAt !== undefined) void this.#order.claims?.end(this.#order.estimatedTokens)
    this.#sink.leave()
    if (!this.#started)
      this.#run(this.#sink).catch(error => log.error('a stream could not be closed', { error }))
  }

  /** Hidden thoughts cost as much as words: a client that has seen words and leaves pays for the thoughts too. */
  #hidesThoughts(): boolean {
    const { channel, model, parts } = this.#order
    if (this.#answer.conveyor.guessed === 0 || !channel) return false
    return parts.hiddenThoughts.mayHide(channel.id, model, this.#call.outline.thinks)
  }

  /**
   * A client that has seen words about a file, sound or a picture and leaves before it is told what that comes to pays
   * for it too.
   */
  #hidesInput(): boolean {
    if (this.#answer.conveyor.guessed === 0 || this.#reported() !== undefined) return false
    const { model, parts } = this.#order
    return this.#call.outline.media.files.most > 0 || holdsUncounted(this.#call, model, parts.pictures)
  }

  async #run(sink: ClientSink): Promise<void> {
    if (this.#started) return
    this.#started = true
    this.#sink = sink
    const { first, reader, conveyor, ended, upstream } = this.#answer
    let { reading }: { reading?: Promise<ReadResult> | undefined } = this.#answer
    try {
      if (first !== undefined) this.#write(first)
      else if (reading) this.#keepAlive()
      let done = ended
      while (!done && !conveyor.problem && !conveyor.hasEnough && !conveyor.refusal) {
        if (sink.isFull && this.#leftAt === undefined && !conveyor.awaitsUsage) await this.#drain()
        const next = await (reading ?? reader.read())
        reading = undefined
        done = next.done
        if (next.done || !next.value) break
        this.#heardAt = performance.now()
        const piece = conveyor.take(next.value)
        if (piece !== undefined) this.#write(piece)
        sink.leaveBehind(next.value, conveyor.isFree === true)
        if (conveyor.closing && !conveyor.mayGoOn) this.#closingAt ??= this.#heardAt
      }
      if (conveyor.hasEnough) upstream.stop(closedByUs)
      await this.#conclude(conveyor.problem ? 'problem' : ended || conveyor.end() ? 'whole' : 'cut')
    } catch (error) {
      await this.#stopped(upstream.stoppedFor ?? error)
    } finally {
      this.#order.parts.live.remove(this)
      this.#order.recording?.drop()
      void this.#order.leave(this.#order.estimatedTokens)
      sink.close()
      this.#order.incoming.trace?.end()
      this.#order.incoming.transcript?.end()
    }
  }

  /** Reading failed: because we closed the connection, or because the upstream did. */
  async #stopped(reason: unknown): Promise<void> {
    if (reason === closedByUs) return this.#conclude(this.#answer.conveyor.end() ? 'whole' : 'cut')
    if (reason instanceof ClientGone) return this.#settlePart('client', reason)
    const isQuota = reason instanceof AppError && !reason.code.startsWith('outbound.')
    // The connection broke after everything had been said.
    if (!isQuota && this.#answer.conveyor.end()) return this.#conclude('whole')
    const isTimeout = reason instanceof AppError && reason.code === 'outbound.timeout'
    if (isTimeout) return this.#settlePart('timeout', new AppError('relay.upstream-slow', {}, reason))
    if (isQuota) return this.#settlePart('quota', reason)
    return this.#settlePart('cut', new AppError('relay.upstream-cut', {}, reason))
  }

  async #conclude(how: 'whole' | 'problem' | 'cut'): Promise<void> {
    const { conveyor, upstream } = this.#answer
    const { problem, refusal } = conveyor
    if (how === 'whole' && !refusal) return this.#settleWhole()
    upstream.stop(closedByUs)
    if (refusal) return this.#settlePart('guard', refusal)
    if (!problem || !this.#order.channel) return this.#settlePart('cut', new AppError('relay.upstream-cut'))
    const said = scrubProblem(problem, this.#order.channel, this.#order.channel.baseUrl ?? '')
    return this.#settlePart('problem', new UpstreamFailure({ problem: said }))
  }

  async #settleWhole(): Promise<void> {
    const { conveyor } = this.#answer
    this.#order.noteEnd()
    const told = conveyor.usageIsFinal ? this.#reported() : undefined
    const reported = tellsAll(told) ? told : undefined
    if (reported) this.#learn(reported)
    if (reported) conveyor.forget()
    const usage = reported ?? (await this.#counted())
    if (!reported) conveyor.supply(usage)
    const noting = noteStored(this.#order, this.#call, conveyor.stored)
    try {
      await settleAnswer(this.#order, usage, conveyor.stored)
    } catch (error) {
      // The charge is on no disk: then the client must not hold a finished answer.
      this.#order.noteBreak('unpaid')
      return this.#tellProblem(asProblem(error, this.#order.incoming))
    }
    await noting
    const rest = conveyor.rest()
    const { recording } = this.#order
    recording?.add(rest)
    recording?.finish(this.#contentType, { told: usage })
    this.#tell(rest)
  }

  /** The answer ends here and is not whole: what was produced is paid, and the client is told. */
  async #settlePart(
    reason: BrokenOff['reason'] | 'client' | 'quota' | 'guard',
    error: unknown,
  ): Promise<void> {
    const { conveyor } = this.#answer
    const problem = asProblem(error, this.#order.incoming)
    cuts.increment({ reason })
    this.#order.noteBreak(reason, problem.message)
    if (reason !== 'client' && reason !== 'quota' && reason !== 'guard')
      blameChannel(this.#order, { reason, problem: conveyor.problem })
    const usage = await this.#counted()
    // Vendors count the first token before they say it; who leaves then pays for what has been read.
    const said = reason === 'client' ? usage.output : await conveyor.count()
    const noting = noteMade(this.#order, conveyor.stored)
    const saidNothing = said === 0 && conveyor.toolUse === undefined
    try {
      if (saidNothing) await this.#order.cancel(problem.status, problem.message)
      else await settleAnswer(this.#order, usage, conveyor.stored)
    } catch (failure) {
      log.error('a broken stream could not be settled', {
        requestId: this.#order.incoming.requestId,
        error: failure,
      })
    }
    await noting
    if (!(error instanceof ClientGone)) this.#tellProblem(problem)
  }

  #tellProblem(problem: Problem): void {
    this.#order.incoming.transcript?.fail()
    this.#tell(this.#answer.conveyor.fail(problem))
  }

  /** From an answer that came whole, for those that will not. */
  #learn({ input, output, reasoning }: TokenUsage): void {
    const { channel, model, parts } = this.#order
    parts.pictures.learn(model, this.#call.outline, input, channel?.setting.system_prompt)
    const shown = this.#answer.conveyor.guessed
    if (!channel) return
    const isHidden = parts.hiddenThoughts.note(channel.id, model, { output, shown })
    // Where the vendor counts thoughts by themselves, the settlement learns from that.
    if (isHidden && !reasoning) parts.unseen.learn(model, output)
  }

  /** What the upstream has said so far, if it is to be believed. */
  #reported(): TokenUsage | undefined {
    const { channel, incoming } = this.#order
    if (channel && providerOf(channel.type)?.miscounts) return undefined
    return believe(this.#answer.conveyor.usage, incoming.requestId)
  }

  /** What the upstream has said so far, and for what it did not say our own count. */
  async #counted(): Promise<TokenUsage> {
    const { conveyor } = this.#answer
    const reported = this.#reported()
    const output = Math.max(reported?.output ?? 0, await conveyor.count())
    // What was reported last tells of all tools, what was reported before of none.
    const { toolUse } = conveyor
    // A report of that much output is taken as it is: it also tells how the output divides.
    if (reported && reported.input > 0 && reported.output >= output)
      return toolUse ? { ...toolUse, ...defined(reported) } : reported
    const input = reported?.input || (await countInput(this.#order.parts.counter, this.#call))
    return { ...toolUse, ...defined(asSaid(this.#call, { ...reported, input, output })) }
  }

  /** Says what is certainly used, in case this process dies, and sets more aside before it runs out. */
  #watchMoney(certain: number): void {
    const { bill } = this.#order
    const charge = certain > 0 ? this.#order.costOf({ input: 0, output: certain }) : 0
    if (charge > this.#checkpointed) {
      this.#checkpointed = charge
      bill.checkpoint(charge).catch(error => log.warn('a checkpoint failed', { error }))
    }
    if (this.#extending || this.#likelyCost() < bill.granted * EXTEND_AT) return
    this.#extending = true
    this.#extend()
      .catch(error => log.warn('a hold could not be raised', { error }))
      .finally(() => {
        this.#extending = false
      })
  }

  /** A guess from the bytes may be several times too high: nobody's answer is ended before it is counted. */
  async #extend(): Promise<void> {
    const { conveyor, upstream } = this.#answer
    if (await this.#extendTo(this.#likelyCost())) return
    await conveyor.catchUp()
    if (!(await this.#extendTo(this.#likelyCost()))) upstream.stop(new AppError('relay.quota-ended'))
  }

  #extendTo(likely: number): Promise<boolean> {
    return this.#order.bill.extend(likely * 2, likely)
  }

  #likelyCost(): number {
    const { guessed } = this.#answer.conveyor
    return this.#order.costOf(asSaid(this.#call, { input: this.#input, output: guessed }))
  }

  #keepAlive(): void {
    const { keepAlive } = this.#call.dialect
    if (keepAlive === undefined || this.#call.route.asArray) return
    if (this.#closingAt !== undefined && !this.#answer.conveyor.awaitsUsage) return
    this.#tell(keepAlive)
  }

  #write(piece: Piece): void {
    const { isOpening, closing } = this.#answer.conveyor
    if (isOpening !== true || closing) this.#order.noteFirstByte()
    // Here and not where the transcript hears: signs of life and errors are no part of an answer, and one that is
    // read on for what it cost is kept although its client has left.
    this.#order.recording?.add(piece)
    this.#tell(piece)
  }

  /** A client that has left or stopped reading gets no more: the end of the answer must not follow a gap. */
  #tell(piece: Piece): void {
    if (this.#leftAt === undefined) this.#sink.write(piece)
  }

  async #drain(): Promise<void> {
    try {
      await this.#sink.drain()
    } catch (error) {
      if (this.#leftAt === undefined) throw error
    }
    this.#heardAt = performance.now()
  }
}

/** Without the fields that say nothing, which would hide those of the object that this is spread over. */
function defined(usage: TokenUsage): TokenUsage {
  const { searches, tools, pictures, ...others } = usage
  return {
    ...others,
    ...(searches === undefined ? {} : { searches }),
    ...(tools === undefined ? {} : { tools }),
    ...(pictures === undefined ? {} : { pictures }),
  }
}

/** Everything was said; the upstream only did not hang up. */
const closedByUs = new Error('the answer was complete')
