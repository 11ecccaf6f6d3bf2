import type { Selectable } from 'kysely'
import { refuseField } from '../../dialects/refuse.ts'
import type { Files } from '../../store/batch-schema.ts'
import type { Line } from './read-line.ts'

export type FileExtent = Pick<
  Selectable<Files>,
  | 'endpoint'
  | 'model'
  | 'line_count'
  | 'input_bound'
  | 'longest_input'
  | 'output_bound'
  | 'answers'
  | 'open_answers'
  | 'has_media'
  | 'thinks'
>

const MOST_LINES = 50_000

/** Adds up what the requests of a file may use; all of them go to the same place, and ask the same model. */
export function addLine(extent: FileExtent, { url, model, size }: Line): void {
  if (extent.line_count === 0) {
    extent.endpoint = url
    extent.model = model
  }
  if (url !== extent.endpoint) refuseField('url', 'field.first-line', { first: extent.endpoint })
  if (model !== extent.model) refuseField('model', 'field.first-line', { first: extent.model })
  extent.line_count++
  if (extent.line_count > MOST_LINES) refuseField('file', 'field.file-lines', { most: MOST_LINES })
  extent.input_bound += size.input
  extent.longest_input = Math.max(extent.longest_input, size.input)
  extent.answers += size.answers
  if (size.output === undefined) extent.open_answers += size.answers
  else extent.output_bound += size.output * size.answers
  if (size.hasMedia) extent.has_media = 1
  if (size.thinks) extent.thinks = 1
  if (!Number.isSafeInteger(extent.output_bound)) refuseField('max_tokens', 'field.answer-too-long')
}

export function newExtent(): FileExtent {
  return {
    ...{ endpoint: '', model: '', line_count: 0, input_bound: 0, longest_input: 0 },
    ...{ output_bound: 0, answers: 0, open_answers: 0, has_media: 0, thinks: 0 },
  }
}
