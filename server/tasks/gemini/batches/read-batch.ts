import { asArray, asObject, asText, type Json, type JsonObject } from '../../../dialects/json.ts'
import type { Upstream } from '../../ask-upstream.ts'
import type { BatchReport } from '../../batches/host.ts'

const over: ReadonlySet<string> = new Set(['SUCCEEDED', 'FAILED', 'CANCELLED', 'EXPIRED'])
const stats = ['requestCount', 'successfulRequestCount', 'failedRequestCount', 'pendingRequestCount']

/** Undefined when it is none. */
export function readBatch(upstream: Pick<Upstream, 'clean'>, answer: unknown): BatchReport | undefined {
  const told = asObject(answer)
  const name = asText(told?.name) ?? ''
  const metadata = asObject(told?.metadata)
  if (!told || !metadata || !/^batches\/[\w.-]{1,150}$/.test(name)) return undefined
  // Without what stands before it: PENDING, RUNNING, SUCCEEDED, FAILED, CANCELLED, EXPIRED.
  const status = (asText(metadata.state) ?? '').replace(/^(?:BATCH|JOB)_STATE_/, '').slice(0, 40)
  const output = asObject(metadata.output) ?? asObject(told.response)
  const list = asObject(output?.inlinedResponses)?.inlinedResponses
  const [file] = /^files\/[\w.-]{1,150}$/.exec(asText(output?.responsesFile) ?? '') ?? []
  const counts = asObject(metadata.batchStats) ?? {}
  const error = asObject(told.error)
  const message = upstream.clean(asText(error?.message) ?? '').slice(0, 2000)
  return {
    upstreamId: name,
    status,
    isOver: over.has(status),
    isDone: status === 'SUCCEEDED',
    isQueued: status !== 'RUNNING',
    total: countOf(counts.requestCount),
    completed: countOf(counts.successfulRequestCount),
    usage: undefined,
    failReason: message,
    startedAt: 0,
    outputFileId: file,
    answers: Array.isArray(list) ? asArray(list) : undefined,
    data: {
      state: `BATCH_STATE_${status}`,
      ...timesIn(metadata),
      batchStats: Object.fromEntries(
        stats.flatMap(field =>
          counts[field] === undefined ? [] : [[field, String(countOf(counts[field]))]],
        ),
      ),
      ...(error && { error: { code: error.code, message } }),
    },
  }
}

function timesIn(metadata: JsonObject): JsonObject {
  const times = ['createTime', 'updateTime', 'endTime'].flatMap(name => {
    const time = asText(metadata[name])
    return time && !Number.isNaN(Date.parse(time)) ? [[name, time.slice(0, 40)] as const] : []
  })
  return Object.fromEntries(times)
}

/** Whole numbers come as texts. */
function countOf(value: Json | undefined): number {
  const count = Number(value ?? 0)
  return Number.isSafeInteger(count) && count > 0 ? count : 0
}
