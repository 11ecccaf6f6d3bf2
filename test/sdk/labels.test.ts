// What calls are for: said with the vendors' own SDKs, on every engine, and never to a vendor.

import { afterAll, describe, expect, test } from 'bun:test'
import Anthropic from '@anthropic-ai/sdk'
import { GoogleGenAI } from '@google/genai'
import OpenAI from 'openai'
import { ResponsesWS } from 'openai/resources/responses/ws'
import { TokenClient } from '../api/rig-client.ts'
import { rootClient } from '../client.ts'
import { until } from '../program.ts'
import { dropAll, engines } from '../services/databases.ts'
import { recordIds } from './conversation.ts'
import { bodyOf, expectOrder, type House, MODELS, openHouse } from './house.ts'
import { catchError, statusOf } from './sdk-errors.ts'

const OWN = 'x-tollgate-labels'
const EMBEDDINGS = 'text-embedding-3-small'
const REALTIME = 'gpt-realtime'
const messages = [{ role: 'user' as const, content: 'good morning' }]

afterAll(dropAll)

describe.each(engines)('on $name', engine => {
  let house: House
  let openai: OpenAI
  let anthropic: Anthropic
  let gemini: GoogleGenAI
  const ids = recordIds()

  const labelsOf = async (requestId = ids.last()) => (await house.rig.logOf(requestId)).labels
  const chat = (headers: Record<string, string>, more: object = {}, key = house.key) =>
    new OpenAI({
      apiKey: key,
      baseURL: `${house.rig.url}/v1`,
      maxRetries: 0,
      fetch: ids.fetch,
    }).chat.completions.create(
      { model: MODELS['openai-chat'], messages, ...more } as OpenAI.ChatCompletionCreateParamsNonStreaming,
      { headers },
    )

  test('opens', async () => {
    const environment = { DATABASE_URL: await engine.freshUrl() }
    const settings = { GlobalApiRateLimit: '0' }
    house = await openHouse({ environment, settings, more: { 'openai-chat': [EMBEDDINGS, REALTIME] } })
    const { url } = house.rig
    openai = new OpenAI({ apiKey: house.key, baseURL: `${url}/v1`, maxRetries: 0, fetch: ids.fetch })
    anthropic = new Anthropic({ apiKey: house.key, baseURL: url, maxRetries: 0, fetch: ids.fetch })
    gemini = new GoogleGenAI({ apiKey: house.key, httpOptions: { baseUrl: url } })
  })

  test('by our own header: whole and streamed, in every dialect, converted or not', async () => {
    const headers = { [OWN]: 'search, env:prod,%E6%90%9C%E7%B4%A2' }
    const labels = 'env:prod,search,搜索'
    await chat(headers)
    expect(await labelsOf()).toBe(labels)
    const stream = await openai.chat.completions.create(
      { model: MODELS.anthropic, messages, stream: true },
      { headers },
    )
    for await (const _ of stream);
    expect(await labelsOf()).toBe(labels)
    await openai.responses.create({ model: MODELS['openai-responses'], input: 'hello' }, { headers })
    expect(await labelsOf()).toBe(labels)
    await anthropic.messages.create({ model: MODELS.anthropic, max_tokens: 50, messages }, { headers })
    expect(await labelsOf()).toBe(labels)
    await openai.embeddings.create({ model: EMBEDDINGS, input: 'hello' }, { headers })
    expect(await labelsOf()).toBe(labels)
    const count = async () => (await rowsWith(labels)).length
    const before = await count()
    await gemini.models.generateContent({
      model: MODELS.gemini,
      contents: 'hello',
      config: { httpOptions: { headers } },
    })
    await until(async () => (await count()) === before + 1)
    // It costs what it costs.
    await chat(headers)
    const charge = await house.rig.chargeOf(ids.last())
    await chat({})
    expect([charge, await labelsOf()]).toEqual([await house.rig.chargeOf(ids.last()), null])
    // Nothing of it has reached a vendor.
    for (const fake of Object.values(house.fakes))
      for (const request of fake.requests) expect(JSON.stringify(request.headers)).not.toContain('env:prod')
  })

  test('over sockets: Responses, turn by turn, and spoken sessions', async () => {
    const headers = { [OWN]: 'talk' }
    const client = new OpenAI({ apiKey: house.key, baseURL: `${house.rig.url}/v1` })
    const socket = new ResponsesWS(client, { headers } as object)
    const done = new Promise<void>(resolve => {
      socket.on('event', event => event.type === 'response.completed' && resolve())
    })
    socket.on('error', () => {})
    const metadata = { tags: ['turn'] } as unknown as Record<string, string>
    socket.send({ type: 'response.create', model: MODELS['openai-responses'], input: 'hello', metadata })
    await done
    socket.close()
    await until(async () => (await rowsWith('talk,turn')).length === 1)
    const talk = new WebSocket(`${house.rig.url.replace('http', 'ws')}/v1/realtime?model=${REALTIME}`, {
      headers: { authorization: `Bearer ${house.key}`, ...headers },
    } as unknown as string[])
    const answered = new Promise<void>(resolve => {
      talk.onmessage = ({ data }) => {
        const { type } = JSON.parse(String(data)) as { type: string }
        if (type === 'session.created') {
          const item = { type: 'message', role: 'user', content: [{ type: 'input_text', text: 'hello' }] }
          talk.send(JSON.stringify({ type: 'conversation.item.create', item }))
          talk.send(JSON.stringify({ type: 'response.create' }))
        }
        if (type === 'response.done') resolve()
      }
    })
    await answered
    talk.close()
    await until(async () =>
      (await rowsWith('talk')).some(row => row.model_name === REALTIME && row.quota > 0),
    )
  })

  test('in the words of LiteLLM and of Portkey, of which no vendor hears', async () => {
    await chat({ 'x-litellm-tags': 'team-api, production', 'x-litellm-end-user-id': 'alice' })
    expect(await labelsOf()).toBe('production,team-api,user:alice')
    await chat({ 'x-portkey-metadata': '{"_user":"bob","environment":"prod"}' })
    expect(await labelsOf()).toBe('environment:prod,user:bob')
    await chat(
      {},
      { metadata: { tags: ['job:1', 'job:2'], topic: 'x' }, litellm_metadata: { tags: ['deep'] } },
    )
    expect(await labelsOf()).toBe('deep,job:1,job:2')
    expect(bodyOf(house.seen('openai-chat'))).toMatchObject({ metadata: { topic: 'x' } })
    expect(bodyOf(house.seen('openai-chat'))).not.toHaveProperty('litellm_metadata')
    expect(JSON.stringify(bodyOf(house.seen('openai-chat')))).not.toContain('job:1')
    const tagged = { metadata: { tags: ['job:3'], user_id: 'u-1' } } as object
    await anthropic.messages.create({ model: MODELS.anthropic, max_tokens: 50, messages, ...tagged })
    expect(await labelsOf()).toBe('job:3')
    expect(bodyOf(house.seen('anthropic')).metadata).toEqual({ user_id: 'u-1' })
    const embedding = { model: EMBEDDINGS, input: 'hello', metadata: { tags: ['job:4'] } }
    await openai.embeddings.create(embedding as OpenAI.EmbeddingCreateParams)
    expect(await labelsOf()).toBe('job:4')
    expect(bodyOf(house.seen('openai-chat'))).not.toHaveProperty('metadata')
  })

  test('what vendors call metadata, and who it is for, are the vendor’s and no labels', async () => {
    const metadata = { tags: 'a,b', project: 'x' }
    await chat({}, { metadata, user: 'carol', safety_identifier: 'carol-hash' })
    expect(await labelsOf()).toBeNull()
    expect(bodyOf(house.seen('openai-chat'))).toMatchObject({ metadata, user: 'carol' })
    await anthropic.messages.create({
      ...{ model: MODELS.anthropic, max_tokens: 50, messages, metadata: { user_id: 'session-1' } },
    })
    expect(await labelsOf()).toBeNull()
  })

  test('a wrong header is refused in the caller’s dialect, and costs nothing', async () => {
    const before = await house.rig.balance(house.userId)
    const headers = { [OWN]: '1,2,3,4,5,6,7,8,9' }
    const errors = [
      await catchError(chat(headers)),
      await catchError(
        openai.responses.create({ model: MODELS['openai-responses'], input: 'a' }, { headers }),
      ),
      await catchError(
        anthropic.messages.create({ model: MODELS.anthropic, max_tokens: 5, messages }, { headers }),
      ),
      await catchError(
        gemini.models.generateContent({
          ...{ model: MODELS.gemini, contents: 'a', config: { httpOptions: { headers } } },
        }),
      ),
    ]
    expect(errors.map(statusOf)).toEqual([400, 400, 400, 400])
    for (const { message } of errors) expect(message).toContain(OWN)
    expect(await house.rig.balance(house.userId)).toBe(before)
  })

  test('a token’s labels are on all of its calls, also on those that fail', async () => {
    const root = await rootClient(house.rig.url)
    const user = await TokenClient.of(house.rig, house.userId)
    const made = await user.post('/api/token', {
      name: 'project',
      unlimited_quota: true,
      labels: ['p:x', ' p:x ', 'b'],
    })
    expect(made.json.success).toBe(true)
    const list = await user.get('/api/token/search?keyword=project')
    const token = list.json.data[0]
    expect(token.labels).toEqual(['b', 'p:x'])
    const key = (await user.post(`/api/token/${token.id}/key`, {})).json.data.key
    await chat({ [OWN]: 'c' }, {}, `sk-${key}`)
    expect(await labelsOf()).toBe('b,c,p:x')
    await catchError(chat({}, { model: 'nobody-has-this' }, `sk-${key}`))
    expect(await labelsOf()).toBe('b,p:x')
    const bad = await user.put('/api/token', { id: token.id, labels: ['a,b'] })
    expect([bad.json.success, bad.json.message.includes('64')]).toEqual([false, true])
    await user.put('/api/token', { id: token.id, name: 'renamed' })
    expect((await user.get(`/api/token/${token.id}`)).json.data.labels).toEqual(['b', 'p:x'])
    await user.put('/api/token', { id: token.id, labels: [] })
    await chat({}, {}, `sk-${key}`)
    expect(await labelsOf()).toBeNull()
    expect((await root.get('/api/log?label=p:x')).json.data.total).toBe(2)
  })

  test('what is told by label is what the log’s rows come to, for their owner and for administrators', async () => {
    const root = await rootClient(house.rig.url)
    const user = await TokenClient.of(house.rig, house.userId)
    const stranger = await TokenClient.of(house.rig, await house.rig.addUser())
    await until(async () => (await house.rig.differences()).length === 0)
    const rows = await house.rig.store.db
      .selectFrom('logs')
      .selectAll()
      .where('labels', 'is not', null)
      .execute()
    const expected = new Map<string, { quota: number; requests: number; errors: number }>()
    for (const { labels, quota, type } of rows)
      for (const label of labels?.split(',') ?? []) {
        const sum = expected.get(label) ?? { quota: 0, requests: 0, errors: 0 }
        sum.quota += quota
        sum.requests++
        sum.errors += type === 2 ? 0 : 1
        expected.set(label, sum)
      }
    expect(expected.size).toBeGreaterThan(10)
    for (const [client, path] of [
      [root, '/api/statistics'],
      [user, '/api/statistics/self'],
    ] as const)
      for (const unit of ['all', 'day', 'hour', 'week']) {
        const { json } = await client.get(`${path}?by=label&unit=${unit}`)
        const told = new Map<string, { quota: number; requests: number; errors: number }>()
        for (const row of json.data.rows) {
          const sum = told.get(row.key) ?? { quota: 0, requests: 0, errors: 0 }
          told.set(row.key, {
            quota: sum.quota + row.quota,
            requests: sum.requests + row.requests,
            errors: sum.errors + row.errors,
          })
        }
        expect(told).toEqual(expected)
      }
    expect((await stranger.get('/api/statistics/self?by=label&unit=all')).json.data.rows).toEqual([])
    for (const [label, { quota, requests, errors }] of expected) {
      const query = `label=${encodeURIComponent(label)}`
      for (const [client, path] of [
        [root, '/api/log'],
        [user, '/api/log/self'],
      ] as const) {
        const { items, total } = (await client.get(`${path}?${query}&page_size=100`)).json.data
        expect([total, items.length]).toEqual([requests, requests])
        expect(items.every((row: { labels: string[] }) => row.labels.includes(label))).toBe(true)
        expect((await client.get(`${path}?${query}&type=5`)).json.data.total).toBe(errors)
        expect((await client.get(`${path}/stat?${query}`)).json.data.quota).toBe(quota)
      }
      expect((await stranger.get(`/api/log/self?${query}`)).json.data.total).toBe(0)
    }
    // With something else beside it, and only the whole word.
    const model = encodeURIComponent(`"${EMBEDDINGS}"`)
    expect((await root.get(`/api/log?label=search&model_name=${model}`)).json.data.total).toBe(1)
    expect((await root.get('/api/log?label=sear')).json.data.total).toBe(0)
    expect((await root.get('/api/log?label=SEARCH')).json.data.total).toBe(0)
    const csv = (await user.get('/api/log/self/export?label=job:4')).text
    expect(csv.trim().split('\r\n')).toHaveLength(2)
    expect(csv).toContain(',job:4\r\n')
  })

  test('the books agree, and no vendor complained', async () => {
    await expectOrder(house)
    await house.close()
  })

  function rowsWith(labels: string) {
    return house.rig.store.db.selectFrom('logs').selectAll().where('labels', '=', labels).execute()
  }
})
