import type { JsonObject } from '../../../server/dialects/json.ts'
import type { Tally } from '../tally.ts'
import { dataFrame } from '../write-frames.ts'
import { failOpenai } from './fail.ts'
import type { ChatStyle } from './write-chat.ts'

export const STREAM_ERROR = dataFrame(failOpenai('server-error').body)

export function chatUsage(tally: Tally): JsonObject {
  return {
    prompt_tokens: tally.input,
    completion_tokens: tally.output,
    total_tokens: tally.input + tally.output,
    prompt_tokens_details: {
      cached_tokens: tally.cached,
      cache_write_tokens: tally.written + tally.writtenHour,
      audio_tokens: 0,
    },
    completion_tokens_details: {
      reasoning_tokens: tally.reasoning,
      audio_tokens: 0,
      accepted_prediction_tokens: 0,
      rejected_prediction_tokens: 0,
    },
  }
}

export const OPENAI_CHAT: ChatStyle = {
  idPrefix: 'chatcmpl-',
  newCallId: call => call.newId('call_', 24),
  usage: chatUsage,
  usageIn: 'own-chunk',
  thinking: 'hidden',
  saysNoUsage: true,
  choiceExtra: { logprobs: null },
  messageExtra: { refusal: null, annotations: [] },
  startExtra: { refusal: null },
  chunkExtra: { obfuscation: 'q8Zr2' },
  extra: { service_tier: 'default', system_fingerprint: 'fp_0123456789' },
  errorFrame: STREAM_ERROR,
}
