import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { toolPrices } from '../../../contract/settings/tool-prices.ts'
import { asObject, type JsonObject } from '../../../server/dialects/json.ts'
import { startAli } from '../../upstreams/ali/start.ts'
import type { FakeUpstream, Script } from '../../upstreams/index.ts'
import { startMoonshot } from '../../upstreams/moonshot/start.ts'
import { startZhipu } from '../../upstreams/zhipu/start.ts'
import { openRig, type Rig } from '../rig.ts'
import { ask, chat, readStream, readUntil, requestIdOf, responses, type Way } from '../ways.ts'

// Searches that Chinese vendors ask for by the piece, each in a way of its own, at the prices that are built in, where they
// are.

const models = {
  kimi: 'kimi-k2.6',
  spoken: 'kimi-spoken',
  other: 'm-other',
  qwen: 'qwen-plus',
  shared: 'qwen-shared',
  generous: 'qwen-generous',
  native: 'qwen-native',
  answers: 'qwen-answers',
  unpriced: 'm-unpriced',
  glm: 'glm-5.3',
}
let rig: Rig
let key = ''
const fakes: Record<'moonshot' | 'ali' | 'zhipu' | 'open', FakeUpstream> = {} as never

beforeAll(async () => {
  fakes.moonshot = await startMoonshot()
  fakes.ali = await startAli()
  fakes.zhipu = await startZhipu({ accept: ['web_search'] })
  fakes.open = await responses.start({ accept: ['enable_search'] })
  rig = await openRig(async books => {
    key = (await books.addToken({ userId: await books.addUser() })).key
    const one = JSON.stringify(Object.fromEntries(Object.values(models).map(model => [model, 1])))
    await books.setOption('ModelRatio', one)
    await books.setOption('CompletionRatio', one)
    const at = ({ url, key: vendorKey }: FakeUpstream, type: number) => ({
      ...{ type, baseUrl: url, key: vendorKey },
    })
    await books.addChannel({ ...at(fakes.moonshot, 25), models: [models.kimi, models.other] })
    const aloud = { thinking_to_content: true }
    await books.addChannel({ ...at(fakes.moonshot, 25), models: [models.spoken], setting: aloud })
    await books.addChannel({ ...at(fakes.ali, 17), models: [models.qwen, models.shared] })
    await books.addChannel({ ...at(fakes.open, 1), models: [models.shared], priority: -1 })
    await books.setOption('RetryTimes', '1')
    await books.setOption('ToolPrice', JSON.stringify({ ...toolPrices, 'qwen:image_search': 8 }))
    const setting = { allow_service_tier: true }
    await books.addChannel({ ...at(fakes.ali, 17), models: [models.generous], setting })
    const native = { ...at(fakes.ali, 17), baseUrl: `${fakes.ali.url}/api/v1` }
    await books.addChannel({ ...native, models: [models.native] })
    const spoken = { dialects: ['openai-responses' as const] }
    await books.addChannel({
      ...at(fakes.open, 1),
      models: [models.answers, models.unpriced],
      setting: spoken,
    })
    await books.addChannel({ ...at(fakes.zhipu, 26), models: [models.glm] })
  })
})
afterAll(async () => {
  expect(await rig.differences()).toEqual([])
  for (const fake of Object.values(fakes)) expect(fake.complaints).toEqual([])
  await rig.close()
  for (const fake of Object.values(fakes)) await fake.stop()
})

interface Asking {
  readonly model: string
  readonly stream: boolean
  readonly more: JsonObject
  readonly script?: Script
  readonly way?: Way
}

/** What was paid besides tokens, in thousandths of a dollar, and what the row tells of it. */
async function paidBeside(fake: FakeUpstream, { model, stream, more, script, way = chat }: Asking) {
  if (script) fake.next(script)
  const response = await ask(rig.url, way, { key, model, stream, more })
  const text = stream ? (await readStream(response)).text : await response.text()
  expect([response.status, response.ok ? '' : text]).toEqual([200, ''])
  const { quota, prompt_tokens, completion_tokens, details } = await rig.logOf(requestIdOf(response))
  return { beside: (quota - prompt_tokens - completion_tokens) / 500, details, sent: sentTo(fake) }
}

const sentTo = (fake: FakeUpstream): JsonObject => asObject(fake.requests.at(-1)?.json) ?? {}

