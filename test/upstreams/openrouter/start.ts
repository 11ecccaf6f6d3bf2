import { chatUsage, OPENAI_CHAT } from '../openai/chat-style.ts'
import { startAlike, tellFailures } from '../openai/start-alike.ts'
import type { ChatStyle } from '../openai/write-chat.ts'
import type { FakeUpstream, UpstreamOptions } from '../upstream.ts'
import { CREATED, dataFrame } from '../write-frames.ts'

const WAIT = ': OPENROUTER PROCESSING\n\n'
const PROVIDER = { provider: 'Fireworks' }

/** It sends comments while it waits for a model, and tells the price beside the tokens. */
const STYLE: ChatStyle = {
  ...OPENAI_CHAT,
  idPrefix: 'gen-',
  usage: tally => ({
    ...chatUsage(tally),
    cost: 0.00042,
    is_byok: false,
    cost_details: { upstream_inference_cost: null },
  }),
  thinking: 'reasoning',
  saysNoUsage: false,
  choiceExtra: { logprobs: null, native_finish_reason: null },
  messageExtra: { refusal: null },
  startExtra: {},
  chunkExtra: {},
  lastDelta: { role: 'assistant', content: '' },
  extra: PROVIDER,
  preface: () => [WAIT, WAIT],
  errorFrame: dataFrame({
    id: 'gen-0',
    object: 'chat.completion.chunk',
    created: CREATED,
    model: 'openrouter/auto',
    ...PROVIDER,
    error: { code: 'server_error', message: 'Provider disconnected unexpectedly' },
    choices: [{ index: 0, delta: { content: '' }, finish_reason: 'error' }],
  }),
}

const MODERATED = { reasons: ['violence'], flagged_input: '…', provider_name: 'OpenAI', model_slug: 'gpt-4o' }

const fail = tellFailures(
  {
    'bad-key': [401, '', 'No auth credentials found'],
    'no-balance': [402, '', 'Insufficient credits. Add more using https://openrouter.ai/credits'],
    'too-long': [
      400,
      '',
      "This endpoint's maximum context length is 32768 tokens. However, you requested about 42832 tokens.",
    ],
    filtered: [403, 'moderated', 'openai/gpt-4o requires moderation on OpenAI. Your input was flagged'],
    'no-model': [400, '', 'nobody/nothing is not a valid model ID'],
    'not-found': [404, '', 'No endpoints found for nobody/nothing.'],
    'server-error': [502, '', 'Provider returned error'],
    overloaded: [503, '', 'No allowed providers are available for the selected model.'],
    timeout: [408, '', 'Timed out'],
  },
  (code, word, message) => ({
    error: { code, message, ...(word === 'moderated' && { metadata: MODERATED }) },
    user_id: 'user_2p1Pw7VZBtsBz0IdBJCDdpiiL16',
  }),
)

export function startOpenrouter(options: UpstreamOptions = {}): Promise<FakeUpstream> {
  return startAlike(
    {
      name: 'OpenRouter',
      key: 'sk-or-v1-fake0123456789',
      prefix: '/v1',
      tasks: ['completions', 'embeddings', 'models'],
      style: STYLE,
      accepts: ['reasoning', 'reasoning_content', 'reasoning_details', 'provider', 'models', 'transforms'],
      // Once a model was asked the status is 200, whatever came of it.
      fail: (kind, message) => {
        const failed = fail(kind, message)
        return kind === 'server-error' ? { ...failed, status: 200 } : failed
      },
    },
    options,
  )
}
