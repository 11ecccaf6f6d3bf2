import { asText, type JsonObject } from '../../../server/dialects/json.ts'
import { PIXEL } from '../openai/answer-images.ts'
import { openaiRoutes } from '../openai/start.ts'
import { fields, findUnknown, type Shape } from '../shape.ts'
import { startUpstream } from '../start-upstream.ts'
import { NO_TALLY } from '../tally.ts'
import {
  bearerOnly,
  type Call,
  type FakeUpstream,
  type Rendered,
  type Route,
  type UpstreamOptions,
} from '../upstream.ts'
import { failCloudflare, refuseCloudflare } from './fail.ts'

export const ACCOUNT = '0123456789abcdef0123456789abcdef'

const PREFIX = `/client/v4/accounts/${ACCOUNT}/ai`
const TASKS = ['chat/completions', 'responses', 'embeddings']

export function startCloudflare(options: UpstreamOptions = {}): Promise<FakeUpstream> {
  const { key = 'cloudflare-token-0123456789' } = options
  return startUpstream(
    {
      name: 'Cloudflare',
      key,
      keyHeaders: ['authorization'],
      authorize: bearerOnly(failCloudflare),
      fail: failCloudflare,
      routes: [
        ...openaiRoutes(`${PREFIX}/v1`, true).filter(isTask).map(namesItsOwn),
        run('@cf/black-forest-labs/flux-1-schnell', 'json', fields('prompt steps seed'), { image: PIXEL }),
        run('@cf/leonardo/lucid-origin', 'json', fields('prompt steps seed width height guidance'), {
          image: PIXEL,
        }),
        run('@cf/openai/whisper-large-v3-turbo', 'json', fields('audio language initial_prompt task'), SAID),
        run('@cf/openai/whisper', 'bytes', {}, SAID),
        {
          ...{ method: 'GET', path: new RegExp(`^${PREFIX}/models/search$`), query: ['per_page'] },
          takes: 'nothing',
          answer: () => write([{ name: '@cf/openai/gpt-oss-120b' }]),
        },
      ],
    },
    options,
  )
}

const SAID: JsonObject = { text: 'Hello from the sound', word_count: 4, vtt: 'WEBVTT' }

function isTask({ path }: Route): boolean {
  return TASKS.some(task => path.test(`${PREFIX}/v1/${task}`))
}

/** Only some models are behind the Responses API, and vectors are numbers. */
function namesItsOwn(route: Route): Route {
  return {
    ...route,
    check(call) {
      if (call.body.encoding_format !== undefined) refuseCloudflare('encoding_format')
      if (call.seen.path.endsWith('/responses') && !String(call.body.model).includes('gpt-oss'))
        refuseCloudflare(`No such model ${call.body.model} or task`)
      route.check?.(call)
    },
  }
}

function run(model: string, takes: Route['takes'], shape: Shape, result: JsonObject): Route {
  return {
    method: 'POST',
    path: new RegExp(`^${PREFIX}/run/${model}$`),
    takes,
    check: call => checkRun(call, takes, shape),
    answer: () => write(result),
  }
}

function checkRun({ seen, body }: Call, takes: Route['takes'], shape: Shape): void {
  if (takes === 'bytes') {
    if (seen.headers['content-type'] !== 'application/octet-stream')
      refuseCloudflare('Bad input: content type')
    if (seen.bytes.length === 0) refuseCloudflare('Bad input: no audio')
    return
  }
  const unknown = findUnknown(body, shape)
  if (unknown !== undefined) refuseCloudflare(`Bad input: ${unknown.join('.')}`)
  if (!asText(body.prompt) && !asText(body.audio)) refuseCloudflare('Bad input: required properties missing')
}

function write(result: JsonObject | JsonObject[]): Rendered {
  const body = JSON.stringify({ result, success: true, errors: [], messages: [] })
  return { contentType: 'application/json', body, tally: NO_TALLY }
}
