import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import type { JsonObject } from '../../../server/dialects/json.ts'
import { credit } from '../../../server/ledger/entries.ts'
import { rootClient } from '../../client.ts'
import { until } from '../../program.ts'
import { expectedUsage, type FakeUpstream, startAnthropic, startOpenai } from '../../upstreams/index.ts'
import { openRig, type Rig, type SeededToken } from '../rig.ts'
import { anthropic, ask, chat, problemIn, readStream, requestIdOf } from '../ways.ts'

const PER_DOLLAR = 500_000

let rig: Rig
let openai: FakeUpstream
let claude: FakeUpstream
let userId = 0
let token: SeededToken
let vip: SeededToken
let channelId = 0

beforeAll(async () => {
  openai = await startOpenai()
  claude = await startAnthropic()
  rig = await openRig(async books => {
    userId = await books.addUser()
    token = await books.addToken({ userId })
    vip = await books.addToken({ userId, group: 'vip' })
    await books.setOption('GroupRatio', '{"default":1,"vip":2.5}')
    await books.setOption('ModelRatio', '{"m-one":1,"m-free":0,"m-edited":1,"m-long":2}')
    await books.setOption('CompletionRatio', '{"m-one":1,"m-edited":1}')
    await books.setOption('ModelPrice', '{"m-call":0.01}')
    await books.setOption('LongInputRatio', '{"m-long":2}')
    await books.setOption('LongOutputRatio', '{"m-long":1.5}')
    const models = ['gpt-4o', 'gpt-6.1-sol', 'm-one', 'm-free', 'm-call', 'm-edited', 'm-long']
    const groups = ['default', 'vip']
    channelId = await books.addChannel({ type: 1, baseUrl: openai.url, key: openai.key, models, groups })
    await books.addChannel({ type: 14, baseUrl: claude.url, key: claude.key, models: [anthropic.model] })
  })
})
afterAll(async () => {
  expect(await rig.differences()).toEqual([])
  for (const fake of [openai, claude]) expect(fake.complaints).toEqual([])
  await rig.close()
  for (const fake of [openai, claude]) await fake.stop()
})

type Asked = Parameters<typeof ask>[2]

/** A call by chat, to its end, with its row. */
async function call(model: string, asking: Partial<Asked> = {}) {
  const response = await ask(rig.url, chat, { key: token.key, model, ...asking })
  const { text } = await readStream(response)
  const requestId = requestIdOf(response)
  return { status: response.status, text, requestId, row: await rig.logOf(requestId) }
}

