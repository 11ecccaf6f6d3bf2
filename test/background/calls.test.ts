import { afterAll, beforeAll, expect, test } from 'bun:test'
import type OpenAI from 'openai'
import { MOST_OPEN } from '../../server/relay/background/job-rows.ts'
import { atRest } from '../at-rest.ts'
import { until } from '../program.ts'
import { catchError, statusOf } from '../sdk/sdk-errors.ts'
import { expectedUsage } from '../upstreams/index.ts'
import { MADE_SECONDS } from '../upstreams/openai/write-responses.ts'
import {
  AZURE,
  type BackgroundHouse,
  CONVERTED,
  isHeld,
  MODEL,
  openBackgroundHouse,
  responseIn,
} from './house.ts'

// Responses in the background as OpenAI's SDK asks for them: begun, asked after, cancelled and deleted.

let house: BackgroundHouse
beforeAll(async () => {
  house = await openBackgroundHouse()
})
afterAll(() => house.close())

test('is begun, asked after, and paid by what the vendor counts, once', async () => {
  const before = await house.balance(house.payer.userId)
  const { promise: until, resolve: finish } = Promise.withResolvers<void>()
  house.upstream.next({ job: { until } })
  const begun = await house.begin('Write a novel', { metadata: { for: 'otters' } })
  expect(begun).toMatchObject({
    status: 'queued',
    background: true,
    usage: null,
    metadata: { for: 'otters' },
  })
  // With so much money nothing is cut short.
  expect(begun.max_output_tokens).toBeNull()
  expect(await isHeld(house, begun.requestId)).toBe(true)
  expect(await house.chargeOf(begun.requestId)).toBeUndefined()
  expect((await house.client.responses.retrieve(begun.id)).status).toBe('in_progress')
  expect(await house.balance(house.payer.userId)).toBeLessThan(before)
  finish()
  const done = await house.ended(begun.id)
  const { input, output } = expectedUsage('openai-responses', { model: MODEL, input: 'Write a novel' })
  expect(done).toMatchObject({
    status: 'completed',
    output_text: 'You said: Write a novel',
    usage: { input_tokens: input, output_tokens: output },
  })
  const price = house.price('Write a novel')
  expect(await house.chargeOf(begun.requestId)).toBe(price)
  expect(await house.client.responses.retrieve(begun.id)).toEqual(done)
  await house.poll()
  expect(before - (await house.balance(house.payer.userId))).toBe(price)
  expect(await house.logOf(begun.requestId)).toMatchObject({
    type: 2,
    quota: price,
    cost: Math.round(price / 2),
    prompt_tokens: input,
    completion_tokens: output,
    model_name: MODEL,
    is_stream: 0,
    use_time: MADE_SECONDS,
    details: { background: true, response_id: begun.id, admin_info: { use_channel: ['1'] } },
  })
  expect((await house.logOf(begun.requestId)).details).not.toHaveProperty('frt')
})

test('is paid though nobody ever asks after it', async () => {
  const { requestId } = await house.begin('Nobody reads this')
  await until(() => house.chargeOf(requestId))
  expect(await house.chargeOf(requestId)).toBe(house.price('Nobody reads this'))
})

test('costs its price once, however many nodes and clients see its end at once', async () => {
  const before = await house.balance(house.payer.userId)
  const { id } = await house.begin('All at once')
  const { client } = house
  await Promise.all([
    house.poll(0, 4),
    ...Array.from({ length: 6 }, () => client.responses.retrieve(id)),
    house.poll(0, 4),
  ])
  await house.ended(id)
  expect(before - (await house.balance(house.payer.userId))).toBe(house.price('All at once'))
})

const used = {
  ...{ input_tokens: 11, output_tokens: 5, total_tokens: 16 },
  ...{ input_tokens_details: { cached_tokens: 0 }, output_tokens_details: { reasoning_tokens: 0 } },
}

test.each([
  { said: 'that nothing was used', used: undefined, charge: 0 },
  { said: 'what was used', used, charge: 26 },
])('cancelled where the vendor says $said costs that', async ({ used, charge }) => {
  const before = await house.balance(house.payer.userId)
  house.upstream.next({ job: { until: new Promise(() => {}), ...(used && { used }) } })
  const { id, requestId } = await house.begin('Never mind')
  expect((await house.client.responses.cancel(id)).status).toBe('cancelled')
  expect(await isHeld(house, requestId)).toBe(false)
  expect(before - (await house.balance(house.payer.userId))).toBe(charge)
  // Again is the same, and what was cancelled can still be seen.
  expect((await house.client.responses.cancel(id)).status).toBe('cancelled')
  expect((await house.client.responses.retrieve(id)).status).toBe('cancelled')
  expect(before - (await house.balance(house.payer.userId))).toBe(charge)
  const row = await house.logOf(requestId)
  expect(row).toMatchObject(used ? { type: 2, quota: charge } : { type: 5, quota: 0, content: 'cancelled' })
})

