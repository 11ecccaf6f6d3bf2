import { afterAll, beforeAll, expect, test } from 'bun:test'
import { connect } from 'node:net'
import type OpenAI from 'openai'
import { until } from '../program.ts'
import { catchError, statusOf } from '../sdk/sdk-errors.ts'
import { looksWhenTold } from '../tasks/house.ts'
import { megabytes } from '../upstreams/index.ts'
import { type BackgroundHouse, isHeld, MODEL, openBackgroundHouse, responseIn, SHARED } from './house.ts'

// Events of responses in the background: read to the end, cut off, and gone on with where they were.

const rule = { enabled: true, where: ['output'], groups: [], action: 'mask' }
const RULES = [{ ...rule, name: 'people', models: [MODEL], looks: { by: 'kinds', kinds: ['email'] } }]

type Event = OpenAI.Responses.ResponseStreamEvent

let house: BackgroundHouse
beforeAll(async () => {
  house = await openBackgroundHouse({}, looksWhenTold)
})
afterAll(() => house.close())

const begin = (input: string) =>
  house.client.responses.create({ model: MODEL, input, background: true, stream: true })

const resume = (id: string, starting_after?: number) =>
  house.client.responses.retrieve(id, {
    stream: true,
    ...(starting_after !== undefined && { starting_after }),
  })

function textOf(events: readonly Event[]): string {
  return events.map(event => (event.type === 'response.output_text.delta' ? event.delta : '')).join('')
}

const numbersOf = (events: readonly Event[]) => events.map(event => event.sequence_number)

function idOf(events: readonly Event[]): string {
  return responseIn(events[0] ?? {})?.id ?? ''
}

test('is read to its end, which comes when it is paid', async () => {
  const before = await house.balance(house.payer.userId)
  const stream = await begin('Tell me a story')
  const requestId = house.lastId()
  const events: Event[] = []
  for await (const event of stream) {
    events.push(event)
    const hasEnded = event.type === 'response.completed'
    if (hasEnded) expect(await house.chargeOf(requestId)).toBe(house.price('Tell me a story'))
  }
  expect(events.slice(0, 3).map(({ type }) => type)).toEqual([
    'response.created',
    'response.queued',
    'response.in_progress',
  ])
  expect(events.at(-1)?.type).toBe('response.completed')
  expect(numbersOf(events)).toEqual(events.map((_, at) => at))
  expect(textOf(events)).toBe('You said: Tell me a story')
  await house.poll()
  expect(before - (await house.balance(house.payer.userId))).toBe(house.price('Tell me a story'))
  const { is_stream, details } = await house.logOf(requestId)
  expect([is_stream, details.frt]).toEqual([1, undefined])
})

test('goes on when its client is cut off, who has the rest later and pays once', async () => {
  const before = await house.balance(house.payer.userId)
  const { promise, resolve: finish } = Promise.withResolvers<void>()
  house.upstream.next({ job: { until: promise }, hold: { afterFrames: 7, until: promise } })
  const seen: Event[] = []
  for await (const event of await begin('One two three four five six')) {
    seen.push(event)
    if (event.sequence_number === 6) break
  }
  const requestId = house.lastId()
  expect(await isHeld(house, requestId)).toBe(true)
  finish()
  const rest = await Array.fromAsync(await resume(idOf(seen), 6))
  const all = [...seen, ...rest]
  expect(numbersOf(all)).toEqual(all.map((_, at) => at))
  expect(textOf(all)).toBe('You said: One two three four five six')
  expect(responseIn(rest.at(-1) ?? {})?.status).toBe('completed')
  expect(await house.chargeOf(requestId)).toBe(house.price('One two three four five six'))
  // All of it can be had once more, for nothing.
  expect(await Array.fromAsync(await resume(idOf(seen)))).toEqual(all)
  const plain = { stream: true, starting_after: 6, include_obfuscation: false } as const
  expect(await Array.fromAsync(await house.client.responses.retrieve(idOf(seen), plain))).toEqual(rest)
  expect(house.upstream.requests.at(-1)?.query).toEqual({
    ...{ stream: 'true', starting_after: '6', include_obfuscation: 'false' },
  })
  await house.poll()
  expect(before - (await house.balance(house.payer.userId))).toBe(house.price('One two three four five six'))
})

test('is not taken for ended where the vendor cuts it off, and can be gone on with', async () => {
  house.upstream.next({ cutAfterFrames: 6, onceRead: true })
  const seen: Event[] = []
  const reading = (async () => {
    for await (const event of await begin('Cut me off here')) seen.push(event)
  })()
  await catchError(reading)
  expect(seen.length).toBeLessThanOrEqual(6)
  const all = [...seen, ...(await Array.fromAsync(await resume(idOf(seen), seen.length - 1)))]
  expect(numbersOf(all)).toEqual(all.map((_, at) => at))
  expect(textOf(all)).toBe('You said: Cut me off here')
})

