import type { JsonObject } from '../../../server/dialects/json.ts'
import { OPENAI_CHAT } from '../openai/chat-style.ts'
import { startAlike, tellFailures } from '../openai/start-alike.ts'
import type { ChatStyle } from '../openai/write-chat.ts'
import type { FakeUpstream, UpstreamOptions } from '../upstream.ts'
import { dataFrame } from '../write-frames.ts'

/** A model whose answers end as its own tokens do. */
export const EOS_MODEL = 'meta-llama/ends-with-eos'

const fail = tellFailures(
  {
    'bad-request': [422, 'invalid_request_error', 'Input validation error.'],
    'too-long': [422, 'invalid_request_error', '`inputs` tokens + `max_new_tokens` must be <= 4097.'],
    'bad-key': [
      401,
      'invalid_api_key',
      'Invalid API key provided. You can find your API key in the settings.',
    ],
    'no-balance': [402, 'credit_limit', 'Credit limit exceeded, please add a credit card.'],
    'no-model': [404, 'model_not_available', 'Unable to access model nothing.'],
    'rate-limit': [429, 'rate_limit', 'You have reached your rate limit.'],
    overloaded: [503, 'service_unavailable', 'The server is overloaded.'],
    timeout: [524, 'timeout', 'Request timed out.'],
  },
  (_, code, message) => ({
    id: 'o0123-fake',
    error: { message, type: code.startsWith('invalid') ? 'invalid_request_error' : code, param: null, code },
  }),
)

/** Usage comes unasked, with what was cached beside the rest. */
const STYLE: ChatStyle = {
  ...OPENAI_CHAT,
  idPrefix: 'o',
  usage: tally => ({
    prompt_tokens: tally.input,
    completion_tokens: tally.output,
    total_tokens: tally.input + tally.output,
    cached_tokens: tally.cached,
  }),
  tally: tally => ({ ...tally, reasoning: 0 }),
  usageIn: 'finish-chunk',
  thinking: 'reasoning',
  stopWord: ({ model }) => (model === EOS_MODEL ? 'eos' : undefined),
  choiceExtra: { logprobs: null, seed: 1_763_000_000 },
  messageExtra: {},
  startExtra: {},
  chunkExtra: {},
  lastDelta: { role: 'assistant', content: '', tool_calls: [] },
  extra: { prompt: [] },
  errorFrame: dataFrame(fail('server-error').body),
}

function findFault({ model, reasoning_effort: effort }: JsonObject): string | undefined {
  const isKnown = effort === undefined || ['low', 'medium', 'high'].includes(String(effort))
  return isKnown || !String(model).includes('gpt-oss') ? undefined : `Invalid reasoning_effort: ${effort}`
}

export function startTogether(options: UpstreamOptions = {}): Promise<FakeUpstream> {
  return startAlike(
    {
      name: 'Together',
      key: 'tgp_v1_fake0123456789',
      prefix: '/v1',
      tasks: [
        ...['completions', 'embeddings', 'rerank', 'images/generations'],
        ...['audio/speech', 'audio/transcriptions', 'models'],
      ],
      style: STYLE,
      accepts: ['reasoning', 'reasoning_content', 'top_k', 'repetition_penalty', 'min_p'],
      findFault,
      fail,
    },
    options,
  )
}