test('failed costs nothing, and tells no key', async () => {
  const before = await house.balance(house.payer.userId)
  const { url, key } = house.upstream
  const message = `The server at ${url} had an error with ${key}`
  const { promise, resolve: fail } = Promise.withResolvers<void>()
  house.upstream.next({
    job: { until: promise },
    whole: answer => ({ ...answer, status: 'failed', output: [], error: { code: 'server_error', message } }),
  })
  const { id, requestId } = await house.begin('Fail at this')
  fail()
  const { status, error } = await house.ended(id)
  expect(status).toBe('failed')
  expect(error?.code).toBe('server_error')
  expect(error?.message).toStartWith('The server at')
  for (const secret of [key, new URL(url).host]) expect(error?.message).not.toContain(secret)
  expect(await house.balance(house.payer.userId)).toBe(before)
  const { type, quota, content } = await house.logOf(requestId)
  expect([type, quota]).toEqual([5, 0])
  expect(content).not.toContain(key)
})

test('cut off at its limit is paid, and so is one whose vendor does not count', async () => {
  house.upstream.next({ reply: { text: 'Once upon', finish: 'length' } })
  const cut = await house.begin('Tell me everything', { max_output_tokens: 20 })
  const { status, incomplete_details, usage } = await house.ended(cut.id)
  expect([status, incomplete_details?.reason]).toEqual(['incomplete', 'max_output_tokens'])
  expect(await house.chargeOf(cut.requestId)).toBe(
    (usage?.input_tokens ?? 0) + 3 * (usage?.output_tokens ?? 0),
  )
  house.upstream.next({ usage: 'none' })
  const uncounted = await house.begin('Say something')
  await house.ended(uncounted.id)
  expect(await house.chargeOf(uncounted.requestId)).toBeGreaterThan(10)
})

test('is nobody else’s to see, cancel, resume or delete', async () => {
  house.upstream.next({ job: { until: new Promise(() => {}) } })
  const { id } = await house.begin('A secret')
  // The program asks too, every now and then: later.
  const later = Math.floor(Date.now() / 1000) + 1000
  await house.store.db.updateTable('background_responses').set({ next_poll_at: later }).execute()
  // And it is not just about to.
  await atRest()
  const gets = house.asked('GET')
  const { responses } = house.visitor
  for (const asking of [
    () => responses.retrieve(id),
    () => responses.retrieve(id, { stream: true, starting_after: 1 }),
    () => responses.cancel(id),
    () => responses.delete(id),
    () => responses.inputItems.list(id),
  ])
    expect(statusOf(await catchError(asking()))).toBe(404)
  expect(house.asked('GET')).toBe(gets)
  expect((await house.client.responses.cancel(id)).status).toBe('cancelled')
})

test('is not deleted before it is paid', async () => {
  const { promise, resolve: finish } = Promise.withResolvers<void>()
  house.upstream.next({ job: { until: promise } })
  const { id, requestId } = await house.begin('Forget this')
  const error = await catchError(house.client.responses.delete(id))
  expect(statusOf(error)).toBe(400)
  expect(error.message).toContain('cancel it first')
  finish()
  await until(async () => {
    await house.client.responses.delete(id).catch(() => {})
    return house.chargeOf(requestId)
  })
  expect(await house.chargeOf(requestId)).toBe(house.price('Forget this'))
  expect(statusOf(await catchError(house.client.responses.retrieve(id)))).toBe(404)
})

test('asked for twice it is made twice, also where a client names it as the same', async () => {
  const { client } = house
  const answers = new Map<string, string>()
  // A vendor that gives the first answer again to whoever names a call as the same.
  house.upstream.always(({ headers, method }) => {
    const again = answers.get(headers['idempotency-key'] ?? '')
    return method === 'POST' && again ? { status: 200, body: JSON.parse(again) } : {}
  })
  const before = await house.balance(house.payer.userId)
  const body = { model: MODEL, input: 'One or two', background: true } as const
  const headers = { 'idempotency-key': 'the-same' }
  const one = await client.responses.create(body, { headers })
  const name = house.upstream.requests.findLast(({ method }) => method === 'POST')?.headers['idempotency-key']
  if (name !== undefined) answers.set(name, JSON.stringify(one))
  const two = await client.responses.create(body, { headers })
  expect(two.id).not.toBe(one.id)
  house.upstream.always({})
  for (const { id } of [one, two]) await house.ended(id)
  expect(before - (await house.balance(house.payer.userId))).toBe(2 * house.price('One or two'))
})

test('goes on from one that was made in the background', async () => {
  const first = await house.begin('Good morning')
  await house.ended(first.id)
  const second = await house.begin('And then?', { previous_response_id: first.id })
  expect((await house.ended(second.id)).previous_response_id).toBe(first.id)
})