test('is paid though its client leaves at the first word and never comes back', async () => {
  const { promise, resolve: finish } = Promise.withResolvers<void>()
  house.upstream.next({ job: { until: promise }, hold: { afterFrames: 3, until: promise } })
  for await (const _ of await begin('Left alone')) break
  const requestId = house.lastId()
  finish()
  await until(async () => {
    await house.poll()
    return house.chargeOf(requestId)
  })
  expect(await house.chargeOf(requestId)).toBe(house.price('Left alone'))
})

test('bytes that come in any pieces are the same events', async () => {
  for (const odd of [
    { chunkBytes: 1 },
    { chunkBytes: 1, crlf: true },
    { crlf: true, comments: true, splitData: true },
  ] as const) {
    house.upstream.next(odd)
    const events = await Array.fromAsync(await begin('Grüße, 世界'))
    expect(textOf(events)).toBe('You said: Grüße, 世界')
    expect(responseIn(events.at(-1) ?? {})?.status).toBe('completed')
  }
})

test('a client that takes nothing is not waited for for ever, and pays', async () => {
  const live = async (): Promise<number> => {
    const text = await (await fetch(`${house.url}/metrics`)).text()
    return Number(/^tollgate_relay_live\S* (\d+)/m.exec(text)?.[1])
  }
  await until(async () => (await live()) === 0)
  await house.setOption('UpstreamIdleSeconds', '1')
  // More than waits anywhere on its way to who reads nothing.
  house.upstream.next(megabytes(12))
  const served = house.upstream.served.length
  const { hostname, port } = new URL(house.url)
  const socket = connect({ host: hostname, port: Number(port) })
  socket.on('error', () => {})
  socket.pause()
  await new Promise(resolve => socket.once('connect', resolve))
  const body = JSON.stringify({ model: MODEL, input: 'Go on', background: true, stream: true })
  socket.write(
    `POST /v1/responses HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${house.payer.key}\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`,
  )
  await until(() => house.upstream.served[served])
  const job = await until(() =>
    house.store.db
      .selectFrom('background_responses')
      .select(['request_id', 'response_id'])
      .where('state', '=', 'running')
      .orderBy('submitted_at', 'desc')
      .executeTakeFirst(),
  )
  await until(async () => (await live()) === 0)
  await house.setOption('UpstreamIdleSeconds', '120')
  await house.client.responses.retrieve(job.response_id)
  expect(await house.chargeOf(job.request_id)).toBeGreaterThan(0)
  socket.destroy()
})

test('cancelled while it streams costs nothing, and the stream does not end well', async () => {
  const before = await house.balance(house.payer.userId)
  house.upstream.next({ job: { until: new Promise(() => {}) }, stallAfterFrames: 5 })
  const stream = await begin('Stop this')
  const requestId = house.lastId()
  for await (const event of stream) {
    const { id = '' } = responseIn(event) ?? {}
    expect((await house.client.responses.cancel(id)).status).toBe('cancelled')
    break
  }
  expect(await house.balance(house.payer.userId)).toBe(before)
  expect((await house.logOf(requestId)).quota).toBe(0)
})

test('cancelled at the first word it costs the question and that', async () => {
  house.upstream.next({
    reply: { text: 'one two three' },
    job: { until: new Promise(() => {}) },
    stallAfterFrames: 6,
  })
  const stream = await begin('What is the answer?')
  const requestId = house.lastId()
  let id = ''
  for await (const event of stream) {
    id ||= responseIn(event)?.id ?? ''
    if (event.type === 'response.output_text.delta') break
  }
  expect((await house.client.responses.cancel(id)).status).toBe('cancelled')
  const { prompt_tokens, completion_tokens, quota } = await house.logOf(requestId)
  expect(prompt_tokens).toBeGreaterThan(0)
  expect(completion_tokens).toBeGreaterThan(0)
  expect(quota).toBe(prompt_tokens + 3 * completion_tokens)
})

