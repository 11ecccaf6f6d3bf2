import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { asObject, type JsonObject } from '../../../server/dialects/json.ts'
import { type FakeUpstream, startAnthropic } from '../../upstreams/index.ts'
import { anthropic, ask, problemIn, requestIdOf, ways } from '../ways.ts'
import { type ChannelHouse, openChannelHouse } from './channel-house.ts'

let house: ChannelHouse
let claude: FakeUpstream

const operations = (...list: object[]) => ({ setting: { param_override: { operations: list } } })
const refusing = (word: string) => ({
  ...operations({
    mode: 'return_error',
    value: { message: 'No poems in this house.', status_code: 422, code: 'no_poems' },
    conditions: ['messages.0.content', 'input', 'contents.0.parts.0.text'].map(path => ({
      ...{ path, mode: 'contains', value: word },
    })),
  }),
})

beforeAll(async () => {
  claude = await startAnthropic()
  house = await openChannelHouse({ RetryTimes: '3' }, async ({ add, books }) => {
    await add('a', 'm-edited', {
      mapping: { 'm-edited': 'm-mapped' },
      ...operations(
        { mode: 'set', path: 'temperature', value: 0.25, keep_origin: true },
        {
          mode: 'set',
          path: 'user',
          value: 'house',
          conditions: [{ path: 'model', mode: 'full', value: 'm-mapped' }],
        },
        {
          mode: 'delete',
          path: 'seed',
          conditions: [{ path: 'original_model', mode: 'full', value: 'm-edited' }],
        },
        { mode: 'delete', path: 'top_p', conditions: [{ path: 'model', mode: 'full', value: 'm-edited' }] },
        { mode: 'regex_replace', path: 'messages.*.content', from: 'sk-\\w+', to: '[key]' },
        { mode: 'append', path: 'messages', value: [{ role: 'user', content: 'Be brief.' }] },
        { mode: 'move', from: 'max_tokens', to: 'max_completion_tokens' },
      ),
    })
    await add('a', 'm-plain-form', {
      ...operations({ mode: 'set', path: 'language', value: 'de' }, { mode: 'delete', path: 'temperature' }),
    })
    await add('a', 'm-vectors', operations({ mode: 'set', path: 'dimensions', value: 8 }))
    await add('a', 'm-greedy', {
      ...operations(
        { mode: 'set', path: 'max_tokens', value: 9000 },
        { mode: 'copy', from: 'metadata.limit', to: 'max_completion_tokens' },
      ),
    })
    await add('a', 'm-slow', operations({ mode: 'regex_replace', path: 'user', from: '(a+)+b', to: '' }))
    await add('a', 'm-fallback', {
      ...operations({ mode: 'set', path: 'user', value: 'first' }),
      priority: 5,
    })
    await add('b', 'm-fallback')
    await add('a', 'm-headers', {
      setting: {
        header_override: { 're:^X-(Tag|Api-Key|Forwarded-For)$': '', 'X-Fixed': 'yes' },
        param_override: {
          operations: [
            { mode: 'set_header', path: 'X-Own-Key', value: 'k={api_key}' },
            {
              mode: 'set_header',
              path: 'X-Who',
              value: 'w={client_header:authorization}{client_header:X-Note}',
            },
            { mode: 'copy_header', from: 'x-note', to: 'x-noted' },
            { mode: 'copy_header', from: 'x-tag', to: 'x-copied' },
            { mode: 'pass_headers', value: ['x-listed', 'cookie', 'authorization'] },
            {
              mode: 'delete_header',
              path: 'x-fixed',
              conditions: [{ path: 'user', mode: 'full', value: 'bare' }],
            },
          ],
        },
      },
    })
    await add('a', 'm-every-header', { setting: { header_override: { '*': '' } } })
    await add('a', 'm-refused', { ...refusing('poem'), priority: 5 })
    await add('b', 'm-refused')
    const seed = { type: 14, baseUrl: claude.url, key: claude.key }
    await books.addChannel({
      ...{ ...seed, models: ['m-claude'] },
      ...operations(
        { mode: 'set', path: 'top_k', value: 5 },
        { mode: 'set', path: 'max_tokens', value: 2000 },
      ),
    })
  })
})
afterAll(async () => {
  expect(claude.complaints).toEqual([])
  await house.close()
  await claude.stop()
})

