import { asArray, asNumber, asObject, asText, type JsonObject } from '../../../server/dialects/json.ts'
import { askToWait, type FailureKind, type Fixed } from '../failure.ts'
import { fields, findUnknown } from '../shape.ts'
import { startUpstream } from '../start-upstream.ts'
import { NO_TALLY } from '../tally.ts'
import {
  bearerOnly,
  type Call,
  type FakeUpstream,
  Refusal,
  type Rendered,
  type UpstreamOptions,
} from '../upstream.ts'

export const VERSION = '5c7d5dc6dd8bf75c1acaa8565735e7986bc5b66206b55cca93cb72c9bf15ccaa'

const FAILURES: Record<FailureKind, readonly [status: number, title: string, detail: string]> = {
  'bad-request': [422, 'Input validation failed', '- input: prompt is required'],
  'too-long': [422, 'Input validation failed', '- input.prompt: String length must be less than 10000'],
  'bad-key': [401, 'Unauthenticated', 'You did not pass a valid authentication token'],
  'account-off': [401, 'Unauthenticated', 'The account is disabled'],
  'no-balance': [402, 'Insufficient credit', 'You have insufficient credit to run this model.'],
  forbidden: [403, 'Forbidden', 'You do not have permission to perform this action.'],
  'not-found': [404, 'Not found', 'The requested resource could not be found.'],
  'no-model': [404, 'Not found', 'The requested resource could not be found.'],
  'too-large': [413, 'Too large', 'The request is too large.'],
  'rate-limit': [429, 'Throttled', 'Request was throttled. Expected available in 1 second.'],
  quota: [402, 'Monthly spend limit reached', 'You have reached your spend limit.'],
  filtered: [422, 'Flagged', 'The input was flagged.'],
  'server-error': [500, 'Internal server error', 'Something went wrong.'],
  overloaded: [503, 'Service unavailable', 'Please try again.'],
  timeout: [504, 'Gateway timeout', 'Please try again.'],
}

function failReplicate(kind: FailureKind, message?: string): Fixed {
  const [status, title, detail] = FAILURES[kind]
  return askToWait(kind, { status, body: { title, detail: message ?? detail, status } })
}

function refuse(message: string): never {
  throw new Refusal(message, failReplicate('bad-request', message))
}

const SHAPES = ['1:1', '16:9', '9:16', '3:2', '2:3', '4:5', '5:4', '4:3', '3:4']
const INPUT = fields('prompt aspect_ratio output_format num_outputs image_number seed guidance')
const made = new Map<string, { readonly input: JsonObject; looks: number }>()

function check({ body, seen, params }: Call): void {
  const isVersion = params.name === undefined
  const unknown = findUnknown(body, { input: INPUT, ...(isVersion && fields('version')) })
  if (unknown !== undefined) refuse(`${unknown.join('.')}: Additional properties are not allowed`)
  if (seen.headers.prefer !== 'wait') refuse('nobody waits')
  if (isVersion && body.version !== VERSION && body.version !== `somebody/draws:${VERSION}`)
    throw new Refusal('no such version', failReplicate('no-model'))
  const { prompt, aspect_ratio, output_format } = asObject(body.input) ?? {}
  if (!asText(prompt)) refuse('- input: prompt is required')
  if (aspect_ratio !== undefined && !SHAPES.includes(String(aspect_ratio))) refuse('- input.aspect_ratio')
  if (output_format !== undefined && !['webp', 'jpg', 'png'].includes(String(output_format)))
    refuse('- input.output_format')
}

/** A prompt that is slow is looked for twice, and has half of its pictures the first time. */
function tell(id: string): Rendered {
  const known = made.get(id)
  if (!known) throw new Refusal('no such prediction', failReplicate('not-found'))
  const { input } = known
  const prompt = String(input.prompt)
  // Models have names of their own for it.
  const count = asNumber(input.num_outputs ?? input.image_number) ?? 1
  const looks = known.looks++
  const status = prompt.includes('fail')
    ? 'failed'
    : prompt.includes('slow') && looks < 2
      ? 'processing'
      : prompt.includes('early')
        ? 'processing'
        : 'succeeded'
  const shown = status === 'failed' ? 0 : status === 'succeeded' || prompt.includes('early') ? count : looks
  const all = Array.from({ length: shown }, (_, at) => `https://replicate.delivery/x/${id}/${at}.webp`)
  const packed = prompt.includes('packed') ? ['data:image/webp;base64,UklGRg=='] : all
  const body = {
    ...{ id, model: 'm', version: 'hidden', input, logs: '', data_removed: false, status },
    output: packed.length === 0 ? null : count === 1 ? packed[0] : packed,
    error:
      status === 'failed'
        ? prompt.includes('nsfw')
          ? 'NSFW content detected.'
          : 'CUDA out of memory'
        : null,
    created_at: '2026-11-17T00:00:00.000Z',
    urls: { get: `https://api.replicate.com/v1/predictions/${id}` },
  }
  return { contentType: 'application/json', body: JSON.stringify(body), tally: NO_TALLY }
}

function create(call: Call): Rendered {
  const id = call.newId('gm3qorzdhgbf', 12)
  made.set(id, { input: asObject(call.body.input) ?? {}, looks: 0 })
  return tell(id)
}

function listDrawers(): Rendered {
  const models = asArray(['black-forest-labs/flux-dev', 'google/imagen-4']).map(model => {
    const [owner, name] = String(model).split('/')
    return { owner, name, description: '', visibility: 'public', run_count: 1 }
  })
  const body = JSON.stringify({ name: 'Text to image', slug: 'text-to-image', description: '', models })
  return { contentType: 'application/json', body, tally: NO_TALLY }
}

export function startReplicate(options: UpstreamOptions = {}): Promise<FakeUpstream> {
  return startUpstream(
    {
      name: 'Replicate',
      key: options.key ?? 'r8_fake0123456789abcdef',
      keyHeaders: ['authorization'],
      authorize: bearerOnly(failReplicate),
      fail: failReplicate,
      routes: [
        {
          ...{ method: 'POST', path: /^\/v1\/models\/(?<owner>[^/]+)\/(?<name>[^/]+)\/predictions$/ },
          ...{ takes: 'json', check, answer: create },
        },
        { method: 'POST', path: /^\/v1\/predictions$/, takes: 'json', check, answer: create },
        {
          ...{ method: 'GET', path: /^\/v1\/predictions\/(?<id>[a-z0-9]+)$/, takes: 'nothing' },
          answer: ({ params }) => tell(params.id ?? ''),
        },
        { method: 'GET', path: /^\/v1\/collections\/text-to-image$/, takes: 'nothing', answer: listDrawers },
      ],
    },
    options,
  )
}
