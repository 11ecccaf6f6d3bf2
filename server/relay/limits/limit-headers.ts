import type { Figure, Figures } from '../../store/counters/counters.ts'

/** In the words that clients of OpenAI look for; nothing where nothing is limited. */
export function writeLimitHeaders(headers: Headers, { requests, tokens }: Figures): void {
  if (requests) write(headers, 'requests', requests)
  if (tokens) write(headers, 'tokens', tokens)
}

function write(headers: Headers, of: 'requests' | 'tokens', { limit, left, resetMs }: Figure): void {
  headers.set(`x-ratelimit-limit-${of}`, String(limit))
  headers.set(`x-ratelimit-remaining-${of}`, String(left))
  headers.set(`x-ratelimit-reset-${of}`, `${Math.ceil(resetMs / 1000)}s`)
}
