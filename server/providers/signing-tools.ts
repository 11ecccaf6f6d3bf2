import type { Outbound } from '../outbound/client.ts'
import type { SigningTools } from './define.ts'

const EXCHANGE_MS = 30_000
const LARGEST_ANSWER = 1024 * 1024

export function signingTools(outbound: Pick<Outbound, 'fetch'>, proxy: string | undefined): SigningTools {
  return {
    now: Date.now,
    ask: (url, init) =>
      outbound.fetch(url, {
        policy: 'operator',
        method: init.method,
        headers: init.headers,
        ...(init.body === undefined ? {} : { body: init.body }),
        timeoutMs: EXCHANGE_MS,
        wholeMs: EXCHANGE_MS,
        maxBytes: LARGEST_ANSWER,
        ...(proxy ? { proxy } : {}),
      }),
  }
}
