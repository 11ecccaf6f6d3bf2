import { createParser } from 'eventsource-parser'
import { askModel } from '../../../ask-model.ts'
import type { Usage } from '../talk/conversation.ts'
import { readChunk, readFailure } from './read-chunk.ts'
import type { ChatBody } from './request-body.ts'

export interface Heard {
  onOpen(requestId: string): void
  onDelta(text: string, reasoning: string): void
  onUsage(usage: Usage): void
  onLimited(): void
}

/** A stream that told an error, or a call that was refused. `data` is what came. */
export class ChatError extends Error {
  override readonly name = 'ChatError'
  readonly status: number
  readonly data: string
  readonly code: string
  constructor(status: number, message: string, data: string, code: string) {
    super(message)
    this.status = status
    this.data = data
    this.code = code
  }
}

/** Resolves when the answer is whole. Throws a ChatError, or what fetch throws when the line is cut or stopped. */
export async function streamChat(
  body: ChatBody & { readonly group: string },
  heard: Heard,
  signal: AbortSignal,
): Promise<void> {
  const response = await askModel(body, signal)
  heard.onOpen(response.headers.get('x-oneapi-request-id') ?? '')
  if (!response.ok || !response.body) throw await refusalOf(response)
  await readEvents(response.body, response.status, heard)
}

async function refusalOf(response: Response): Promise<ChatError> {
  const data = await response.text()
  const { message, code } = readFailure(data)
  return new ChatError(response.status, message || response.statusText, data, code)
}

async function readEvents(
  body: ReadableStream<Uint8Array<ArrayBuffer>>,
  status: number,
  heard: Heard,
): Promise<void> {
  let isDone = false
  const parser = createParser({
    onEvent({ event, data }) {
      const chunk = readChunk(event, data)
      if (chunk.kind === 'error') throw new ChatError(status, chunk.message, data, chunk.code)
      if (chunk.kind === 'done') isDone = true
      if (chunk.kind !== 'delta') return
      if (chunk.text || chunk.reasoning) heard.onDelta(chunk.text, chunk.reasoning)
      if (chunk.usage) heard.onUsage(chunk.usage)
      if (chunk.limited) heard.onLimited()
    },
  })
  for await (const text of textOf(body)) parser.feed(text)
  if (!isDone) throw new ChatError(status, '', '', 'cut')
}

/** Streams cannot be iterated everywhere yet. */
async function* textOf(body: ReadableStream<Uint8Array<ArrayBuffer>>): AsyncGenerator<string> {
  const reader = body.pipeThrough(new TextDecoderStream()).getReader()
  for (;;) {
    const { done, value } = await reader.read()
    if (done) return
    yield value
  }
}
