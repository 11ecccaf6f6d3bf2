import { afterAll, beforeAll, expect, test } from 'bun:test'
import type { JsonObject } from '../../server/dialects/json.ts'
import { atRest } from '../at-rest.ts'
import { catchError } from '../sdk/sdk-errors.ts'
import { looksWhenTold } from '../tasks/house.ts'
import { expectedUsage } from '../upstreams/index.ts'
import {
  AGENT,
  CONVERTED,
  endingByStatus,
  type Interaction,
  type InteractionHouse,
  MODEL,
  openInteractionHouse,
  statusOf,
  type Told,
  TWO_KEYS,
  textOf,
  UNPRICED,
  UPSTREAM,
} from './house.ts'

// Google's Interactions as Google's SDK asks for them: whole and streamed, gone on from, looked at and deleted.

let house: InteractionHouse
beforeAll(async () => {
  const settings = {
    StopOnSensitiveEnabled: 'true',
    CheckSensitiveEnabled: 'true',
    CheckSensitiveOnPromptEnabled: 'true',
    SensitiveWords: 'forbiddenword',
  }
  // What is looked at here is what the vendor was asked last.
  house = await openInteractionHouse(settings, looksWhenTold)
})
afterAll(() => house.close())

test('is answered, and paid by what the vendor counts', async () => {
  const before = await house.balance(house.payer.userId)
  const made = await house.client.interactions.create({ model: MODEL, input: 'Good morning' })
  expect(made).toMatchObject({ status: 'completed', output_text: 'You said: Good morning' })
  const price = house.price('Good morning')
  expect(before - (await house.balance(house.payer.userId))).toBe(price)
  const { input, output } = expectedUsage('gemini-interactions', { input: 'Good morning' })
  expect(await house.logOf(house.lastId())).toMatchObject({
    type: 2,
    quota: price,
    cost: Math.round(price / 2),
    prompt_tokens: input,
    completion_tokens: output,
    model_name: MODEL,
    is_stream: 0,
  })
  const { json, path } = house.last()
  expect(path).toBe('/v1/interactions')
  expect(json).toEqual({ model: UPSTREAM, input: 'Good morning' })
})

test('streams, and is paid before its end is told', async () => {
  const before = await house.balance(house.payer.userId)
  const events = await house.stream('Good evening')
  expect(textOf(events)).toBe('You said: Good evening')
  expect(events[0]?.event_type).toBe('interaction.created')
  expect(events.at(-1)).toMatchObject({
    event_type: 'interaction.completed',
    interaction: { status: 'completed' },
  })
  expect(before - (await house.balance(house.payer.userId))).toBe(house.price('Good evening'))
  expect((await house.logOf(house.lastId())).is_stream).toBe(1)
})

test('streams to an end that only its status tells, good or bad', async () => {
  const before = await house.balance(house.payer.userId)
  house.upstream.next({ frames: frames => endingByStatus(frames, 'completed') })
  const events = await house.stream('Good night')
  expect(textOf(events)).toBe('You said: Good night')
  expect(events.at(-1)).toMatchObject({ event_type: 'interaction.status_update', status: 'completed' })
  expect(before - (await house.balance(house.payer.userId))).toBe(house.price('Good night'))
  // What comes together with the first word is heard before that is said: then the SDK would ask again.
  const { promise: until, resolve: hear } = Promise.withResolvers<void>()
  house.upstream.next({
    frames: frames => endingByStatus(frames, 'failed'),
    hold: { afterFrames: events.length - 1, until },
  })
  const failed: Told[] = []
  const given = { model: MODEL, input: 'Good night', stream: true } as const
  for await (const event of (await house.client.interactions.create(given)) as AsyncIterable<Told>) {
    failed.push(event)
    if (event.event_type === 'step.stop') hear()
  }
  expect(textOf(failed)).toBe('You said: Good night')
  expect(failed.at(-1)).toMatchObject({ event_type: 'error' })
  expect(JSON.stringify(failed)).not.toContain('"failed"')
})

