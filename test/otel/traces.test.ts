import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { until } from '../program.ts'
import type { SeenSpan } from './check-export.ts'
import {
  ANSWER,
  COLLECTOR_KEY,
  invalid,
  makeCalls,
  openTracedHouse,
  PARENT,
  parentOf,
  QUESTION,
  STATE,
  STRANGE_KEY,
  TALKING,
  TRACE,
  type TracedHouse,
  traces,
} from './traced-house.ts'

const SERVER = 2
const CLIENT = 3

let house: TracedHouse
let calls: Map<string, string>

beforeAll(async () => {
  house = await openTracedHouse()
  calls = await makeCalls(house)
})
afterAll(async () => {
  await house.close()
  expect(house.collector.complaints).toEqual([])
})

const idOf = (name: string): string => calls.get(name) ?? ''

async function traceOf(name: string): Promise<{ call: SeenSpan; tries: SeenSpan[]; only: SeenSpan }> {
  const found = await until(() => house.collector.find(idOf(name)))
  return { ...found, only: found.tries[0] as SeenSpan }
}

function expectInside(call: SeenSpan, tries: readonly SeenSpan[]): void {
  let before = call.start
  for (const one of tries) {
    expect([one.traceId, one.parentSpanId]).toEqual([call.traceId, call.spanId])
    expect(one.start).toBeGreaterThanOrEqual(before)
    expect(one.end).toBeLessThanOrEqual(call.end)
    before = one.end
  }
}

