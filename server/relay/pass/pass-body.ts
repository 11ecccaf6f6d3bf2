import { AppError } from '../../errors.ts'
import type { Sent } from '../request/incoming.ts'
import { LARGEST_JSON, readLimited, whyUnread } from '../request/read-body.ts'
import { ClientGone } from '../stream/client-gone.ts'
import type { UpstreamCall } from '../upstream/upstream-call.ts'

/** What says that it is no longer is held, and can be sent again. All else is handed on while it comes. */
const LARGEST_HELD = 1024 * 1024
export const LARGEST_PASSED = 128 * 1024 * 1024

/** What a client sends along. */
export interface PassBody {
  /** As the client calls it; '' where it does not. */
  readonly type: string
  /** How it is packed, where it is. */
  readonly coding: string | undefined
  /** All of it, where that is here. */
  readonly held: Uint8Array | undefined
  /** Undefined where nobody has said. */
  readonly length: number | undefined
  /** Whether it can still be sent from its beginning. */
  readonly isWhole: boolean
  /** Whether more of it is wanted than its client has sent. */
  readonly isAwaited: boolean
  /** What goes out; a client that sends too much stops the call. */
  send(upstream: UpstreamCall): Uint8Array | ReadableStream<Uint8Array> | undefined
}

/** `isRead`: it is to be looked at here, for which it has to be whole and unpacked. */
export async function readPassBody(sent: Sent, isRead: boolean): Promise<PassBody> {
  const { request } = sent
  const { headers, method } = request
  const announced = headers.get('content-length')
  const length = announced === null ? undefined : Number(announced)
  const isEmpty = length === 0 || (length === undefined && !headers.has('transfer-encoding'))
  if (isEmpty) return heldBody(request, undefined)
  if (method === 'GET' || method === 'HEAD') throw new AppError('pass.no-body', { method })
  if ((length ?? 0) > LARGEST_PASSED) throw new AppError('request.too-large', { limit: LARGEST_PASSED })
  if (isRead) return withBytes(heldBody(request, undefined), await readLimited(sent, LARGEST_JSON))
  if (length !== undefined && length <= LARGEST_HELD) return heldBody(request, await readBytes(request))
  return request.body ? new FlowingBody(request, request.body, length) : heldBody(request, undefined)
}

async function readBytes(request: Request): Promise<Uint8Array> {
  try {
    return await request.bytes()
  } catch (error) {
    throw whyUnread(error, request)
  }
}

/** The same with other bytes in it. */
export function withBytes(body: PassBody, held: Uint8Array): PassBody {
  return { ...body, coding: undefined, held, length: held.byteLength, send: () => held }
}

function heldBody({ headers }: Request, held: Uint8Array | undefined): PassBody {
  const type = headers.get('content-type') ?? ''
  const coding = headers.get('content-encoding') ?? undefined
  const length = held?.byteLength ?? 0
  return { type, coding, held, length, isWhole: true, isAwaited: false, send: () => held }
}

/** Handed on at the pace at which the upstream takes it, so that no more than a piece of it is ever here. */
class FlowingBody implements PassBody {
  readonly type: string
  readonly coding: string | undefined
  readonly held = undefined
  readonly length: number | undefined
  readonly #reader: ReadableStreamDefaultReader<Uint8Array>
  /** What was asked for and has not gone on yet: an attempt that fails leaves it to the next one. */
  #next: ReturnType<ReadableStreamDefaultReader<Uint8Array>['read']> | undefined
  #taken = 0

  constructor({ headers }: Request, body: ReadableStream<Uint8Array>, length: number | undefined) {
    this.type = headers.get('content-type') ?? ''
    this.coding = headers.get('content-encoding') ?? undefined
    this.length = length
    this.#reader = body.getReader()
  }

  get isWhole(): boolean {
    return this.#taken === 0
  }

  get isAwaited(): boolean {
    return this.#next !== undefined
  }

  send(upstream: UpstreamCall): ReadableStream<Uint8Array> {
    const pull = async (controller: ReadableStreamDefaultController<Uint8Array>): Promise<void> => {
      this.#next ??= this.#reader.read()
      const next = await this.#next.catch(() => new ClientGone())
      if (upstream.stoppedFor !== undefined) return
      const stop = (reason: Error): void => {
        upstream.stop(reason)
        controller.error(reason)
      }
      if (next instanceof ClientGone) return stop(next)
      this.#next = undefined
      if (next.done) return controller.close()
      this.#taken += next.value.byteLength
      if (this.#taken <= LARGEST_PASSED) return controller.enqueue(next.value)
      stop(new AppError('request.too-large', { limit: LARGEST_PASSED }))
    }
    return new ReadableStream({ pull }, { highWaterMark: 0 })
  }
}
