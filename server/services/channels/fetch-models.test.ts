import { afterAll, beforeEach, expect, test } from 'bun:test'
import { createOutbound } from '../../outbound/client.ts'
import { fetchModels } from './fetch-models.ts'
import { asUpstream } from './upstream-request.ts'

let asked: string[] = []
let answers: unknown[] = []
const server = Bun.serve({
  port: 0,
  hostname: '127.0.0.1',
  fetch(request) {
    const { pathname, search } = new URL(request.url)
    asked.push(pathname + search)
    return Response.json(answers.shift() ?? {})
  },
})
afterAll(() => server.stop(true))
beforeEach(() => {
  asked = []
})

const house = `http://127.0.0.1:${server.port}`
const app = { outbound: createOutbound() }

async function list(type: number, path: string, given: unknown[], other = ''): Promise<string[]> {
  answers = given
  const baseUrl = house + path
  return fetchModels(
    app,
    asUpstream({ type, baseUrl, key: 'k', other, organization: undefined, proxy: undefined }),
  )
}

const ids = { data: [{ id: 'a' }, { id: 'b' }] }

test('each vendor is asked where it lists its models', async () => {
  const cases: [type: number, base: string, answer: unknown, path: string, other?: string][] = [
    [1, '', ids, '/v1/models'],
    [1, '/v1', ids, '/v1/models'],
    [3, '', ids, '/openai/models?api-version=2025-01-01', '2025-01-01'],
    [3, '/openai/v1', ids, '/openai/v1/models'],
    [4, '', { models: [{ name: 'a' }, { name: 'b' }] }, '/api/tags'],
    [8, '/v1', ids, '/v1/models'],
    [8, '/x/v1/chat/completions', ids, '/x/v1/models'],
    [15, '', ids, '/v2/models'],
    [17, '', ids, '/compatible-mode/v1/models'],
    [26, '', ids, '/api/paas/v4/models'],
    [34, '', { models: [{ name: 'a' }, { name: 'b' }] }, '/v1/models?page_size=1000'],
    [
      39,
      '',
      { result: [{ name: 'a' }, { name: 'b' }] },
      '/client/v4/accounts/acc%2F1/ai/models/search?per_page=1000',
      'acc/1',
    ],
    [40, '', ids, '/v1/models'],
    // Some leave the envelope out.
    [42, '', [{ id: 'a' }, { id: 'b' }], '/v1/models'],
    [1, '', { models: [{ id: 'a' }, { id: 'b' }] }, '/v1/models'],
    [1, '', { data: [{ id: 'a' }, { name: 'odd' }, { id: 'b' }] }, '/v1/models'],
    [14, '', { data: [{ id: 'a' }, null, { id: 'b' }] }, '/v1/models?limit=1000'],
  ]
  for (const [type, base, answer, path, other] of cases) {
    asked = []
    expect([type, await list(type, base, [answer], other), asked]).toEqual([type, ['a', 'b'], [path]])
  }
})

test('long lists are read page by page, and never for ever', async () => {
  const anthropic = [
    { data: [{ id: 'a' }], has_more: true },
    { data: [{ id: 'b' }], has_more: false },
  ]
  expect(await list(14, '', anthropic)).toEqual(['a', 'b'])
  expect(asked).toEqual(['/v1/models?limit=1000', '/v1/models?limit=1000&after_id=a'])
  asked = []
  const gemini = [
    { models: [{ name: 'models/a' }], nextPageToken: 'x&y' },
    { models: [{ name: 'models/b' }, { name: 'with,comma' }] },
  ]
  expect(await list(24, '', gemini)).toEqual(['a', 'b'])
  expect(asked[1]).toBe('/v1beta/models?pageSize=1000&pageToken=x%26y')
  asked = []
  const endless = Array.from({ length: 100 }, (_, at) => ({ data: [{ id: `m${at}` }], has_more: true }))
  expect(await list(14, '', endless)).toHaveLength(20)
})

test('what is no list, or of a type that has none, is refused', async () => {
  const refusal = (type: number, path: string, answer: unknown): Promise<string> =>
    list(type, path, [answer]).then(
      () => 'listed',
      (error: { code: string }) => error.code,
    )
  for (const answer of [{}, { data: null }, { data: ['a'] }, { data: [{ id: null }] }, 'text', [1]])
    expect([answer, await refusal(1, '', answer)]).toEqual([answer, 'channel.upstream-unreadable'])
  expect(await refusal(37, '', ids)).toBe('channel.list-unsupported')
  expect(await refusal(8, '/{model}/chat', ids)).toBe('channel.list-unsupported')
})