const sent = (): JsonObject => asObject(house.upstreams.a.requests.at(-1)?.json) ?? {}

test('a request arrives as the operations have made it, and the rest of it letter by letter', async () => {
  const messages = [{ role: 'user', content: 'my key is sk-abc123.' }]
  const rawBody = `{"model":"m-edited", "messages":${JSON.stringify(messages)}, "presence_penalty": 1.0,
    "seed":5,"top_p":0.5,"max_tokens":40}`
  expect((await house.call('m-edited', { rawBody })).status).toBe(200)
  expect(sent()).toEqual({
    ...{ model: 'm-mapped', presence_penalty: 1, top_p: 0.5, temperature: 0.25, user: 'house' },
    max_completion_tokens: 40,
    messages: [
      { role: 'user', content: 'my key is [key].' },
      { role: 'user', content: 'Be brief.' },
    ],
  })
  expect(house.upstreams.a.requests.at(-1)?.text).toContain('"presence_penalty": 1.0')
  await house.call('m-edited', { more: { temperature: 1 }, stream: true })
  expect(sent()).toMatchObject({ temperature: 1, user: 'house', stream: true })
})

test('also one that is written anew, in the words of the upstream', async () => {
  const response = await ask(house.rig.url, anthropic, { key: house.key, model: 'm-edited' })
  expect(response.status).toBe(200)
  expect(sent()).toMatchObject({ model: 'm-mapped', temperature: 0.25, user: 'house' })
  // Who names no limit is not held to the one that this vendor has to be told.
  expect((await house.call('m-claude')).status).toBe(200)
  expect(claude.requests.at(-1)?.json).toMatchObject({ top_k: 5, max_tokens: 2000 })
  expect((await house.call('m-claude', { more: { max_tokens: 60 } })).status).toBe(200)
  expect(claude.requests.at(-1)?.json).toMatchObject({ top_k: 5, max_tokens: 60 })
})

test('and what is no chat: JSON and forms', async () => {
  const headers = { authorization: `Bearer ${house.key}` }
  const embedded = await fetch(`${house.rig.url}/v1/embeddings`, {
    ...{ method: 'POST', headers: { ...headers, 'content-type': 'application/json' } },
    body: JSON.stringify({ model: 'm-vectors', input: 'hi' }),
  })
  expect([embedded.status, sent().dimensions]).toEqual([200, 8])
  const form = new FormData()
  form.set('model', 'm-plain-form')
  form.set('temperature', '0.5')
  form.set('prompt', 'names')
  form.set('file', new File([new Uint8Array(2000)], 'a.mp3', { type: 'audio/mpeg' }))
  const heard = await fetch(`${house.rig.url}/v1/audio/transcriptions`, {
    method: 'POST',
    headers,
    body: form,
  })
  expect(heard.status).toBe(200)
  const seen = house.upstreams.a.requests.at(-1)?.form
  expect([...(seen?.keys() ?? [])].toSorted()).toEqual(['file', 'language', 'model', 'prompt'])
  expect([seen?.get('language'), seen?.get('prompt'), seen?.get('model')]).toEqual([
    'de',
    'names',
    'm-plain-form',
  ])
})

test('the next channel gets what the client sent', async () => {
  house.answer('a', 'm-fallback', house.upstreams.a.failWith('server-error'))
  expect((await house.call('m-fallback', { more: { user: 'mine' } })).status).toBe(200)
  expect(sent().user).toBe('first')
  expect(house.upstreams.b.requests.at(-1)?.json).toMatchObject({ user: 'mine' })
})

