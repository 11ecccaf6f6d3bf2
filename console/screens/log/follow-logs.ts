import { createParser } from 'eventsource-parser'
import type { LogView } from '../../../contract/logs.ts'

/** `refused`: the server will not; asking again at once would not help. */
export type FollowState = 'connecting' | 'open' | 'lost' | 'refused'

interface Following {
  path: string
  /** Besides what every such request has. */
  headers?: Record<string, string>
  /** The newest row that is here already; 0 for none. Asked anew whenever the connection is. */
  after(): number
  onRow(row: LogView): void
  onState(state: FollowState): void
  signal: AbortSignal
  /** Milliseconds before the connection is tried again; longer each time it fails. */
  firstWait?: number
}

const LONGEST_WAIT = 30_000

/** Hears every new row until the signal says to stop; comes back when the connection is lost. */
export async function followLogs(following: Following): Promise<void> {
  const { path, headers, after, onRow, onState, signal, firstWait = 2000 } = following
  let wait = firstWait
  while (!signal.aborted) {
    onState('connecting')
    try {
      const response = await fetch(`${path}?after_id=${after()}`, {
        headers: { Accept: 'text/event-stream', ...headers },
        cache: 'no-store',
        signal,
      })
      if (response.status >= 400 && response.status < 500) onState('refused')
      else if (response.ok && response.body) {
        onState('open')
        wait = firstWait
        // The server ends each stream after a while; whoever comes back is told what was written meanwhile.
        await readRows(response.body, onRow)
      } else onState('lost')
    } catch {
      if (!signal.aborted) onState('lost')
    }
    await pause(wait, signal)
    wait = Math.min(wait * 2, LONGEST_WAIT)
  }
}

async function readRows(body: ReadableStream<Uint8Array>, onRow: (row: LogView) => void): Promise<void> {
  const parser = createParser({
    onEvent: ({ data }) => {
      const row = readRow(data)
      if (row) onRow(row)
    },
  })
  const decoder = new TextDecoder()
  const reader = body.getReader()
  for (;;) {
    const { value, done } = await reader.read()
    if (done) return
    parser.feed(decoder.decode(value, { stream: true }))
  }
}

function readRow(data: string): LogView | undefined {
  try {
    const row: LogView | null = JSON.parse(data)
    return row && Number.isSafeInteger(row.id) ? row : undefined
  } catch {
    return undefined
  }
}

function pause(milliseconds: number, signal: AbortSignal): Promise<void> {
  return new Promise(resolve => {
    const timer = setTimeout(resolve, milliseconds)
    signal.addEventListener('abort', () => {
      clearTimeout(timer)
      resolve()
    })
  })
}
