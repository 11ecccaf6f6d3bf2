import type { JsonObject } from '../dialects/json.ts'
import type { Incoming } from '../relay/request/incoming.ts'

/** Sooner than any connection is closed for being silent, our own among them. */
const SILENCE_MS = 8000

const encoder = new TextEncoder()

interface Terms {
  readonly headers: Readonly<Record<string, string>>
  /** It is never streamed: what is said on the way is dropped. */
  readonly isWhole: boolean
  /** Called when the client of a stream has left. */
  readonly onLeave: () => void
}

/**
 * The answer to one request: plain JSON if it is there before anything else, and otherwise a stream of what is said on
 * the way to it. `work` is handed `say` for that, which tells whether it goes out, and resolves with the answer; it must
 * not reject.
 */
export async function reply(
  incoming: Incoming,
  work: (say: (message: JsonObject) => boolean) => Promise<JsonObject>,
  { headers, isWhole, onLeave }: Terms,
): Promise<Response> {
  const said: JsonObject[] = []
  let onSaid = (message: JsonObject): void => {
    said.push(message)
    begin()
  }
  let begin = (): void => {}
  const begun = new Promise<'begun'>(resolve => {
    if (!isWhole) begin = () => resolve('begun')
  })
  const silence = setTimeout(() => begin(), SILENCE_MS)
  const answer = work(message => {
    onSaid(message)
    return !isWhole
  })
  const first = await Promise.race([answer, begun])
  clearTimeout(silence)
  if (first !== 'begun')
    return new Response(JSON.stringify(first), {
      headers: { ...headers, 'content-type': 'application/json' },
    })

  let beat: Timer | undefined
  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      incoming.keepOpen()
      const write = (text: string): void => {
        try {
          controller.enqueue(encoder.encode(text))
        } catch {
          // The client has left: `cancel` has told.
        }
      }
      onSaid = message => write(frame(message))
      for (const message of said) write(frame(message))
      beat = setInterval(() => write(': waiting\n\n'), SILENCE_MS)
      void answer.then(message => {
        clearInterval(beat)
        write(frame(message))
        try {
          controller.close()
        } catch {
          // As above.
        }
      })
    },
    cancel() {
      clearInterval(beat)
      onLeave()
    },
  })
  return new Response(body, {
    headers: {
      ...headers,
      'content-type': 'text/event-stream',
      'cache-control': 'no-store',
      'x-accel-buffering': 'no',
    },
  })
}

function frame(message: JsonObject): string {
  return `event: message\ndata: ${JSON.stringify(message)}\n\n`
}
