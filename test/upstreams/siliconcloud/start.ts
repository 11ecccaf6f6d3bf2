import { asNumber } from '../../../server/dialects/json.ts'
import { OPENAI_CHAT } from '../openai/chat-style.ts'
import { startAlike, tellFailures } from '../openai/start-alike.ts'
import type { ChatStyle } from '../openai/write-chat.ts'
import { fields } from '../shape.ts'
import { NO_TALLY } from '../tally.ts'
import { type Call, type FakeUpstream, Refusal, type Rendered, type UpstreamOptions } from '../upstream.ts'

const fail = tellFailures(
  {
    'bad-request': [400, '20015', 'The parameter is invalid. Please check again.'],
    'too-long': [400, '20015', 'length of prompt_tokens (140000) must be less than max_seq_len (131072).'],
    'bad-key': [401, '0', 'Api key is invalid'],
    'account-off': [403, '30001', 'Sorry, your account balance is insufficient'],
    'no-model': [400, '20012', 'Model does not exist. Please check it carefully.'],
    'rate-limit': [429, '0', 'Request was rejected due to rate limiting.'],
    'server-error': [500, '50501', 'Internal error'],
    overloaded: [503, '50505', 'Model service overloaded. Please try again later.'],
  },
  (_, code, message) => ({ code: Number(code), message, data: null }),
)

const STYLE: ChatStyle = {
  ...OPENAI_CHAT,
  idPrefix: '',
  thinking: 'reasoning_content',
  saysNoUsage: false,
  choiceExtra: {},
  messageExtra: {},
  startExtra: {},
  chunkExtra: {},
  extra: { system_fingerprint: '' },
}

const PICTURE =
  fields(`model prompt negative_prompt image_size batch_size seed num_inference_steps guidance_scale cfg
  image image2 image3`)

function checkPicture({ body }: Call): void {
  const unknown = Object.keys(body).find(name => !(name in PICTURE))
  const wrong = ['image', 'image2', 'image3'].find(name => name in body && typeof body[name] !== 'string')
  const fault = unknown ?? wrong
  if (fault !== undefined) throw new Refusal(`${fault} is wrong`, fail('bad-request'))
}

function drawPictures({ body }: Call): Rendered {
  const images = Array.from({ length: asNumber(body.batch_size) ?? 1 }, () => ({ url: 'https://a/dot.png' }))
  const said = { images, timings: { inference: 1 }, seed: 1 }
  return { contentType: 'application/json', body: JSON.stringify(said), tally: NO_TALLY }
}

export function startSiliconcloud(options: UpstreamOptions = {}): Promise<FakeUpstream> {
  return startAlike(
    {
      name: 'SiliconCloud',
      key: 'sk-fake-silicon-0123456789',
      prefix: '/v1',
      tasks: [...['embeddings', 'rerank', 'audio/speech', 'audio/transcriptions', 'models']],
      routes: [
        {
          method: 'POST',
          path: /^\/v1\/images\/generations$/,
          takes: 'json',
          check: checkPicture,
          answer: drawPictures,
        },
      ],
      style: STYLE,
      accepts: ['enable_thinking', 'thinking_budget', 'reasoning_content'],
      fail,
    },
    options,
  )
}
