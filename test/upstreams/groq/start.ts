import { asArray, asObject, type JsonObject } from '../../../server/dialects/json.ts'
import { OPENAI_CHAT } from '../openai/chat-style.ts'
import { startAlike, tellFailures } from '../openai/start-alike.ts'
import type { ChatStyle } from '../openai/write-chat.ts'
import type { FakeUpstream, UpstreamOptions } from '../upstream.ts'
import { dataFrame } from '../write-frames.ts'

const INVALID = 'invalid_request_error'

/** One word of two: the type, and the code where there is one. */
const fail = tellFailures(
  {
    'too-long': [400, `${INVALID} context_length_exceeded`, 'Please reduce the length of the messages.'],
    'bad-key': [401, `${INVALID} invalid_api_key`, 'Invalid API Key'],
    'account-off': [400, `${INVALID} organization_restricted`, 'Organization has been restricted.'],
    'no-model': [404, `${INVALID} model_not_found`, 'The model `nothing` does not exist.'],
    'not-found': [400, `${INVALID} model_decommissioned`, 'The model `old` has been decommissioned.'],
    'rate-limit': [429, 'tokens rate_limit_exceeded', 'Rate limit reached for model `llama` on tokens.'],
    'server-error': [500, 'internal_server_error', 'Internal Server Error'],
    overloaded: [498, 'capacity_exceeded capacity_exceeded', 'Flex tier capacity exceeded.'],
  },
  (_, word, message) => {
    const [type = '', code] = word.split(' ')
    return { error: { message, type, ...(code !== undefined && { code }) } }
  },
)

/** The last chunk has the usage under its own name too. */
const STYLE: ChatStyle = {
  ...OPENAI_CHAT,
  newCallId: call => call.newId('', 9),
  usage: tally => ({
    queue_time: 0.02,
    prompt_tokens: tally.input,
    prompt_time: 0.01,
    completion_tokens: tally.output,
    completion_time: 0.03,
    total_tokens: tally.input + tally.output,
    total_time: 0.04,
    prompt_tokens_details: { cached_tokens: tally.cached },
    completion_tokens_details: { reasoning_tokens: tally.reasoning },
  }),
  thinking: 'reasoning',
  saysNoUsage: false,
  messageExtra: {},
  startExtra: {},
  chunkExtra: {},
  finishExtra: usage => ({ x_groq: { id: 'req_0123', ...(usage === undefined ? {} : { usage }) } }),
  extra: { system_fingerprint: 'fp_0123456789', service_tier: 'on_demand' },
  errorFrame: `event: error\n${dataFrame(fail('server-error').body)}`,
}

function findFault({ messages, n, model, reasoning_effort }: JsonObject): string | undefined {
  const efforts = String(model).includes('gpt-oss')
    ? ['low', 'medium', 'high']
    : String(model).includes('qwen')
      ? ['none', 'default']
      : []
  if (reasoning_effort !== undefined && efforts.length === 0)
    return '`reasoning_effort` is not supported with this model'
  if (reasoning_effort !== undefined && !efforts.includes(String(reasoning_effort)))
    return `\`reasoning_effort\` must be one of ${efforts.map(one => `\`${one}\``).join(' or ')}`
  if (asArray(messages).some(message => asObject(message)?.name !== undefined))
    return "'messages.0' : for 'role:user' the following must be satisfied: property 'name' is unsupported"
  return n === undefined || n === null || n === 1 ? undefined : "'n' : number must be at most 1"
}

export function startGroq(options: UpstreamOptions = {}): Promise<FakeUpstream> {
  return startAlike(
    {
      name: 'Groq',
      key: 'gsk_fake0123456789',
      prefix: '/openai/v1',
      tasks: ['audio/speech', 'audio/transcriptions', 'audio/translations', 'models'],
      style: STYLE,
      accepts: ['reasoning', 'reasoning_format', 'include_reasoning'],
      refuses: ['logprobs', 'top_logprobs', 'logit_bias'],
      findFault,
      fail,
    },
    options,
  )
}
