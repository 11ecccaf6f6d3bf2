import { describe, expect, test } from 'bun:test'
import { linesOf, readAtEveryCut, readChunks } from '../../../test/providers/cut-stream.ts'
import type { NeutralRequest } from '../../dialects/spec.ts'
import { sse } from '../../dialects/sse.ts'
import { headersOf, signerOf, urlOf } from '../address-request.ts'
import { chooseEndpoint } from '../choose-endpoint.ts'
import { tencentForm } from './form.ts'
import { tencent } from './provider.ts'
import { readFailure } from './read-failure.ts'
import { signTc3 } from './sign-tc3.ts'
import { TencentReader } from './stream-reader.ts'

const TRIPLE = '1250000000|AKIDexample|secret'
const base: NeutralRequest = { model: 'x', stream: true, system: [], messages: [], tools: [] }
const to = {
  baseUrl: 'https://tokenhub.tencentmaas.com',
  key: TRIPLE,
  model: 'hunyuan-pro',
  stream: true,
  other: '',
  organization: undefined,
}

describe('signatures', () => {
  const request = {
    host: 'cvm.tencentcloudapi.com',
    contentType: 'application/json; charset=utf-8',
    body: '{"Limit": 1, "Filters": [{"Values": ["\\u672a\\u547d\\u540d"], "Name": "instance-name"}]}',
  }
  const key = {
    secretId: 'AKIDz8krbsJ5yKBZQpn74WFkmLPx3EXAMPLE',
    secretKey: 'Gu5t9xGARNpq86cd98joQYCN3EXAMPLE',
    service: 'cvm',
  }
  test.each([
    [undefined, 'content-type;host', '72e494ea809ad7a8c8f7a4507b9bddcbaa8e581f516e8da2f66e2c5a96525168'],
    [
      'DescribeInstances',
      'content-type;host;x-tc-action',
      '644be983de9a8a3f00db8eadaba61467c3b429e2215758ba897b738ca469fd26',
    ],
  ])('with the action %p', (action, names, signature) => {
    expect(signTc3({ ...request, action }, key, 1_551_113_065)).toBe(
      `TC3-HMAC-SHA256 Credential=${key.secretId}/2019-02-25/cvm/tc3_request, SignedHeaders=${names}, Signature=${signature}`,
    )
  })
})

describe('a stream, cut anywhere', () => {
  const usage = (output: number) =>
    `"Usage":{"PromptTokens":3,"CompletionTokens":${output},"TotalTokens":${3 + output}}`
  const frame = (delta: string, finish: string, output: number) =>
    `data: {"Note":"以上内容为AI生成","Choices":[{"Delta":{"Role":"assistant",${delta}},"FinishReason":"${finish}"}],"Created":1705634032,"Id":"1",${usage(output)}}\n\n`
  const parts = (text: string) =>
    readAtEveryCut(sse, () => new TencentReader(), linesOf(text), linesOf(text).length - 2).slice(1)

  test('thoughts and text', () => {
    const text =
      frame('"Content":"","ReasoningContent":"Hm"', '', 1) +
      frame('"Content":"Hi 漢"', '', 2) +
      frame('"Content":""', 'sensitive', 2)
    expect(parts(text)).toEqual([
      { type: 'thinking-delta', text: 'Hm' },
      { type: 'text-delta', text: 'Hi 漢' },
      { type: 'usage', usage: { input: 3, output: 2 } },
      { type: 'finish', finish: { reason: 'filtered' } },
    ])
  })

  test('calls, told apart by their ids', () => {
    const call = (id: string, name: string, json: string) =>
      frame(
        `"Content":"","ToolCalls":[{"Id":"${id}","Type":"function","Function":{"Name":"${name}","Arguments":${JSON.stringify(json)}}}]`,
        '',
        0,
      )
    const text =
      call('a', 'f', '') +
      call('a', '', '{"x":1}') +
      call('b', 'g', '{}') +
      frame('"Content":""', 'tool_calls', 9)
    expect(parts(text)).toEqual([
      { type: 'tool-start', index: 0, id: 'a', name: 'f' },
      { type: 'tool-input-delta', index: 0, json: '{"x":1}' },
      { type: 'tool-start', index: 1, id: 'b', name: 'g' },
      { type: 'tool-input-delta', index: 1, json: '{}' },
      { type: 'usage', usage: { input: 3, output: 9 } },
      { type: 'tool-end', index: 0 },
      { type: 'tool-end', index: 1 },
      { type: 'finish', finish: { reason: 'tools' } },
    ])
  })

  test('an error ends it', () => {
    const text = `data: {"Choices":[],"ErrorMsg":{"Msg":"broken","Code":2003},"Id":"1"}\n\n${frame('"Content":""', 'stop', 1)}`
    const { parts: said, whole } = readChunks(sse, new TencentReader(), [linesOf(text)])
    expect(said).toEqual([{ type: 'problem', problem: { status: 502, message: 'broken', code: '2003' } }])
    expect(whole).toBe(false)
  })
})

