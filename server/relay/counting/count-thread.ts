/** Counts tokens on a thread of its own, so that the event loop never does. */
import { hasSpareFiles } from '../../store/spare-files.ts'
import type { CountReply, CountRequest } from './count-protocol.ts'
import { lastSeam } from './last-seam.ts'
import { StreamText } from './stream-text.ts'
import { TokenCount } from './token-count.ts'
import type { TokenTables } from './token-tables.ts'

declare const self: Worker

type Counted = Exclude<CountRequest, { kind: 'forget' }>
type FramesRequest = Extract<CountRequest, { kind: 'frames' }>

interface Stream {
  readonly text: StreamText
  /** What came last, whose last word may go on. */
  uncounted: string
}

const streams = new Map<number, Stream>()

function countFrames(
  tokens: TokenCount,
  { stream, dialect, choices, bytes, first, last }: FramesRequest,
): number | null {
  if (first) streams.set(stream, { text: new StreamText(dialect, choices), uncounted: '' })
  const known = streams.get(stream)
  if (!known) return null
  const { text } = known
  let written = known.uncounted + text.push(bytes)
  if (last) {
    streams.delete(stream)
    written += text.end()
  }
  const end = last ? written.length : lastSeam(written)
  known.uncounted = written.slice(end)
  return tokens.count([written.slice(0, end)]) + text.takeMediaTokens()
}

function count(tokens: TokenCount, request: Counted): number | null {
  try {
    return request.kind === 'texts' ? tokens.count(request.texts) : countFrames(tokens, request)
  } catch {
    if (request.kind === 'frames') streams.delete(request.stream)
    return null
  }
}

function serve(tokens: TokenCount, request: CountRequest): void {
  if (request.kind === 'forget') {
    streams.delete(request.stream)
    return
  }
  self.postMessage({ id: request.id, tokens: count(tokens, request) } satisfies CountReply)
  tidyUp(sizeOf(request))
}

/** Left alone, the thread lets some twenty MB of old texts pile up before it collects them. */
const TIDY_AFTER = 4 * 1024 * 1024
let counted = 0

function tidyUp(size: number): void {
  counted += size
  if (counted < TIDY_AFTER) return
  counted = 0
  Bun.gc(true)
}

function sizeOf(request: Counted): number {
  if (request.kind === 'frames') return request.bytes.length
  return request.texts.reduce((sum, text) => sum + text.length, 0)
}

/** Without the tables it can do nothing, and whoever asked has to know. */
function fetchTables(onTables: (tables: TokenTables) => void): void {
  if (!hasSpareFiles()) process.exit(1)
  const thread = new Worker(new URL('./fill-thread.ts', import.meta.url), { smol: true })
  thread.onmessage = event => onTables(event.data as TokenTables)
  thread.onerror = () => process.exit(1)
}

/** What is asked before the tables are there. */
const early: CountRequest[] = []
self.onmessage = event => early.push(event.data as CountRequest)
fetchTables(tables => {
  const tokens = new TokenCount(tables)
  self.onmessage = event => serve(tokens, event.data as CountRequest)
  for (const request of early.splice(0)) serve(tokens, request)
})
