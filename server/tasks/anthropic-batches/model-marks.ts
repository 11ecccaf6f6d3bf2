import { parseObject } from '../../dialects/json.ts'
import { refuseField } from '../../dialects/refuse.ts'
import type { BatchRow } from '../batches/batch-rows.ts'

/** As many as the vendor takes for the name of a request. */
const LONGEST = 64
export const MARK = '__m'
const marked = new RegExp(`^(.*)${MARK}(\\d{1,4})$`, 's')

/**
 * The vendor tells a result by the name of its request alone, and calls models by other names than those who ask: so
 * the name says which of the batch's models it is. That of the first says it only where it would be read otherwise.
 */
export function markId(customId: string, model: number): string {
  if (model === 0 && !marked.test(customId)) return customId
  const sent = `${customId}${MARK}${model}`
  if (sent.length > LONGEST)
    refuseField('custom_id', 'field.most-characters', { most: LONGEST - sent.length + customId.length })
  return sent
}

/** What the request was called, and which of the batch's models it asked. */
export function readMark(
  batch: BatchRow,
  sent: string,
): { readonly customId: string; readonly model: number } {
  const { custom_id: first = '', marked: isMarked } = parseObject(batch.metadata) ?? {}
  // The first request went out under our name for the batch.
  if (sent === batch.id) return { customId: String(first), model: 0 }
  const [, customId = sent, model = '0'] = (isMarked === true && marked.exec(sent)) || []
  return { customId, model: Number(model) }
}
