import { OPENAI_CHAT } from '../openai/chat-style.ts'
import { startAlike, tellFailures } from '../openai/start-alike.ts'
import type { ChatStyle } from '../openai/write-chat.ts'
import type { FakeUpstream, UpstreamOptions } from '../upstream.ts'
import { dataFrame } from '../write-frames.ts'

const fail = tellFailures(
  {
    'bad-key': [401, 'authentication_error', 'Invalid API key.'],
    'too-long': [400, 'BadRequestError', "This model's maximum context length is 131072 tokens."],
  },
  (_status, type, message) => ({ error: { message, type, param: null, code: null } }),
)

/** Open models; thoughts come beside the words, and nothing is said of caches. */
const STYLE: ChatStyle = {
  ...OPENAI_CHAT,
  usage: tally => ({
    prompt_tokens: tally.input,
    total_tokens: tally.input + tally.output,
    completion_tokens: tally.output,
  }),
  tally: tally => ({ ...tally, cached: 0, reasoning: 0 }),
  thinking: 'reasoning_content',
  saysNoUsage: false,
  startExtra: {},
  chunkExtra: {},
  extra: {},
  errorFrame: dataFrame(fail('server-error').body),
}

/** It has chat and a list of models. */
export function startSubmodel(options: UpstreamOptions = {}): Promise<FakeUpstream> {
  return startAlike(
    {
      name: 'Submodel',
      key: 'ik-fake0123456789',
      prefix: '/v1',
      tasks: ['models'],
      style: STYLE,
      accepts: ['reasoning_content'],
      refuses: ['store', 'metadata', 'service_tier'],
      fail,
    },
    options,
  )
}
