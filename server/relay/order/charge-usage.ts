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

/** What an upstream says it used, if a model can have used that. */
export function believe(usage: TokenUsage | undefined, requestId: string): TokenUsage | undefined {
  if (!usage) return undefined
  if (isCount(usage.input, MOST_INPUT) && isCount(usage.output, MOST_OUTPUT)) return usage
  disbelieved.increment()
  log.error('an upstream reports usage that cannot be', { requestId, usage })
  return undefined
}

function isCount(value: number, most: number): boolean {
  return Number.isSafeInteger(value) && value >= 0 && value <= most
}

/** The same in the ledger's categories, where no token stands in two. */
export function asCharged(usage: TokenUsage): Amounts {
  let input = usage.input
  const take = (part: number | undefined): number => {
    const taken = Math.max(0, Math.min(part ?? 0, input))
    input -= taken
    return taken
  }
  const cacheRead = take(usage.cacheRead)
  const written = take(usage.cacheWrite)
  const cacheWriteHour = Math.min(written, usage.cacheWriteHour ?? 0)
  const audioInput = take(usage.audioInput)
  const imageInput = take(usage.imageInput)
  const audioOutput = Math.max(0, Math.min(usage.audioOutput ?? 0, usage.output))
  return {
    input,
    output: usage.output - audioOutput,
    ...(cacheRead > 0 && { cacheRead }),
    ...(written > cacheWriteHour && { cacheWrite: written - cacheWriteHour }),
    ...(cacheWriteHour > 0 && { cacheWriteHour }),
    ...(audioInput > 0 && { audioInput }),
    ...(imageInput > 0 && { imageInput }),
    ...(audioOutput > 0 && { audioOutput }),
    ...(usage.searches && { searches: Math.min(usage.searches, MOST_SEARCHES) }),
  }
}
