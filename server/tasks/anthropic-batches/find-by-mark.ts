import { asArray, asObject, asText, type Json, parseObject } from '../../dialects/json.ts'
import type { RelayParts } from '../../relay/parts.ts'
import { LARGEST_JSON } from '../../relay/request/read-body.ts'
import type { Upstream } from '../ask-upstream.ts'
import type { BatchRow } from '../batches/batch-rows.ts'
import type { BatchReport } from '../batches/host.ts'
import { LOST_SECONDS } from '../batches/note-batch.ts'
import { LineSplitter } from '../batches/split-lines.ts'
import { PATH, spokenBy } from './account.ts'
import { openResults } from './open-results.ts'
import { readBatch, readTime } from './read-batch.ts'

/** By so much at most the vendor's clock and ours may differ. */
const CLOCKS_SECONDS = 3600
/** Of a hundred: no account begins so many batches before somebody has looked. */
const MOST_PAGES = 50

/**
 * The vendor keeps no name of ours for a batch, only for its requests: the first of them has the batch's own, and is
 * told with the results. So of those of the account that may be it, each is looked through when it has ended.
 */
export async function findByMark(
  parts: RelayParts,
  upstream: Upstream,
  batch: BatchRow,
): Promise<BatchReport | 'doubtful' | undefined> {
  const likely = await withoutKnown(parts, await listLikely(upstream, batch))
  const others = readOthers(batch)
  let isDoubtful = false
  for (const report of likely) {
    if (others.has(report.upstreamId)) continue
    const results = report.isOver
      ? await openResults(upstream, { upstream_id: report.upstreamId })
      : undefined
    if (results && (await hasMark(results, batch))) return report
    if (results) others.add(report.upstreamId)
    else if (!report.isOver || hasJustEnded(parts, report)) isDoubtful = true
  }
  if (isDoubtful) await noteOthers(parts, batch, others)
  return isDoubtful ? 'doubtful' : undefined
}

/** Begun since, and of as many requests. The newest come first. */
async function listLikely(upstream: Upstream, batch: BatchRow): Promise<BatchReport[]> {
  const since = batch.submitted_at - CLOCKS_SECONDS
  const found: BatchReport[] = []
  let after = ''
  for (let page = 0; page < MOST_PAGES; page++) {
    const from = after === '' ? '' : `&after_id=${encodeURIComponent(after)}`
    const list = asObject(await upstream.json({ path: `${PATH}?limit=100${from}`, headers: spokenBy() }))
    const batches = asArray(list?.data)
    for (const one of batches) {
      const report = createdAt(one) < since ? undefined : readBatch(one)
      if (report?.total === batch.line_count) found.push(report)
    }
    const last = batches.at(-1)
    const lastId = asText(asObject(last)?.id)
    // One that does not know pages tells the same again.
    if (list?.has_more !== true || !lastId || lastId === after || createdAt(last) < since) break
    after = lastId
  }
  return found
}

function createdAt(batch: Json | undefined): number {
  return readTime(asObject(batch)?.created_at)
}

/** Those that were begun here, and whose beginning was heard of, are no other's. */
async function withoutKnown({ store }: RelayParts, reports: BatchReport[]): Promise<BatchReport[]> {
  if (reports.length === 0) return []
  const ids = reports.map(({ upstreamId }) => upstreamId)
  const rows = await store.db
    .selectFrom('batches')
    .select('upstream_id')
    .where('upstream_id', 'in', ids)
    .execute()
  const known = new Set(rows.map(({ upstream_id }) => upstream_id))
  return reports.filter(({ upstreamId }) => !known.has(upstreamId))
}

/** What it has no results of may still get them, as one that is known to be ours may. */
function hasJustEnded(parts: RelayParts, { data }: BatchReport): boolean {
  return readTime(data.ended_at) + LOST_SECONDS + CLOCKS_SECONDS > parts.now()
}

async function hasMark({ body }: Response, { id }: BatchRow): Promise<boolean> {
  const lines = new LineSplitter(LARGEST_JSON)
  const isIt = (line: string | undefined): boolean =>
    line?.includes(id) === true && parseObject(line)?.custom_id === id
  for await (const chunk of body ?? []) {
    for (const line of lines.push(chunk)) if (isIt(line)) return true
    await Bun.sleep(0)
  }
  return isIt(lines.end())
}

/** Those that were looked through before, while others are still under way. */
function readOthers({ data }: BatchRow): Set<string> {
  return new Set(asArray(parseObject(data)?.others).flatMap(id => asText(id) ?? []))
}

async function noteOthers(
  { store }: RelayParts,
  { id, state }: BatchRow,
  others: ReadonlySet<string>,
): Promise<void> {
  await store.db
    .updateTable('batches')
    .set({ data: JSON.stringify({ others: [...others] }) })
    .where('id', '=', id)
    .where('state', '=', state)
    .execute()
}
