import { describe, expect, test } from 'bun:test'
import { headersOf, urlOf } from '../address-request.ts'
import { plainEndpointsOf } from '../choose-endpoint.ts'
import type { Destination, Endpoint, PlainCapability } from '../define.ts'
import { listPath } from './address.ts'
import { imageConversion } from './convert-images.ts'
import { transcriptConversion } from './convert-transcripts.ts'
import { cloudflare } from './provider.ts'
import { readFailure, readProblem } from './read-problem.ts'

const to: Destination = {
  ...{ baseUrl: cloudflare.baseUrl, key: 'k', model: '@cf/a/b', stream: false, other: 'acc' },
  organization: undefined,
}

function find(capability: PlainCapability | 'chat'): Endpoint {
  const endpoint = capability === 'chat' ? cloudflare.chat?.[0] : plainEndpointsOf(cloudflare, capability)[0]
  if (!endpoint) throw new Error('no endpoint')
  return endpoint
}

describe('addresses', () => {
  const whole = 'https://api.cloudflare.com/client/v4/accounts/acc/ai'
  const gateway = 'https://gateway.ai.cloudflare.com/v1/acc/gate/workers-ai'
  test.each([
    ['chat', 'https://api.cloudflare.com', `${whole}/v1/chat/completions`],
    ['chat', 'https://api.cloudflare.com/client/v4', `${whole}/v1/chat/completions`],
    ['chat', `${whole}/v1`, `${whole}/v1/chat/completions`],
    ['chat', whole, `${whole}/v1/chat/completions`],
    ['chat', gateway, `${gateway}/v1/chat/completions`],
    ['embeddings', 'https://api.cloudflare.com', `${whole}/v1/embeddings`],
    ['images', 'https://api.cloudflare.com', `${whole}/run/@cf/a/b`],
    ['images', `${whole}/v1`, `${whole}/run/@cf/a/b`],
    ['transcriptions', `${gateway}/v1`, `${gateway}/@cf/a/b`],
  ] as const)('of %s at %s', (capability, baseUrl, url) => {
    expect(urlOf(find(capability), { ...to, baseUrl })).toBe(url)
    expect(headersOf(cloudflare, find(capability), to)).toEqual({ authorization: 'Bearer k' })
  })

  test('of the models', () => {
    expect(listPath(to)).toBe('/client/v4/accounts/acc/ai/models/search?per_page=1000')
    expect(listPath({ ...to, baseUrl: whole, other: '' })).toBe(`${whole}/models/search?per_page=1000`)
    const { modelList } = cloudflare
    if (typeof modelList !== 'object') throw new Error('no list')
    expect(modelList.read({ result: [{ name: '@cf/a' }, null, { name: 1 }] })).toEqual(['@cf/a'])
    expect(modelList.read({ result: null })).toBeUndefined()
  })

  test('never lead elsewhere', () => {
    for (const other of ['', ' ', '.', '..'])
      expect(() => find('chat').path({ ...to, other })).toThrow('account id')
    expect(find('chat').path({ ...to, other: '../a?b' })).toStartWith('/client/v4/accounts/..%2Fa%3Fb/ai/')
    for (const model of ['@cf/../../x', '@cf//x', '..'])
      expect(() => find('images').path({ ...to, model })).toThrow('model')
    expect(find('images').path({ ...to, model: '@cf/a?b#c' })).toEndWith('/ai/run/@cf/a%3Fb%23c')
  })
})

describe('errors', () => {
  const said = (code: number) => ({ success: false, errors: [{ code, message: 'm' }], result: null })
  test.each([
    [400, 5007, 404],
    [400, 6003, 401],
    [401, 10000, 401],
    // It is a token, but not for this.
    [403, 10000, 403],
    [429, 3036, 429],
    [400, 5006, 400],
    [500, 3028, 500],
  ])('status %i with code %i is %i', (status, code, meant) => {
    expect(readProblem(status, said(code))).toMatchObject({ status: meant, message: 'm', code: String(code) })
  })

  test('behind a status of 200', () => {
    expect(readFailure(said(3040))?.status).toBe(429)
    expect(readFailure(said(1))?.status).toBe(502)
    expect(readFailure({ success: false })?.status).toBe(502)
    expect(readFailure({ error: { message: 'no' } })?.message).toBe('no')
    for (const body of [{}, { success: true, errors: [] }, { choices: [] }])
      expect(readFailure(body)).toBeUndefined()
  })
})

test('strange answers are none', () => {
  for (const result of [null, [], 'x', {}, { image: '' }, { image: 1 }, { text: null }]) {
    expect(imageConversion.readAnswer?.({ result }, {})).toBeUndefined()
    expect(transcriptConversion.readAnswer?.({ result }, {})).toBeUndefined()
  }
  // Silence has no words.
  expect(transcriptConversion.readAnswer?.({ result: { text: '' } }, {})).toEqual({ text: '' })
})
