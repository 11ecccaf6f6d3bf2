import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { asNumber, asObject, type JsonObject } from '../../../server/dialects/json.ts'
import { until } from '../../program.ts'
import type { FakeUpstream, Script } from '../../upstreams/index.ts'
import { openRig, type Rig } from '../rig.ts'
import { ask, chat, gemini, readStream, requestIdOf, responses, type Way } from '../ways.ts'

// A model that thinks where nobody sees says what it cost when it is too late. Without a limit of the client's it
// gets one that the wallet can pay, unless there is plenty.

const LONGEST = 100_000
/** Each token costs one, in and out. */
const models = new Map<Way, string>([
  [chat, 'o3'],
  [responses, 'gpt-5'],
  [gemini, 'gemini-2.5-pro'],
])
const plain = 'm-plain'
/** Its vendor is away, and another stands in for it. */
const DOWN = 'o4-down'
let rig: Rig
const fakes = new Map<Way, FakeUpstream>()

beforeAll(async () => {
  for (const way of models.keys()) fakes.set(way, await way.start())
  rig = await openRig(async books => {
    const names = [...models.values(), plain, 'm-learned', 'o3-mini', DOWN]
    const one = JSON.stringify(Object.fromEntries(names.map(model => [model, 1])))
    for (const option of ['ModelRatio', 'CompletionRatio', 'CacheRatio', 'CreateCacheRatio'])
      await books.setOption(option, one)
    await books.setOption('LongInputRatio', JSON.stringify({ 'gemini-2.5-pro': 1 }))
    await books.setOption('ModelFallbacks', JSON.stringify({ [DOWN]: ['o3'] }))
    await books.addChannel({ type: 1, baseUrl: 'http://127.0.0.1:9', key: 'k', models: [DOWN] })
    for (const [way, { url, key }] of fakes)
      await books.addChannel({
        ...{ type: way.channelType, baseUrl: url, key },
        models: way === chat ? ['o3', 'o3-mini', plain, 'm-learned'] : [models.get(way) ?? ''],
        ...(way === responses ? { setting: { dialects: ['openai-responses'] } } : {}),
      })
  })
})
afterAll(async () => {
  expect(await rig.differences()).toEqual([])
  for (const fake of fakes.values()) expect(fake.complaints).toEqual([])
  await rig.close()
  for (const fake of fakes.values()) await fake.stop()
})

async function userWith(quota: number): Promise<{ id: number; key: string }> {
  const id = await rig.addUser({ quota })
  return { id, key: (await rig.addToken({ userId: id })).key }
}

function limitIn(body: JsonObject): number | undefined {
  const generation = asObject(body.generationConfig)
  return asNumber(
    body.max_completion_tokens ?? body.max_tokens ?? body.max_output_tokens ?? generation?.maxOutputTokens,
  )
}

/** Thinks for as long as it may. */
function thinker(way: Way, spent: number[], wait: Promise<unknown> = Promise.resolve()): Script {
  return async seen => {
    await wait
    const output = limitIn(asObject(seen.json) ?? {}) ?? LONGEST
    spent.push(output)
    const fields: Record<string, JsonObject> = {
      'openai-chat': {
        completion_tokens: output,
        completion_tokens_details: { reasoning_tokens: output - 2 },
      },
      'openai-responses': { output_tokens: output, output_tokens_details: { reasoning_tokens: output - 2 } },
      gemini: { candidatesTokenCount: 2, thoughtsTokenCount: output - 2 },
    }
    return {
      usage: ({ total_tokens: _, totalTokenCount: __, ...usage }) => ({ ...usage, ...fields[way.name] }),
    }
  }
}

/** Until each is refused or waits at the vendor, who had been asked so many times before. */
async function haveCome(way: Way, before: number, asked: readonly Promise<Response>[]): Promise<void> {
  let refused = 0
  for (const one of asked) one.then(() => refused++)
  await until(() => (fakes.get(way)?.requests.length ?? 0) - before + refused >= asked.length)
}

const sum = (numbers: readonly number[]): number => numbers.reduce((all, one) => all + one, 0)

describe.each([...models].map(([way, model]) => [way.name, way, model] as const))('%s', (_, way, model) => {
  test.each([false, true])('many at once cost no more than a small wallet has, streamed %p', async stream => {
    const WALLET = 100_000
    const { id, key } = await userWith(WALLET)
    const spent: number[] = []
    let go = (): void => {}
    const all = new Promise<void>(resolve => {
      go = resolve
    })
    fakes.get(way)?.always(thinker(way, spent, all))
    const before = fakes.get(way)?.requests.length ?? 0
    const asked = Array.from({ length: 24 }, () => ask(rig.url, way, { key, model, stream }))
    await haveCome(way, before, asked)
    go()
    const answers = await Promise.all(
      asked.map(async one => {
        const response = await one
        await readStream(response)
        return response.status
      }),
    )
    fakes.get(way)?.always({})
    const served = answers.filter(status => status === 200).length
    expect(spent.length).toBe(served)
    // Nobody is locked out by a single call, and the first of them have room to think.
    expect(served).toBeGreaterThanOrEqual(6)
    expect(Math.max(...spent)).toBeGreaterThan(16_000)
    expect(sum(spent)).toBeLessThanOrEqual(WALLET)
    expect(await rig.differences()).toEqual([])
    expect(await rig.balance(id)).toBeGreaterThanOrEqual(0)
    expect(WALLET - (await rig.balance(id))).toBeGreaterThanOrEqual(sum(spent))
  })
})