describe('the row of a call', () => {
  test('says everything of it', async () => {
    const text = 'this was cached before, all of it'
    const before = await rig.balance(userId)
    openai.next({ reply: { thinking: 'well, well, well' } })
    const { row, requestId } = await call('gpt-4o', { text })
    const usage = expectedUsage('openai-chat', chat.body('gpt-4o', text, false), {
      thinking: 'well, well, well',
    })
    expect(usage.cached).toBeGreaterThan(0)
    expect(usage.reasoning).toBeGreaterThan(0)
    const quota = Math.round((usage.input - usage.cached + usage.cached * 0.5 + usage.output * 4) * 1.25)
    expect(row).toMatchObject({
      type: 2,
      user_id: userId,
      username: expect.stringMatching(/^user-\d+$/),
      token_id: token.id,
      model_name: 'gpt-4o',
      channel_id: channelId,
      group: 'default',
      is_stream: 0,
      use_time: expect.any(Number),
      prompt_tokens: usage.input,
      completion_tokens: usage.output,
      quota,
      request_id: requestId,
      content: '',
    })
    expect(row.token_name).toStartWith('token-')
    expect(Math.abs(row.created_at - Date.now() / 1000)).toBeLessThan(60)
    expect(row.details).toEqual({
      model_ratio: 1.25,
      model_price: -1,
      completion_ratio: 4,
      group_ratio: 1,
      cache_tokens: usage.cached,
      cache_ratio: 0.5,
      reasoning_tokens: usage.reasoning,
      frt: expect.any(Number),
      admin_info: { use_channel: [String(channelId)] },
    })
    expect(await rig.chargeOf(requestId)).toBe(quota)
    expect(await rig.balance(userId)).toBe(before - quota)
  })

  test('of a stream', async () => {
    openai.next({ waitMs: 60 })
    const { row } = await call('gpt-4o', { stream: true })
    expect(row.is_stream).toBe(1)
    expect(row.details.frt).toBeWithin(50, 60_000)
  })

  test('with writes to a cache', async () => {
    const system = [
      { type: 'text', text: 'a long beginning '.repeat(30), cache_control: { type: 'ephemeral' } },
    ]
    const response = await ask(rig.url, anthropic, { key: token.key, more: { system } })
    expect(response.status).toBe(200)
    const row = await rig.logOf(requestIdOf(response))
    const usage = expectedUsage('anthropic', {
      ...anthropic.body(anthropic.model, 'good morning', false),
      system,
    })
    expect(usage.written).toBeGreaterThan(0)
    expect(row.prompt_tokens).toBe(usage.input)
    const { model_ratio, completion_ratio, cache_creation_ratio, cache_creation_tokens } =
      row.details as Record<string, number>
    expect([cache_creation_tokens, cache_creation_ratio]).toEqual([usage.written, 1.25])
    const fresh = usage.input - usage.written + usage.written * 1.25
    expect(row.quota).toBe(Math.round((fresh + usage.output * (completion_ratio ?? 0)) * (model_ratio ?? 0)))
  })

  test('may be unwanted: then nobody’s sums lack the call but those of the log', async () => {
    const root = await rootClient(rig.url)
    const usedBy = async (): Promise<number> =>
      (await root.get(`/api/channel/${channelId}`)).json.data.used_quota
    const before = [await usedBy(), await rig.balance(userId)] as const
    expect((await root.saveOption('LogConsumeEnabled', 'false')).json.success).toBe(true)
    const response = await ask(rig.url, chat, { key: token.key, model: 'm-one' })
    expect((await response.text()).length).toBeGreaterThan(0)
    expect((await root.saveOption('LogConsumeEnabled', 'true')).json.success).toBe(true)
    const charge = (await rig.chargeOf(requestIdOf(response))) ?? 0
    expect(charge).toBeGreaterThan(0)
    expect([await usedBy(), await rig.balance(userId)]).toEqual([before[0] + charge, before[1] - charge])
    const listed = await root.get(`/api/log/?request_id=${requestIdOf(response)}`)
    expect(listed.json.data.items).toEqual([])
  })

  test('that failed', async () => {
    openai.next(openai.failWith('filtered'))
    const { row, requestId, status } = await call('gpt-4o', { stream: true })
    expect(status).toBe(400)
    expect(row).toMatchObject({ type: 5, quota: 0, prompt_tokens: 0, completion_tokens: 0, is_stream: 1 })
    expect(row.content).toBe(
      `Invalid prompt: your prompt was flagged as potentially violating our usage policy. (request id: ${requestId})`,
    )
    const said = `invalid_prompt: ${row.content.replace(` (request id: ${requestId})`, '')}`
    expect(row.details).toEqual({
      status_code: 400,
      admin_info: { use_channel: [String(channelId)], failed: [`status 400, ${said}`] },
    })
    for (const stream of [false, true]) {
      const unknown = await call('no-such-model', { stream })
      expect(unknown.row).toMatchObject({
        type: 5,
        channel_id: 0,
        model_name: 'no-such-model',
        user_id: userId,
        is_stream: stream ? 1 : 0,
      })
    }
  })
})

describe('prices', () => {
  test('of a group', async () => {
    const usual = await call('gpt-4o', { text: 'the same text' })
    const dear = await call('gpt-4o', { text: 'the same text', key: vip.key })
    expect(dear.row.details.group_ratio).toBe(2.5)
    expect(dear.row.group).toBe('vip')
    expect(Math.abs(dear.row.quota - usual.row.quota * 2.5)).toBeLessThan(2.5)
  })

  test('of a call, of a free model', async () => {
    const { row } = await call('m-call')
    expect([row.quota, row.details.model_price]).toEqual([0.01 * PER_DOLLAR, 0.01])
    expect((await call('m-call', { key: vip.key })).row.quota).toBe(0.025 * PER_DOLLAR)
    const free = await call('m-free', { stream: true })
    expect([free.status, free.row.quota]).toEqual([200, 0])
    expect(free.row.completion_tokens).toBeGreaterThan(0)
  })

  test('of a call, once for every answer', async () => {
    for (const stream of [false, true]) {
      const { row } = await call('m-call', { stream, more: { n: 3 } })
      expect([row.quota, row.details.calls]).toEqual([0.03 * PER_DOLLAR, 3])
      const body = JSON.stringify({ model: 'm-call', prompt: ['one', 'two'], stream })
      const headers = { authorization: `Bearer ${token.key}`, 'content-type': 'application/json' }
      const response = await fetch(`${rig.url}/v1/completions`, { method: 'POST', headers, body })
      await readStream(response)
      expect((await rig.logOf(requestIdOf(response))).quota).toBe(0.02 * PER_DOLLAR)
    }
  })

  test('of long input, for all of the call', async () => {
    const reported = (input: number) => ({
      usage: (): JsonObject => ({
        prompt_tokens: input,
        completion_tokens: 1000,
        total_tokens: input + 1000,
      }),
    })
    for (const stream of [false, true]) {
      openai.next(reported(200_000))
      const { row: usual } = await call('m-long', { stream })
      expect([usual.quota, usual.details.model_ratio]).toEqual([402_000, 2])
      openai.next(reported(200_001))
      const { row } = await call('m-long', { stream })
      expect(row.quota).toBe((200_001 + 1000 * 0.75) * 4)
      expect(row.details).toMatchObject({ model_ratio: 4, completion_ratio: 0.75, long_input_over: 200_000 })
    }
  })

  test('of input that is long from where the vendor of the model says so, with what of it was cached', async () => {
    const reported = (input: number) => ({
      usage: (): JsonObject => ({
        prompt_tokens: input,
        completion_tokens: 1000,
        total_tokens: input + 1000,
        prompt_tokens_details: { cached_tokens: 200_000 },
      }),
    })
    for (const stream of [false, true]) {
      openai.next(reported(272_000))
      const { row: usual } = await call('gpt-6.1-sol', { stream })
      expect(usual.quota).toBe(72_000 + 10_000 + 5000)
      expect(usual.details).not.toHaveProperty('long_input_over')
      openai.next(reported(272_001))
      const { row } = await call('gpt-6.1-sol', { stream })
      expect(row.quota).toBe(2 * 72_001 + 2 * 10_000 + 7500)
      expect(row.details).toMatchObject({ model_ratio: 2, completion_ratio: 3.75, long_input_over: 272_000 })
    }
  })

  test('stay what they were when the call began', async () => {
    const gate = Promise.withResolvers<void>()
    const usual = await call('m-edited', { stream: true })
    openai.next({ hold: { afterFrames: 3, until: gate.promise } })
    const under = ask(rig.url, chat, { key: token.key, model: 'm-edited', stream: true })
    const response = await under
    await rig.setOption('ModelRatio', '{"m-one":1,"m-free":0,"m-edited":50}')
    await until(async () => (await call('m-edited')).row.details.model_ratio === 50)
    gate.resolve()
    await readStream(response)
    const row = await rig.logOf(requestIdOf(response))
    expect([row.details.model_ratio, row.quota]).toEqual([1, usual.row.quota])
  })
})

