import { mayNameFiles } from '../../dialects/file-names.ts'
import type { JsonObject } from '../../dialects/json.ts'
import { refuseField, refuseNamed } from '../../dialects/refuse.ts'
import { AppError } from '../../errors.ts'
import type { LineGuard } from '../../relay/guards/line-guard.ts'
import { refuseSensitiveWords } from '../../relay/request/sensitive-words.ts'
import { isSamePlace, type Place } from '../../relay/routing/place.ts'
import type { Settings } from '../../store/settings-snapshot.ts'
import { addSize, type Extent, newExtent } from '../batches/extent.ts'
import type { Sending } from '../batches/sending.ts'
import { ENDPOINT } from './account.ts'
import { markId } from './model-marks.ts'
import { type BatchRequest, readRequest, writeRequest } from './read-request.ts'
import { RequestSplitter } from './split-requests.ts'

/** As many as the vendor takes. */
const MOST_REQUESTS = 100_000
/** What is no longer is kept until a channel has it, and can be sent to the next. */
const KEPT_BYTES = 4 * 1024 * 1024

/** More than anybody compares with one another. */
const MOST_MODELS = 20

/** The requests for one of its models, and the most that they can use. */
export interface Share {
  readonly extent: Extent
  cacheWrites: 'minutes' | 'hour'
}

/** How one channel is sent them. */
export interface Sent {
  /** What its upstream calls a model; throws where it does not serve that. */
  readonly nameOf: (model: string) => string
  /** Our name for the batch, in the place of the first request's. */
  readonly mark: string
  /** All have come, and all but the end has gone: what is to happen before anything can begin. */
  readonly onReceived: () => Promise<void>
  /** Aborted if they are not to be had. */
  readonly broken: AbortController
}

/** The requests that a client sends, one by one looked at and written anew while they come. */
export class RequestSender {
  /** Of all of them; its model is that of the first. */
  readonly extent = newExtent()
  /** By their models, in the order in which they came up. */
  readonly shares = new Map<string, Share>()
  /** What the first request is called. */
  firstId = ''
  /** Throws where a model that comes up may not be asked. */
  admitModel: (model: string) => void = () => {}
  /** Where the files are that they name; undefined while they name none. */
  place: Place | undefined
  readonly #placeOf: (params: JsonObject) => Promise<Place | undefined>
  readonly #chunks: AsyncGenerator<Uint8Array>
  readonly #settings: Settings
  readonly #guard: LineGuard
  readonly #splitter = new RequestSplitter()
  readonly #ids = new Set<string>()
  #requests: (BatchRequest & { readonly sentId: string })[] = []
  /** How many have gone, and are not kept. */
  #gone = 0
  #bytes = 0
  #isOver = false
  /** What is wrong with one of them is wrong for every channel. */
  #reading: Promise<void> | undefined

  /** `placeOf` finds where the files of a request are, and throws where they are not the caller's. */
  constructor(
    sending: Sending,
    settings: Settings,
    guard: LineGuard,
    placeOf: (params: JsonObject) => Promise<Place | undefined>,
  ) {
    this.#placeOf = placeOf
    this.#chunks = sending.chunks()
    this.#settings = settings
    this.#guard = guard
  }

