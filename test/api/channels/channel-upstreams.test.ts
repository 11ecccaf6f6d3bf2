import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import type { ChannelView } from '../../../contract/channel-view.ts'
import { type Client, rootClient } from '../../client.ts'
import { until } from '../../program.ts'
import type { ChannelSeed, Rig } from '../../relay/rig.ts'
import { dropAll, engines } from '../../services/databases.ts'
import {
  type FakeUpstream,
  type Script,
  startAnthropic,
  startDeepseek,
  startGemini,
  startMistral,
  startOpenai,
} from '../../upstreams/index.ts'
import { startPerplexity } from '../../upstreams/perplexity/start.ts'
import { startSerper } from '../../upstreams/serper/start.ts'
import { openApi } from '../rig-client.ts'

let rig: Rig
let root: Client
let openai: FakeUpstream
let anthropic: FakeUpstream
let gemini: FakeUpstream

beforeAll(async () => {
  rig = await openApi((await engines[0]?.freshUrl()) ?? '', { CriticalRateLimit: '0' })
  root = await rootClient(rig.url)
  openai = await startOpenai()
  anthropic = await startAnthropic()
  gemini = await startGemini()
})
afterAll(async () => {
  await rig.close()
  for (const fake of [openai, anthropic, gemini]) await fake.stop()
  await dropAll()
})
beforeEach(async () => {
  await rig.store.change('channels', async transaction => {
    await transaction.deleteFrom('channels').execute()
  })
  for (const fake of [openai, anthropic, gemini]) fake.always({})
})

const one = async (id: number): Promise<ChannelView> => (await root.get(`/api/channel/${id}`)).json.data
const add = (fake: FakeUpstream, more: Partial<ChannelSeed> = {}): Promise<number> =>
  rig.addChannel({ type: 1, baseUrl: fake.url, key: fake.key, models: ['gpt-4o'], ...more })
const isEnded = async (name: string): Promise<Record<string, unknown> | undefined> =>
  (await root.get('/api/channel/work')).json.data.find(
    (work: { name: string; running: boolean }) => work.name === name && !work.running,
  )
const last = (fake: FakeUpstream) => fake.requests.at(-1)

