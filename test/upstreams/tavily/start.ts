import { askToWait, type FailureKind, type Fixed } from '../failure.ts'
import { FOUND, render } from '../searching/found.ts'
import { fields } from '../shape.ts'
import { startUpstream } from '../start-upstream.ts'
import {
  bearerOnly,
  type Call,
  type FakeUpstream,
  Refusal,
  type Rendered,
  type UpstreamOptions,
} from '../upstream.ts'

const FAILURES: Record<FailureKind, readonly [status: number, error: string]> = {
  'bad-request': [400, 'Invalid topic.'],
  'too-long': [400, 'Query is too long. Max query length is 400 characters.'],
  'bad-key': [401, 'Unauthorized: missing or invalid API key.'],
  'account-off': [401, 'Unauthorized: missing or invalid API key.'],
  'no-balance': [432, "This request exceeds your plan's set usage limit."],
  forbidden: [403, 'Forbidden.'],
  'not-found': [404, 'Not Found'],
  'no-model': [404, 'Not Found'],
  'too-large': [413, 'Request too large.'],
  'rate-limit': [429, 'Your request has been blocked due to excessive requests.'],
  quota: [433, 'This request exceeds the pay-as-you-go limit.'],
  filtered: [400, 'Refused.'],
  'server-error': [500, 'Internal Server Error'],
  overloaded: [503, 'Service Unavailable'],
  timeout: [504, 'A timeout occurred.'],
}

function fail(kind: FailureKind, message?: string): Fixed {
  const [status, usual] = FAILURES[kind]
  return askToWait(kind, { status, body: { detail: { error: message ?? usual } } })
}

function refuse(message: string): never {
  throw new Refusal(message, fail('bad-request', message))
}

const KNOWN = fields(`query auto_parameters topic search_depth chunks_per_source max_results time_range days
  start_date end_date include_answer include_raw_content include_images include_image_descriptions
  include_favicon include_domains exclude_domains country include_usage exact_match`)
const COUNTRIES = ['united states', 'germany', 'czech republic', 'turkey']

function check({ body }: Call): void {
  const unknown = Object.keys(body).find(name => !(name in KNOWN))
  if (unknown !== undefined) refuse(`${unknown}: Extra inputs are not permitted`)
  if (typeof body.query !== 'string' || body.query === '') refuse('Query is missing.')
  if (Number(body.max_results ?? 5) > 20) refuse('Max results must be 20 or less.')
  if (body.country !== undefined && !COUNTRIES.includes(String(body.country))) refuse('Invalid country.')
  for (const name of ['start_date', 'end_date'])
    if (body[name] !== undefined && !/^\d{4}-\d{2}-\d{2}$/.test(String(body[name])))
      refuse(`Invalid ${name}.`)
}

function answer({ body, newId }: Call): Rendered {
  return render({
    ...{ query: body.query, answer: null, images: [], response_time: 1.2, request_id: newId('tvly-', 8) },
    results: FOUND.slice(0, Number(body.max_results ?? 5)).map(({ title, url, snippet }) => ({
      ...{ title, url, content: snippet, score: 0.9, raw_content: null },
      ...(body.topic === 'news' && { published_date: 'Sun, 01 Nov 2026 00:00:00 GMT' }),
    })),
    ...(body.include_usage === true && { usage: { credits: body.search_depth === 'advanced' ? 2 : 1 } }),
  })
}

export function startTavily(options: UpstreamOptions = {}): Promise<FakeUpstream> {
  const { key = 'tvly-fake-0123456789' } = options
  return startUpstream(
    {
      ...{ name: 'Tavily', key, keyHeaders: ['authorization'], authorize: bearerOnly(fail), fail },
      routes: [{ method: 'POST', path: /^\/search$/, takes: 'json', check, answer }],
    },
    options,
  )
}
