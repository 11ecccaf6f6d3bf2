import { afterAll, beforeAll, expect, test } from 'bun:test'
import { atRest } from '../at-rest.ts'
import { until } from '../program.ts'
import { catchError } from '../sdk/sdk-errors.ts'
import { MADE_SECONDS } from '../upstreams/gemini/interactions/write-interaction.ts'
import { expectedUsage } from '../upstreams/index.ts'
import {
  CONVERTED,
  endingByStatus,
  type Interaction,
  type InteractionHouse,
  isHeld,
  MODEL,
  openInteractionHouse,
  statusOf,
  type Told,
  textOf,
} from './house.ts'

// Interactions in the background: begun, asked after, cancelled, deleted, and their events gone on with.

const rule = { enabled: true, where: ['output'], groups: [], action: 'mask' }
const RULES = [{ ...rule, name: 'people', models: [MODEL], looks: { by: 'kinds', kinds: ['email'] } }]

let house: InteractionHouse
beforeAll(async () => {
  house = await openInteractionHouse()
})
afterAll(() => house.close())

const streamed = async (input: string): Promise<AsyncIterable<Told>> =>
  (await house.client.interactions.create({
    ...{ model: MODEL, input, background: true, stream: true },
  })) as unknown as AsyncIterable<Told>

const resume = async (id: string, last_event_id?: string): Promise<Told[]> =>
  Array.fromAsync(
    (await house.client.interactions.get(id, {
      stream: true,
      ...(last_event_id !== undefined && { last_event_id }),
    })) as unknown as AsyncIterable<Told>,
  )

const idOf = (events: readonly Told[]): string => events[0]?.interaction?.id ?? ''

test('is begun, asked after, and paid by what the vendor counts, once', async () => {
  const before = await house.balance(house.payer.userId)
  const { promise: until, resolve: finish } = Promise.withResolvers<void>()
  house.upstream.next({ job: { until } })
  const begun = await house.begin('Write a novel')
  expect(begun).toMatchObject({ status: 'in_progress' })
  expect(await isHeld(house, begun.requestId)).toBe(true)
  expect(await house.chargeOf(begun.requestId)).toBeUndefined()
  expect(await house.balance(house.payer.userId)).toBeLessThan(before)
  finish()
  const done = await house.ended(begun.id)
  expect(done).toMatchObject({ status: 'completed', output_text: 'You said: Write a novel' })
  const price = house.price('Write a novel')
  const { input, output } = expectedUsage('gemini-interactions', { input: 'Write a novel' })
  await house.poll()
  expect(before - (await house.balance(house.payer.userId))).toBe(price)
  expect(await house.logOf(begun.requestId)).toMatchObject({
    ...{ type: 2, quota: price, cost: Math.round(price / 2), model_name: MODEL },
    ...{ prompt_tokens: input, completion_tokens: output, use_time: MADE_SECONDS },
    details: { background: true, response_id: begun.id },
  })
})

test('is paid though nobody ever asks after it', async () => {
  const { requestId } = await house.begin('Nobody reads this')
  await until(() => house.chargeOf(requestId))
  expect(await house.chargeOf(requestId)).toBe(house.price('Nobody reads this'))
})

test('costs its price once, however many nodes and clients see its end at once', async () => {
  const before = await house.balance(house.payer.userId)
  const { id } = await house.begin('All at once')
  const { interactions } = house.client
  await Promise.all([
    house.poll(0, 4),
    ...Array.from({ length: 6 }, () => interactions.get(id)),
    house.poll(0, 4),
  ])
  await house.ended(id)
  expect(before - (await house.balance(house.payer.userId))).toBe(house.price('All at once'))
})

const used = { total_input_tokens: 11, total_output_tokens: 5, total_tokens: 16 }

test.each([
  { said: 'that nothing was used', used: undefined, charge: 0 },
  { said: 'what was used', used, charge: 26 },
])('cancelled where the vendor says $said costs that', async ({ used, charge }) => {
  const before = await house.balance(house.payer.userId)
  house.upstream.next({ job: { until: new Promise(() => {}), ...(used && { used }) } })
  const { id, requestId } = await house.begin('Never mind')
  const { interactions } = house.client
  expect((await interactions.cancel(id)).status).toBe('cancelled')
  expect(await isHeld(house, requestId)).toBe(false)
  expect((await interactions.cancel(id)).status).toBe('cancelled')
  expect(((await interactions.get(id)) as unknown as Interaction).status).toBe('cancelled')
  expect(before - (await house.balance(house.payer.userId))).toBe(charge)
})