test.each([false, true])('passes as it came, byte by byte; streamed %p', async stream => {
  const ask = (url: string, key: string, model: string) =>
    fetch(`${url}/v1/interactions`, {
      method: 'POST',
      headers: { 'x-goog-api-key': key, 'content-type': 'application/json' },
      body: JSON.stringify({ model, input: 'Grüße, 世界', stream, store: false }),
    })
  const ids = /v1_\d+=|"signature":"[^"]*"/g
  const direct = await ask(house.upstream.url, house.upstream.key, UPSTREAM)
  for (const script of [{}, { chunkBytes: 1 }]) {
    house.upstream.next(script)
    const through = await ask(house.url, house.payer.key, MODEL)
    const said = await through.text()
    expect(said.replaceAll(ids, '')).toBe((await direct.clone().text()).replaceAll(ids, ''))
  }
})

const told = {
  ...{ total_input_tokens: 100, total_cached_tokens: 40, total_tool_use_tokens: 20 },
  ...{ total_output_tokens: 10, total_thought_tokens: 5, total_tokens: 135 },
  grounding_tool_count: [{ type: 'google_search', count: 2 }],
}

test.each([false, true])(
  'what was thought, cached, searched and read is priced as in any call; streamed %p',
  async stream => {
    const before = await house.balance(house.payer.userId)
    house.upstream.next({ usage: () => told })
    const more: object = { tools: [{ type: 'google_search' }], generation_config: { thinking_level: 'low' } }
    if (stream) await house.stream('Look it up', more)
    else await house.client.interactions.create({ model: MODEL, input: 'Look it up', ...more })
    const row = await house.logOf(house.lastId())
    expect(row).toMatchObject({ prompt_tokens: 120, completion_tokens: 15 })
    expect(row.details).toMatchObject({ cache_tokens: 40, reasoning_tokens: 5, web_search_call_count: 2 })
    expect(before - (await house.balance(house.payer.userId))).toBe(row.quota)
  },
)

test.each([false, true])('what the vendor does not count is counted here; streamed %p', async stream => {
  house.upstream.next({ usage: 'none', reply: { text: 'one two three four five six seven eight' } })
  if (stream) await house.stream('Count to eight')
  else await house.client.interactions.create({ model: MODEL, input: 'Count to eight' })
  const { prompt_tokens, completion_tokens, quota } = await house.logOf(house.lastId())
  expect(completion_tokens).toBe(8)
  expect(prompt_tokens).toBeGreaterThan(3)
  expect(quota).toBe(prompt_tokens + 3 * completion_tokens)
})

test('cut off in the middle it is paid for what was said, and its end is no good one', async () => {
  const before = await house.balance(house.payer.userId)
  house.upstream.next({
    reply: { text: 'one two three four five six seven eight' },
    cutAfterFrames: 8,
    onceRead: true,
  })
  const events = await house.stream('Count to eight', { automatic_continuation: false })
  const requestId = house.lastId()
  expect(textOf(events)).toStartWith('one two three')
  expect(events.at(-1)).toMatchObject({ event_type: 'error', error: { code: 'UNAVAILABLE' } })
  const { completion_tokens, quota } = await house.logOf(requestId)
  expect(completion_tokens).toBe(5)
  expect(before - (await house.balance(house.payer.userId))).toBe(quota)
})

test('an error in the middle is told in Google’s words, without key or address', async () => {
  house.upstream.next({ errorAfterFrames: 6, onceRead: true })
  const events = await house.stream('Break')
  expect(events.at(-1)).toMatchObject({
    event_type: 'error',
    error: { code: 'UNAVAILABLE', message: expect.stringContaining('overloaded') },
  })
})

test('who leaves pays for what was said, once', async () => {
  const before = await house.balance(house.payer.userId)
  house.upstream.next({ endless: true, gapMs: 5 })
  const given = { model: MODEL, input: 'For ever', stream: true } as const
  const stream = await house.client.interactions.create(given)
  let seen = 0
  for await (const event of stream) if (event.event_type === 'step.delta' && ++seen > 5) break
  const requestId = house.lastId()
  await atRest()
  const { quota, completion_tokens } = await house.logOf(requestId)
  expect(completion_tokens).toBeGreaterThanOrEqual(5)
  expect(before - (await house.balance(house.payer.userId))).toBe(quota)
})

