/** A model provider on loopback that keeps its own record of what it produced. */
export interface Upstream {
  readonly url: string
  /** How many tokens each request got, by the provider's own count. */
  readonly produced: ReadonlyMap<string, number>
  /** Stops producing until `open` is called; streams stay connected. */
  close(): void
  open(): void
  stop(): Promise<void>
}

/** What a call asks of the provider: how many tokens, how many at a time, how long between. */
export interface Wanted {
  readonly tokens: number
  readonly atATime?: number
  readonly pauseMs?: number
  /** Fails: before the first token (0) or after so many. */
  readonly failsAfter?: number
}

export const TOKEN = 't'
/** Says that the answer is whole; one that stops without it broke off. */
export const END = '.'

export function startUpstream(): Upstream {
  const produced = new Map<string, number>()
  let gate: PromiseWithResolvers<void> | undefined

  async function* produce(id: string, wanted: Wanted, signal: AbortSignal): AsyncGenerator<string> {
    const { tokens, atATime = 2, pauseMs = 15, failsAfter = Number.POSITIVE_INFINITY } = wanted
    for (let made = 0; made < tokens && !signal.aborted; ) {
      if (made > 0 && pauseMs > 0) await Bun.sleep(pauseMs)
      if (made > 0) await gate?.promise
      const next = Math.min(atATime, tokens - made)
      if (made + next > failsAfter) return
      made += next
      produced.set(id, made)
      yield TOKEN.repeat(next)
    }
    if (!signal.aborted) yield END
  }

  const server = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    idleTimeout: 0,
    async fetch(request) {
      const { id, ...wanted } = (await request.json()) as Wanted & { id: string }
      if (wanted.failsAfter === 0) return new Response('overloaded', { status: 500 })
      return new Response(streamOf(produce(id, wanted, request.signal)))
    },
  })

  return {
    url: server.url.href,
    produced,
    close() {
      gate ??= Promise.withResolvers()
    },
    open() {
      gate?.resolve()
      gate = undefined
    },
    async stop() {
      gate?.resolve()
      await server.stop(true)
    },
  }
}

function streamOf(pieces: AsyncGenerator<string>): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder()
  return new ReadableStream({
    async pull(controller) {
      const { value, done } = await pieces.next()
      if (done) controller.close()
      else controller.enqueue(encoder.encode(value))
    },
    async cancel() {
      await pieces.return(undefined)
    },
  })
}
