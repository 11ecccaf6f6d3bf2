/** All input in `input`, all output in `output`; the rest says how much of them was of that kind. */
export interface TokenUsage {
  readonly input: number
  readonly output: number
  readonly cacheRead?: number | undefined
  /** All cache writes; `cacheWriteHour` is the part of them kept for an hour. */
  readonly cacheWrite?: number | undefined
  readonly cacheWriteHour?: number | undefined
  readonly reasoning?: number | undefined
  readonly audioInput?: number | undefined
  readonly audioOutput?: number | undefined
  readonly imageInput?: number | undefined
  readonly imageOutput?: number | undefined
  /** On the web, by the vendor; paid for one by one. */
  readonly searches?: number | undefined
  /** How much of what they find is read, where a vendor tells it because the price depends on it. */
  readonly searchSize?: string | undefined
  /** Other tools of the vendor's that are paid for one by one: how often each was used, by name. */
  readonly tools?: Readonly<Record<string, number>> | undefined
  /** Pictures that a tool had another model make, of whose tokens the vendor tells. */
  readonly pictures?: PictureTokens | undefined
  /** Where it was computed, as a vendor says that asks more for some places. */
  readonly geo?: string | undefined
}

/** What was done besides saying something, and is paid for besides. */
export type ToolUse = Pick<TokenUsage, 'searches' | 'tools' | 'pictures'>

export interface PictureTokens {
  readonly model: string
  /** Text and pictures together; `imageInput` is the part that was pictures. */
  readonly input: number
  readonly imageInput: number
  /** The parts of either that the vendor's cache had. */
  readonly cachedText: number
  readonly cachedImages: number
  readonly output: number
}