test('however many messages are one turn, none is copied over and over', () => {
  const message = { role: 'user', parts: [{ type: 'text', text: 'a' }] } as const
  const messages = new Array<(typeof base.messages)[number]>(300_000).fill(message)
  const { Messages } = tencentForm.writeRequest({ ...base, messages }, to) as {
    Messages: { Content: string }[]
  }
  expect(Messages.map(({ Content }) => Content.length)).toEqual([2 * 300_000 - 1])
})

test('strange frames and answers break nothing', () => {
  const reader = new TencentReader()
  const strange = [
    'null',
    '[]',
    '{',
    '{"Choices":1}',
    '{"Choices":[null]}',
    '{"Choices":[{"Delta":{"ToolCalls":[null,{"Function":1}]}}]}',
  ]
  for (const data of strange) reader.read('', data, () => {})
  expect(reader.end(() => {})).toBe(false)
  for (const body of [{}, { Response: null }, { Response: { Choices: [{}] } }])
    expect(tencentForm.readAnswer(body)).toBeUndefined()
})

test('an answer, in its wrapper and without', () => {
  const call = { Type: 'function', Function: { Name: 'f', Arguments: '{"x":1}' } }
  const Choices = [
    { FinishReason: 'tool_calls', Message: { Role: 'assistant', Content: 'Hi', ToolCalls: [call] } },
  ]
  const Usage = {
    PromptTokens: 3,
    CompletionTokens: 1,
    TotalTokens: 4,
    PromptTokensDetails: { CachedTokens: 2 },
  }
  const body = { Choices, Usage, Id: '1', Created: 5 }
  const expected = {
    id: '1',
    parts: [
      { type: 'text', text: 'Hi' },
      { type: 'tool-call', id: expect.stringMatching(/^call_/), name: 'f', input: '{"x":1}' },
    ],
    finish: { reason: 'tools' },
    usage: { input: 3, output: 1, cacheRead: 2 },
  }
  expect(tencentForm.readAnswer({ Response: body })).toMatchObject(expected)
  expect(tencentForm.readAnswer(body)).toMatchObject(expected)
})

test('a request is written in the form of its vendor', () => {
  const request: NeutralRequest = {
    ...base,
    system: [{ type: 'text', text: 'Be brief.' }],
    messages: [
      {
        role: 'user',
        parts: [
          { type: 'text', text: 'Look' },
          { type: 'image', source: { data: 'AAAA', mediaType: 'image/png' } },
        ],
      },
      { role: 'assistant', parts: [{ type: 'tool-call', id: 'c', name: 'f', input: '' }] },
      {
        role: 'user',
        parts: [{ type: 'tool-result', callId: 'c', content: [{ type: 'text', text: 'ok' }] }],
      },
    ],
    tools: [{ type: 'function', name: 'f' }],
    toolChoice: { type: 'required' },
    temperature: 3,
    stop: ['END'],
  }
  const tool = { Type: 'function', Function: { Name: 'f', Parameters: '{"type":"object","properties":{}}' } }
  expect(tencentForm.writeRequest(request, to)).toEqual({
    Model: 'hunyuan-pro',
    Messages: [
      { Role: 'system', Content: 'Be brief.' },
      {
        Role: 'user',
        Contents: [
          { Type: 'text', Text: 'Look' },
          { Type: 'image_url', ImageUrl: { Url: 'data:image/png;base64,AAAA' } },
        ],
      },
      {
        Role: 'assistant',
        Content: '',
        ToolCalls: [{ Id: 'c', Type: 'function', Function: { Name: 'f', Arguments: '{}' } }],
      },
      { Role: 'tool', ToolCallId: 'c', Content: 'ok' },
    ],
    Stream: true,
    Temperature: 2,
    Stop: ['END'],
    Tools: [tool],
    ToolChoice: 'custom',
    CustomTool: tool,
  })
  const two = [...request.tools, { type: 'function', name: 'g' } as const]
  expect(() => tencentForm.writeRequest({ ...request, tools: two }, to)).toThrow('tool_choice')
  expect(() => tencentForm.writeRequest({ ...request, format: { type: 'json' } }, to)).toThrow(
    'response_format',
  )
})

