import { AppError } from '../errors.ts'
import { asOutboundError } from './describe-failure.ts'

export interface BodyLimits {
  maxBytes?: number
  /** What the upstream says it will send; refused before it is read when that is already too much. */
  declaredBytes?: number
  /** The longest the upstream may stay silent while somebody waits for it. */
  idleMs?: number
  signal?: AbortSignal
  onEnd?: () => void
}

/** The same bytes under limits. Pulled chunk by chunk: nothing is read that nobody asked for. */
export function limitBody(
  source: ReadableStream<Uint8Array>,
  { maxBytes = Number.POSITIVE_INFINITY, declaredBytes = 0, idleMs, signal, onEnd }: BodyLimits,
): ReadableStream<Uint8Array> {
  const reader = source.getReader()
  let received = 0
  let failure: AppError | undefined

  async function next() {
    if (signal?.aborted) throw signal.reason
    if (declaredBytes > maxBytes) throw new AppError('outbound.too-large')
    const idle = idleMs === undefined ? undefined : setTimeout(giveUp, idleMs)
    const { done, value } = await reader.read().finally(() => clearTimeout(idle))
    if (failure) throw failure
    if (done) return null
    received += value.byteLength
    if (received > maxBytes) throw new AppError('outbound.too-large')
    return value
  }

  function giveUp() {
    failure = new AppError('outbound.timeout')
    // Ends the read that is waiting.
    reader.cancel(failure).catch(() => {})
  }

  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        try {
          const chunk = await next()
          if (chunk) return controller.enqueue(chunk)
          controller.close()
          onEnd?.()
        } catch (error) {
          controller.error(signal?.aborted ? signal.reason : asOutboundError(error))
          onEnd?.()
          reader.cancel().catch(() => {})
        }
      },
      async cancel(reason) {
        onEnd?.()
        await reader.cancel(reason)
      },
    },
    { highWaterMark: 0 },
  )
}
