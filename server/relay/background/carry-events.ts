import type { Dialect } from '../../dialects/dialect.ts'
import { dialects } from '../../dialects/index.ts'
import { type JsonObject, parseObject } from '../../dialects/json.ts'
import { AppError } from '../../errors.ts'
import { log } from '../../log.ts'
import { readText } from '../../outbound/read-body.ts'
import { LARGEST_ANSWER, type ReadResult } from '../chat/ask-chat.ts'
import type { CallGuard } from '../guards/call-guard.ts'
import { readFrame, splitFrames, writeFrame } from '../guards/frame.ts'
import { GuardedStream } from '../guards/guarded-stream.ts'
import type { Live } from '../live-requests.ts'
import type { RelayParts } from '../parts.ts'
import { asProblem } from '../problems.ts'
import type { Incoming } from '../request/incoming.ts'
import { askKeeper, nobody } from '../stored-answers/ask-keeper.ts'
import { ClientGone } from '../stream/client-gone.ts'
import { ClientSink, streamTo } from '../stream/client-sink.ts'
import { UpstreamFailure } from '../upstream/upstream-failure.ts'
import { cleanError } from './clean-error.ts'
import { endJob } from './end-job.ts'
import type { JobForm, LastEvent } from './job-form.ts'
import { type Job, jobStates, makerOf } from './job-rows.ts'
import type { JobEvents } from './read-taken.ts'
import { SeenSearches } from './seen-searches.ts'
import { SeenWords } from './seen-words.ts'

const TYPE = 'text/event-stream; charset=utf-8'
const KEEP_ALIVE_MS = 15_000
/**
 * A vendor may never begin what its client leaves at the first word: so long it is listened to, whether or not there
 * is still a client.
 */
const LISTENED_MS = 5000

interface Carried {
  readonly parts: RelayParts
  readonly incoming: Incoming
  readonly job: Job
  readonly form: JobForm
  readonly guard: CallGuard | undefined
  readonly events: JobEvents
  /** The last event that the client has; undefined when it wants all of them. */
  readonly after?: LastEvent | undefined
}

interface Last {
  readonly frames: readonly string[]
  readonly ending: JsonObject
}

/**
 * Events of what is made in the background on their way to a client: as they come, through the rules for answers. The
 * one that ends the answer is handed over when it is paid. Whoever leaves, or is cut off, can have the rest later.
 */
export class CarriedEvents implements Live {
  readonly #carried: Carried
  readonly #dialect: Dialect
  /** Undefined where the client wants all of them. */
  readonly #isBehind: ReturnType<JobForm['behind']> | undefined
  readonly #guarded: GuardedStream | undefined
  readonly #seen: SeenWords
  readonly #searches: SeenSearches | undefined
  readonly #idleMs: number
  readonly #began = performance.now()
  #sink = new ClientSink(undefined)
  #heardAt = performance.now()
  #leftAt: number | undefined
  #started = false
  #isOver = false
  /** That it is over was told by its status alone: the end, if nothing follows that tells of the whole. */
  #mayBeLast: Last | undefined

  constructor(carried: Carried) {
    this.#carried = carried
    const { guard, parts, form, after } = carried
    this.#dialect = dialects[form.dialect]
    this.#isBehind = after === undefined ? undefined : form.behind(after)
    const rules = guard?.streamRules
    this.#guarded = guard && rules && new GuardedStream(form.dialect, rules, guard.tally)
    this.#seen = new SeenWords(parts, carried.job, form)
    this.#searches = form.endsBriefly ? new SeenSearches() : undefined
    this.#idleMs = parts.settings.get('UpstreamIdleSeconds') * 1000
    parts.live.add(this)
  }

  response(): Response {
    return streamTo(
      this.#carried.incoming,
      TYPE,
      sink => this.#run(sink),
      () => this.#leave(),
    )
  }

