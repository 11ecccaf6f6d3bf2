import { asArray, asObject, asText, type Json } from '../json.ts'
import type { TokenUsage } from '../spec.ts'

// How Google counts, in whichever of its words.

/** What was read and made, by the kind of it. */
interface Modalities {
  readonly read: Json | undefined
  readonly made: Json | undefined
  /** The field that a count stands in. */
  readonly field: 'tokenCount' | 'tokens'
}

/** What of the tokens was sound and pictures; never more than there were. */
export function readModalities(
  { read, made, field }: Modalities,
  input: number,
  output: number,
): Partial<TokenUsage> {
  const audioInput = sumModality(read, field, 'AUDIO', input)
  const imageInput = sumModality(read, field, 'IMAGE', input - audioInput)
  const audioOutput = sumModality(made, field, 'AUDIO', output)
  const imageOutput = sumModality(made, field, 'IMAGE', output - audioOutput)
  return {
    ...(audioInput > 0 && { audioInput }),
    ...(imageInput > 0 && { imageInput }),
    ...(audioOutput > 0 && { audioOutput }),
    ...(imageOutput > 0 && { imageOutput }),
  }
}

function sumModality(
  details: Json | undefined,
  field: Modalities['field'],
  modality: string,
  most: number,
): number {
  let sum = 0
  for (const item of asArray(details)) {
    const detail = asObject(item)
    const tokens = detail?.[field]
    if (asText(detail?.modality)?.toUpperCase() === modality && isCount(tokens)) sum += tokens
  }
  return Math.min(sum, most)
}

/** NaN for what is there and no count, which then spoils the sum. */
export function readCount(value: Json | undefined): number {
  if (value === undefined || value === null) return 0
  return isCount(value) ? value : Number.NaN
}

export function isCount(value: Json | undefined): value is number {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0
}