describe('testing one channel', () => {
  test('sends something small, notes the time, logs it and charges nobody', async () => {
    const id = await add(openai, { status: 2, mapping: { mine: 'gpt-4o-mini' } })
    const { json } = await root.get(`/api/channel/test/${id}/?model=mine`)
    expect([json.success, json.message, typeof json.time]).toEqual([true, '', 'number'])
    expect(last(openai)?.json).toMatchObject({
      ...{ model: 'gpt-4o-mini', messages: [{ role: 'user', content: 'hi' }], max_tokens: 1 },
    })
    expect((await one(id)).test_time).toBeGreaterThan(0)
    expect((await one(id)).response_time).toBeGreaterThan(0)
    const row = await rig.store.db
      .selectFrom('logs')
      .selectAll()
      .where('channel_id', '=', id)
      .executeTakeFirstOrThrow()
    expect(row).toMatchObject({
      ...{ type: 2, user_id: 1, token_name: '模型测试', content: '模型测试', quota: 0, model_name: 'mine' },
    })
    expect(row.completion_tokens).toBeGreaterThan(0)
    expect(await rig.differences()).toEqual([])
  })

  test('speaks each vendor’s own words, and asks models for what they do', async () => {
    const cases: [FakeUpstream, Partial<ChannelSeed>, string][] = [
      [anthropic, { type: 14, models: ['claude-sonnet-4-6'] }, '/v1/messages'],
      [gemini, { type: 24, models: ['gemini-2.5-pro'] }, '/v1beta/models/gemini-2.5-pro:generateContent'],
      [openai, { models: ['gpt-5.5'] }, '/v1/chat/completions'],
      [openai, { models: ['gpt-5.5-pro'] }, '/v1/responses'],
      [openai, { models: ['gpt-image-1', 'text-embedding-3-small'] }, '/v1/embeddings'],
      [openai, { models: ['rerank-2'] }, '/v1/rerank'],
      [openai, { models: ['omni-moderation-latest'] }, '/v1/moderations'],
      [openai, { models: ['tts-1'] }, '/v1/audio/speech'],
      [openai, { models: ['seedream-4.0', 'voyage-4'] }, '/v1/embeddings'],
      [
        gemini,
        { type: 24, models: ['gemini-embedding-001'] },
        '/v1beta/models/gemini-embedding-001:batchEmbedContents',
      ],
    ]
    for (const [fake, seed, path] of cases) {
      const { json } = await root.get(`/api/channel/test/${await add(fake, seed)}`)
      expect([seed.models, json.message, last(fake)?.path]).toEqual([seed.models, '', path])
    }
    expect([...openai.complaints, ...anthropic.complaints, ...gemini.complaints]).toEqual([])
  })

  test('reads the smallest document, and searches for the shortest word', async () => {
    const cases: [() => Promise<FakeUpstream>, Partial<ChannelSeed>, string][] = [
      [startMistral, { type: 42, models: ['mistral-ocr-latest'] }, '/v1/ocr'],
      [startPerplexity, { type: 27, models: ['perplexity-search'] }, '/search'],
      [startSerper, { type: 1004, models: ['whatever-it-is-called'] }, '/search'],
    ]
    for (const [start, seed, path] of cases) {
      const fake = await start()
      const { json } = await root.get(`/api/channel/test/${await add(fake, seed)}`)
      expect([seed.models, json.message, last(fake)?.path]).toEqual([seed.models, '', path])
      expect(fake.complaints).toEqual([])
      await fake.stop()
    }
  })

  test('takes the channel’s own test model before its first', async () => {
    const id = await add(openai, { models: ['gpt-4o', 'gpt-4o-mini'] })
    await root.put('/api/channel/', { id, test_model: 'gpt-4o-mini' })
    await root.get(`/api/channel/test/${id}`)
    expect(last(openai)?.json).toMatchObject({ model: 'gpt-4o-mini' })
  })

  test('a failure says why and how long it took, but neither key nor host', async () => {
    const id = await add(openai)
    openai.next(openai.failTellingSecrets('bad-key'))
    const { status, text, json } = await root.get(`/api/channel/test/${id}`)
    expect([status, json.success, typeof json.time]).toEqual([200, false, 'number'])
    expect(json.message).toStartWith('上游返回 401：')
    expect(text).not.toContain(openai.key)
    expect(text).not.toContain(new URL(openai.url).host)
    // One test by hand decides nothing.
    expect((await one(id)).status).toBe(1)
    openai.next({ status: 200, body: '{"id":"chatcmpl-1","choices":[{' })
    expect((await root.get(`/api/channel/test/${id}`)).json.message).toBe('上游返回了空的或无法识别的内容')
    const nowhere = await rig.addChannel({
      ...{ type: 1, baseUrl: 'http://127.0.0.1:9', key: 'k', models: ['gpt-4o'] },
    })
    expect((await root.get(`/api/channel/test/${nowhere}`)).json.message).toBe('无法建立连接')
  })

  test('one that went well, like a save that enables, ends the rest after a refused key', async () => {
    const id = await add(openai, { models: ['m-resting'] })
    await root.saveOption('DefaultModelRatio', '1')
    const { key } = await rig.addToken({ userId: await rig.addUser() })
    const call = async (): Promise<boolean> => {
      const body = { model: 'm-resting', messages: [{ role: 'user', content: 'hi' }] }
      const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' }
      const init = { method: 'POST', headers, body: JSON.stringify(body) }
      return (await fetch(`${rig.url}/v1/chat/completions`, init)).ok
    }
    const enders = [
      () => root.get(`/api/channel/test/${id}`),
      () => root.put('/api/channel/', { id, status: 1 }),
    ]
    expect(await until(call)).toBe(true)
    for (const end of enders) {
      openai.next(openai.failWith('bad-key'))
      expect(await call()).toBe(false)
      expect(await call()).toBe(false)
      expect((await end()).json.success).toBe(true)
      expect(await call()).toBe(true)
    }
    const audited = await rig.store.db
      .selectFrom('audit_records')
      .select('action')
      .where('subject', '=', `channel:${id}`)
      .where('action', '=', 'channel.update')
      .execute()
    expect(audited).toEqual([])
  })

  test('one that fails has a time of its test, and none of its answer', async () => {
    const id = await add(openai, { models: ['gpt-4o-mini'] })
    expect((await root.get(`/api/channel/test/${id}`)).json.success).toBe(true)
    openai.next(openai.failWith('bad-key', 'no such key'))
    expect((await root.get(`/api/channel/test/${id}`)).json.success).toBe(false)
    const { test_time, response_time } = await one(id)
    expect([test_time > 0, response_time]).toEqual([true, 0])
  })

  test('names that lead round in a circle are told like any failure', async () => {
    const id = await add(openai, { models: ['a'], mapping: { a: 'b', b: 'a' } })
    const { status, json } = await root.get(`/api/channel/test/${id}`)
    expect([status, json]).toEqual([
      200,
      { success: false, message: '模型重定向存在循环，请联系管理员', time: 0 },
    ])
    expect((await one(id)).test_time).toBe(0)
  })

  test('drawing, music, video, sound to be heard and absent channels are refused', async () => {
    for (const type of [2, 5, 36, 50, 51, 52, 54, 55]) {
      const id = await add(openai, { type, models: ['mj_imagine'] })
      expect((await root.get(`/api/channel/test/${id}`)).json).toMatchObject({ success: false, time: 0 })
      expect((await root.get(`/api/channel/test/${id}`)).json.message).toEndWith('渠道不支持测试')
    }
    const asked = openai.requests.length
    for (const model of ['sora-2', 'veo-3.1-generate-preview', 'MiniMax-Hailuo-2.3', 'wan2.6-t2v']) {
      const films = await add(openai, { models: [model] })
      expect((await root.get(`/api/channel/test/${films}`)).json.message).toContain(model)
    }
    expect(openai.requests.length).toBe(asked)
    const ears = await add(openai, { models: ['whisper-1'] })
    expect((await root.get(`/api/channel/test/${ears}`)).json.message).toContain('whisper-1')
    expect((await root.get('/api/channel/test/999999')).json.message).toBe('record not found')
  })
})