describe('a call', () => {
  test('is a span below its caller’s, with what it was and what it cost', async () => {
    const { call, tries, only } = await traceOf('plain')
    const row = await house.rig.logOf(idOf('plain'))
    expect(row.details.admin_info).toEqual({ use_channel: [String(house.channels.first)], trace_id: TRACE })
    expect([call.traceId, call.parentSpanId, call.traceState]).toEqual([TRACE, PARENT, STATE])
    expect([call.name, call.kind, call.isError]).toEqual(['POST /v1/chat/completions', SERVER, false])
    expect(call.flags).toBe(0x301)
    expect(call.attributes).toEqual({
      'http.request.method': 'POST',
      'http.route': '/v1/chat/completions',
      'url.path': '/v1/chat/completions',
      'url.scheme': 'http',
      'http.response.status_code': 200,
      'gen_ai.operation.name': 'chat',
      'gen_ai.provider.name': 'openai',
      'gen_ai.request.model': 'm-one',
      'gen_ai.response.model': 'm-one',
      'gen_ai.usage.input_tokens': row.prompt_tokens,
      'gen_ai.usage.output_tokens': row.completion_tokens,
      'tollgate.quota': row.quota,
      'tollgate.request.id': idOf('plain'),
      'user.id': String(house.people.userId),
      'tollgate.user.id': house.people.userId,
      'tollgate.token.id': house.people.token.id,
      'tollgate.token.name': row.token_name,
      'tollgate.labels': 'env:prod,search',
      'tollgate.group': 'default',
      'tollgate.channel.id': house.channels.first,
    })
    expect(row.quota).toBeGreaterThan(0)
    expectInside(call, tries)
    expect(tries).toHaveLength(1)
    expect([only.name, only.kind, only.isError]).toEqual(['chat m-one', CLIENT, false])
    expect(only.attributes).toEqual({
      'gen_ai.operation.name': 'chat',
      'gen_ai.provider.name': 'openai',
      'gen_ai.request.model': 'm-one',
      'http.response.status_code': 200,
      'tollgate.channel.id': house.channels.first,
      'tollgate.channel.type': 1,
    })
  })

  test('says of which process it is', async () => {
    const { resource } = (await traceOf('plain')).call
    expect(resource).toMatchObject({
      'service.name': 'gate-under-test',
      'deployment.environment.name': 'test bench',
      'service.version': expect.stringMatching(/^\d+\.\d+/),
      'service.instance.id': expect.stringMatching(/^[\da-f-]{36}$/),
    })
  })

  test.each(['streamed', 'converted'])(
    'that is %s lasts until its end, and tells its first words',
    async name => {
      const { call, tries, only } = await traceOf(name)
      const row = await house.rig.logOf(idOf(name))
      expectInside(call, tries)
      expect(call.isError || only.isError).toBe(false)
      expect(call.attributes).toMatchObject({
        'gen_ai.request.stream': true,
        'gen_ai.usage.input_tokens': row.prompt_tokens,
        'gen_ai.usage.output_tokens': row.completion_tokens,
        'tollgate.quota': row.quota,
        'http.route': name === 'converted' ? '/v1/messages' : '/v1/chat/completions',
      })
      for (const span of [call, only]) {
        const after = Number(span.attributes['gen_ai.response.time_to_first_chunk'])
        expect(after).toBeGreaterThan(0)
        expect(after).toBeLessThanOrEqual(Number(span.end - span.start) / 1e9)
      }
    },
  )

  test('without a caller’s trace has one by its own number', async () => {
    const { call } = await traceOf('streamed')
    expect([call.traceId, call.parentSpanId]).toEqual([idOf('streamed').replaceAll('-', ''), undefined])
    expect(call.flags).toBe(0x101)
    expect((await traceOf('google')).call.traceState).toBeUndefined()
  })

  test('is named by its address, with names for what varies', async () => {
    const { call, only } = await traceOf('google')
    expect(call.name).toBe('POST /v1beta/models/{model}:generateContent')
    expect([call.attributes['gen_ai.operation.name'], only.name]).toEqual([
      'generate_content',
      'generate_content m-one',
    ])
    const vector = await traceOf('vector')
    expect([vector.call.attributes['gen_ai.operation.name'], vector.only.name]).toEqual([
      'embeddings',
      'embeddings m-vector',
    ])
  })

  test('that is a conversation lasts as long as that', async () => {
    const isIt = (span: SeenSpan) => span.traceId === traces.talked && span.kind === SERVER
    const call = await until(() => house.collector.spans.find(isIt))
    const [only, ...others] = house.collector.triesOf(call)
    expect([call.name, call.isError, only?.isError, others]).toEqual(['GET /v1/realtime', false, false, []])
    const row = await house.rig.logOf(String(call.attributes['tollgate.request.id']))
    expect(call.attributes).toMatchObject({
      'http.response.status_code': 101,
      'gen_ai.operation.name': 'realtime',
      'gen_ai.request.model': TALKING,
      'tollgate.quota': row.quota,
    })
  })

  test('that comes over a socket is one like any other', async () => {
    const isIt = (span: SeenSpan) => span.traceId === traces.turned && span.kind === SERVER
    const turns = await until(() => {
      const found = house.collector.spans.filter(isIt)
      return found.length === 2 ? found : undefined
    })
    for (const call of turns) {
      expect([call.name, call.isError, call.parentSpanId]).toEqual(['POST /v1/responses', false, PARENT])
      const row = await house.rig.logOf(String(call.attributes['tollgate.request.id']))
      expect(call.attributes).toMatchObject({
        'http.response.status_code': 200,
        'gen_ai.operation.name': 'chat',
        'gen_ai.request.stream': true,
        'tollgate.quota': row.quota,
      })
      expect(house.collector.triesOf(call)).toHaveLength(1)
    }
  })

  test('that submits a long job is one too; asking after jobs, or for models, is not', async () => {
    const { call, tries } = await traceOf('song')
    expect([call.name, tries.length]).toEqual(['POST /suno/submit/{kind}', 1])
    expect(call.attributes).toMatchObject({ 'gen_ai.request.model': 'suno_music', 'tollgate.quota': 50_000 })
    await traceOf('left')
    for (const name of ['songs', 'models']) expect(house.collector.find(idOf(name))).toBeUndefined()
  })
})

describe('a try at a channel', () => {
  test('that failed is a span of its own, before the one that answered', async () => {
    const { call, tries } = await traceOf('retried')
    expectInside(call, tries)
    expect(call.isError).toBe(false)
    expect(tries.map(one => [one.isError, one.attributes['tollgate.channel.id'], one.name])).toEqual([
      [true, house.channels.second, 'chat m-two'],
      [false, house.channels.late, 'chat m-inner'],
    ])
    expect(tries[0]?.attributes).toMatchObject({ 'error.type': '500', 'http.response.status_code': 500 })
    expect(call.attributes).toMatchObject({
      'gen_ai.request.model': 'm-two',
      'gen_ai.response.model': 'm-inner',
      'tollgate.channel.id': house.channels.late,
    })
  })

  test('that is the client’s fault is an error of the try, and not of the server', async () => {
    const { call, only } = await traceOf('wrong')
    expect([call.isError, call.attributes['http.response.status_code']]).toEqual([false, 400])
    expect(call.attributes).not.toHaveProperty('error.type')
    expect([only.isError, only.attributes['error.type']]).toEqual([true, '400'])
  })

  test('is the last when nobody can answer: then the call is an error', async () => {
    const { call, tries } = await traceOf('failed')
    expect(tries.map(one => one.attributes['error.type'])).toEqual(['503', '503'])
    expect([call.isError, call.attributes['error.type']]).toEqual([true, '503'])
    expect(call.attributes).not.toHaveProperty('tollgate.quota')
  })

  test('whose stream is cut makes both an error, also behind a 200', async () => {
    const { call, only } = await traceOf('cut')
    expect([call.attributes['http.response.status_code'], call.attributes['error.type']]).toEqual([
      200,
      'cut',
    ])
    expect([call.isError, only.isError, only.attributes['error.type']]).toEqual([true, true, 'cut'])
  })
})