test('calls functions, whose results go on from where it was', async () => {
  const tool = { type: 'function', name: 'weather', description: 'of a town', parameters: {} } as const
  const asked = { model: MODEL, input: 'call weather', tools: [tool] }
  const made = (await house.client.interactions.create(asked)) as unknown as Interaction & {
    readonly steps: readonly { readonly id: string; readonly type: string }[]
  }
  expect(made.status).toBe('requires_action')
  const [called] = made.steps
  const events = await house.stream('', {
    previous_interaction_id: made.id,
    input: [{ type: 'function_result', call_id: called?.id, name: 'weather', result: 'Rain' }],
  })
  expect(textOf(events)).toBe('The tool said: Rain')
  const streamed = await house.stream('call weather', { tools: [tool] })
  expect(streamed.map(({ delta }) => delta?.arguments ?? '').join('')).toBe('{}')
  expect(streamed.at(-1)?.interaction?.status).toBe('requires_action')
})

test.each([false, true])('is gone on from, seen with its input, and deleted; streamed %p', async stream => {
  const { interactions } = house.client
  const first = stream
    ? (await house.stream('My name is Ada')).at(-1)?.interaction
    : ((await interactions.create({ model: MODEL, input: 'My name is Ada' })) as unknown as Interaction)
  const id = first?.id ?? ''
  const before = await house.balance(house.payer.userId)
  const seen = (await interactions.get(id, { include_input: true })) as unknown as Interaction
  expect(seen).toMatchObject({ id, output_text: 'You said: My name is Ada', input: 'My name is Ada' })
  expect(await house.balance(house.payer.userId)).toBe(before)
  const next = { model: MODEL, input: 'Who am I?', previous_interaction_id: id }
  await interactions.create(next)
  const { prompt_tokens } = await house.logOf(house.lastId())
  expect(prompt_tokens).toBeGreaterThan(expectedUsage('gemini-interactions', { input: 'Who am I?' }).input)
  await interactions.delete(id)
  expect(statusOf(await catchError(interactions.get(id)))).toBe(404)
})

test('is nobody else’s to see, delete, cancel or go on from', async () => {
  const made = (await house.client.interactions.create({ model: MODEL, input: 'A secret' })) as Interaction
  const asked = house.upstream.requests.length
  const { interactions } = house.visitor
  for (const asking of [
    () => interactions.get(made.id),
    () => interactions.get(made.id, { stream: true }),
    () => interactions.delete(made.id),
    () => interactions.cancel(made.id),
    () => interactions.create({ model: MODEL, input: 'Go on', previous_interaction_id: made.id }),
    () => interactions.create({ model: MODEL, input: 'Go on', previous_interaction_id: 'v1_guessed=' }),
  ])
    expect(statusOf(await catchError(asking()))).toBe(404)
  expect(house.upstream.requests.length).toBe(asked)
  // Nor can it be had as something else.
  const { status } = await house.call('GET', `/v1/responses/${encodeURIComponent(made.id)}`)
  expect(status).toBe(404)
})

test('what was not stored cannot be gone on from', async () => {
  const given = { model: MODEL, input: 'Forget me', store: false }
  const { id } = (await house.client.interactions.create(given)) as Interaction
  const next = { model: MODEL, input: 'Who?', previous_interaction_id: id }
  expect(statusOf(await catchError(house.client.interactions.create(next)))).toBe(404)
})

test('of two keys the one goes on whose account has it', async () => {
  const keys = new Set<string>()
  for (let at = 0; at < 8; at++) {
    const given = { model: TWO_KEYS, input: 'Good morning' }
    const { id } = (await house.client.interactions.create(given)) as Interaction
    const key = house.last().headers['x-goog-api-key'] ?? ''
    keys.add(key)
    await house.client.interactions.create({ ...given, previous_interaction_id: id })
    expect(house.last().headers['x-goog-api-key']).toBe(key)
    expect(((await house.client.interactions.get(id)) as unknown as Interaction).id).toBe(id)
    expect(house.last().headers['x-goog-api-key']).toBe(key)
  }
  expect(keys.size).toBe(2)
})

