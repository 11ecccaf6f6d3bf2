import { type Json, type JsonObject, parseObject } from '../../../dialects/json.ts'
import { type BatchRow, batchStates } from '../../batches/batch-rows.ts'

const TYPE = 'type.googleapis.com/google.ai.generativelanguage.v1main.GenerateContentBatch'

/** In Google's form, under our name. That it is over is told when it is paid. */
export function showBatch(batch: BatchRow, answers?: readonly Json[]): JsonObject {
  const { id, model, metadata: title, line_count, submitted_at, state, data } = batch
  const { error, isBare: _, ...known } = parseObject(data) ?? {}
  return {
    name: `batches/${id}`,
    metadata: {
      '@type': TYPE,
      name: `batches/${id}`,
      model: `models/${model}`,
      ...(title !== '' && { displayName: title }),
      state: 'BATCH_STATE_PENDING',
      createTime: new Date(submitted_at * 1000).toISOString(),
      batchStats: { requestCount: String(line_count) },
      ...known,
      ...(batch.output_file_id !== '' && { output: { responsesFile: `files/${batch.output_file_id}` } }),
      ...(answers && { output: { inlinedResponses: { inlinedResponses: [...answers] } } }),
    },
    ...(state === batchStates.ended && { done: true }),
    ...(error !== undefined && { error }),
  }
}

/** Whether there is nothing that only the vendor can tell: it has answered in a file, or not at all. */
export function isBare({ data }: BatchRow): boolean {
  return parseObject(data)?.isBare === true
}