describe('testing all', () => {
  test('takes out the slow and the refused, puts back the recovered, one run at a time', async () => {
    await root.saveOption('AutomaticDisableChannelEnabled', 'true')
    await root.saveOption('AutomaticEnableChannelEnabled', 'true')
    await root.saveOption('ChannelDisableThreshold', '6')
    const { promise: held, resolve: release } = Promise.withResolvers<void>()
    const scripts: Record<string, Script> = {
      fine: {},
      slow: async () => {
        await held
        return {}
      },
      refused: openai.failWith('bad-key'),
      edited: async () => {
        await root.put('/api/channel/', { id: id('edited-1'), key: 'sk-new-0123456789abcdef' })
        return openai.failWith('bad-key')
      },
      moved: async () => {
        await root.put('/api/channel/', { id: id('moved-1'), key: 'sk-new-0123456789abcdef' })
        await held
        return {}
      },
      swapped: async () => {
        await root.put('/api/channel/', { id: id('swapped-1'), key: 'sk-new-0123456789abcdef' })
        return {}
      },
      busy: openai.failWith('rate-limit'),
    }
    openai.always((seen, upstream) => {
      const { model } = seen.json as { model: string }
      const script = scripts[model.split('-')[0] ?? ''] ?? {}
      return typeof script === 'function' ? script(seen, upstream) : script
    })
    const names = [
      'fine-1',
      'slow-1',
      'slow-2',
      'slow-3',
      'slow-flux',
      'refused-1',
      'refused-2',
      'busy-1',
      'fine-2',
      'fine-3',
      'keys-1',
      'edited-1',
      'moved-1',
      'swapped-1',
    ] as const
    const ids: Record<string, number> = {}
    for (const name of names)
      ids[name] = await add(openai, {
        ...{ name, models: [name], autoBan: !name.endsWith('2') },
        status: name === 'fine-3' ? 2 : 1,
        // The first of them is dead, and the other serves.
        ...(name === 'keys-1' ? { key: `sk-dead-0123456789abcdef\n${openai.key}` } : {}),
      })
    const id = (name: (typeof names)[number]): number => ids[name] ?? 0
    await rig.store.change('channels', async transaction => {
      const other_info = JSON.stringify({ status_reason: 'was broken', status_time: 1 })
      await transaction
        .updateTable('channels')
        .set({ status: 3, other_info })
        .where('id', 'in', [id('fine-2'), id('slow-3'), id('swapped-1')])
        .execute()
    })
    // Who changes a channel reads all of them anew: as it is tested, the program knows each as it is stored.
    expect((await root.put('/api/channel/', { id: id('fine-1'), name: 'fine-1' })).json.success).toBe(true)

    expect((await root.get('/api/channel/test')).json).toEqual({ success: true, message: '', data: null })
    expect((await root.get('/api/channel/test')).json.message).toBe('测试已在运行中')
    // All that is to be slow has been asked: what comes later is answered in time.
    await until(() => openai.requests.filter(({ text }) => /slow-|moved-/.test(text)).length === 5)
    await Bun.sleep(6100)
    release()
    expect(await until(() => isEnded('channel-test'))).toMatchObject({
      ...{ total: 13, done: 13, failed: 8, cancelled: false },
    })
    const statuses = Object.fromEntries(
      await Promise.all(names.map(async name => [name, (await one(id(name))).status])),
    )
    expect(statuses).toEqual({
      ...{ 'fine-1': 1, 'slow-1': 3, 'slow-2': 1, 'slow-3': 3, 'refused-1': 3, 'refused-2': 1, 'busy-1': 1 },
      ...{
        'slow-flux': 1,
        'fine-2': 1,
        'fine-3': 2,
        'keys-1': 1,
        'edited-1': 1,
        'moved-1': 1,
        'swapped-1': 3,
      },
    })
    expect(JSON.parse((await one(id('slow-1'))).other_info).status_reason).toMatch(
      /^响应时间 \d+\.\d\ds 超过阈值 6\.00s$/,
    )
    expect((await one(id('fine-2'))).other_info).toBe('')
    expect(JSON.parse((await one(id('slow-3'))).other_info).status_reason).toBe('was broken')
    // Whoever disables a channel by hand wants it left alone, unless it is tested by itself.
    expect((await one(id('fine-3'))).test_time).toBe(0)
    openai.always({})
    expect((await root.get(`/api/channel/test/${id('fine-3')}`)).json.success).toBe(true)
    expect(await one(id('fine-3'))).toMatchObject({ status: 2, test_time: expect.any(Number) })
    expect((await one(id('fine-3'))).test_time).toBeGreaterThan(0)
    for (const key of ['AutomaticDisableChannelEnabled', 'AutomaticEnableChannelEnabled'])
      await root.saveOption(key, 'false')
    await root.saveOption('ChannelDisableThreshold', '5')
  })

  test('can be watched and stopped; what was broken off says nothing', async () => {
    const ids = await Promise.all(Array.from({ length: 12 }, () => add(openai)))
    openai.always({ silent: true })
    await root.get('/api/channel/test')
    const { data } = (await root.get('/api/channel/work')).json
    expect(data).toMatchObject([{ name: 'channel-test', running: true, done: 0 }])
    const { requests } = openai
    const before = requests.length
    await until(() => requests.length > before || requests.at(-1)?.text.includes('hi'))
    expect((await root.post('/api/channel/work/cancel', { name: 'channel-test' })).json.success).toBe(true)
    expect(await until(() => isEnded('channel-test'))).toMatchObject({ done: 0, cancelled: true })
    expect((await one(ids[0] ?? 0)).test_time).toBe(0)
    const again = await root.post('/api/channel/work/cancel', { name: 'channel-test' })
    expect(again.json.message).toBe('没有正在运行的任务：channel-test')
  })
})

