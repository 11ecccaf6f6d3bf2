import { answerGenerations, checkGenerations } from '../openai/answer-images.ts'
import { chatUsage, OPENAI_CHAT } from '../openai/chat-style.ts'
import { startAlike, tellFailures } from '../openai/start-alike.ts'
import type { ChatStyle } from '../openai/write-chat.ts'
import { type Call, type FakeUpstream, Refusal, type UpstreamOptions } from '../upstream.ts'
import { dataFrame } from '../write-frames.ts'

const LIMITED = 'RateLimitExceeded.EndpointRPMExceeded'
const types = new Map([
  [400, 'BadRequest'],
  [401, 'Unauthorized'],
  [403, 'Forbidden'],
  [404, 'NotFound'],
  [429, 'TooManyRequests'],
])

const fail = tellFailures(
  {
    'bad-request': [
      400,
      'InvalidParameter',
      'One or more parameters specified in the request are not valid.',
    ],
    'too-long': [400, 'InvalidParameter', 'Total tokens of image and text exceed max message tokens.'],
    'bad-key': [401, 'AuthenticationError', 'The API key or AK/SK in the request is missing or invalid.'],
    'account-off': [
      403,
      'AccountOverdueError',
      'The request failed because your account has an overdue balance.',
    ],
    forbidden: [403, 'AccessDenied', 'You do not have access to the requested resource.'],
    'no-model': [404, 'InvalidEndpointOrModel.NotFound', 'The model or endpoint nothing does not exist.'],
    'not-found': [404, 'ModelNotOpen', 'Your account 1 has not activated the model nothing.'],
    'rate-limit': [429, LIMITED, 'The Requests Per Minute (RPM) limit of the endpoint has been exceeded.'],
    quota: [429, 'QuotaExceeded', 'Your account has exhausted its free trial quota for the model.'],
    filtered: [400, 'InputTextRiskDetection', 'The input text includes sensitive content.'],
    'server-error': [500, 'InternalServiceError', 'The service encountered an unexpected internal error.'],
    overloaded: [429, 'ServerOverloaded', 'The service is currently unable to handle additional requests.'],
  },
  (status, code, message) => ({
    error: {
      code,
      message: `${message} Request id: 021763000000`,
      param: '',
      type: types.get(status) ?? 'InternalServerError',
    },
  }),
)

const STYLE: ChatStyle = {
  ...OPENAI_CHAT,
  idPrefix: '021763000000',
  usage: chatUsage,
  thinking: 'reasoning_content',
  saysNoUsage: true,
  choiceExtra: { logprobs: null, moderation_hit_type: null },
  messageExtra: {},
  startExtra: {},
  chunkExtra: {},
  lastDelta: { role: 'assistant', content: '' },
  extra: { service_tier: 'default' },
  errorFrame: dataFrame(fail('server-error').body),
}

/** Pictures to work on are addresses, one or a list. */
function checkPicture(call: Call): void {
  const { body, options } = call
  const { image } = body
  const given = Array.isArray(image) ? image : image === undefined ? [] : [image]
  if (!given.every(one => /^(https?:|data:image\/[a-z]+;base64,)/.test(String(one))))
    throw new Refusal('image is invalid', fail('bad-request', 'The parameter image is invalid.'))
  const accept = [...(options.accept ?? []), 'image', 'seed', 'watermark', 'guidance_scale']
  checkGenerations({ ...call, options: { ...options, accept } })
}

export function startVolcengine(options: UpstreamOptions = {}): Promise<FakeUpstream> {
  return startAlike(
    {
      name: 'VolcEngine',
      key: 'fake0123-4567-89ab-cdef-0123456789ab',
      prefix: '/api/v3',
      tasks: ['embeddings', 'models'],
      routes: [
        {
          method: 'POST',
          path: /^\/api\/v3\/images\/generations$/,
          takes: 'json',
          check: checkPicture,
          answer: answerGenerations,
        },
      ],
      style: STYLE,
      accepts: ['thinking', 'reasoning_content', 'encrypted_content'],
      fail,
    },
    options,
  )
}
