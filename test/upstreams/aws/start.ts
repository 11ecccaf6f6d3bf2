import { asArray, asObject, asText, type JsonObject } from '../../../server/dialects/json.ts'
import { checkMessages } from '../anthropic/check-request.ts'
import { readAnthropicTurn } from '../anthropic/read-turn.ts'
import { writeAnthropic } from '../anthropic/write-answer.ts'
import type { Answer } from '../script.ts'
import { startUpstream } from '../start-upstream.ts'
import { type Call, type FakeUpstream, Refusal, type Rendered, type UpstreamOptions } from '../upstream.ts'
import { checkSignature } from './check-signature.ts'
import { failAws, refuseAws } from './fail.ts'
import { packEvent, packException } from './pack-event.ts'

const REGION = 'us-east-1'
const ACCESS = 'AKIAFAKEUPSTREAM0123'
const SECRET = 'fakeUpstreamSecret/0123456789+abcdefghij'
const PATH = /^\/model\/(?<id>[^/]+)\/invoke(?<stream>-with-response-stream)?$/
const ID = /^us\.anthropic\.(claude-[a-z0-9-]+?)(-v\d(:\d)?)?$/
const ERROR = 'exception'
/** As Amazon lists them for these models. */
const BETAS = `computer-use-2025-01-24 token-efficient-tools-2025-02-19 interleaved-thinking-2025-05-14
  output-128k-2025-02-19 dev-full-thinking-2025-05-14 context-1m-2025-08-07 context-management-2025-06-27
  effort-2025-11-24 tool-search-tool-2025-10-19 tool-examples-2025-10-29`.split(/\s+/)

/** Claude on Bedrock. With an `ApiKey|Region` as its key it takes that instead of a signature. */
export function startAws(options: UpstreamOptions = {}): Promise<FakeUpstream> {
  const { key = `${ACCESS}|${SECRET}|${REGION}` } = options
  const [first = '', second = '', region] = key.split('|')
  return startUpstream(
    {
      name: 'Bedrock',
      key,
      keyHeaders: ['authorization'],
      authorize(seen) {
        if (region !== undefined) return checkSignature(seen, first, second, region)
        if (seen.headers.authorization !== `Bearer ${first}`) refuseAws('Authentication failed', 'bad-key')
      },
      fail: failAws,
      routes: [{ method: 'POST', path: PATH, takes: 'json', check: checkInvoke, answer: invoke }],
    },
    options,
  )
}

/** The same call as Anthropic itself would get it. */
function asAnthropic(call: Call): Call {
  const { anthropic_version: _version, anthropic_beta: betas, ...body } = call.body
  const id = decodeURIComponent(call.params.id ?? '')
  const model = ID.exec(id)?.[1] ?? ''
  const beta = asArray(betas).join(',')
  const headers: Record<string, string> = { 'anthropic-version': '2023-06-01' }
  if (beta !== '') headers['anthropic-beta'] = beta
  const inner: JsonObject = { ...body, model, ...(call.params.stream && { stream: true }) }
  return { ...call, body: inner, seen: { ...call.seen, headers } }
}

function checkInvoke(call: Call): void {
  const { body, seen, params } = call
  for (const name of ['model', 'stream', 'speed', 'service_tier'])
    if (name in body) refuseAws(`extraneous key [${name}] is not permitted`)
  for (const name of ['anthropic-version', 'anthropic-beta'])
    if (name in seen.headers) refuseAws(`the header ${name} is Anthropic’s`)
  if (body.anthropic_version !== 'bedrock-2023-05-31') refuseAws('anthropic_version: Field required')
  if (asArray(body.anthropic_beta).some(beta => !BETAS.includes(String(beta)))) refuseAws('invalid beta flag')
  if (/"(scope|eager_input_streaming)":/.test(seen.text)) refuseAws('Extra inputs are not permitted')
  if (!ID.test(decodeURIComponent(params.id ?? ''))) refuseAws('The provided model identifier is invalid.')
  if (seen.text.includes('"type":"url"')) refuseAws('messages: image source url is not supported')
  try {
    checkMessages(asAnthropic(call))
  } catch (error) {
    if (error instanceof Refusal) refuseAws(error.message)
    throw error
  }
}

function invoke(call: Call, answer: Answer): Rendered {
  const inner = asAnthropic(call)
  const rendered = writeAnthropic(inner, readAnthropicTurn(inner.body), answer)
  if (rendered.frames === undefined) return rendered
  return {
    ...rendered,
    contentType: 'application/vnd.amazon.eventstream',
    errorFrame: ERROR,
    pack: frame => {
      if (frame === ERROR) return packException('modelStreamErrorException', 'The model failed.')
      const data = frame.slice(frame.indexOf('data: ') + 'data: '.length).trim()
      const event = asObject(JSON.parse(data)) ?? {}
      if (asText(event.type) !== 'message_stop') return packEvent(data)
      const metrics = { inputTokenCount: 1, outputTokenCount: 1, firstByteLatency: 1 }
      return packEvent(JSON.stringify({ ...event, 'amazon-bedrock-invocationMetrics': metrics }))
    },
  }
}
