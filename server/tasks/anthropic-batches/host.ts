import { dialects } from '../../dialects/index.ts'
import { asObject, asText, type JsonObject } from '../../dialects/json.ts'
import { AppError } from '../../errors.ts'
import { UpstreamFailure } from '../../relay/upstream/upstream-failure.ts'
import type { Upstream } from '../ask-upstream.ts'
import type { BatchRow } from '../batches/batch-rows.ts'
import type { Answered, BatchHost, BatchReport } from '../batches/host.ts'
import { placeOf } from '../batches/place-of.ts'
import { account, ENDPOINT, PLATFORM, pathOf, spokenBy } from './account.ts'
import { findByMark } from './find-by-mark.ts'
import { readMark } from './model-marks.ts'
import { openResults } from './open-results.ts'
import { readBatch } from './read-batch.ts'

/** Anthropic, whose batches bring their requests along, and are answered by lines of their own. */
export const anthropicHost: BatchHost = {
  platform: PLATFORM,
  runs: endpoint => endpoint === ENDPOINT,
  unknown: id => new AppError('batch.not-found', { id }),
  placeOf: (parts, batch) => placeOf(parts, account, batch),
  look,
  find: findByMark,
  openOutput: async (upstream, batch, { completed }) =>
    completed === 0 ? 'none' : openResults(upstream, batch),
  tellsEach: true,
  readAnswer,
  says: () => true,
  keepOutput: async () => ({}),
  failedData({ now }, { line_count }) {
    const request_counts = { processing: 0, succeeded: 0, errored: line_count, canceled: 0, expired: 0 }
    const ended_at = new Date(now() * 1000).toISOString()
    return JSON.stringify({ processing_status: 'ended', request_counts, ended_at, is_lost: true })
  },
}

async function look(upstream: Upstream, batch: BatchRow): Promise<BatchReport | 'unknown'> {
  try {
    const report = readBatch(await upstream.json({ path: pathOf(batch), headers: spokenBy() }))
    if (!report) throw new UpstreamFailure({ without: 'empty' })
    return report
  } catch (error) {
    if (error instanceof UpstreamFailure && saysUnknown(error)) return 'unknown'
    throw error
  }
}

/** In the vendor's form: a page that is not there, or a wrong address, says nothing of what was asked after. */
function saysUnknown({ problem }: UpstreamFailure): boolean {
  return problem?.status === 404 && problem.code === 'not_found_error'
}

/** What failed, expired or was cancelled costs nothing. */
function readAnswer(batch: BatchRow, line: JsonObject): Answered | undefined {
  const result = asObject(line.result)
  if (result?.type !== 'succeeded') return undefined
  const usage = dialects.anthropic.readUsage(asObject(result.message) ?? {})
  const { model } = readMark(batch, asText(line.custom_id) ?? '')
  return { usage, answers: 1, isCounted: true, model }
}
