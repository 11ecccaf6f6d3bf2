import { askToWait, type FailureKind, type Fixed } from '../failure.ts'
import { FOUND, render } from '../searching/found.ts'
import { fields, findUnknown, type Shape } from '../shape.ts'
import { startUpstream } from '../start-upstream.ts'
import {
  type Call,
  type FakeUpstream,
  Refusal,
  type Rendered,
  type SeenRequest,
  type UpstreamOptions,
} from '../upstream.ts'

const FAILURES: Record<FailureKind, readonly [status: number, tag: string, error: string]> = {
  'bad-request': [400, 'INVALID_REQUEST_BODY', 'Invalid request body'],
  'too-long': [400, 'INVALID_REQUEST_BODY', 'The query is too long'],
  'bad-key': [401, 'INVALID_API_KEY', 'Invalid API key'],
  'account-off': [401, 'INVALID_API_KEY', 'Invalid API key'],
  'no-balance': [402, 'NO_MORE_CREDITS', 'You have exceeded your credits limit'],
  forbidden: [403, 'ACCESS_DENIED', 'Access denied'],
  'not-found': [404, 'NOT_FOUND', 'Not found'],
  'no-model': [404, 'NOT_FOUND', 'Not found'],
  'too-large': [413, 'REQUEST_TOO_LARGE', 'Request too large'],
  'rate-limit': [429, 'RATE_LIMIT_EXCEEDED', 'You have exceeded your requests per second limit'],
  quota: [402, 'API_KEY_BUDGET_EXCEEDED', 'The budget of this API key is spent'],
  filtered: [403, 'PROHIBITED_CONTENT', 'The request was blocked'],
  'server-error': [500, 'INTERNAL_ERROR', 'An unexpected error occurred'],
  overloaded: [503, 'SERVICE_UNAVAILABLE', 'Service unavailable'],
  timeout: [504, 'TIMEOUT', 'The request timed out'],
}

function fail(kind: FailureKind, message?: string): Fixed {
  const [status, tag, error] = FAILURES[kind]
  return askToWait(kind, { status, body: { requestId: '67207943fab9832d', error: message ?? error, tag } })
}

function refuse(message: string): never {
  throw new Refusal(message, fail('bad-request', message))
}

const KNOWN: Shape = {
  ...fields(`query type category userLocation numResults includeDomains excludeDomains startCrawlDate
    endCrawlDate startPublishedDate endPublishedDate includeText excludeText moderation`),
  contents: { text: fields('maxCharacters includeHtmlTags'), ...fields('highlights summary livecrawl') },
}

function check({ body }: Call): void {
  const unknown = findUnknown(body, KNOWN)
  if (unknown !== undefined) refuse(`unrecognized key: ${unknown.join('.')}`)
  if (typeof body.query !== 'string' || body.query === '') refuse('query is required')
  if (body.userLocation !== undefined && !/^[A-Z]{2}$/.test(String(body.userLocation)))
    refuse('userLocation is a two-letter code')
}

function answer({ body, newId }: Call): Rendered {
  const count = Number(body.numResults ?? 10)
  return render({
    ...{ requestId: newId('exa', 8), resolvedSearchType: 'neural', searchType: body.type ?? 'auto' },
    results: FOUND.slice(0, count).map(({ title, url, snippet, date }) => ({
      ...{ id: url, title, url, author: null, publishedDate: `${date}T00:00:00.000Z` },
      ...(body.contents !== undefined && { text: snippet }),
    })),
    costDollars: { total: 0.007, search: { neural: 0.007 } },
  })
}

function authorize({ headers }: SeenRequest, key: string): void {
  if (headers['x-api-key'] !== key) throw new Refusal('the key is wrong', fail('bad-key'))
}

export function startExa(options: UpstreamOptions = {}): Promise<FakeUpstream> {
  const { key = '01234567-89ab-4cde-8f01-exa000000000' } = options
  return startUpstream(
    {
      ...{ name: 'Exa', key, keyHeaders: ['x-api-key'], authorize, fail },
      routes: [{ method: 'POST', path: /^\/search$/, takes: 'json', check, answer }],
    },
    options,
  )
}
