import { describe, expect, test } from 'bun:test'
import { linesOf, readAtEveryCut, readChunks } from '../../../test/providers/cut-stream.ts'
import type { NeutralRequest } from '../../dialects/spec.ts'
import { sse } from '../../dialects/sse.ts'
import { headersOf, urlOf } from '../address-request.ts'
import { chooseEndpoint } from '../choose-endpoint.ts'
import { asRecord, jsonSequence } from '../kit/answers/ndjson.ts'
import { openForm } from './open-form.ts'
import { spark } from './provider.ts'
import { readFailure, readProblem } from './read-failure.ts'
import { signLines, signUrl } from './sign-url.ts'
import { SparkReader, socketForm } from './socket-form.ts'

const TRIPLE = 'app01|secret|key'
const base: NeutralRequest = { model: 'x', stream: true, system: [], messages: [], tools: [] }
const to = {
  baseUrl: 'https://spark-api.xf-yun.com',
  key: TRIPLE,
  model: 'generalv3.5',
  stream: true,
  other: '',
  organization: undefined,
}
const ask: NeutralRequest = {
  ...base,
  system: [{ type: 'text', text: 'Be brief.' }],
  messages: [{ role: 'user', parts: [{ type: 'text', text: 'Hi' }] }],
}

test('the signature of an address', () => {
  const secret = 'MjlmNzkzNmZkMDQ2OTc0ZDdmNGE2ZTZi'
  const date = 'Fri, 05 May 2023 10:43:39 GMT'
  const signature = 'z5gHdu3pxVV4ADMyk467wOWDQ9q6BQzR3nfMTjc/DaQ='
  expect(signLines(`host: spark-api.xf-yun.com\ndate: ${date}\nGET /v1.1/chat HTTP/1.1`, secret)).toBe(
    signature,
  )
  const signed = new URL(
    signUrl(`${to.baseUrl}/v1.1/chat`, { apiKey: 'k', apiSecret: secret }, Date.parse(date)),
  )
  expect(signed.pathname).toBe('/v1.1/chat')
  expect(signed.searchParams.get('date')).toBe(date)
  expect(signed.searchParams.get('host')).toBe('spark-api.xf-yun.com')
  expect(Buffer.from(signed.searchParams.get('authorization') ?? '', 'base64').toString()).toBe(
    `api_key="k", algorithm="hmac-sha256", headers="host date request-line", signature="${signature}"`,
  )
})

describe('messages of a socket, cut anywhere', () => {
  const FIRST =
    '{"header":{"code":0,"message":"Success","sid":"cht","status":0},"payload":{"choices":{"status":0,"seq":0,"text":[{"content":"","reasoning_content":"Hm","role":"assistant","index":0}]}}}'
  const MORE =
    '{"header":{"code":0,"sid":"cht","status":1},"payload":{"choices":{"status":1,"seq":1,"text":[{"content":"Hi 漢","role":"assistant","index":0}]}}}'
  const END =
    '{"header":{"code":0,"status":2},"payload":{"choices":{"status":2,"seq":3,"text":[{"content":"."}]},"usage":{"text":{"question_tokens":4,"prompt_tokens":5,"completion_tokens":9,"total_tokens":14}}}}'
  const read = (...messages: string[]) =>
    readChunks(jsonSequence, new SparkReader(), [linesOf(messages.map(asRecord).join(''))])

  test('thoughts, text and usage', () => {
    const bytes = linesOf([FIRST, MORE, END].map(asRecord).join(''))
    expect(readAtEveryCut(jsonSequence, () => new SparkReader(), bytes)).toEqual([
      { type: 'start', id: 'cht', model: '', created: 0 },
      { type: 'thinking-delta', text: 'Hm' },
      { type: 'text-delta', text: 'Hi 漢' },
      { type: 'text-delta', text: '.' },
      { type: 'usage', usage: { input: 5, output: 9 } },
      { type: 'finish', finish: { reason: 'stop' } },
    ])
  })

  test('errors, and what may not be shown', () => {
    const failed = read(
      MORE,
      '{"header":{"code":11202,"message":"AppIdQpsOverFlow","sid":"cht","status":2}}',
      END,
    )
    expect(failed.whole).toBe(false)
    expect(failed.parts.at(-1)).toEqual({
      type: 'problem',
      problem: { status: 429, message: 'AppIdQpsOverFlow', code: '11202' },
    })
    const filtered = read(MORE, '{"header":{"code":10014,"message":"no","sid":"cht","status":2}}')
    expect(filtered.whole).toBe(true)
    expect(filtered.parts.at(-1)).toEqual({
      type: 'finish',
      finish: { reason: 'filtered', explanation: 'no' },
    })
  })

  test('strange ones break nothing', () => {
    const { parts, whole } = read(
      'null',
      '[]',
      '{',
      '{"header":1}',
      '{"header":{"status":1},"payload":{"choices":{"text":[null,1]}}}',
    )
    expect([parts.length, whole]).toEqual([1, false])
  })
})