describe('what is refused before any channel', () => {
  test.each([
    ['stranger', 401, 'relay.bad-key'],
    ['denied', 403, 'relay.model-denied'],
    ['hurried', 429, 'limit.token'],
    ['page', 401, 'auth.required'],
  ])('a %s is told with its status, which is no error of the server', async (name, status, code) => {
    const { call, tries } = await traceOf(name)
    expect(tries).toEqual([])
    expect(call.isError).toBe(false)
    expect(call.attributes).toMatchObject({
      'http.response.status_code': status,
      'tollgate.error.code': expect.stringContaining(code),
    })
    expect(call.attributes).not.toHaveProperty('error.type')
    expect(call.attributes['tollgate.user.id']).toBe(status === 401 ? undefined : house.people.userId)
  })
})

describe('a client who leaves', () => {
  test('in the middle of a stream pays for it, and the span says who ended it', async () => {
    const { call, only } = await traceOf('left')
    const row = await house.rig.logOf(idOf('left'))
    expect([call.isError, call.attributes['error.type'], only.attributes['error.type']]).toEqual([
      true,
      'client',
      'client',
    ])
    expect(call.attributes['tollgate.quota']).toBe(row.quota)
  })

  test('before there was an answer has got no status', async () => {
    const isIt = (span: SeenSpan) => span.traceId === traces.leftEarly && span.kind === SERVER
    const call = await until(() => house.collector.spans.find(isIt))
    expect([call.isError, call.attributes['error.type']]).toEqual([true, 'client'])
    expect(call.attributes).not.toHaveProperty('http.response.status_code')
    expect(house.collector.triesOf(call).map(one => one.attributes['error.type'])).toEqual(['client'])
  })
})

describe('a caller’s trace', () => {
  test('that is not in the form is none', async () => {
    for (const at of invalid.keys()) {
      const { call } = await traceOf(`invalid ${at}`)
      expect([call.traceId, call.parentSpanId]).toEqual([
        idOf(`invalid ${at}`).replaceAll('-', ''),
        undefined,
      ])
    }
  })

  test('that nobody records leaves no spans here', async () => {
    await traceOf('left')
    expect(house.collector.find(idOf('unsampled'))).toBeUndefined()
    expect((await house.rig.logOf(idOf('unsampled'))).details.admin_info).not.toHaveProperty('trace_id')
  })

  test('is handed on to upstreams only where the operator says so', () => {
    const told = [...house.upstreams.first.requests, ...house.upstreams.second.requests].filter(
      ({ headers }) => 'traceparent' in headers || 'tracestate' in headers,
    )
    expect(told.map(({ headers, json }) => [headers.traceparent, (json as { model: string }).model])).toEqual(
      [[parentOf(TRACE).traceparent, 'm-ours']],
    )
  })
})

test('no key, no host and no word of a conversation is in any span', async () => {
  await traceOf('left')
  const all = house.collector.texts.join('\n')
  expect(all).toContain('m-vector')
  const { token, narrow, hurried } = house.people
  const keys = [token.key, narrow.key, hurried.key, STRANGE_KEY].map(key => key.replace('sk-', ''))
  const vendors = Object.values(house.upstreams)
  const places = vendors.flatMap(({ key, url }) => [key, new URL(url).host])
  for (const secret of [QUESTION, ANSWER, COLLECTOR_KEY, ...keys, ...places])
    expect([secret, all.includes(secret)]).toEqual([secret, false])
})

test('the figures tell how many were taken, and that none was lost', async () => {
  const text = await until(async () => {
    const told = await (await fetch(`${house.rig.url}/metrics`)).text()
    const taken = Number(/^tollgate_otel_spans_exported_total\{[^}]*\} (\d+)$/m.exec(told)?.[1])
    return taken === house.collector.spans.length ? told : undefined
  })
  const lost = [...text.matchAll(/^tollgate_otel_spans_dropped_total\{[^}]*\} (\d+)$/gm)]
  expect(lost.map(([, count]) => count)).toEqual(['0', '0', '0', '0'])
})
