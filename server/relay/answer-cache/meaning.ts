/** A question's meaning as a model tells it: a vector of length 1. */
export type Meaning = Float32Array<ArrayBuffer>

/** A meaning as it is kept: a quarter of the memory, and the angle between two is off by less than a thousandth. */
export interface KeptMeaning {
  readonly steps: Int8Array<ArrayBuffer>
  /** Of `steps` as a vector. */
  readonly length: number
}

/** No model has more. */
const MOST_DIMENSIONS = 16_384
const MOST_STEPS = 127

/** Undefined for what is no direction at all. */
export function readMeaning(vector: readonly number[]): Meaning | undefined {
  const length = Math.sqrt(vector.reduce((sum, value) => sum + value * value, 0))
  if (!(length > 0 && length < Number.POSITIVE_INFINITY) || vector.length > MOST_DIMENSIONS) return undefined
  return new Float32Array(vector.map(value => value / length))
}

export function packMeaning(meaning: Meaning): KeptMeaning {
  const largest = meaning.reduce((most, value) => Math.max(most, Math.abs(value)), 0)
  return keptMeaning(Int8Array.from(meaning, value => Math.round((value / largest) * MOST_STEPS)))
}

export function keptMeaning(steps: Int8Array<ArrayBuffer>): KeptMeaning {
  return { steps, length: Math.sqrt(steps.reduce((sum, value) => sum + value * value, 0)) }
}

/** The cosine of the angle between them, to four places as it is told; -1 for vectors of different models. */
export function similarity(meaning: Meaning, { steps, length }: KeptMeaning): number {
  if (meaning.length !== steps.length || length === 0) return -1
  let sum = 0
  for (let at = 0; at < steps.length; at++) sum += (meaning[at] ?? 0) * (steps[at] ?? 0)
  return Math.round((sum / length) * 10_000) / 10_000
}
