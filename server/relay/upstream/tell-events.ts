import { asOutboundError } from '../../outbound/describe-failure.ts'

const EVENTS = 'text/event-stream'
/** As long as the longest of the words with which a line of events begins. */
const TELLING = 6
const eventLine = /^(?:data:|event:|id:|retry:|:)/

/**
 * The same answer, called events if it is: servers that are put together by hand stream them as plain text, as JSON,
 * or say nothing of what it is. What it begins with tells.
 */
export async function tellEvents(response: Response): Promise<Response> {
  if (!response.body || (response.headers.get('content-type') ?? '').startsWith(EVENTS)) return response
  const reader = response.body.getReader()
  const decoder = new TextDecoder()
  const read: Uint8Array[] = []
  let begun = ''
  while (begun.length < TELLING) {
    const { done, value } = await reader.read().catch(error => {
      throw asOutboundError(error)
    })
    if (done) break
    read.push(value)
    begun = (begun + decoder.decode(value, { stream: true })).trimStart()
  }
  const body = new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        const { done, value } = read.length > 0 ? { done: false, value: read.shift() } : await reader.read()
        if (value) controller.enqueue(value)
        if (done) controller.close()
      },
      cancel: reason => reader.cancel(reason),
    },
    { highWaterMark: 0 },
  )
  const headers = new Headers(response.headers)
  if (eventLine.test(begun)) headers.set('content-type', EVENTS)
  return new Response(body, { status: response.status, headers })
}
