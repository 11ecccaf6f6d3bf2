/** A span in the JSON of OTLP: ids in hex, 64-bit numbers as text, kinds and codes as numbers. */
export interface Span {
  readonly traceId: string
  readonly spanId: string
  readonly parentSpanId?: string
  readonly traceState?: string
  readonly flags: number
  readonly name: string
  readonly kind: (typeof spanKinds)[keyof typeof spanKinds]
  readonly startTimeUnixNano: string
  readonly endTimeUnixNano: string
  readonly attributes: readonly Attribute[]
  /** Without one it is unset, which is how a good end is told. */
  readonly status?: { readonly code: typeof STATUS_ERROR }
}

export const spanKinds = { server: 2, client: 3 } as const
export const STATUS_ERROR = 2

interface Attribute {
  readonly key: string
  readonly value:
    | { readonly stringValue: string }
    | { readonly intValue: string }
    | { readonly doubleValue: number }
    | { readonly boolValue: boolean }
}

/** Of a caller's own words such as the name of a model; longer ones are cut. */
const LONGEST_TEXT = 256

/** What a span tells, in the order in which it is said. What is undefined is left out. */
export class Attributes {
  readonly list: Attribute[] = []

  text(key: string, value: string | undefined): this {
    if (value === undefined || value === '') return this
    const stringValue = value.slice(0, LONGEST_TEXT).toWellFormed()
    this.list.push({ key, value: { stringValue } })
    return this
  }

  whole(key: string, value: number | undefined): this {
    if (value !== undefined) this.list.push({ key, value: { intValue: String(value) } })
    return this
  }

  real(key: string, value: number | undefined): this {
    if (value !== undefined) this.list.push({ key, value: { doubleValue: value } })
    return this
  }

  flag(key: string, value: boolean | undefined): this {
    if (value !== undefined) this.list.push({ key, value: { boolValue: value } })
    return this
  }
}

/** Nanoseconds since 1970, of which there are more than a number can hold. */
export function nanos(ms: number): string {
  const whole = Math.floor(ms)
  return `${whole}${String(Math.floor((ms - whole) * 1e6)).padStart(6, '0')}`
}