  tick(at: number): void {
    const { incoming, events } = this.#carried
    incoming.keepOpen()
    if (this.#leftAt !== undefined && at - this.#began > LISTENED_MS) return events.stop(new ClientGone())
    if (at - this.#heardAt > this.#idleMs) {
      // Who takes nothing for so long is as good as gone.
      if (!this.#sink.isDraining) return events.stop(new AppError('outbound.timeout'))
      this.#leave()
    }
    if (at - this.#sink.wroteAt > KEEP_ALIVE_MS && this.#leftAt === undefined)
      this.#sink.write(this.#dialect.keepAlive ?? '')
    void this.#noteSeen()
  }

  #noteSeen(): Promise<void> {
    return this.#seen
      .note()
      .catch(error => log.warn('what was read of a background response could not be noted', { error }))
  }

  #leave(): void {
    this.#leftAt ??= performance.now()
    this.#sink.leave()
    if (!this.#started)
      this.#run(this.#sink).catch(error => log.error('events could not be closed', { error }))
  }

  async #run(sink: ClientSink): Promise<void> {
    if (this.#started) return
    this.#started = true
    this.#sink = sink
    const { events, parts, incoming, job } = this.#carried
    let cut: Error | undefined
    try {
      await this.#take(events.first)
      while (!this.#isOver) {
        if (sink.isFull && this.#leftAt === undefined) {
          await sink.drain()
          this.#heardAt = performance.now()
        }
        const { done, value } = await events.reader.read().catch(error => this.#breakOff(error))
        if (done || !value) {
          await this.#endByStatus()
          break
        }
        this.#heardAt = performance.now()
        const text = events.frames.push(value)
        if (text !== '') await this.#take(text)
      }
      // It goes on, or what it came to could be had otherwise: nobody must take this for its end.
      if (!this.#isOver) cut = new Error('the events were cut off')
    } catch (error) {
      cut = error instanceof Error ? error : new Error(String(error))
      if (this.#leftAt === undefined)
        log.info('events of a background response were cut off', { request: job.request_id, error })
    } finally {
      events.stop(new ClientGone())
      void this.#noteSeen()
      parts.live.remove(this)
      sink.close(cut)
      incoming.trace?.end()
      incoming.transcript?.end()
    }
  }

  /** Behind what may be the end, a connection that breaks is as good as one that is closed. */
  #breakOff(error: unknown): ReadResult {
    if (!this.#mayBeLast) throw error
    return { done: true }
  }

  /** Whole events. Before the one that ends the answer goes out, the answer is paid. */
  async #take(text: string): Promise<void> {
    for (const raw of splitFrames(text)) {
      if (this.#isOver) return
      this.#searches?.hear(raw)
      const { ending, status } = endingOf(this.#carried.form, raw)
      const kept = this.#mayBeLast?.frames ?? []
      if (status) this.#mayBeLast = { frames: [...kept, raw], ending: status }
      else if (!this.#mayBeLast || readFrame(raw).json) await this.#pass([...kept, raw], ending)
      // What the vendor puts behind the last event is no event.
      else if (raw.includes('[DONE]')) await this.#endByStatus()
    }
  }

  async #endByStatus(): Promise<void> {
    if (this.#mayBeLast) await this.#pass(this.#mayBeLast.frames, this.#mayBeLast.ending)
  }

  async #pass(frames: readonly string[], ending: JsonObject | undefined): Promise<void> {
    const { parts, job, form } = this.#carried
    this.#mayBeLast = undefined
    if (ending) {
      await endJob(parts, job, form.endsBriefly ? await this.#whole(ending) : ending)
      this.#isOver = true
    }
    const told = frames.map(raw => clean(this.#carried, raw)).join('')
    const guarded = this.#guarded
    await this.#tell(guarded ? guarded.push(told) + (this.#isOver ? guarded.end() : '') : told)
    if (guarded?.refusal) this.#refuse(guarded, guarded.refusal)
    else if (ending && this.#leftAt === undefined) this.#sink.write(form.endMark)
  }

  /** An event that leaves out what was used ends nothing: the vendor tells it whoever asks. */
  async #whole(ending: JsonObject): Promise<JsonObject> {
    const { parts, job, form } = this.#carried
    const isTold = this.#dialect.readUsage(ending) !== undefined || job.state === jobStates.ended
    const keeper = isTold ? undefined : makerOf(parts, job)
    if (!keeper) return this.#searches?.addTo(ending) ?? ending
    const asking = { dialect: form.dialect, method: 'GET', path: `/${job.response_id}` } as const
    const response = await askKeeper(parts, nobody, keeper, asking)
    const told = parseObject(await readText(response, LARGEST_ANSWER))
    if (!told || !form.isOver(told)) throw new UpstreamFailure({ without: 'empty' })
    return told
  }

  /** What the rules block ends here for this client, whichever events it has. */
  #refuse(guarded: GuardedStream, refusal: AppError): void {
    this.#isOver = true
    const problem = asProblem(refusal, this.#carried.incoming)
    if (this.#leftAt === undefined)
      this.#sink.write(guarded.rewrite(this.#dialect.writeStreamProblem(problem)))
  }

  /** Before its first words go out they are noted: whoever has read them and cancels at once pays for the question too. */
  async #tell(text: string): Promise<void> {
    if (this.#leftAt !== undefined || text === '') return
    const isBehind = this.#isBehind
    const frames = splitFrames(text)
    for (const raw of frames) this.#seen.hear(raw)
    if (this.#seen.isNew) await this.#noteSeen()
    this.#sink.write(isBehind ? frames.filter(raw => isBehind(readFrame(raw).json)).join('') : text)
  }
}

/** What it ends with, or may end with; neither of any other event. */
function endingOf(form: JobForm, raw: string): { ending?: JsonObject; status?: JsonObject } {
  const event = form.endings.test(raw) ? readFrame(raw).json : undefined
  const told = event && form.toldIn(event)
  const status = event && form.statusIn?.(event)
  return { ...(told && form.isOver(told) && { ending: told }), ...(status && { status }) }
}

/** What failed may tell what only the operator may know. */
function clean({ parts, job, form }: Carried, raw: string): string {
  if (!/"errors?"|event: error/.test(raw)) return raw
  const frame = readFrame(raw)
  const channel = parts.channels.byId(job.channel_id)
  if (!frame.json || !channel) return raw
  for (const told of [frame.json, form.toldIn(frame.json)])
    if (told && cleanError(told, channel)) frame.isChanged = true
  return writeFrame(frame)
}
