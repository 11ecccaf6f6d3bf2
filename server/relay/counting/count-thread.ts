/** Counts tokens on a thread of its own, so that the event loop never does. */
import type { CountReply, CountRequest } from './count-protocol.ts'
import { countTokens } from './count-tokens.ts'
import { StreamText } from './stream-text.ts'

declare const self: Worker

const streams = new Map<number, StreamText>()

type FramesRequest = Extract<CountRequest, { kind: 'frames' }>

function countFrames({ stream, dialect, bytes, first, last }: FramesRequest): number | null {
  if (first) streams.set(stream, new StreamText(dialect))
  const text = streams.get(stream)
  if (!text) return null
  const written = text.push(bytes)
  if (!last) return countTokens([written])
  streams.delete(stream)
  return countTokens([written + text.end()])
}

function count(request: Exclude<CountRequest, { kind: 'forget' }>): number | null {
  try {
    return request.kind === 'texts' ? countTokens(request.texts) : countFrames(request)
  } catch {
    if (request.kind === 'frames') streams.delete(request.stream)
    return null
  }
}

self.onmessage = event => {
  const request = event.data as CountRequest
  if (request.kind === 'forget') streams.delete(request.stream)
  else self.postMessage({ id: request.id, tokens: count(request) } satisfies CountReply)
}