  /** That of the first request, and those of others that came along with it. */
  async findModels(mayNameFiles: boolean): Promise<readonly [string, ...string[]]> {
    while (this.extent.line_count === 0) await this.#readMore()
    // Only one account has the files that later ones may name: which, is best known before one is asked.
    while (mayNameFiles && this.isKept && !this.#isOver) await this.#readMore()
    const [, ...others] = this.shares.keys()
    return [this.extent.model, ...others]
  }

  /** Whether another channel can be sent all of them. */
  get isKept(): boolean {
    return this.#bytes <= KEPT_BYTES
  }

  /** What goes on to an upstream. Without its end it is no JSON: whatever breaks off begins nothing. */
  stream(sent: Sent): ReadableStream<Uint8Array> {
    const pieces = this.#write(sent)
    return new ReadableStream<Uint8Array>({
      async pull(controller) {
        try {
          const { done, value } = await pieces.next()
          if (done) controller.close()
          else controller.enqueue(Buffer.from(value))
        } catch (error) {
          sent.broken.abort(error)
          controller.error(error)
        }
      },
      async cancel() {
        await pieces.return()
      },
    })
  }

  async *#write({ nameOf, mark, onReceived }: Sent): AsyncGenerator<string, void> {
    let text = '{"requests":['
    let at = 0
    for (;;) {
      for (; at < this.extent.line_count; at++) {
        const request = this.#requests[at - this.#gone]
        if (!request) throw new Error('a request was sent on, and is not kept')
        const name = this.#nameAt(nameOf, request.model, at)
        text += (at === 0 ? '' : ',') + writeRequest(request, at === 0 ? mark : request.sentId, name)
      }
      if (!this.isKept) {
        this.#requests = []
        this.#gone = at
      }
      if (text !== '') yield text
      text = ''
      if (this.#isOver) break
      await this.#readMore()
    }
    await onReceived()
    yield ']}'
  }

  /** What has gone by and is not kept cannot be sent to another channel: that it is not served is its own fault then. */
  #nameAt(nameOf: Sent['nameOf'], model: string, at: number): string {
    try {
      return nameOf(model)
    } catch (error) {
      if (this.isKept || !(error instanceof AppError)) throw error
      throw new AppError('batch.request', { at, detail: error }, error)
    }
  }

  /** One reads at a time; others wait for the same. */
  async #readMore(): Promise<void> {
    this.#reading ??= this.#read().then(() => {
      this.#reading = undefined
    })
    await this.#reading
  }

  async #read(): Promise<void> {
    const { done, value } = await this.#chunks.next()
    if (!done) {
      this.#bytes += value.length
      for (const text of this.#splitter.push(value)) await this.#add(text)
      return
    }
    const around = this.#splitter.end()
    if (!around) refuseField('requests', 'field.list')
    if (this.extent.line_count === 0) refuseField('requests', 'field.some')
    const [other] = Object.keys(around)
    if (other !== undefined) refuseNamed(other.slice(0, 100))
    this.#isOver = true
  }

  async #add(text: string): Promise<void> {
    const { extent } = this
    try {
      const request = readRequest(text, this.#guard)
      refuseSensitiveWords(this.#settings, { text, json: request.params })
      if (extent.line_count >= MOST_REQUESTS)
        refuseField('requests', 'field.most-requests', { most: MOST_REQUESTS })
      if (this.#ids.has(request.customId)) refuseField('custom_id', 'field.repeated')
      if (extent.line_count === 0) this.#begin(request)
      const place = mayNameFiles(text) ? await this.#placeOf(request.params) : undefined
      if (place && this.place && !isSamePlace(place, this.place)) throw new AppError('kept.apart')
      this.place ??= place
      const share = this.shares.get(request.model) ?? this.#addModel(request.model)
      const sentId = markId(request.customId, [...this.shares.keys()].indexOf(request.model))
      addSize(extent, request.size)
      addSize(share.extent, request.size)
      if (request.cacheWrites === 'hour') share.cacheWrites = 'hour'
      this.#ids.add(request.customId)
      this.#requests.push({ ...request, sentId })
    } catch (error) {
      if (!(error instanceof AppError)) throw error
      throw new AppError('batch.request', { at: extent.line_count, detail: error }, error)
    }
  }

  #addModel(model: string): Share {
    if (this.shares.size >= MOST_MODELS) refuseField('model', 'field.most', { most: MOST_MODELS })
    this.admitModel(model)
    const share: Share = { extent: { ...newExtent(), endpoint: ENDPOINT, model }, cacheWrites: 'minutes' }
    this.shares.set(model, share)
    return share
  }

  #begin({ customId, model }: BatchRequest): void {
    this.firstId = customId
    this.extent.endpoint = ENDPOINT
    this.extent.model = model
  }
}
