import { asArray, asNumber, asObject, type JsonObject } from '../../dialects/json.ts'
import { readUsage as readChatUsage } from '../../dialects/openai-chat/read-usage.ts'
import { readUsage as readResponsesUsage } from '../../dialects/openai-responses/read-usage.ts'
import type { TokenUsage } from '../../dialects/spec.ts'
import { AppError } from '../../errors.ts'
import { readPlainUsage } from '../../relay/plain/read-usage.ts'
import { saysUnknown } from '../../relay/upstream/says-unknown.ts'
import { UpstreamFailure } from '../../relay/upstream/upstream-failure.ts'
import type { Upstream } from '../ask-upstream.ts'
import type { BatchRow } from '../batches/batch-rows.ts'
import type { Answered, BatchHost, BatchReport } from '../batches/host.ts'
import { placeOf } from '../batches/place-of.ts'
import { account, PLATFORM } from './account.ts'
import { addFile } from './add-file.ts'
import { findByName } from './find-by-name.ts'
import { readBatch } from './read-batch.ts'
import { endpoints } from './read-line.ts'

const IDLE_MS = 60_000

/** OpenAI, whose batches are made of files and answered in files. */
export const openaiHost: BatchHost = {
  platform: PLATFORM,
  runs: endpoint => endpoints.some(one => one === endpoint),
  unknown: id => new AppError('batch.not-found', { id }),
  placeOf: (parts, batch) => placeOf(parts, account, batch),
  look,
  async find(_parts, upstream, batch) {
    const found = await findByName(upstream, batch)
    return found === undefined ? undefined : readBatch(upstream, found, batch)
  },
  openOutput,
  readAnswer,
  says: ({ endpoint }) => endpoint !== '/v1/embeddings',
  readSum: usage => usage && readResponsesUsage({ usage }),
  async keepOutput(transaction, parts, batch, { outputFileId, errorFileId }, { bytes }) {
    return {
      output_file_id: await addFile(transaction, parts, batch, outputFileId, 'output', bytes),
      error_file_id: await addFile(transaction, parts, batch, errorFileId, 'error', 0),
    }
  },
  failedData({ now }, _batch, message) {
    const data = [{ code: 'failed', line: null, message, param: null }]
    return JSON.stringify({ status: 'failed', failed_at: now(), errors: { object: 'list', data } })
  },
}

async function look(upstream: Upstream, batch: BatchRow): Promise<BatchReport | 'unknown'> {
  try {
    const path = `/v1/batches/${encodeURIComponent(batch.upstream_id)}`
    const report = readBatch(upstream, await upstream.json({ path }), batch)
    if (!report) throw new UpstreamFailure({ without: 'empty' })
    return report
  } catch (error) {
    if (error instanceof UpstreamFailure && error.problem && saysUnknown(error.problem)) return 'unknown'
    throw error
  }
}

async function openOutput(
  upstream: Upstream,
  _batch: BatchRow,
  { outputFileId, completed }: BatchReport,
): Promise<Response | 'none' | undefined> {
  if (outputFileId === undefined) return completed > 0 ? undefined : 'none'
  try {
    const path = `/v1/files/${encodeURIComponent(outputFileId)}/content`
    return await upstream.send({ path, headers: { accept: '*/*' }, idleMs: IDLE_MS })
  } catch (error) {
    if (error instanceof UpstreamFailure && error.problem?.status === 404) return undefined
    throw error
  }
}

function readAnswer({ endpoint }: BatchRow, line: JsonObject): Answered | undefined {
  const response = asObject(line.response)
  const status = asNumber(response?.status_code) ?? 0
  if (!response || status < 200 || status >= 300) return undefined
  const body = asObject(response.body) ?? {}
  return { usage: readUsage(endpoint, body), answers: Math.max(1, asArray(body.choices).length) }
}

function readUsage(endpoint: string, body: JsonObject): TokenUsage | undefined {
  if (endpoint === '/v1/responses') return readResponsesUsage(body)
  return endpoint === '/v1/chat/completions' ? readChatUsage(body.usage) : readPlainUsage(body)
}