test('failed costs nothing, and tells no key', async () => {
  const before = await house.balance(house.payer.userId)
  const { url, key } = house.upstream
  const errors = [{ code: 'INTERNAL', message: `The server at ${url} had an error with ${key}` }]
  const { promise, resolve: fail } = Promise.withResolvers<void>()
  house.upstream.next({
    job: { until: promise },
    whole: ({ usage: _, ...made }) => ({ ...made, status: 'failed', steps: [], errors }),
  })
  const { id, requestId } = await house.begin('Fail at this')
  fail()
  const told = JSON.stringify(await house.ended(id))
  expect(told).toContain('The server at')
  for (const secret of [key, new URL(url).host]) expect(told).not.toContain(secret)
  expect(await house.balance(house.payer.userId)).toBe(before)
  const { type, quota, content } = await house.logOf(requestId)
  expect([type, quota]).toEqual([5, 0])
  expect(content).toContain('The server at')
  expect(content).not.toContain(key)
})

test.each(['incomplete', 'requires_action', 'budget_exceeded'])('%s is an end, and paid', async status => {
  house.upstream.next({ whole: made => ({ ...made, status }) })
  const { id, requestId } = await house.begin('Half of it')
  expect((await house.ended(id)).status).toBe(status)
  expect(await house.chargeOf(requestId)).toBe(house.price('Half of it'))
  expect((await house.logOf(requestId)).details.response_status).toBe(status)
})

test('what the vendor does not count is counted here', async () => {
  house.upstream.next({ usage: 'none', reply: { text: 'one two three four five six' } })
  const { id, requestId } = await house.begin('Say something')
  await house.ended(id)
  const { prompt_tokens, completion_tokens } = await house.logOf(requestId)
  expect(completion_tokens).toBe(6)
  expect(prompt_tokens).toBeGreaterThan(3)
})

test('is nobody else’s to see, cancel, resume or delete', async () => {
  house.upstream.next({ job: { until: new Promise(() => {}) } })
  const { id } = await house.begin('A secret')
  // The program asks too, every now and then: later.
  const later = Math.floor(Date.now() / 1000) + 1000
  await house.store.db.updateTable('background_responses').set({ next_poll_at: later }).execute()
  // And it is not just about to.
  await atRest()
  const asked = house.upstream.requests.length
  const { interactions } = house.visitor
  for (const asking of [
    () => interactions.get(id),
    () => interactions.get(id, { stream: true, last_event_id: 'x' }),
    () => interactions.cancel(id),
    () => interactions.delete(id),
  ])
    expect(statusOf(await catchError(asking()))).toBe(404)
  for (const way of ['GET', 'DELETE'])
    expect((await house.call(way, `/v1/responses/${id.replace('=', '')}`)).status).toBe(404)
  expect(house.upstream.requests.length).toBe(asked)
  expect((await house.client.interactions.cancel(id)).status).toBe('cancelled')
})

test('is not deleted before it is paid', async () => {
  const { promise, resolve: finish } = Promise.withResolvers<void>()
  house.upstream.next({ job: { until: promise } })
  const { id, requestId } = await house.begin('Forget this')
  const error = await catchError(house.client.interactions.delete(id))
  expect(statusOf(error)).toBe(400)
  expect(error.message).toContain('cancel it first')
  finish()
  await until(async () => {
    await house.client.interactions.delete(id).catch(() => {})
    return house.chargeOf(requestId)
  })
  expect(await house.chargeOf(requestId)).toBe(house.price('Forget this'))
})

test('goes on from one that was made in the background', async () => {
  const first = await house.begin('Good morning')
  await house.ended(first.id)
  const second = await house.begin('And then?', { previous_interaction_id: first.id })
  expect(await house.ended(second.id)).toMatchObject({ previous_interaction_id: first.id })
})

