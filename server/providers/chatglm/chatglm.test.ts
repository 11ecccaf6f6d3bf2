import { describe, expect, test } from 'bun:test'
import { linesOf, readAtEveryCut, readChunks } from '../../../test/providers/cut-stream.ts'
import type { NeutralRequest } from '../../dialects/spec.ts'
import { chooseEndpoint } from '../choose-endpoint.ts'
import { ChatglmReader, chatglmForm } from './form.ts'
import { chatglm } from './provider.ts'
import { rawEvents } from './raw-events.ts'
import { readFailure } from './read-failure.ts'
import { writeToken } from './write-token.ts'

const base: NeutralRequest = { model: 'x', stream: true, system: [], messages: [], tools: [] }
const to = {
  baseUrl: 'https://open.bigmodel.cn',
  key: 'id.secret',
  model: 'chatglm_pro',
  stream: true,
  other: '',
  organization: undefined,
}
const META =
  '{"task_status":"SUCCESS","usage":{"prompt_tokens":215,"completion_tokens":302},"task_id":"75931"}'

test('a key is signed into a token for an hour', () => {
  const [head = '', claims = '', signature] = writeToken('id.secret', 1_700_000_000_000).split('.')
  expect(Buffer.from(head, 'base64url').toString()).toBe('{"alg":"HS256","sign_type":"SIGN"}')
  expect(Buffer.from(claims, 'base64url').toString()).toBe(
    '{"api_key":"id","exp":1700003600000,"timestamp":1700000000000}',
  )
  expect(signature).toBe('d0xmOhrrbq_IQToFa27wdY1fnuK2eeQuMBtVHZnFGGE')
})

describe('a stream, cut anywhere', () => {
  const parts = (text: string, wholeFrom?: number) =>
    readAtEveryCut(rawEvents, () => new ChatglmReader(), linesOf(text), wholeFrom)

  test('spaces and line ends are the text’s own', () => {
    const text = `event:add\nid:1\ndata:Hi\n\nevent:add\nid:1\ndata: 漢\ndata:\ndata:x\n\nevent:finish\nid:1\ndata:\nmeta:${META}\n\n`
    expect(parts(text, linesOf(text).length - 2)).toEqual([
      { type: 'start', id: '', model: '', created: 0 },
      { type: 'text-delta', text: 'Hi' },
      { type: 'text-delta', text: ' 漢\n\nx' },
      { type: 'usage', usage: { input: 215, output: 302 } },
      { type: 'finish', finish: { reason: 'stop' } },
    ])
  })

  test('of a server that writes a space after every colon, with CR LF', () => {
    const text = `event: add\r\nid: 1\r\ndata: Hi\r\n\r\nevent: finish\r\nid: 1\r\ndata: \r\nmeta: ${META}\r\n\r\n`
    expect(parts(text, linesOf(text).length - 4)[1]).toEqual({ type: 'text-delta', text: 'Hi' })
  })

  test('what was filtered, and what failed', () => {
    const cut = 'event:add\ndata:Hi\n\nevent:interrupted\ndata:no\n\n'
    expect(parts(cut).at(-1)).toEqual({ type: 'finish', finish: { reason: 'filtered', explanation: 'no' } })
    const failed = readChunks(rawEvents, new ChatglmReader(), [
      linesOf('event:error\ndata:{"code":1302,"msg":"slow","success":false}\n\nevent:finish\ndata:\n\n'),
    ])
    expect(failed.whole).toBe(false)
    expect(failed.parts).toEqual([
      { type: 'problem', problem: { status: 429, message: 'slow', code: '1302' } },
    ])
  })
})

test('strange frames and answers break nothing', () => {
  const reader = new ChatglmReader()
  for (const [event, data] of [
    ['', 'x'],
    ['meta', 'null'],
    ['finish', ''],
    ['__proto__', '{'],
  ] as const)
    reader.read(event, data, () => {})
  expect(reader.end(() => {})).toBe(false)
  for (const body of [{}, { data: null }, { data: { choices: 1 } }, { data: { choices: [] } }])
    expect(chatglmForm.readAnswer(body)).toBeUndefined()
})

test('an answer that comes in quotes is read without them', () => {
  const content = '" Hello\\n\\"you\\""'
  const usage = { prompt_tokens: 1, completion_tokens: 2, total_tokens: 3 }
  const body = {
    code: 200,
    msg: 'ok',
    data: { task_id: 't', choices: [{ role: 'assistant', content }], usage },
  }
  expect(chatglmForm.readAnswer({ ...body, success: true })).toMatchObject({
    id: 't',
    parts: [{ type: 'text', text: ' Hello\n"you"' }],
    usage: { input: 1, output: 2 },
  })
})

test('a request is written in the form of its vendor', () => {
  const messages = [{ role: 'user', parts: [{ type: 'text', text: 'Hi' }] }] as const
  const request = { ...base, system: [{ type: 'text', text: 'Be brief.' }] as const, messages }
  expect(chatglmForm.writeRequest({ ...request, temperature: 0, topP: 1 }, to)).toEqual({
    prompt: [
      { role: 'system', content: 'Be brief.' },
      { role: 'user', content: 'Okay' },
      { role: 'user', content: 'Hi' },
    ],
    temperature: 0.01,
    top_p: 0.99,
    incremental: true,
  })
  expect(chatglmForm.takeStops?.(['x'])).toEqual([])
  expect(() => chatglmForm.writeRequest({ ...request, format: { type: 'json' } }, to)).toThrow(
    'does not support response_format',
  )
})

test('an error’s number says its status', () => {
  const table = [
    [1002, 401],
    [1113, 402],
    [1210, 400],
    [1211, 404],
    [1261, 400],
    [1302, 429],
    [1234, 502],
    [500, 500],
  ] as const
  for (const [code, status] of table)
    expect(readFailure({ code, msg: 'm', success: false })).toEqual({ status, message: 'm', code: `${code}` })
  expect(readFailure({ code: 200, msg: 'ok', success: true })).toBeUndefined()
})

test('older models are asked at the older API', () => {
  const pathOf = (model: string, stream: boolean) =>
    chooseEndpoint(chatglm, 'anthropic', { ...to, model, stream })?.path({ ...to, model, stream })
  expect(pathOf('chatglm_turbo', false)).toBe('/api/paas/v3/model-api/chatglm_turbo/invoke')
  expect(pathOf('chatglm_turbo', true)).toBe('/api/paas/v3/model-api/chatglm_turbo/sse-invoke')
  expect(pathOf('glm-4.7', true)).toBe('/api/paas/v4/chat/completions')
})
