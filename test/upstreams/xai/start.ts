import { asArray, asObject } from '../../../server/dialects/json.ts'
import { answerGenerations } from '../openai/answer-images.ts'
import { chatUsage, OPENAI_CHAT } from '../openai/chat-style.ts'
import { startAlike, tellFailures } from '../openai/start-alike.ts'
import type { ChatStyle } from '../openai/write-chat.ts'
import { type Call, type FakeUpstream, Refusal, type UpstreamOptions } from '../upstream.ts'
import { dataFrame } from '../write-frames.ts'

const INVALID = 'Client specified an invalid argument'
const EXHAUSTED = 'Some resource has been exhausted'
const DENIED = 'The caller does not have permission to execute the specified operation'
const NOT_FOUND = 'Some requested entity was not found'

/** A wrong key is a wrong argument. */
const fail = tellFailures(
  {
    'bad-request': [400, INVALID, 'Invalid request.'],
    'too-long': [
      400,
      INVALID,
      "This model's maximum prompt length is 131072 but the request has 140000 tokens.",
    ],
    'bad-key': [
      400,
      INVALID,
      'Incorrect API key provided: xa***89. You can obtain an API key from https://console.x.ai.',
    ],
    forbidden: [403, DENIED, 'Your API key or team does not have permission to perform the action.'],
    'no-model': [404, NOT_FOUND, 'The model nothing does not exist or your team does not have access to it.'],
    'rate-limit': [429, EXHAUSTED, 'Too many requests for team 0123 and model grok-4.7.'],
    quota: [429, EXHAUSTED, 'Your team has either used all available credits or reached its spending limit.'],
    'server-error': [500, 'Internal error', 'Internal error'],
    overloaded: [503, 'The service is currently unavailable', 'The service is overloaded.'],
  },
  (_, code, error) => ({ code, error }),
)

/** Thoughts are counted beside the output, and only the total has all. */
const STYLE: ChatStyle = {
  ...OPENAI_CHAT,
  idPrefix: '',
  usage: tally => ({
    ...chatUsage(tally),
    prompt_tokens_details: {
      text_tokens: tally.input,
      audio_tokens: 0,
      image_tokens: 0,
      cached_tokens: tally.cached,
    },
    completion_tokens: tally.output - tally.reasoning,
    num_sources_used: 0,
    cost_in_usd_ticks: 1000,
  }),
  thinking: 'reasoning_content',
  saysNoUsage: false,
  choiceExtra: {},
  messageExtra: { refusal: null },
  startExtra: {},
  chunkExtra: {},
  extra: { system_fingerprint: 'fp_0123456789' },
  errorFrame: dataFrame({ error: { message: 'Internal error', type: 'server_error', code: '500' } }),
}

function checkPicturesGiven({ body: { image, images } }: Call): void {
  const given = image === undefined ? asArray(images) : [image]
  const isRight =
    given.every(one => typeof asObject(one)?.url === 'string') && (images === undefined || !image)
  if (given.length > 0 && isRight) return
  throw new Refusal('image or images', { status: 422, body: { code: '422', error: 'Field required: image' } })
}

/** Words of OpenAI's for which it has none, or others. */
function checkPicture({ body }: Call): void {
  const refuse = (message: string): never => {
    throw new Refusal(message, { status: 400, body: { code: '400', error: message } })
  }
  const unknown = ['size', 'style'].find(name => name in body)
  if (unknown !== undefined) refuse(`Argument not supported: ${unknown}`)
  if (typeof body.prompt !== 'string') refuse('Field required: prompt')
  if (body.quality !== undefined && !['low', 'medium', 'high'].includes(String(body.quality)))
    refuse('Argument not supported: quality')
  if (body.aspect_ratio !== undefined && !/^\d+(\.5)?:\d+(\.5)?$|^auto$/.test(String(body.aspect_ratio)))
    refuse('Invalid aspect_ratio')
}

export function startXai(options: UpstreamOptions = {}): Promise<FakeUpstream> {
  return startAlike(
    {
      name: 'xAI',
      key: 'xai-fake0123456789',
      prefix: '/v1',
      tasks: ['models'],
      routes: [
        {
          method: 'POST',
          path: /^\/v1\/images\/generations$/,
          takes: 'json',
          check: checkPicture,
          answer: answerGenerations,
        },
        {
          method: 'POST',
          path: /^\/v1\/images\/edits$/,
          takes: 'json',
          check(call) {
            checkPicture(call)
            checkPicturesGiven(call)
          },
          answer: answerGenerations,
        },
      ],
      style: STYLE,
      accepts: ['reasoning_content', 'search_parameters', 'deferred'],
      // Its models that think take none of these.
      refuses: ['stop', 'presence_penalty', 'frequency_penalty'],
      fail,
    },
    options,
  )
}
