import { countTokens, type Reply, type Turn } from './reply.ts'

/** What a request costs, whatever a dialect calls it. `input` and `output` hold all the others. */
export interface Tally {
  readonly input: number
  /** Read from the cache. */
  readonly cached: number
  /** Written to the cache for five minutes, for an hour. */
  readonly written: number
  readonly writtenHour: number
  readonly output: number
  readonly reasoning: number
}

export const NO_TALLY: Tally = { input: 0, cached: 0, written: 0, writtenHour: 0, output: 0, reasoning: 0 }

const FRAMING = 7
const PER_MEDIA = 85

/**
 * Input: a token per four characters, 7 for the framing, 85 per picture or file. Half of it is a cache hit
 * when the text says "cached"; a quarter is written when a part asks for it. Output: a token per four
 * characters of thinking, of text and of each call, at least one.
 */
export function countTally(turn: Turn, reply: Reply): Tally {
  const input = countTokens(turn.text) + FRAMING + PER_MEDIA * turn.media
  const cached = turn.text.includes('cached') ? Math.floor(input / 2) : 0
  const { minutes, hour } = turn.cacheMarks
  const writes = minutes + hour > 0 ? Math.floor(input / 4) : 0
  const writtenHour = hour === 0 ? 0 : minutes === 0 ? writes : Math.floor(writes / 2)
  const reasoning = countTokens(reply.thinking)
  const calls = reply.calls.map(call => countTokens(call.name + JSON.stringify(call.input)))
  const said = countTokens(reply.text) + calls.reduce((sum, one) => sum + one, 0)
  const output = Math.max(1, reasoning + said) * turn.count
  return {
    input,
    cached,
    written: writes - writtenHour,
    writtenHour,
    output,
    reasoning: reasoning * turn.count,
  }
}