test('nothing makes an answer longer than what was held for it', async () => {
  const more = { max_tokens: 30, metadata: { limit: 9000 } }
  const { requestId } = await house.call('m-greedy', { more })
  expect(sent()).toMatchObject({ max_tokens: 30, max_completion_tokens: 30 })
  expect((await house.rig.logOf(requestId)).completion_tokens).toBeLessThanOrEqual(30)
})

test('a text that a pattern would look at for too long is refused, and the channel goes on', async () => {
  const slow = await house.call('m-slow', { more: { user: 'a'.repeat(3_000_000) } })
  expect([slow.status, slow.code]).toEqual([400, 'invalid_text_request'])
  expect(slow.words).toContain('user')
  expect(house.asked('m-slow')).toEqual({ a: 0, b: 0, c: 0 })
  expect((await house.call('m-slow', { more: { user: 'aaa' } })).status).toBe(200)
})

describe.each(ways.map(way => [way.name, way] as const))('an error of the operator’s, %s', (name, way) => {
  test('is told in the client’s words, once, and costs nobody anything', async () => {
    const { rig, key, userId } = house
    const before = [await rig.balance(userId), house.asked('m-refused')]
    const response = await ask(rig.url, way, { key, model: 'm-refused', text: 'a poem, please' })
    const text = await response.text()
    const problem = problemIn(way, text)
    expect([response.status, problem?.message]).toEqual([
      422,
      `No poems in this house. (request id: ${requestIdOf(response)})`,
    ])
    if (name.startsWith('openai')) expect(problem?.code).toBe('no_poems')
    const row = await rig.logOf(requestIdOf(response))
    expect([row.quota, row.content]).toEqual([0, problem?.message ?? ''])
    expect([await rig.balance(userId), house.asked('m-refused')]).toEqual(before)
    // The same channel is the first to be asked for the next.
    const asked = house.asked('m-refused').a
    expect((await ask(rig.url, way, { key, model: 'm-refused', text: 'prose' })).status).toBe(200)
    expect(house.asked('m-refused').a).toBe(asked + 1)
  })
})

describe('headers', () => {
  const headers = {
    ...{ 'X-Tag': 'blue', 'X-Listed': 'on', 'X-Other': 'red', Cookie: 'session=1', 'X-Api-Key': 'mine' },
    ...{
      'X-Forwarded-For': '10.0.0.1',
      'User-Agent': 'their-app/1',
      'Accept-Encoding': 'gzip',
      Origin: 'http://o',
    },
  }
  const call = async (model: string, more: JsonObject = {}) => {
    const showing = { ...headers, 'X-Note': `I am ${house.key}` }
    expect((await house.call(model, { headers: showing, more })).status).toBe(200)
    const seen = house.upstreams.a.requests.at(-1)?.headers ?? {}
    expect(JSON.stringify(seen)).not.toContain(house.key.slice(3))
    for (const name of ['cookie', 'x-api-key', 'x-forwarded-for', 'origin'])
      expect(seen).not.toContainKey(name)
    expect(seen.authorization).toBe(`Bearer ${house.upstreams.a.key}`)
    return seen
  }

  test('are what the operations have made of them', async () => {
    const seen = await call('m-headers')
    expect(seen).toMatchObject({
      ...{ 'x-tag': 'blue', 'x-copied': 'blue', 'x-listed': 'on', 'x-fixed': 'yes' },
      'x-own-key': `k=${house.upstreams.a.key}`,
      'x-who': 'w=',
    })
    expect(seen).not.toContainAnyKeys(['x-other', 'x-noted'])
    expect(await call('m-headers', { user: 'bare' })).not.toContainKey('x-fixed')
  })

  test('pass by a star, save those that show who somebody is or where', async () => {
    expect(await call('m-every-header')).toMatchObject({
      ...{ 'x-tag': 'blue', 'x-listed': 'on', 'x-other': 'red', 'user-agent': 'their-app/1' },
      'content-type': 'application/json',
    })
  })
})
