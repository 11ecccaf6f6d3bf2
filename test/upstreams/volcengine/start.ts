import { asArray, asNumber, asObject, asText } from '../../../server/dialects/json.ts'
import { embed } from '../openai/answer-embeddings.ts'
import { answerGenerations, checkGenerations } from '../openai/answer-images.ts'
import { chatUsage, OPENAI_CHAT } from '../openai/chat-style.ts'
import { startAlike, tellFailures } from '../openai/start-alike.ts'
import type { ChatStyle } from '../openai/write-chat.ts'
import { countTokens } from '../reply.ts'
import type { Answer } from '../script.ts'
import { fields, findUnknown, type Shape } from '../shape.ts'
import { NO_TALLY } from '../tally.ts'
import { type Call, type FakeUpstream, Refusal, type Rendered, type UpstreamOptions } from '../upstream.ts'
import { dataFrame, editUsage } from '../write-frames.ts'

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

const SEEN: Shape = {
  ...fields('model dimensions encoding_format instructions sparse_embedding'),
  input: [{ type: true, text: true, image_url: fields('url'), video_url: fields('url fps') }],
}

/** Texts and pictures in parts, as in a chat. */
function checkSeen({ body }: Call): void {
  const unknown = findUnknown(body, SEEN)
  const isRight = asArray(body.input).every(part => asText(asObject(part)?.type) !== undefined)
  if (unknown === undefined && asArray(body.input).length > 0 && isRight) return
  throw new Refusal('input is wrong', fail('bad-request', 'The parameter input is not valid.'))
}

/** One vector for all that it was given, and no list of them. */
function embedSeen({ body }: Call, answer: Answer): Rendered {
  const parts = asArray(body.input).map(asObject)
  const text = parts.map(part => asText(part?.text) ?? '').join('')
  const image_tokens = 300 * parts.filter(part => part?.type === 'image_url').length
  const text_tokens = countTokens(text)
  const input = text_tokens + image_tokens
  const usage = editUsage(
    { prompt_tokens: input, prompt_tokens_details: { image_tokens, text_tokens }, total_tokens: input },
    answer,
  )
  const data = { object: 'embedding', embedding: embed(text, asNumber(body.dimensions) ?? 8) }
  const said = { created: 1, id: '021763000000', model: body.model, object: 'list', data, usage }
  return {
    contentType: 'application/json',
    body: JSON.stringify(said),
    tally: { ...NO_TALLY, input },
  }
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
          path: /^\/api\/v3\/embeddings\/multimodal$/,
          takes: 'json',
          check: checkSeen,
          answer: embedSeen,
        },
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