describe.each([false, true])('streamed %p', stream => {
  describe('Moonshot’s', () => {
    const search = { type: 'builtin_function', function: { name: '$web_search' } }
    const look = { type: 'function', function: { name: 'look', parameters: { type: 'object' } } }
    const called = (...names: string[]): Script => ({
      reply: { text: '', finish: 'tools', calls: names.map(name => ({ name, input: { query: 'a' } })) },
    })

    test('is paid for each call of it', async () => {
      const script = called('$web_search', '$web_search')
      const asking = { model: models.kimi, stream, more: { tools: [look, search] }, script }
      const { beside, details, sent } = await paidBeside(fakes.moonshot, asking)
      expect(sent.tools).toEqual([look, search])
      expect(beside).toBe(2 * 5)
      expect(details.tool_fees).toEqual([{ name: '$web_search', count: 2, price: 5 }])
    })

    test('is refused where the answer would have to be written anew', async () => {
      const asked = fakes.moonshot.requests.length
      const answer = await ask(rig.url, chat, {
        key,
        model: models.spoken,
        stream,
        more: { tools: [search] },
      })
      expect([answer.status, await answer.text()]).toEqual([400, expect.stringContaining('builtin_function')])
      expect(fakes.moonshot.requests.length).toBe(asked)
    })

    test('is free when nothing is looked for', async () => {
      const asking = { model: models.kimi, stream, more: { tools: [search] }, script: called() }
      expect((await paidBeside(fakes.moonshot, asking)).beside).toBe(0)
    })

    test('is not what somebody calls so who was not offered it', async () => {
      const asking = { model: models.kimi, stream, more: { tools: [look] }, script: called('$web_search') }
      expect((await paidBeside(fakes.moonshot, asking)).beside).toBe(0)
    })

    test('is left out where it has no price', async () => {
      const { sent } = await paidBeside(fakes.moonshot, {
        ...{ model: models.other, stream },
        more: { tools: [look, search] },
      })
      expect(sent.tools).toEqual([look])
    })
  })

  describe('Ali’s', () => {
    test('is paid for each call that asks for it, where nothing tells of it', async () => {
      const asking = { model: models.qwen, stream, more: { enable_search: true } }
      const { beside, details, sent } = await paidBeside(fakes.ali, asking)
      expect(sent.enable_search).toBe(true)
      expect(beside).toBeCloseTo(0.57, 2)
      expect(details).toMatchObject({ web_search_call_count: 1, web_search_price: 0.57 })
      const without = { model: models.qwen, stream, more: { enable_search: false } }
      expect((await paidBeside(fakes.ali, without)).beside).toBe(0)
    })

    test('is paid as often as it is told', async () => {
      const script: Script = { usage: usage => ({ ...usage, plugins: { search: { count: 3 } } }) }
      const asking = { model: models.qwen, stream, more: { enable_search: true }, script }
      expect((await paidBeside(fakes.ali, asking)).details).toMatchObject({ web_search_call_count: 3 })
      const native = { model: models.native, stream, more: { web_search_options: {} }, script }
      const { details, sent } = await paidBeside(fakes.ali, native)
      expect(asObject(sent.parameters)?.enable_search).toBe(true)
      expect(details).toMatchObject({ web_search_call_count: 3 })
    })

    test('looks once, unless the operator lets it look as often as it likes', async () => {
      const search_options = { search_strategy: 'agent_max', forced_search: true }
      const more = { enable_search: true, search_options }
      const { sent } = await paidBeside(fakes.ali, { model: models.qwen, stream, more })
      expect(sent.search_options).toEqual({ search_strategy: 'agent', forced_search: true })
      const opened = await paidBeside(fakes.ali, { model: models.generous, stream, more })
      expect(opened.sent.search_options).toEqual(search_options)
    })

    test('is paid in Responses by what its usage counts', async () => {
      const x_tools = { web_search: { count: 2 }, web_extractor: { count: 1 }, image_search: { count: 3 } }
      const script: Script = { usage: usage => ({ ...usage, x_tools }) }
      const more = { tools: [{ type: 'web_search' }] }
      const { details } = await paidBeside(fakes.open, {
        ...{ model: models.answers, stream, more, script },
        way: responses,
      })
      expect(details).toMatchObject({ web_search_call_count: 2, web_search_price: 0.57 })
      expect(details.tool_fees).toEqual([{ name: 'image_search', count: 3, price: 8 }])
    })

    test('for pictures is left out where it has no price', async () => {
      const tools = [{ type: 'web_search' }, { type: 'web_search_image' }, { type: 'image_search' }]
      const { sent } = await paidBeside(fakes.open, {
        ...{ model: models.unpriced, stream, more: { tools } },
        way: responses,
      })
      expect(sent.tools).toEqual([{ type: 'web_search' }])
    })
  })

  describe('Zhipu’s', () => {
    const tool = (enable: boolean | string) => ({
      type: 'web_search',
      web_search: { enable, search_engine: 'search_pro' },
    })

    test('is paid for each call that asks for it', async () => {
      for (const enable of [true, 'True']) {
        const asking = { model: models.glm, stream, more: { tools: [tool(enable)] } }
        const { beside, details } = await paidBeside(fakes.zhipu, asking)
        expect(beside).toBe(10)
        expect(details).toMatchObject({ web_search_call_count: 1 })
      }
    })

    test('is free where it is switched off', async () => {
      for (const enable of [false, 'False']) {
        const asking = { model: models.glm, stream, more: { tools: [tool(enable)] } }
        expect((await paidBeside(fakes.zhipu, asking)).beside).toBe(0)
      }
    })
  })
})

test('who leaves after Moonshot has searched pays for it', async () => {
  const tools = [{ type: 'builtin_function', function: { name: '$web_search' } }]
  const calls = [{ name: '$web_search', input: { query: 'a' } }]
  fakes.moonshot.next({ reply: { text: '', finish: 'tools', calls }, stallAfterFrames: 3 })
  const gone = new AbortController()
  const asking = { key, model: models.kimi, stream: true, more: { tools }, signal: gone.signal }
  const response = await ask(rig.url, chat, asking)
  await readUntil(response, '$web_search')
  gone.abort()
  const { quota, prompt_tokens, completion_tokens } = await rig.logOf(requestIdOf(response))
  expect((quota - prompt_tokens - completion_tokens) / 500).toBe(5)
})

test('a channel that takes over is not paid for the search that another would have made', async () => {
  fakes.ali.next({ status: 500, body: { error: { message: 'no', type: 'server_error' } } })
  const asking = { model: models.shared, stream: false, more: { enable_search: true } }
  const { beside, sent } = await paidBeside(fakes.open, asking)
  expect(sent.enable_search).toBe(true)
  expect(beside).toBe(0)
})

test('a field of another spelling is refused, for whoever would take it for this one', async () => {
  const asked = fakes.ali.requests.length
  const answer = await ask(rig.url, chat, { key, model: models.qwen, more: { Enable_Search: true } })
  expect(answer.status).toBe(400)
  expect(fakes.ali.requests.length).toBe(asked)
})