test('can be asked after with a token that has nothing left', async () => {
  const { key } = await house.addToken({ userId: house.payer.userId, budget: 5000 })
  const poor = house.clientOf(key)
  const begun = await poor.responses.create({ model: MODEL, input: 'My last coin', background: true })
  // All of it is held, and the answer kept as short as that pays for.
  expect(begun.max_output_tokens).toBeLessThan(5000 / 3)
  // Its own words once the token was read again; until then it cannot pay what it asks for.
  expect<(number | undefined)[]>([401, 403]).toContain(
    statusOf(await catchError(poor.responses.create({ model: MODEL, input: 'More' }))),
  )
  await until(async () => (await poor.responses.retrieve(begun.id)).status === 'completed')
})

test('is refused where a vendor cannot, and where it is asked for wrongly', async () => {
  const posts = house.asked('POST')
  const refused = async (asking: Promise<unknown>, word: string) => {
    const error = await catchError(asking)
    expect([word, statusOf(error)]).toEqual([word, 400])
    expect(error.message).toContain(word)
  }
  const { responses } = house.client
  for (const stream of [true, false])
    await refused(
      responses.create({ model: CONVERTED, input: 'Hi', background: true, stream }),
      'background: true',
    )
  const odd = { model: MODEL, input: 'Hi', background: 'yes' } as unknown
  await refused(responses.create(odd as OpenAI.Responses.ResponseCreateParamsNonStreaming), 'background')
  expect(house.asked('POST')).toBe(posts)
  await refused(responses.create({ model: MODEL, input: 'Hi', background: true, store: false }), 'store')
  const { id } = await responses.create({ model: MODEL, input: 'Hi' })
  await refused(responses.cancel(id), 'synchronous')
  await refused(responses.retrieve(id, { stream: true }), 'stream')
  const begun = await house.begin('No stream')
  const { status } = await house.call('GET', `/v1/responses/${begun.id}?stream=true&starting_after=x`)
  expect(status).toBe(400)
  await refused(responses.retrieve(begun.id, { stream: true }), 'stream')
  await house.ended(begun.id)
  await refused(responses.cancel(begun.id), 'completed')
})

test('is made at Azure just as well', async () => {
  const { client, azure } = house
  const begun = await house.begin('Good morning', { model: AZURE })
  expect((await house.ended(begun.id)).output_text).toBe('You said: Good morning')
  expect(await house.chargeOf(begun.requestId)).toBe(house.price('Good morning'))
  azure.next({ job: { until: new Promise(() => {}) } })
  const { id } = await house.begin('Stop', { model: AZURE })
  expect((await client.responses.cancel(id)).status).toBe('cancelled')
  const body = { model: AZURE, input: 'In pieces', background: true, stream: true } as const
  const events = await Array.fromAsync(await client.responses.create(body))
  const made = responseIn(events[0] ?? {})?.id ?? ''
  const again = await client.responses.retrieve(made, { stream: true, starting_after: 4 })
  expect(await Array.fromAsync(again)).toEqual(events.slice(5))
  expect(azure.complaints).toEqual([])
})

test('only a wallet that reaches for it begins one', async () => {
  const userId = await house.addUser({ quota: 3 })
  const { key } = await house.addToken({ userId })
  const posts = house.asked('POST')
  const error = await catchError(
    house.clientOf(key).responses.create({ model: MODEL, input: 'Too dear', background: true }),
  )
  expect(statusOf(error)).toBe(403)
  expect(house.asked('POST')).toBe(posts)
  expect(await house.balance(userId)).toBe(3)
})

test('so many are under way at most', async () => {
  const userId = await house.addUser()
  const { key } = await house.addToken({ userId })
  const job = {
    user_id: userId,
    token_id: 0,
    channel_id: 0,
    key_hash: '',
    model: MODEL,
    group: '',
    streams: 0,
  }
  const later = Math.floor(Date.now() / 1000) + 1000
  const rows = Array.from({ length: MOST_OPEN }, (_, at) => ({
    ...{ ...job, request_id: `many-${at}`, response_id: `resp_${at}`, state: 'running' as const },
    ...{ terms: '{}', seen_to: -1, seen_tokens: 0, submitted_at: later, lost_at: 0, next_poll_at: later },
  }))
  const { db } = house.store
  await db.insertInto('background_responses').values(rows).execute()
  const begin = () =>
    house.clientOf(key).responses.create({ model: MODEL, input: 'One more', background: true })
  const error = await catchError(begin())
  expect(statusOf(error)).toBe(429)
  expect(error.message).toContain(String(MOST_OPEN))
  await db.deleteFrom('background_responses').where('user_id', '=', userId).execute()
  expect((await begin()).status).toBe('queued')
})

test('compacting and counting are there too', async () => {
  const { client } = house
  const compacted = await client.responses.compact({ model: MODEL, input: 'A long talk' })
  expect(compacted.object).toBe('response.compaction')
  const counted = await client.responses.inputTokens.count({ model: MODEL, input: 'A long talk' })
  expect(counted.input_tokens).toBe(compacted.usage.input_tokens)
})

test('the books agree', async () => {
  for (const job of await house.store.db.selectFrom('background_responses').selectAll().execute())
    if (job.state === 'running') await house.client.responses.cancel(job.response_id).catch(() => {})
  await house.poll()
  expect(await house.differences()).toEqual([])
})
