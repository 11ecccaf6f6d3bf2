import type { JsonObject } from '../../../server/dialects/json.ts'
import { OPENAI_CHAT } from '../openai/chat-style.ts'
import { startAlike, tellFailures } from '../openai/start-alike.ts'
import type { ChatStyle } from '../openai/write-chat.ts'
import type { FakeUpstream, UpstreamOptions } from '../upstream.ts'
import { dataFrame } from '../write-frames.ts'

const LONG =
  "This model's maximum context length is 4096 tokens. However, you requested 5000 tokens in the messages."

/** Older servers put all at the top; who has no key gets a word alone. */
const fail = tellFailures(
  {
    'bad-request': [400, 'BadRequestError', 'Invalid request.'],
    'too-long': [400, 'older', LONG],
    'bad-key': [401, 'bare', 'Unauthorized'],
    'no-model': [404, 'NotFoundError', 'The model `nothing` does not exist.'],
    'server-error': [500, 'InternalServerError', 'EngineCore encountered an issue.'],
    overloaded: [503, 'ServiceUnavailable', 'The model is not ready yet.'],
  },
  (code, type, message) => {
    if (type === 'bare') return { error: message }
    if (type === 'older') return { object: 'error', message, type: 'BadRequestError', param: null, code }
    return { error: { message, type, param: null, code } }
  },
)

/** It says nothing of caches and of thoughts among the tokens. After an error comes the mark of the end. */
const STYLE: ChatStyle = {
  ...OPENAI_CHAT,
  newCallId: call => call.newId('chatcmpl-tool-', 24),
  usage: tally => ({
    prompt_tokens: tally.input,
    total_tokens: tally.input + tally.output,
    completion_tokens: tally.output,
    prompt_tokens_details: null,
  }),
  tally: tally => ({ ...tally, cached: 0, reasoning: 0 }),
  thinking: 'reasoning_content',
  saysNoUsage: false,
  choiceExtra: { logprobs: null, stop_reason: null, token_ids: null },
  messageExtra: { refusal: null, annotations: null, audio: null, function_call: null },
  startExtra: {},
  chunkExtra: {},
  lastDelta: { content: '' },
  extra: {},
  errorFrame: `${dataFrame(fail('server-error').body)}data: [DONE]\n\n`,
}

/** What the model's template does not know it raises. */
function findFault({ model, reasoning_effort: effort }: JsonObject): string | undefined {
  const isKnown = effort === undefined || ['none', 'low', 'medium', 'xhigh'].includes(String(effort))
  return isKnown || !String(model).includes('Qwen3.8') ? undefined : `Unsupported effort: ${effort}`
}

export function startXinference(options: UpstreamOptions = {}): Promise<FakeUpstream> {
  return startAlike(
    {
      name: 'vLLM',
      key: 'token-fake0123456789',
      prefix: '/v1',
      tasks: [
        ...['completions', 'embeddings', 'rerank', 'images/generations', 'images/edits', 'models'],
        ...['audio/speech', 'audio/transcriptions', 'audio/translations'],
      ],
      style: STYLE,
      accepts: ['reasoning_content', 'chat_template_kwargs', 'top_k', 'continuous_usage_stats'],
      findFault,
      fail,
    },
    options,
  )
}