test('the message over the socket is in the form of its vendor', () => {
  const written = (model: string, more: Partial<NeutralRequest> = {}) =>
    socketForm.writeRequest({ ...ask, ...more }, { ...to, model })
  expect(written('generalv3.5', { temperature: 0, topK: 40, maxOutput: 64_000, user: 'ada' })).toEqual({
    header: { app_id: 'app01', uid: 'ada' },
    parameter: { chat: { domain: 'generalv3.5', temperature: 0.01, top_k: 6, max_tokens: 8192 } },
    payload: {
      message: {
        text: [
          { role: 'system', content: 'Be brief.' },
          { role: 'user', content: 'Hi' },
        ],
      },
    },
  })
  expect(written('lite')).toEqual({
    header: { app_id: 'app01' },
    parameter: { chat: { domain: 'lite' } },
    payload: { message: { text: [{ role: 'user', content: 'Be brief.\nHi' }] } },
  })
  expect(() => written('lite', { format: { type: 'json' } })).toThrow('does not support response_format')
  expect(() => written('lite', { tools: [{ type: 'function', name: 'f' }] })).toThrow(
    'does not support tools',
  )
})

test('a request over HTTP names the model as its vendor does', () => {
  const written = (model: string) => openForm.writeRequest(ask, { ...to, key: 'password', model })
  expect(JSON.parse(JSON.stringify(written('SparkDesk-v1.1')))).toEqual({
    model: 'lite',
    messages: [{ role: 'user', content: 'Be brief.\nHi' }],
    stream: true,
  })
  expect(written('4.0Ultra').messages).toEqual([
    { role: 'system', content: 'Be brief.' },
    { role: 'user', content: 'Hi' },
  ])
  const image = { type: 'image', source: { url: 'https://a/b.png' } } as const
  expect(() => openForm.writeRequest({ ...ask, messages: [{ role: 'user', parts: [image] }] }, to)).toThrow(
    'does not support image',
  )
})

test('a plain stream, which names no finish', () => {
  const piece = (rest: string) =>
    `data:{"code":0,"message":"Success","sid":"cha","id":"cha","created":0,"choices":[{"delta":{"role":"assistant","content":"漢"},"index":0}]${rest}}\n\n`
  const usage = ',"usage":{"prompt_tokens":1,"completion_tokens":8,"total_tokens":9}'
  const text = `${piece('')}${piece(usage)}data:[DONE]\n\n`
  expect(readAtEveryCut(sse, () => openForm.createReader(), linesOf(text), linesOf(text).length - 2)).toEqual(
    [
      { type: 'start', id: 'cha', model: '', created: 0 },
      { type: 'text-delta', text: '漢' },
      { type: 'text-delta', text: '漢' },
      { type: 'usage', usage: { input: 1, output: 8 } },
      { type: 'finish', finish: { reason: 'stop' } },
    ],
  )
  const failing = linesOf(`${piece('')}data:{"code":10007,"message":"slow","sid":"cha"}\n\ndata:[DONE]\n\n`)
  const failed = readChunks(sse, openForm.createReader(), [failing])
  expect(failed.parts.at(-1)).toEqual({
    type: 'problem',
    problem: { status: 429, message: 'slow', code: '10007' },
  })
  expect(failed.whole).toBe(false)
})

test('an error’s number says its status', () => {
  const error = (code: string) => ({ error: { message: 'm', type: 'api_error', param: null, code } })
  const table = [
    ['10005', 400],
    ['10013', 400],
    ['10015', 401],
    ['11200', 402],
    ['11203', 429],
    ['10110', 503],
  ] as const
  for (const [code, status] of table) {
    expect(readFailure(error(code))).toMatchObject({ status, message: 'm', code })
    expect(readFailure({ code: Number(code), message: 'm', sid: 's' })).toMatchObject({ status, code })
    expect(readProblem(500, error(code))).toMatchObject({ status, code })
  }
  expect(readProblem(403, { message: 'm' }).status).toBe(403)
  expect(readFailure({ code: 0, message: 'Success', choices: [{}] })).toBeUndefined()
})

test('where a key and a model lead', () => {
  const addressOf = (key: string, model: string, more: Partial<typeof to> = {}) => {
    const at = { ...to, ...more, key, model }
    const endpoint = chooseEndpoint(spark, 'openai-chat', at)
    return endpoint && [urlOf(endpoint, at), headersOf(spark, endpoint, at).authorization]
  }
  const open = 'https://spark-api-open.xf-yun.com'
  expect(addressOf(TRIPLE, '4.0Ultra')).toEqual([`${to.baseUrl}/v4.0/chat`, undefined])
  expect(addressOf(TRIPLE, 'lite', { baseUrl: `${open}/v1` })).toEqual([`${to.baseUrl}/v1.1/chat`, undefined])
  expect(addressOf(TRIPLE, 'max-32k', { baseUrl: 'wss://a.example' })).toEqual([
    'https://a.example/chat/max-32k',
    undefined,
  ])
  expect(addressOf(TRIPLE, 'SparkDesk-v3.1')?.[0]).toBe(`${to.baseUrl}/v3.1/chat`)
  expect(addressOf(TRIPLE, 'SparkDesk', { other: 'v3.5' })?.[0]).toBe(`${to.baseUrl}/v3.5/chat`)
  expect(addressOf(TRIPLE, 'SparkDesk')?.[0]).toBe(`${to.baseUrl}/v2.1/chat`)
  expect(addressOf(TRIPLE, 'spark-x2.5')).toEqual([`${open}/v2/chat/completions`, 'Bearer key:secret'])
  expect(addressOf('password', 'lite')).toEqual([`${open}/v1/chat/completions`, 'Bearer password'])
  expect(addressOf('password', 'spark-x', { baseUrl: 'https://a.example' })?.[0]).toBe(
    'https://a.example/v2/chat/completions',
  )
})
