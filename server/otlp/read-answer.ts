/** What a collector said to a batch. `said` is in its own words, for the log. */
export type CollectorAnswer = { readonly status: number; readonly said: string } & (
  | { readonly kind: 'taken'; readonly rejected: number }
  | { readonly kind: 'refused' }
  | { readonly kind: 'busy'; readonly afterMs: number | undefined }
)

/** Those that the protocol wants sent again; whatever else is no success is final. */
const busy = new Set([429, 502, 503, 504])
const LONGEST_WORDS = 300
const LONGEST_WAIT_MS = 30_000

export function readAnswer({ status, headers }: Response, text: string): CollectorAnswer {
  const body = parse(text)
  if (status >= 200 && status < 300) {
    const partial = asRecord(body.partialSuccess)
    const rejected = Number(partial.rejectedSpans ?? 0)
    const isCount = Number.isSafeInteger(rejected) && rejected > 0
    return { kind: 'taken', status, said: wordsOf(partial.errorMessage), rejected: isCount ? rejected : 0 }
  }
  const said = wordsOf(body.message)
  if (!busy.has(status)) return { kind: 'refused', status, said }
  return { kind: 'busy', status, said, afterMs: readWait(headers.get('retry-after')) }
}

/** Seconds, or a date. */
function readWait(header: string | null): number | undefined {
  if (!header) return undefined
  const ms = /^\d+$/.test(header) ? Number(header) * 1000 : Date.parse(header) - Date.now()
  return Number.isNaN(ms) ? undefined : Math.min(Math.max(ms, 0), LONGEST_WAIT_MS)
}

function parse(text: string): Record<string, unknown> {
  try {
    return asRecord(JSON.parse(text))
  } catch {
    return {}
  }
}

function asRecord(value: unknown): Record<string, unknown> {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {}
}

function wordsOf(value: unknown): string {
  return typeof value === 'string' ? value.slice(0, LONGEST_WORDS) : ''
}
