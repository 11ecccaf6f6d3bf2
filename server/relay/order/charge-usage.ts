import type { TokenUsage } from '../../dialects/spec.ts'
import type { Amounts } from '../../ledger/price/price-snapshot.ts'
import { log } from '../../log.ts'
import { counter } from '../../metrics.ts'

/** More than any model takes or gives in one call. An upstream that says so is not believed. */
const MOST_INPUT = 20_000_000
const MOST_OUTPUT = 4_000_000
const MOST_SEARCHES = 1000

const disbelieved = counter('tollgate_relay_absurd_usage_total', 'Usage figures that no model can have.')
disbelieved.increment({}, 0)

/** What an upstream says it used, if a model can have used that in so many calls. */
export function believe(usage: TokenUsage | undefined, requestId: string, calls = 1): TokenUsage | undefined {
  if (!usage) return undefined
  if (isCount(usage.input, MOST_INPUT * calls) && isCount(usage.output, MOST_OUTPUT * calls)) return usage
  disbelieved.increment()
  log.error('an upstream reports usage that cannot be', { requestId, usage })
  return undefined
}

/** Whether both are told. Servers that do not count say zero; no prompt is that short, and few answers. */
export function tellsAll(usage: TokenUsage | undefined): usage is TokenUsage {
  return usage !== undefined && usage.input > 0 && usage.output > 0
}

function isCount(value: number, most: number): boolean {
  return Number.isSafeInteger(value) && value >= 0 && value <= most
}

/** The same in the ledger's categories, where no token stands in two. */
export function asCharged(usage: TokenUsage): Amounts {
  const cacheRead = within(usage.cacheRead, usage.input)
  let input = usage.input - cacheRead
  const written = within(usage.cacheWrite, input)
  input -= written
  const cacheWriteHour = Math.min(written, usage.cacheWriteHour ?? 0)
  const audioInput = within(usage.audioInput, input)
  input -= audioInput
  const imageInput = within(usage.imageInput, input)
  input -= imageInput
  const audioOutput = within(usage.audioOutput, usage.output)
  const charged: { -readonly [Category in keyof Amounts]: Amounts[Category] } = {
    input,
    output: usage.output - audioOutput,
  }
  if (cacheRead > 0) charged.cacheRead = cacheRead
  if (written > cacheWriteHour) charged.cacheWrite = written - cacheWriteHour
  if (cacheWriteHour > 0) charged.cacheWriteHour = cacheWriteHour
  if (audioInput > 0) charged.audioInput = audioInput
  if (imageInput > 0) charged.imageInput = imageInput
  if (audioOutput > 0) charged.audioOutput = audioOutput
  if (usage.searches) charged.searches = Math.min(usage.searches, MOST_SEARCHES)
  return charged
}

/** A part is never more than what it is a part of. */
function within(part: number | undefined, whole: number): number {
  return Math.max(0, Math.min(part ?? 0, whole))
}
