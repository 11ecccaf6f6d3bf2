import { describe, expect, test } from 'bun:test'
import { linesOf, readAtEveryCut, readChunks } from '../../../test/providers/cut-stream.ts'
import type { NeutralRequest } from '../../dialects/spec.ts'
import { sse } from '../../dialects/sse.ts'
import { urlOf } from '../address-request.ts'
import { chooseEndpoint } from '../choose-endpoint.ts'
import { imageConversion } from './convert-images.ts'
import { speechConversion } from './convert-speech.ts'
import { MinimaxReader, minimaxForm } from './form.ts'
import { minimax } from './provider.ts'
import { readFailure } from './read-failure.ts'

const HOME = 'https://api.minimaxi.com'
const to = {
  baseUrl: HOME,
  key: 'k',
  model: 'MiniMax-M3',
  stream: true,
  other: '',
  organization: undefined,
}
const base: NeutralRequest = { model: 'x', stream: true, system: [], messages: [], tools: [] }

describe('a stream, cut anywhere', () => {
  test('thoughts apart, words, and a last chunk that says it all again', () => {
    const text = [
      'data: {"id":"1","choices":[{"index":0,"delta":{"content":"","role":"assistant","reasoning_details":[{"type":"reasoning.text","id":"reasoning-text-1","format":"MiniMax-response-v1","index":0,"text":"漢"}]}}],"created":1,"model":"MiniMax-M3","object":"chat.completion.chunk","usage":null,"base_resp":{"status_code":0,"status_msg":""}}\n\n',
      'data: {"id":"1","choices":[{"index":0,"delta":{"content":"Hi","role":"assistant"}}],"created":1,"model":"MiniMax-M3","object":"chat.completion.chunk"}\n\n',
      'data: {"id":"1","choices":[{"finish_reason":"stop","index":0,"message":{"content":"Hi","role":"assistant"}}],"created":1,"model":"MiniMax-M3","object":"chat.completion","usage":{"total_tokens":5,"total_characters":0,"prompt_tokens":3,"completion_tokens":2},"base_resp":{"status_code":0,"status_msg":""}}\n\n',
    ].join('')
    const parts = readAtEveryCut(sse, () => new MinimaxReader(), linesOf(text), linesOf(text).length - 2)
    expect(parts).toMatchObject([
      { type: 'start', id: '1', model: 'MiniMax-M3' },
      { type: 'thinking-delta', text: '漢' },
      { type: 'text-delta', text: 'Hi' },
      { type: 'finish', finish: { reason: 'stop' } },
      { type: 'usage', usage: { input: 3, output: 2 } },
    ])
  })

  test('an error after some words', () => {
    const text =
      'data: {"id":"1","choices":[{"index":0,"delta":{"content":"Hi \\"base_resp\\""}}]}\n\ndata: {"id":"1","choices":null,"base_resp":{"status_code":1027,"status_msg":"output new_sensitive"}}\n\ndata: [DONE]\n\n'
    const { parts, whole } = readChunks(sse, new MinimaxReader(), [linesOf(text)])
    expect(whole).toBe(false)
    expect(parts.at(-1)).toEqual({
      type: 'problem',
      problem: { status: 400, message: 'output new_sensitive', code: '1027' },
    })
    expect(parts).toHaveLength(3)
  })
})

test('strange frames and answers break nothing', () => {
  const reader = new MinimaxReader()
  for (const data of ['x', '{"base_resp"', '{"base_resp":null}', '{"base_resp":{"status_code":"1"}}', '[]'])
    reader.read('', data, () => {})
  expect(reader.end(() => {})).toBe(false)
  for (const body of [{}, { data: null }, { data: { audio: 5 } }, { data: [] }]) {
    expect(speechConversion.readSound?.(body)).toBeUndefined()
    expect(imageConversion.readAnswer?.(body, {})).toBeUndefined()
  }
})