test('is refused where a vendor cannot, and where it is asked for wrongly', async () => {
  const refused = async (asking: Promise<unknown>, word: string) => {
    const error = await catchError(asking)
    expect([word, statusOf(error)]).toEqual([word, 400])
    expect(error.message).toContain(word)
  }
  const { interactions } = house.client
  const ask = (more: object) => interactions.create({ model: MODEL, input: 'Hi', background: true, ...more })
  await refused(ask({ model: CONVERTED }), 'Interactions API')
  await refused(ask({ store: false }), 'store')
  const { id } = (await interactions.create({ model: MODEL, input: 'Hi' })) as Interaction
  await refused(interactions.cancel(id), 'background')
  await refused(interactions.get(id, { stream: true }), 'stream')
})

test('streams to its end, which comes when it is paid, also where that tells nothing of usage', async () => {
  for (const instead of [undefined, '', ',"usage":null']) {
    const isBrief = instead !== undefined
    const withoutUsage = (frame: string): string => frame.replace(/,"usage":\{.*?\]\}/, instead ?? '')
    if (isBrief) house.upstream.next({ frames: frames => frames.map(withoutUsage) })
    const events: Told[] = []
    const stream = await streamed('Tell me a story')
    const requestId = house.lastId()
    for await (const event of stream) {
      events.push(event)
      if (event.event_type === 'interaction.completed')
        expect(await house.chargeOf(requestId)).toBe(house.price('Tell me a story'))
    }
    expect(events.at(-1)?.event_type).toBe('interaction.completed')
    const usage: unknown = events.at(-1)?.interaction?.usage
    expect(usage).toEqual(isBrief ? (instead === '' ? undefined : null) : expect.objectContaining({}))
    expect(textOf(events)).toBe('You said: Tell me a story')
  }
})

test.each([[false], [true]])(
  'ends by its status where no event tells of the whole, and is paid before; behind it one does: %p',
  async isTold => {
    house.upstream.next({ frames: frames => endingByStatus(frames, 'completed', isTold) })
    const events: Told[] = []
    const stream = await streamed('Tell me a story')
    const requestId = house.lastId()
    for await (const event of stream) {
      events.push(event)
      if ('status' in event && event.status === 'completed')
        expect(await house.chargeOf(requestId)).toBe(house.price('Tell me a story'))
    }
    const names = events.slice(isTold ? -2 : -1).map(({ event_type }) => event_type)
    expect(names).toEqual(['interaction.status_update', ...(isTold ? ['interaction.completed'] : [])])
    expect(textOf(events)).toBe('You said: Tell me a story')
    const seen = events.findIndex(({ delta }) => delta?.text)
    const rest = await resume(idOf(events), events[seen]?.event_id)
    expect(rest).toEqual(events.slice(seen + 1))
  },
)

test('ends by its status too where the connection breaks behind that', async () => {
  let cutAfterFrames = -1
  house.upstream.next(() => ({
    frames(frames) {
      const told = endingByStatus(frames, 'completed')
      cutAfterFrames = told.findLastIndex(frame => frame.includes('interaction.status_update')) + 1
      return told
    },
    get cutAfterFrames() {
      return cutAfterFrames
    },
    onceRead: true,
  }))
  const events: Told[] = []
  for await (const event of await streamed('Tell me a story')) events.push(event)
  expect(events.at(-1)?.event_type).toBe('interaction.status_update')
  expect(await house.chargeOf(house.lastId())).toBe(house.price('Tell me a story'))
})

test.each([false, true])(
  'what it searched is paid by the search, whoever sees its end; streamed %p',
  async isStream => {
    const search = { type: 'google_search_call', id: 's', arguments: { queries: ['otters', 'weather'] } }
    const told = { event_type: 'step.start', index: 7, step: search }
    const frame = `event: step.start\ndata: ${JSON.stringify(told)}\n\n`
    house.upstream.next({
      whole: made => ({ ...made, steps: [search, ...(made.steps as object[])] as never }),
      frames: frames => frames.toSpliced(2, 0, frame),
    })
    const events = isStream ? await streamed('Look it up') : []
    const { id, requestId } = isStream
      ? { id: '', requestId: house.lastId() }
      : await house.begin('Look it up')
    for await (const _ of events);
    if (!isStream) await house.ended(id)
    const row = await house.logOf(requestId)
    expect(row.details.web_search_call_count).toBe(2)
  },
)

