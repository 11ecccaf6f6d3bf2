import { askToWait, type FailureKind, type Fixed } from '../failure.ts'
import { FOUND, render } from '../searching/found.ts'
import { fields } from '../shape.ts'
import { startUpstream } from '../start-upstream.ts'
import {
  type Call,
  type FakeUpstream,
  Refusal,
  type Rendered,
  type SeenRequest,
  type UpstreamOptions,
} from '../upstream.ts'

const FAILURES: Record<FailureKind, readonly [status: number, message: string]> = {
  'bad-request': [400, 'Invalid parameters'],
  'too-long': [400, 'Query too long'],
  'bad-key': [403, 'Unauthorized.'],
  'account-off': [403, 'Unauthorized.'],
  'no-balance': [400, 'Not enough credits'],
  forbidden: [403, 'Unauthorized.'],
  'not-found': [404, 'Not Found'],
  'no-model': [404, 'Not Found'],
  'too-large': [413, 'Payload Too Large'],
  'rate-limit': [429, 'Rate limit exceeded'],
  quota: [400, 'Not enough credits'],
  filtered: [400, 'Query not allowed'],
  'server-error': [500, 'Internal Server Error'],
  overloaded: [503, 'Service Unavailable'],
  timeout: [504, 'Gateway Timeout'],
}

function fail(kind: FailureKind, message?: string): Fixed {
  const [status, usual] = FAILURES[kind]
  return askToWait(kind, { status, body: { message: message ?? usual, statusCode: status } })
}

function refuse(message: string): never {
  throw new Refusal(message, fail('bad-request', message))
}

const KNOWN = fields('q gl hl location num page tbs autocorrect type engine')

function check({ body }: Call): void {
  const unknown = Object.keys(body).find(name => !(name in KNOWN))
  if (unknown !== undefined) refuse(`Unknown parameter ${unknown}`)
  if (typeof body.q !== 'string' || body.q === '') refuse('Missing query')
  if (body.gl !== undefined && !/^[a-z]{2}$/.test(String(body.gl))) refuse('Invalid country')
}

/** More than ten results cost a second credit. */
function answer({ body }: Call): Rendered {
  const count = Number(body.num ?? 10)
  return render({
    searchParameters: { ...body, type: 'search', engine: 'google' },
    organic: FOUND.slice(0, count).map(({ title, url, snippet, date }, at) => ({
      ...{ title, link: url, snippet, date, position: at + 1 },
    })),
    credits: count > 10 ? 2 : 1,
  })
}

function authorize({ headers }: SeenRequest, key: string): void {
  if (headers['x-api-key'] !== key) throw new Refusal('the key is wrong', fail('bad-key'))
}

export function startSerper(options: UpstreamOptions = {}): Promise<FakeUpstream> {
  const { key = 'serper0123456789abcdef' } = options
  return startUpstream(
    {
      ...{ name: 'Serper', key, keyHeaders: ['x-api-key'], authorize, fail },
      routes: [{ method: 'POST', path: /^\/search$/, takes: 'json', check, answer }],
    },
    options,
  )
}
