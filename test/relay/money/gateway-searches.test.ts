import { afterAll, beforeAll, expect, test } from 'bun:test'
import type { JsonObject } from '../../../server/dialects/json.ts'
import type { FakeUpstream, Script } from '../../upstreams/index.ts'
import { startOpenrouter } from '../../upstreams/openrouter/start.ts'
import { openRig, type Rig } from '../rig.ts'
import { anthropic, ask, chat, readStream, requestIdOf, type Way } from '../ways.ts'

// Gateways search the web for any model that is offered it in a chat, and ask for that by the piece.

const models = { router: 'some/model', gateway: 'm-gateway' }
let rig: Rig
let key = ''
let router: FakeUpstream
let gateway: FakeUpstream

beforeAll(async () => {
  router = await startOpenrouter({ accept: ['web_search_options'] })
  gateway = await chat.start({ accept: ['web_search_options'] })
  rig = await openRig(async books => {
    key = (await books.addToken({ userId: await books.addUser() })).key
    const one = JSON.stringify(Object.fromEntries(Object.values(models).map(model => [model, 1])))
    await books.setOption('ModelRatio', one)
    await books.setOption('CompletionRatio', one)
    await books.addChannel({ type: 20, baseUrl: router.url, key: router.key, models: [models.router] })
    const { channelType: type } = chat
    await books.addChannel({ type, baseUrl: gateway.url, key: gateway.key, models: [models.gateway] })
  })
})
afterAll(async () => {
  expect(await rig.differences()).toEqual([])
  await rig.close()
  await router.stop()
  await gateway.stop()
})

/** How many searches were paid, at the usual price of 10 dollars for a thousand. */
async function paidSearches(model: string, stream: boolean, more: JsonObject, way: Way = chat) {
  const response = await ask(rig.url, way, { key, model, stream, more })
  const text = stream ? (await readStream(response)).text : await response.text()
  expect([response.status, response.ok ? '' : text]).toEqual([200, ''])
  const { quota, prompt_tokens, completion_tokens, details } = await rig.logOf(requestIdOf(response))
  const searches = (quota - prompt_tokens - completion_tokens) / 5000
  expect(details.web_search_call_count ?? 0).toBe(searches)
  return searches
}

const telling = (count: number | undefined): Script => ({
  usage: usage => ({ ...usage, server_tool_use: { web_search_requests: count ?? null } }),
})
const asked = { web_search_options: {} }

test.each([false, true])('OpenRouter’s are paid as often as it tells, streamed %p', async stream => {
  for (const count of [0, 1, 3]) {
    router.next(telling(count))
    expect(await paidSearches(models.router, stream, asked)).toBe(count)
  }
})

test.each([false, true])(
  'and once for each call that asks for it, where it does not, streamed %p',
  async stream => {
    expect(await paidSearches(models.router, stream, asked)).toBe(1)
    router.next(telling(undefined))
    expect(await paidSearches(models.router, stream, asked)).toBe(1)
    expect(await paidSearches(models.router, stream, {})).toBe(0)
  },
)

test.each([false, true])('those of other gateways are paid as they tell, streamed %p', async stream => {
  gateway.next(telling(2))
  expect(await paidSearches(models.gateway, stream, asked)).toBe(2)
  gateway.next(telling(2))
  const tools = [{ type: 'web_search_20250305', name: 'web_search' }]
  expect(await paidSearches(models.gateway, stream, { tools }, anthropic)).toBe(2)
  expect(await paidSearches(models.gateway, stream, asked)).toBe(0)
})