test('a request is written in the form of its vendor', () => {
  const request: NeutralRequest = {
    ...base,
    messages: [
      { role: 'user', parts: [{ type: 'text', text: 'Hi' }] },
      {
        role: 'assistant',
        parts: [
          { type: 'thinking', text: 'Hm' },
          { type: 'text', text: 'Yes' },
        ],
      },
      { role: 'user', parts: [{ type: 'text', text: 'So?' }] },
    ],
    temperature: 1.7,
    topP: 0,
    seed: 5,
    maxOutput: 9,
    reasoning: { effort: 'high' },
  }
  const sent = (model: string) =>
    JSON.parse(JSON.stringify(minimaxForm.writeRequest(request, { ...to, model })))
  expect(sent('MiniMax-M3')).toEqual({
    model: 'MiniMax-M3',
    messages: [
      { role: 'user', content: 'Hi' },
      { role: 'assistant', content: 'Yes', reasoning_details: [{ type: 'reasoning.text', text: 'Hm' }] },
      { role: 'user', content: 'So?' },
    ],
    stream: true,
    stream_options: { include_usage: true },
    max_completion_tokens: 9,
    temperature: 1,
    top_p: 0.01,
    reasoning_split: true,
    thinking: { type: 'adaptive' },
  })
  expect(sent('MiniMax-M2.7').thinking).toBeUndefined()
  expect(sent('MiniMax-Text-01')).not.toHaveProperty('reasoning_split')
  expect(JSON.stringify(sent('MiniMax-Text-01'))).not.toContain('Hm')
})

test('pictures and speech are asked for in the form of their vendor', () => {
  const draw = (size: string) => imageConversion.writeRequest({ model: 'image-01', prompt: 'p', size }, to)
  expect(draw('1024x768')).toEqual({
    model: 'image-01',
    prompt: 'p',
    response_format: 'url',
    width: 1024,
    height: 768,
  })
  for (const size of ['256x256', '1024x2056', '1001x1024', 'auto', '1024'])
    expect(draw(size)).not.toHaveProperty('width')
  const said = speechConversion.writeRequest(
    { model: 's', input: 'Hi', voice: 'v', speed: 4, voice_setting: { vol: 2 } },
    to,
  )
  expect(said).toMatchObject({
    text: 'Hi',
    voice_setting: { voice_id: 'v', speed: 2, vol: 2 },
    audio_setting: { format: 'mp3' },
  })
  expect(() => speechConversion.writeRequest({ input: 'Hi', response_format: 'opus' }, to)).toThrow(
    'does not support response_format opus',
  )
})

test('an error’s number says its status', () => {
  const table = [
    [1000, 500],
    [1001, 504],
    [1002, 429],
    [1004, 401],
    [1008, 402],
    [1026, 400],
    [1039, 429],
    [2013, 400],
    [2049, 401],
    [9999, 500],
  ] as const
  for (const [status_code, status] of table) {
    const body = { base_resp: { status_code, status_msg: 'm' } }
    const problem = { status, message: 'm', code: String(status_code) }
    expect(readFailure(body)).toEqual(problem)
    expect(minimaxForm.readProblem(500, body)).toEqual(problem)
  }
  expect(readFailure({ choices: [{}], base_resp: { status_code: 0, status_msg: '' } })).toBeUndefined()
  const error = { type: 'authorized_error', message: 'invalid api key', http_code: '401' }
  expect(minimaxForm.readProblem(401, { type: 'error', error })).toMatchObject({
    status: 401,
    message: 'invalid api key',
  })
})

test('base URL and dialect say which API is asked', () => {
  const url = (
    more: Partial<typeof to>,
    client: 'openai-chat' | 'openai-responses' | 'anthropic' = 'openai-chat',
  ) => {
    const endpoint = chooseEndpoint(minimax, client, { ...to, ...more })
    return endpoint && urlOf(endpoint, { ...to, ...more })
  }
  expect(url({})).toBe(`${HOME}/v1/chat/completions`)
  expect(url({ model: 'abab6.5s-chat' })).toBe(`${HOME}/v1/text/chatcompletion_v2`)
  expect(url({}, 'anthropic')).toBe(`${HOME}/anthropic/v1/messages`)
  expect(url({}, 'openai-responses')).toBe(`${HOME}/v1/responses`)
  expect(url({ baseUrl: 'https://api.minimax.io/v1' }, 'anthropic')).toBe(
    'https://api.minimax.io/v1/chat/completions',
  )
})
