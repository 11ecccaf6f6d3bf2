import { asArray, asNumber, asObject, asText, type Json, type JsonObject } from '../../dialects/json.ts'
import type { Upstream } from '../ask-upstream.ts'
import type { BatchRow } from '../batches/batch-rows.ts'

/** Under this the upstream keeps our name for it: what it took while we died can be found by that. */
export const OUR_NAME = 'gateway_batch'
/** By so much at most the vendor's clock and ours may differ. */
const CLOCKS_SECONDS = 86_400
/** Of a hundred: no account begins so many batches before somebody has looked. */
const MOST_PAGES = 50

/**
 * Where the newest come first, up to those that were there before it; others of the account may have begun any number
 * since.
 */
export async function findByName(
  upstream: Upstream,
  { id, submitted_at }: BatchRow,
): Promise<Json | undefined> {
  let after = ''
  for (let page = 0; page < MOST_PAGES; page++) {
    const from = after === '' ? '' : `&after=${encodeURIComponent(after)}`
    const list = asObject(await upstream.json({ path: `/v1/batches?limit=100${from}` }))
    const batches = asArray(list?.data)
    const found = batches.find(one => asObject(asObject(one)?.metadata)?.[OUR_NAME] === id)
    const last = asObject(batches.at(-1))
    const lastId = asText(last?.id)
    const [newest = submitted_at, oldest = submitted_at] = [asObject(batches[0]), last].map(timeOf)
    const isBefore = oldest <= newest && oldest < submitted_at - CLOCKS_SECONDS
    // One that does not know pages tells the same again.
    if (found || isBefore || list?.has_more !== true || !lastId || lastId === after) return found
    after = lastId
  }
  return undefined
}

function timeOf(batch: JsonObject | undefined): number | undefined {
  return asNumber(batch?.created_at)
}