test('cancelled by who has read it, it costs what was read, however often', async () => {
  const before = await house.balance(house.payer.userId)
  house.upstream.next({
    reply: { text: 'one two three four five six seven eight nine ten' },
    job: { until: new Promise(() => {}) },
    stallAfterFrames: 13,
  })
  let id = ''
  let text = ''
  const stream = await begin('Count')
  const requestId = house.lastId()
  for await (const event of stream) {
    id ||= responseIn(event)?.id ?? ''
    if (event.type !== 'response.output_text.delta') continue
    text += event.delta
    if (event.sequence_number === 12) break
  }
  expect(text).toStartWith('one two three four five six')
  const { seen_to, seen_tokens } = await until(async () => {
    const job = await house.store.db
      .selectFrom('background_responses')
      .selectAll()
      .where('request_id', '=', requestId)
      .executeTakeFirst()
    return job && job.seen_to >= 12 ? job : undefined
  })
  expect(seen_to).toBe(12)
  expect((await house.client.responses.cancel(id)).status).toBe('cancelled')
  const { prompt_tokens, completion_tokens, quota, details } = await house.logOf(requestId)
  expect(completion_tokens).toBe(seen_tokens)
  expect(seen_tokens).toBeGreaterThanOrEqual(8)
  expect(details.response_status).toBe('cancelled')
  expect(prompt_tokens).toBeGreaterThan(0)
  expect(quota).toBe(prompt_tokens + 3 * completion_tokens)
  expect(before - (await house.balance(house.payer.userId))).toBe(quota)
})

test('another channel takes what one refuses', async () => {
  const [refused, begun] = [house.asked('POST'), house.other.requests.length]
  house.upstream.next(house.upstream.failWith('rate-limit'))
  const body = { model: SHARED, input: 'Anybody?', background: true, stream: true } as const
  const events = await Array.fromAsync(await house.client.responses.create(body))
  expect(textOf(events)).toBe('You said: Anybody?')
  expect([house.asked('POST') - refused, house.other.requests.length - begun]).toEqual([1, 1])
})

test('a failure in the stream is free', async () => {
  const { userId } = house.payer
  const before = await house.balance(userId)
  house.upstream.next({ errorAfterFrames: 5, job: { until: new Promise(() => {}) } })
  const told: string[] = []
  try {
    for await (const event of await begin('Break')) told.push(event.type)
  } catch {
    // As the SDK takes an event of an error.
  }
  expect(told).toContain('response.created')
  await until(async () => (await house.balance(userId)) === before)
})

test('what the operator’s rules mask is masked in every event, also of what is gone on with', async () => {
  await house.setOption('Guards', JSON.stringify(RULES))
  house.upstream.next({ reply: { text: 'Mail ada@example.com or nobody at all' } })
  const seen: Event[] = []
  for await (const event of await begin('Who?')) {
    seen.push(event)
    if (event.type === 'response.output_text.delta') break
  }
  const last = seen.at(-1)?.sequence_number ?? 0
  const rest = await Array.fromAsync(await resume(idOf(seen), last))
  const all = [...seen, ...rest]
  expect(numbersOf(all)).toEqual(all.map((_, at) => at))
  expect(textOf(all)).toBe('Mail [email] or nobody at all')
  expect(JSON.stringify(all)).not.toContain('ada@example.com')
  expect((await house.client.responses.retrieve(idOf(seen))).output_text).toBe(
    'Mail [email] or nobody at all',
  )
  house.upstream.next({ reply: { text: 'Ask ada@example.com' } })
  const { id } = await house.begin('And polled?')
  expect((await house.ended(id)).output_text).toBe('Ask [email]')
})

test('what they block is kept from whoever asks, and is paid', async () => {
  await house.setOption('Guards', JSON.stringify([{ ...RULES[0], action: 'block' }]))
  house.upstream.next({ reply: { text: 'Mail ada@example.com' } })
  const { id, requestId } = await house.begin('Block this')
  await until(async () => {
    const error = await house.client.responses.retrieve(id).catch((error: Error) => error)
    return error instanceof Error && statusOf(error) === 400
  })
  expect(await house.chargeOf(requestId)).toBeGreaterThan(0)
  house.upstream.next({ reply: { text: 'Mail ada@example.com' } })
  const told = await (async () => {
    const events: Event[] = []
    try {
      for await (const event of await begin('Block this too')) events.push(event)
    } catch (error) {
      events.push(error as never)
    }
    return events
  })()
  expect(JSON.stringify(told)).not.toContain('ada@example.com')
  // Who goes on where only the end is missing is told too.
  const again = await fetch(`${house.url}/v1/responses/${idOf(told)}?stream=true&starting_after=4`, {
    headers: { authorization: `Bearer ${house.payer.key}` },
  })
  const rest = await again.text()
  expect(rest).toContain('event: error')
  expect(rest).not.toContain('ada@example.com')
  await house.setOption('Guards', '[]')
})

test('the books agree', async () => {
  for (const job of await house.store.db.selectFrom('background_responses').selectAll().execute())
    if (job.state === 'running') await house.client.responses.cancel(job.response_id).catch(() => {})
  await house.poll()
  expect(await house.differences()).toEqual([])
})
