import { logEndpoints } from '../../../../contract/logs.ts'
import { call } from '../../../api.ts'
import type { Billed } from '../talk/conversation.ts'
import { readBilled } from './read-billed.ts'

/** Milliseconds between looks. An answer is paid before its last words are sent; one that was stopped, soon after. */
const waits = [0, 250, 500, 1000, 2000, 4000]

/** What the books say about a request; undefined where they do not say it soon. */
export async function findBilled(requestId: string): Promise<Billed | undefined> {
  for (const wait of waits) {
    if (wait > 0) await new Promise(resolve => setTimeout(resolve, wait))
    try {
      const billed = readBilled(await call(logEndpoints.requestTrail, { params: { request_id: requestId } }))
      if (billed) return billed
    } catch {
      // Not known yet, or the connection is away: the estimate stands.
    }
  }
  return undefined
}
