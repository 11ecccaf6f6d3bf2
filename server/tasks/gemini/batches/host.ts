import { readUsage } from '../../../dialects/gemini/read-usage.ts'
import { asArray, asObject, asText, type Json, type JsonObject } from '../../../dialects/json.ts'
import { AppError } from '../../../errors.ts'
import { UpstreamFailure } from '../../../relay/upstream/upstream-failure.ts'
import type { Upstream } from '../../ask-upstream.ts'
import type { BatchRow } from '../../batches/batch-rows.ts'
import type { Answered, BatchHost, BatchReport } from '../../batches/host.ts'
import { addressOf, asOwner, PLATFORM, upstreamAt } from '../account.ts'
import { addOutput, openFile } from './output-file.ts'
import { readBatch } from './read-batch.ts'

/** Where all requests of such a batch go. */
export const ENDPOINT = 'batchGenerateContent'

const MOST_PAGES = 50
/** All answers come at once: what could not be read could never be paid. */
const LARGEST_ANSWER = 256 * 1024 * 1024
/** Within the lease of whoever looks. */
const LOOK_MS = 150_000

/** Gemini, whose batches tell what was answered when they are asked after, or are made of files and answered in files. */
export const geminiHost: BatchHost = {
  platform: PLATFORM,
  runs: endpoint => endpoint === ENDPOINT,
  unknown: () => new AppError('gemini.no-batch'),
  placeOf: (parts, batch) => upstreamAt(parts, batch),
  look,
  find: async (_parts, upstream, batch) => readBatch(upstream, await findByName(upstream, batch)),
  openOutput,
  readAnswer,
  says: () => true,
  async keepOutput(transaction, parts, batch, { data, answers, outputFileId }, { bytes }) {
    if (answers) return {}
    const output_file_id =
      outputFileId === undefined ? '' : await addOutput(transaction, parts, batch, outputFileId, bytes)
    return { output_file_id, data: JSON.stringify({ ...data, isBare: true }) }
  },
  failedData: (_parts, _batch, message) =>
    JSON.stringify({ state: 'BATCH_STATE_FAILED', error: { code: 13, message }, isBare: true }),
}

async function look(upstream: Upstream, batch: BatchRow): Promise<BatchReport | 'unknown'> {
  const unknown = new AppError('gemini.no-batch')
  try {
    const path = addressOf(upstream.channel, `/v1beta/${batch.upstream_id}`)
    const asked = upstream.json({ path, largest: LARGEST_ANSWER, timeoutMs: LOOK_MS })
    const report = readBatch(upstream, await asOwner(asked, unknown))
    if (!report) throw new UpstreamFailure({ without: 'empty' })
    return report
  } catch (error) {
    if (error === unknown) return 'unknown'
    throw error
  }
}

async function openOutput(
  upstream: Upstream,
  _batch: BatchRow,
  { answers, completed, outputFileId }: BatchReport,
): Promise<Response | readonly Json[] | 'none' | undefined> {
  if (answers) return answers
  if (outputFileId === undefined) return completed > 0 ? undefined : 'none'
  const unknown = new AppError('gemini.no-batch')
  try {
    return await asOwner(openFile(upstream, outputFileId), unknown)
  } catch (error) {
    if (error === unknown) return undefined
    throw error
  }
}

/** The vendor keeps our name for it as its title. */
async function findByName(upstream: Upstream, { id }: BatchRow): Promise<Json | undefined> {
  let token = ''
  for (let page = 0; page < MOST_PAGES; page++) {
    const from = token === '' ? '' : `&pageToken=${encodeURIComponent(token)}`
    const path = addressOf(upstream.channel, `/v1beta/batches?pageSize=100${from}`)
    const list = asObject(await upstream.json({ path }))
    const found = asArray(list?.operations).find(one => asObject(asObject(one)?.metadata)?.displayName === id)
    const next = asText(list?.nextPageToken) ?? ''
    if (found || next === '' || next === token) return found
    token = next
  }
  return undefined
}

/** What went wrong costs nothing. */
function readAnswer(_batch: BatchRow, line: JsonObject): Answered | undefined {
  const response = asObject(line.response)
  if (!response) return undefined
  return {
    usage: readUsage(response),
    answers: Math.max(1, asArray(response.candidates).length),
    length: () => JSON.stringify(response).length,
  }
}