test('goes on when its client is cut off, who has the rest later and pays once', async () => {
  const before = await house.balance(house.payer.userId)
  const { promise, resolve: finish } = Promise.withResolvers<void>()
  house.upstream.next({ job: { until: promise }, hold: { afterFrames: 7, until: promise } })
  const seen: Told[] = []
  for await (const event of await streamed('One two three four five six')) {
    seen.push(event)
    if (seen.length === 7) break
  }
  const requestId = house.lastId()
  expect(await isHeld(house, requestId)).toBe(true)
  finish()
  const rest = await resume(idOf(seen), seen.at(-1)?.event_id)
  expect(textOf([...seen, ...rest])).toBe('You said: One two three four five six')
  expect(rest.at(-1)?.interaction?.status).toBe('completed')
  expect(await house.chargeOf(requestId)).toBe(house.price('One two three four five six'))
  // All of it can be had once more, for nothing.
  expect(await resume(idOf(seen))).toEqual([...seen, ...rest])
  await house.poll()
  expect(before - (await house.balance(house.payer.userId))).toBe(house.price('One two three four five six'))
})

test('cancelled by who has read it, it costs what was read, however often', async () => {
  const before = await house.balance(house.payer.userId)
  house.upstream.next({
    reply: { text: 'one two three four five six seven eight nine ten' },
    job: { until: new Promise(() => {}) },
    stallAfterFrames: 11,
  })
  const seen: Told[] = []
  const stream = await streamed('Count')
  const requestId = house.lastId()
  for await (const event of stream) {
    seen.push(event)
    if (textOf(seen).endsWith('eight')) break
  }
  const job = await until(async () => {
    const row = await house.store.db
      .selectFrom('background_responses')
      .selectAll()
      .where('request_id', '=', requestId)
      .executeTakeFirst()
    // It is noted every now and then: at first it may be a part.
    return row && row.seen_tokens >= 8 ? row : undefined
  })
  expect(job.seen_tokens).toBe(8)
  expect((await house.client.interactions.cancel(idOf(seen))).status).toBe('cancelled')
  const { prompt_tokens, completion_tokens, quota } = await house.logOf(requestId)
  expect(completion_tokens).toBe(8)
  expect(quota).toBe(prompt_tokens + 3 * 8)
  expect(before - (await house.balance(house.payer.userId))).toBe(quota)
})

test('what the operator’s rules mask is masked in every event and whenever it is seen', async () => {
  await house.setOption('Guards', JSON.stringify(RULES))
  house.upstream.next({ reply: { text: 'Mail ada@example.com or nobody at all' } })
  const seen: Told[] = []
  for await (const event of await streamed('Who?')) {
    seen.push(event)
    if (event.event_type === 'step.delta') break
  }
  const all = [...seen, ...(await resume(idOf(seen), seen.at(-1)?.event_id))]
  expect(textOf(all)).toBe('Mail [email] or nobody at all')
  expect(JSON.stringify(all)).not.toContain('ada@example.com')
  const again = (await house.client.interactions.get(idOf(seen))) as unknown as Interaction
  expect(again.output_text).toBe('Mail [email] or nobody at all')
  for (const more of [{}, { stream: true }]) {
    house.upstream.next({ reply: { text: 'Ask ada@example.com' } })
    const given = { model: MODEL, input: 'And now?', ...more }
    const { json } = await house.call('POST', '/v1/interactions', given)
    expect(JSON.stringify(json)).toContain('[email]')
    expect(JSON.stringify(json)).not.toContain('example.com')
  }
  await house.setOption('Guards', JSON.stringify([{ ...RULES[0], action: 'block' }]))
  house.upstream.next({ reply: { text: 'Mail ada@example.com' } })
  const { id, requestId } = await house.begin('Block this')
  await until(async () => {
    const error = await house.client.interactions.get(id).catch((error: Error) => error)
    return error instanceof Error && statusOf(error) === 400
  })
  expect(await house.chargeOf(requestId)).toBeGreaterThan(0)
  await house.setOption('Guards', '[]')
})

test('the books agree', async () => {
  for (const job of await house.store.db.selectFrom('background_responses').selectAll().execute())
    if (job.state === 'running') await house.client.interactions.cancel(job.response_id).catch(() => {})
  await house.poll()
  expect(await house.differences()).toEqual([])
})