test('with plenty of money nothing is limited, until it could be used up', async () => {
  const { key } = await userWith(5 * 4 * 131_072)
  const spent: number[] = []
  let go = (): void => {}
  const all = new Promise<void>(resolve => {
    go = resolve
  })
  fakes.get(chat)?.always(thinker(chat, spent, all))
  const before = fakes.get(chat)?.requests.length ?? 0
  const asked = Array.from({ length: 6 }, () => ask(rig.url, chat, { key, model: 'o3', stream: true }))
  await haveCome(chat, before, asked)
  go()
  for (const one of await Promise.all(asked)) await readStream(one)
  fakes.get(chat)?.always({})
  const unlimited = spent.filter(tokens => tokens === LONGEST).length
  expect(unlimited).toBeGreaterThanOrEqual(4)
  expect(unlimited).toBeLessThan(6)
})

test('several answers may all be long: with money that is plenty for one of them they are limited', async () => {
  const { key } = await userWith(5 * 131_072)
  const sent = async (more: JsonObject) => {
    const response = await ask(rig.url, chat, { key, model: 'o3', more })
    expect([response.status, await response.text()]).toEqual([200, expect.any(String)])
    return limitIn(asObject(fakes.get(chat)?.requests.at(-1)?.json) ?? {})
  }
  expect(await sent({})).toBeUndefined()
  expect(await sent({ n: 4 })).toBeWithin(16_000, (5 * 131_072) / 4)
})

test('what nobody answered holds nobody back either: another model stood in for it', async () => {
  const { key } = await userWith(5 * 4 * 131_072)
  for (let at = 0; at < 6; at++) {
    const response = await ask(rig.url, chat, { key, model: DOWN })
    expect([response.status, await response.text()]).toEqual([200, expect.any(String)])
    expect(limitIn(asObject(fakes.get(chat)?.requests.at(-1)?.json) ?? {})).toBeUndefined()
  }
})

test('what is searched for meanwhile, and found, is held for beside the thoughts', async () => {
  const { id, key } = await userWith(520_000)
  const more = { tools: [{ type: 'web_search' }] }
  const response = await ask(rig.url, responses, { key, model: 'gpt-5', more })
  expect([response.status, await response.text()]).toEqual([200, expect.any(String)])
  const { held } = await rig.store.db
    .selectFrom('holds')
    .select('held')
    .where('user_id', '=', id)
    .executeTakeFirstOrThrow()
  const [thoughts, found, searches] = [32_768, 200_000, 5 * 5000]
  expect(held).toBeGreaterThanOrEqual(thoughts + found + searches)
})

test('what is over holds nobody back', async () => {
  const { id, key } = await userWith(100_000)
  for (let at = 0; at < 3; at++) {
    const response = await ask(rig.url, chat, { key, model: 'o3' })
    expect(response.status).toBe(200)
    await response.text()
    const sent = limitIn(asObject(fakes.get(chat)?.requests.at(-1)?.json) ?? {})
    expect(sent).toBe(32_768)
  }
  expect(await rig.balance(id)).toBeGreaterThan(90_000)
})

test('who sets a limit keeps it, and who says that no thoughts are wanted is limited all the same', async () => {
  const { key } = await userWith(100_000)
  const sent = async (model: string, more: JsonObject) => {
    const response = await ask(rig.url, chat, { key, model, more })
    expect([response.status, await response.text()]).toEqual([200, expect.any(String)])
    return limitIn(asObject(fakes.get(chat)?.requests.at(-1)?.json) ?? {})
  }
  expect(await sent('o3', { max_completion_tokens: 777 })).toBe(777)
  expect(await sent(plain, {})).toBeUndefined()
  expect(await sent('o3', { reasoning_effort: 'none' })).toBe(32_768)
})

test('a model of which nobody knew is known by what it told', async () => {
  const { key } = await userWith(100_000)
  const model = 'm-learned'
  const limit = async (): Promise<number | undefined> => {
    const response = await ask(rig.url, chat, { key, model, stream: true })
    await readStream(response)
    await rig.logOf(requestIdOf(response))
    return limitIn(asObject(fakes.get(chat)?.requests.at(-1)?.json) ?? {})
  }
  const thought = (tokens: number): Script => ({
    usage: usage => ({
      ...usage,
      completion_tokens: tokens,
      completion_tokens_details: { reasoning_tokens: tokens - 2 },
      total_tokens: Number(usage.prompt_tokens) + tokens,
    }),
  })
  fakes.get(chat)?.next(thought(900))
  expect(await limit()).toBeUndefined()
  expect(await limit()).toBe(8192)
  // It is given what its answers leave room for.
  fakes.get(chat)?.next(thought(5000))
  await limit()
  expect(await limit()).toBe(20_000)
})

test('one that is known by its name is held for by what was seen of it, after some answers', async () => {
  const { key } = await userWith(100_000)
  const sent = async (): Promise<number | undefined> => {
    const response = await ask(rig.url, chat, { key, model: 'o3-mini' })
    await response.text()
    return limitIn(asObject(fakes.get(chat)?.requests.at(-1)?.json) ?? {})
  }
  fakes.get(chat)?.always({
    usage: usage => ({
      ...usage,
      completion_tokens: 80,
      completion_tokens_details: { reasoning_tokens: 70 },
    }),
  })
  expect(await sent()).toBe(32_768)
  await until(async () => (await sent()) === 8192)
  fakes.get(chat)?.always({})
})