test('an error’s code says its status', () => {
  const table = [
    ['AuthFailure.SecretIdNotFound', 401],
    ['FailedOperation.EngineServerLimitExceeded', 429],
    ['FailedOperation.ServiceStopArrears', 402],
    ['FailedOperation.EngineServerError', 500],
    ['InvalidParameterValue.Model', 404],
    ['InvalidParameterValue', 400],
    ['RequestLimitExceeded', 429],
    ['Strange', 502],
  ] as const
  for (const [Code, status] of table)
    expect(readFailure({ Response: { Error: { Code, Message: 'm' }, RequestId: 'r' } })).toEqual({
      status,
      message: 'm',
      code: Code,
    })
  const clock = { Error: { Code: 'AuthFailure.SignatureExpire', Message: 'm' } }
  expect(readFailure({ Response: clock })).toEqual({ status: 502, message: 'm', code: 'SignatureExpire' })
  expect(readFailure({ Response: { Choices: [], Id: '1' } })).toBeUndefined()
})

test('the form of a key says which API is asked', async () => {
  const addressOf = (key: string, baseUrl: string, asked: 'openai-chat' | 'anthropic' = 'openai-chat') => {
    const at = { ...to, key, baseUrl }
    const endpoint = chooseEndpoint(tencent, asked, at)
    return endpoint && urlOf(endpoint, at)
  }
  const hunyuan = 'https://hunyuan.tencentcloudapi.com'
  expect(addressOf(TRIPLE, to.baseUrl)).toBe(`${hunyuan}/`)
  expect(addressOf(TRIPLE, hunyuan)).toBe(`${hunyuan}/`)
  expect(addressOf('sk-1', to.baseUrl)).toBe(`${to.baseUrl}/v1/chat/completions`)
  expect(addressOf('sk-1', to.baseUrl, 'anthropic')).toBe(`${to.baseUrl}/v1/messages`)
  expect(addressOf('sk-1', hunyuan)).toBe(`${to.baseUrl}/v1/chat/completions`)
  const endpoint = chooseEndpoint(tencent, 'gemini', to)
  if (!endpoint) throw new Error('no endpoint')
  expect(headersOf(tencent, endpoint, to)).toEqual({})
  const request = {
    method: 'POST',
    url: urlOf(endpoint, to),
    headers: { 'content-type': 'application/json' },
    body: '{}',
  }
  const tools = { now: () => 1_551_113_065_999, ask: () => Promise.reject(new Error('asked')) }
  const proof = await signerOf(tencent, endpoint)?.sign(request, to, tools)
  expect(proof?.headers).toMatchObject({ 'x-tc-action': 'ChatCompletions', 'x-tc-timestamp': '1551113065' })
  expect(proof?.headers?.authorization).toStartWith(
    'TC3-HMAC-SHA256 Credential=AKIDexample/2019-02-25/hunyuan/tc3_request, SignedHeaders=content-type;host;x-tc-action, ',
  )
})

test('only models that can be asked are listed', () => {
  const { modelList } = tencent
  if (modelList === undefined || modelList === 'none') throw new Error('no list')
  const data = [{ id: 'a', status: 'online' }, { id: 'b', status: 'offline' }, { id: 'c' }, null]
  expect(modelList.read({ data })).toEqual(['a', 'c'])
})
