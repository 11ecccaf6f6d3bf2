import { expect, test } from 'bun:test'
import { linesOf, readAtEveryCut } from '../../../test/providers/cut-stream.ts'
import type { NeutralRequest } from '../../dialects/spec.ts'
import { sse } from '../../dialects/sse.ts'
import { headersOf, urlOf } from '../address-request.ts'
import { chooseEndpoint, choosePlainEndpoint } from '../choose-endpoint.ts'
import type { Proof } from '../define.ts'
import { baiduSigner } from './fetch-token.ts'
import { BaiduReader, baiduForm } from './form.ts'
import { baidu } from './provider.ts'
import { readFailure, readProblem } from './read-failure.ts'

const PAIR = 'api-key|secret-key'
const NEW = 'bce-v3/ALTAK-1/2'
const base: NeutralRequest = { model: 'x', stream: true, system: [], messages: [], tools: [] }
const to = {
  baseUrl: 'https://qianfan.baidubce.com',
  key: PAIR,
  model: 'ERNIE-4.0-8K',
  stream: true,
  other: '',
  organization: undefined,
}

test('a stream, cut anywhere', () => {
  const text = `data: {"id":"as-1","sentence_id":0,"is_end":false,"result":"Hi 漢","usage":{"prompt_tokens":2,"completion_tokens":1,"total_tokens":3}}

data: {"id":"as-1","sentence_id":2,"is_end":true,"is_truncated":true,"result":"","usage":{"prompt_tokens":2,"completion_tokens":9,"total_tokens":11}}

`
  expect(readAtEveryCut(sse, () => new BaiduReader(), linesOf(text), linesOf(text).length - 2)).toEqual([
    { type: 'start', id: 'as-1', model: '', created: 0 },
    { type: 'text-delta', text: 'Hi 漢' },
    { type: 'usage', usage: { input: 2, output: 9 } },
    { type: 'finish', finish: { reason: 'length' } },
  ])
})

test('an error in a stream ends it, and strange frames break nothing', () => {
  const parts: unknown[] = []
  const reader = new BaiduReader()
  for (const data of [
    'null',
    '[]',
    '{',
    '{"result":1}',
    '{"error_code":336501,"error_msg":"slow"}',
    '{"is_end":true}',
  ])
    reader.read('', data, part => parts.push(part))
  expect(parts.at(-1)).toEqual({ type: 'problem', problem: { status: 429, message: 'slow', code: '336501' } })
  expect(reader.end(() => {})).toBe(false)
  for (const body of [{}, { result: null }, { result: {} }])
    expect(baiduForm.readAnswer(body)).toBeUndefined()
})

test('a request is written in the form of its vendor', () => {
  const say = (role: 'user' | 'assistant' | 'system', text: string) => ({
    role,
    parts: [{ type: 'text', text } as const],
  })
  const request: NeutralRequest = {
    ...base,
    system: [{ type: 'text', text: 'Be brief.' }],
    messages: [
      say('user', 'a'),
      say('user', 'b'),
      say('assistant', 'c'),
      say('system', 'd'),
      say('user', 'e'),
    ],
    temperature: 0,
    topP: 1.5,
    stop: ['END'],
    maxOutput: 1,
    format: { type: 'json' },
  }
  expect(baiduForm.writeRequest(request, to)).toEqual({
    messages: [
      { role: 'user', content: 'a\nb' },
      { role: 'assistant', content: 'c' },
      { role: 'user', content: 'd\ne' },
    ],
    system: 'Be brief.',
    temperature: 0.01,
    top_p: 1,
    stop: ['END'],
    max_output_tokens: 2,
    response_format: 'json_object',
    stream: true,
  })
  const prefilled = { ...base, messages: [say('user', 'a'), say('assistant', 'b')] }
  expect(() => baiduForm.writeRequest(prefilled, to)).toThrow('does not support assistant prefill')
})

test('an error’s number says its status', () => {
  const table = [
    [1, 500],
    [3, 404],
    [6, 403],
    [18, 429],
    [110, 401],
    [336003, 400],
    [336100, 503],
    [336501, 429],
    [999, 502],
  ] as const
  for (const [error_code, status] of table)
    expect(readFailure({ error_code, error_msg: 'm' })).toEqual({
      status,
      message: 'm',
      code: `${error_code}`,
    })
  expect(readFailure({ id: 'as-1', result: 'Hi' })).toBeUndefined()
  const of = (code: string) => readProblem(401, { error: { code, message: 'm', type: 't' } }).status
  expect(['invalid_model', 'no_parameter_permission', 'invalid_iam_token'].map(of)).toEqual([404, 403, 401])
})

test('the form of a key says which API is asked', () => {
  const addressOf = (key: string, baseUrl: string, model = to.model) => {
    const at = { ...to, key, baseUrl, model }
    const endpoint = chooseEndpoint(baidu, 'openai-chat', at)
    return endpoint && [urlOf(endpoint, at), headersOf(baidu, endpoint, at)]
  }
  const old = 'https://aip.baidubce.com/rpc/2.0/ai_custom/v1/wenxinworkshop/chat'
  expect(addressOf(PAIR, to.baseUrl)).toEqual([`${old}/completions_pro`, {}])
  expect(addressOf(PAIR, 'https://aip.baidubce.com', 'ERNIE-Lite-8K')).toEqual([`${old}/ernie-lite-8k`, {}])
  const embedding = choosePlainEndpoint(baidu, 'embeddings', { ...to, key: PAIR })
  expect(embedding?.path({ ...to, key: PAIR, model: 'bge-large-zh' })).toEndWith('/embeddings/bge_large_zh')
  const chat = 'https://qianfan.baidubce.com/v2/chat/completions'
  expect(addressOf(NEW, to.baseUrl)).toEqual([chat, { authorization: `Bearer ${NEW}` }])
  expect(addressOf(`${NEW}|app-1`, 'https://aip.baidubce.com')).toEqual([
    chat,
    { authorization: `Bearer ${NEW}`, appid: 'app-1' },
  ])
  expect(addressOf(NEW, 'https://relay.example')?.[0]).toBe('https://relay.example/v2/chat/completions')
})

test('a token stands in the address, and is asked for once', async () => {
  const asked: string[] = []
  const tools = {
    now: () => 0,
    ask: async (url: string) => {
      asked.push(url)
      return Response.json({ access_token: '24.a+b', expires_in: 2592000 })
    },
  }
  const request = { method: 'POST', url: 'https://a/chat/x', headers: {}, body: '{}' }
  const sign = (): Promise<Proof> => Promise.resolve(baiduSigner.sign(request, to, tools))
  const proof: Proof = { url: 'https://a/chat/x?access_token=24.a%2Bb' }
  expect(await Promise.all([sign(), sign()])).toEqual([proof, proof])
  expect(asked).toEqual([
    'https://aip.baidubce.com/oauth/2.0/token?grant_type=client_credentials&client_id=api-key&client_secret=secret-key',
  ])
  expect(baiduSigner.forget?.(to)).toBe(true)
  const refused = { ...tools, ask: async () => Response.json({ error: 'invalid_client' }, { status: 401 }) }
  const error = await Promise.resolve(baiduSigner.sign(request, to, refused)).catch(
    (reason: unknown) => reason,
  )
  expect(error).toMatchObject({ problem: { status: 401, code: 'invalid_client' } })
})