describe('the playground', () => {
  const body = { model: 'gpt-4o', group: 'vip', messages: [{ role: 'user', content: 'hi' }] }

  test('is paid by who is logged in, in the group they choose', async () => {
    const root = await rootClient(rig.url)
    const rootId = root.userId ?? 0
    const now = Math.floor(Date.now() / 1000)
    await credit(rig.store, now, { kind: 'gift', ref: 'root', userId: rootId, amount: 1_000_000 })
    const before = await rig.balance(rootId)
    for (const stream of [false, true]) {
      const answer = await root.post('/pg/chat/completions', { ...body, stream })
      expect([answer.status, answer.headers.get('access-control-allow-origin')]).toEqual([200, null])
      expect(answer.text).toContain('said')
      const row = await rig.logOf(answer.headers.get('x-oneapi-request-id') ?? '')
      expect(row).toMatchObject({ user_id: rootId, token_id: 0, token_name: 'playground-vip', group: 'vip' })
      expect(row.details.group_ratio).toBe(2.5)
      expect(openai.requests.at(-1)?.json).not.toHaveProperty('group')
    }
    expect(await rig.balance(rootId)).toBeLessThan(before)

    const refusals: [Record<string, string>, object, number, unknown][] = [
      [{ origin: 'https://evil.example' }, body, 403, null],
      [{ 'sec-fetch-site': 'cross-site' }, body, 403, null],
      [{ cookie: 'session=nonsense' }, body, 401, null],
      [{ cookie: '' }, body, 401, null],
      [{ 'new-api-user': '' }, body, 401, null],
      [{ 'new-api-user': '999' }, body, 401, null],
      [{}, { ...body, group: 'svip-secret' }, 403, 'group_not_allowed'],
      [{}, { ...body, model: '' }, 400, 'model_required'],
    ]
    const calls = openai.requests.length
    for (const [headers, sent, status, code] of refusals) {
      const cookie = root.cookie
      if (headers.cookie !== undefined) root.cookie = undefined
      const answer = await root.post('/pg/chat/completions', sent, headers)
      root.cookie = cookie
      const problem = problemIn(chat, answer.text)
      expect([headers, answer.status, problem?.code, problem?.type]).toEqual([
        headers,
        status,
        code,
        'new_api_error',
      ])
    }
    expect(openai.requests.length).toBe(calls)
  })

  test('takes a limit of 0 for none, as consoles send it whose field is untouched', async () => {
    const root = await rootClient(rig.url)
    const arrived = async (fields: object) => {
      const answer = await root.post('/pg/chat/completions', { ...body, ...fields })
      expect([answer.status, answer.text]).toEqual([200, expect.stringContaining('said')])
      return openai.requests.at(-1)?.json
    }
    expect(await arrived({ max_tokens: 0, temperature: 0 })).toEqual(await arrived({ temperature: 0 }))
    const negative = await root.post('/pg/chat/completions', { ...body, max_tokens: -1 })
    expect([negative.status, negative.text]).toEqual([400, expect.stringContaining('max_tokens')])
  })
})