describe('lists of models', () => {
  const listOf = async (id: number) => (await root.get(`/api/channel/fetch_models/${id}`)).json

  test('are asked for in each vendor’s own way', async () => {
    const deepseek = await startDeepseek()
    const byType: [number, FakeUpstream, string][] = [
      [1, openai, '/v1/models'],
      [14, anthropic, '/v1/models'],
      [24, gemini, '/v1beta/models'],
      [43, deepseek, '/v1/models'],
    ]
    for (const [type, fake, path] of byType) {
      fake.next({ status: 200, body: answerOf(type) })
      const json = await listOf(await add(fake, { type }))
      expect([type, json.data, last(fake)?.path]).toEqual([type, ['model-a', 'model-b'], path])
    }
    const proofs = [openai, anthropic, gemini].map(fake => last(fake)?.headers)
    expect(proofs[0]?.authorization).toBe(`Bearer ${openai.key}`)
    expect([proofs[1]?.['x-api-key'], proofs[1]?.['anthropic-version']]).toEqual([
      anthropic.key,
      '2023-06-01',
    ])
    expect(proofs[2]?.['x-goog-api-key']).toBe(gemini.key)
    await deepseek.stop()
  })

  function answerOf(type: number) {
    if (type === 24) return { models: [{ name: 'models/model-a' }, { name: 'models/model-b' }] }
    return { data: [{ id: 'model-a' }, { id: 'model-b' }, { id: 'model-a' }, { id: '' }], has_more: false }
  }

  test('failures are told in words that name nobody', async () => {
    const id = await add(openai)
    const cases: [Script, string][] = [
      [openai.failTellingSecrets('bad-key'), '上游拒绝了请求（状态码 401）'],
      [{ status: 200, body: '<html>' }, '上游返回了无法识别的内容'],
      [{ status: 200, body: { data: [{ id: 7 }] } }, '上游返回了无法识别的内容'],
    ]
    for (const [script, message] of cases) {
      openai.next(script)
      const json = await listOf(id)
      expect([json.success, json.message]).toEqual([false, message])
    }
    const nowhere = await root.get(
      `/api/channel/fetch_models/${await add(openai, { baseUrl: 'http://127.0.0.1:9' })}`,
    )
    expect([nowhere.status, nowhere.json.message]).toEqual([200, '请求上游地址失败'])
    expect((await listOf(await add(openai, { type: 2 }))).message).toBe('该渠道类型无法获取模型列表')
    expect((await listOf(999_999)).message).toBe('record not found')
  })

  test('can be had before there is a channel', async () => {
    const ask = (body: object) => root.post('/api/channel/fetch_models', body)
    const good = await ask({ base_url: `${openai.url}/`, key: openai.key, type: 1 })
    expect(good.json.data).toContain('gpt-4o')
    const bad = await ask({ base_url: openai.url, key: 'wrong', type: 1 })
    expect([bad.status, bad.json.message]).toEqual([500, 'Failed to fetch models'])
    const explained = await ask({ base_url: openai.url, key: 'wrong', type: 1, explain: true })
    expect([explained.status, explained.json.message]).toEqual([200, '上游拒绝了请求（状态码 401）'])
    const blank = await ask({ base_url: 'nonsense', key: 'x', type: 1 })
    expect([blank.status, blank.json.message]).toEqual([400, 'Invalid request'])
    const metadata = await ask({ base_url: 'http://169.254.169.254', key: 'x', type: 1 })
    expect([metadata.status, metadata.json.message]).toEqual([500, 'Failed to fetch models'])
    const whole = await ask({ base_url: `${openai.url}/v1/chat/completions`, key: openai.key, type: 8 })
    expect(whole.json.data).toContain('gpt-4o')
  })
})
