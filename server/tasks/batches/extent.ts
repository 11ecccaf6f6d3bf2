import type { Selectable } from 'kysely'
import { refuseField } from '../../dialects/refuse.ts'
import type { Files } from '../../store/batch-schema.ts'

/** What the requests of a batch are for, and the most that all of them may use. */
export type Extent = Pick<
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

/** The most that one request can use. */
export interface LineSize {
  readonly input: number
  readonly answers: number
  /** Where calls have a price, how many of them it may come to; as many as its answers unless it says otherwise. */
  readonly calls?: number
  /** Tokens of each answer; undefined when it may be as long as it likes. */
  readonly output: number | undefined
  /** On its way in or out. */
  readonly hasMedia: boolean
  readonly thinks: boolean
}

/** Adds up what the requests of a batch may use. */
export function addSize(extent: Extent, size: LineSize): void {
  extent.line_count++
  extent.input_bound += size.input
  extent.longest_input = Math.max(extent.longest_input, size.input)
  extent.answers += size.calls ?? size.answers
  if (size.output === undefined) extent.open_answers += size.answers
  else extent.output_bound += size.output * size.answers
  if (size.hasMedia) extent.has_media = 1
  if (size.thinks) extent.thinks = 1
  if (!Number.isSafeInteger(extent.output_bound)) refuseField('max_tokens', 'field.answer-too-long')
}

export function newExtent(): Extent {
  return {
    ...{ endpoint: '', model: '', line_count: 0, input_bound: 0, longest_input: 0 },
    ...{ output_bound: 0, answers: 0, open_answers: 0, has_media: 0, thinks: 0 },
  }
}