test('an agent is asked for by its own name, if it has a price', async () => {
  const research = { agent: AGENT, input: 'Otters', background: true }
  const begun = (await house.client.interactions.create(research)) as unknown as Interaction
  const requestId = house.lastId()
  expect(house.last().json).toEqual(research)
  expect((await house.ended(begun.id)).status).toBe('completed')
  expect(await house.chargeOf(requestId)).toBe(house.price('Otters'))
  expect((await house.logOf(requestId)).model_name).toBe(AGENT)
  const posts = house.asked('POST')
  const unpriced = await catchError(house.client.interactions.create({ ...research, agent: UNPRICED }))
  expect(unpriced.message).toContain('has no price')
  expect(house.asked('POST')).toBe(posts)
})

test('is refused where it cannot be had, and where money would not be counted', async () => {
  const posts = house.asked('POST')
  const refused: readonly (readonly [more: object, word: string])[] = [
    [{ model: CONVERTED }, 'Interactions API'],
    [{ model: CONVERTED, stream: true }, 'Interactions API'],
    [{ agent: AGENT }, 'agent'],
    [{ model: undefined }, 'model'],
    [{ environment: 'env_1' }, 'environment'],
    [{ response_modalities: ['video'] }, 'video output'],
    [{ response_format: { type: 'video' } }, 'video output'],
    [{ previousInteractionId: 'x' }, 'previous_interaction_id'],
    [{ generation_config: { maxOutputTokens: 5 } }, 'max_output_tokens'],
    [{ generation_config: { max_output_tokens: 0 } }, 'max_output_tokens'],
    [{ generation_config: 5 }, 'generation_config'],
    [{ agent_config: { enableBigqueryTool: true } }, 'agent_config.enableBigqueryTool'],
    [{ model: undefined, agent: AGENT, agent_config: { model: UPSTREAM } }, 'agent_config.model'],
    [{ stream: 'yes' }, 'stream'],
    [{ background: 'yes' }, 'background'],
    [{ input: { type: 'image', uri: 'gs://bucket/a.png' } }, 'uri'],
    [{ input: [{ type: 'user_input', content: [{ type: 'audio', uri: 'gs://b/a' }] }] }, 'uri'],
    [{ tools: [{ type: 'retrieval', rag_store_config: {} }] }, 'tools[0]'],
    [{ input: 'a forbiddenword here' }, 'forbiddenword'],
  ]
  for (const [more, word] of refused) {
    const body = { model: MODEL, input: 'Hi', ...more }
    const headers = { 'accept-language': 'en', 'content-type': 'application/json' }
    const response = await fetch(`${house.url}/v1beta/interactions`, {
      method: 'POST',
      headers: { ...headers, 'x-goog-api-key': house.payer.key },
      body: JSON.stringify(body),
    })
    const { error } = (await response.json()) as { error: Record<string, unknown> }
    expect([word, response.status, error.code]).toEqual([word, 400, 400])
    expect(error.status).toBe('INVALID_ARGUMENT')
    expect(String(error.message)).toContain(word)
  }
  expect(house.asked('POST')).toBe(posts)
})

test('an answer that failed costs nothing, whichever way the vendor says so', async () => {
  const before = await house.balance(house.payer.userId)
  const errors = [{ code: 'INTERNAL', message: `It broke at ${house.upstream.url}` }]
  for (const script of [
    { whole: (made: JsonObject) => ({ ...made, status: 'failed', steps: [], usage: null, errors }) },
    { whole: (made: JsonObject) => ({ ...made, status: 'in_progress', steps: [] }) },
    house.upstream.failWith('bad-request'),
    house.upstream.failTellingSecrets('server-error'),
  ]) {
    house.upstream.always(script)
    const { status, json } = await house.call('POST', '/v1/interactions', { model: MODEL, input: 'Fail' })
    expect(status).toBeGreaterThanOrEqual(400)
    expect(json.error.code).toBe(status)
    for (const secret of [house.upstream.key, new URL(house.upstream.url).host])
      expect(json.error.message).not.toContain(secret)
  }
  house.upstream.always({})
  expect(await house.balance(house.payer.userId)).toBe(before)
})

test('the books agree', async () => {
  expect(await house.differences()).toEqual([])
})
