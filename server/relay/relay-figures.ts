import { atMost, counter, gauges, histogram } from '../metrics.ts'
import type { FailureKind } from './routing/channel-health.ts'

/** From a cached word to a model that thinks for ten minutes. */
const SECONDS = [0.1, 0.25, 0.5, 1, 2.5, 5, 10, 20, 30, 60, 120, 300, 600]

const whole = histogram(
  'tollgate_relay_call_seconds',
  'From the admission of a model call until its answer was complete, by whether it was streamed.',
  SECONDS,
)
const callSeconds = { stream: whole.bound({ stream: 'true' }), plain: whole.bound({ stream: 'false' }) }
const firstToken = histogram(
  'tollgate_relay_first_token_seconds',
  'From the admission of a streamed call until its first content was here.',
  SECONDS,
).bound({})
const tokens = counter('tollgate_relay_tokens_total', 'Tokens that were charged, by model and direction.')
const quota = counter(
  'tollgate_relay_charged_quota_total',
  'What model calls were charged, by model; 500,000 are a dollar.',
)
const countOutcome = counter(
  'tollgate_relay_channel_attempts_total',
  'Attempts at channels, by channel and outcome: ok, a reason to leave it alone, refused, or lack.',
).byPairs('channel', 'outcome')
/** Every name is a line for each worker, for as long as it lives. */
const modelLabel = atMost(300)
const channelLabel = atMost(1000)

const ofModels = new Map<string, ReturnType<typeof countersOf>>()

function countersOf(model: string) {
  const counters = {
    input: tokens.bound({ model, direction: 'input' }),
    output: tokens.bound({ model, direction: 'output' }),
    quota: quota.bound({ model }),
  }
  ofModels.set(model, counters)
  return counters
}

const channelFirstToken = histogram(
  'tollgate_relay_channel_first_token_seconds',
  'From asking a channel until its first content or its whole answer was here, where channels are chosen by that.',
  [],
)
const ofChannels = new Map<number | 'other', (seconds: number) => void>()

export function countFirstToken(channel: number, ms: number): void {
  const label = channelLabel(channel)
  const known = ofChannels.get(label)
  const observe = known ?? channelFirstToken.bound({ channel: label })
  if (!known) ofChannels.set(label, observe)
  observe(ms / 1000)
}

/** Requests under way, and those of them that wait for a first token. */
export function showLoads(
  channels: () => Iterable<{ id: number; load: { underWay: number; waiting: number } }>,
): void {
  const read = (kind: 'underWay' | 'waiting') => () => {
    const sums = new Map<number | 'other', number>()
    for (const { id, load } of channels()) {
      const count = load[kind]
      if (count === 0) continue
      const label = channelLabel(id)
      sums.set(label, (sums.get(label) ?? 0) + count)
    }
    return Array.from(sums, ([channel, value]) => ({ labels: { channel }, value }))
  }
  gauges(
    'tollgate_relay_channel_live',
    'Model calls under way by channel, where channels are not chosen by weight alone.',
    read('underWay'),
  )
  gauges(
    'tollgate_relay_channel_waiting',
    'Of those, by channel, the ones that wait for a first token, where channels are chosen by that.',
    read('waiting'),
  )
}

/** One call of a model that came to its end and was charged. */
export interface Charged {
  readonly model: string
  readonly stream: boolean
  readonly ms: number
  readonly firstTokenMs: number | undefined
  readonly input: number
  readonly output: number
  readonly quota: number
}

export function countCharged(call: Charged): void {
  const model = modelLabel(call.model)
  // A realtime session has no answer of its own whose time would mean something.
  if (call.firstTokenMs !== undefined) {
    if (call.stream) firstToken(call.firstTokenMs / 1000)
    callSeconds[call.stream ? 'stream' : 'plain'](call.ms / 1000)
  }
  const count = ofModels.get(model) ?? countersOf(model)
  if (call.input > 0) count.input(call.input)
  if (call.output > 0) count.output(call.output)
  count.quota(call.quota)
}

/** `refused`: the caller brought it about, and another channel would say the same. `lack`: we did. */
export function countAttempt(
  channel: number,
  outcome: 'ok' | 'cut' | 'refused' | 'lack' | FailureKind,
): void {
  countOutcome(channelLabel(channel), outcome)
}
