import { afterEach, expect, test } from 'bun:test'
import { asObject, asText, type JsonObject } from '../../server/dialects/json.ts'
import { until } from '../program.ts'
import { MODEL, openHouse } from './house.ts'
import { answerWhole, COST, done, type Ear, say, startLoopback } from './upstream.ts'

// What an upstream may do otherwise than one answer after the other, each event a text.

const QUOTA = 10_000_000
const ending: (() => unknown)[] = []
afterEach(async () => {
  for (const end of ending.splice(0).reverse()) await end()
})

async function start(hear: Ear, quota = QUOTA) {
  const upstream = startLoopback(hear)
  ending.push(() => upstream.stop())
  const house = await openHouse(quota)
  ending.push(() => house.close())
  await house.addChannel(upstream.url)
  return { house, upstream }
}

/** Ends those beside the conversation by their names alone, as OpenAI does; `short` is over at once. */
const hearSeveral: Ear = (socket, event) => {
  const finish = (id: string) => say(socket, { ...done, response: { ...done.response, id } })
  if (event.type === 'response.create') {
    const id = asText(asObject(event.response)?.event) ?? ''
    say(socket, { type: 'response.created', response: { id } })
    say(socket, { type: 'response.output_text.delta', response_id: id, delta: 'Hello' })
    if (id === 'short') finish(id)
  }
  const cancelled = event.type === 'response.cancel' ? asText(event.response_id) : undefined
  if (cancelled !== undefined) finish(cancelled)
}

test('who leaves in the middle of several pays for each of them, and for what it read', async () => {
  const { house, upstream } = await start(hearSeveral)
  const talk = house.talk()
  await talk.until('session.created')
  for (const event of ['long', 'longer', 'short'])
    talk.say({ type: 'response.create', response: { conversation: 'none', event } })
  await talk.until('response.done')
  talk.socket.terminate()
  await house.settled()
  const cancelled = upstream.heard.filter(({ type }) => type === 'response.cancel')
  expect(cancelled.map(event => event.response_id)).toEqual(['long', 'longer'])
  // Three times 3426.8, rounded once.
  expect(await house.user()).toMatchObject({ quota: QUOTA - 10_280, used_quota: 10_280 })
  const [row] = await house.logs()
  expect(JSON.parse(row?.other ?? '')).toMatchObject({ text_output: 90, audio_output: 273 })
})

test('what is heard of a long response is on disk before that is over, should the process be killed', async () => {
  // Ten seconds of sound at twenty tokens each, and eighty characters.
  const hear: Ear = (socket, event) => {
    if (event.type !== 'response.create') return
    say(socket, { type: 'response.created', response: { id: 'long' } })
    const delta = Buffer.alloc(480_000).toString('base64')
    say(socket, { type: 'response.output_audio.delta', response_id: 'long', delta })
    say(socket, { type: 'response.output_text.delta', response_id: 'long', delta: 'Hello... '.repeat(9) })
  }
  const { house } = await start(hear)
  const talk = house.talk()
  await talk.until('session.created')
  talk.say({ type: 'response.create' })
  await talk.until('response.output_text.delta')
  const [hold] = await until(async () => {
    const holds = await house.holds()
    return holds.some(({ checkpoint }) => checkpoint > 0) ? holds : undefined
  })
  expect(hold?.state).toBe('open')
  // 200 × 32 for the sound, and no less than a token at 8 for eight characters.
  expect(hold?.checkpoint).toBe(200 * 32 + 10 * 8)
  talk.socket.close()
  await house.settled()
  const { quota } = await house.user()
  expect(QUOTA - quota).toBeGreaterThanOrEqual(hold?.checkpoint ?? 0)
})

const counts: [string, JsonObject | undefined][] = [
  ['nothing', undefined],
  ['zero', { total_tokens: 0, input_tokens: 0, output_tokens: 0 }],
  [
    'what it has read alone',
    { input_tokens: 40, output_tokens: 0, input_token_details: { text_tokens: 40 } },
  ],
]

test.each(counts)('what a server has said that counts %s is paid', async (_, usage) => {
  const { house } = await start((socket, event) => {
    if (event.type !== 'response.create') return
    say(socket, { type: 'response.created', response: { id: 'resp_9' } })
    for (let at = 0; at < 50; at++)
      say(socket, { type: 'response.output_text.delta', response_id: 'resp_9', delta: `word${at} ` })
    const heard = { type: 'conversation.item.input_audio_transcription.completed', item_id: 'item_1' }
    say(socket, { ...heard, transcript: 'thirty letters '.repeat(10), ...(usage && { usage }) })
    say(socket, { ...done, response: { id: 'resp_9', status: 'completed', output: [], usage } })
  })
  const talk = house.talk()
  await talk.until('session.created')
  talk.say({ type: 'response.create' })
  await talk.until('response.done')
  talk.socket.close()
  await house.settled()
  const [row] = await house.logs()
  const told = JSON.parse(row?.other ?? '')
  expect(told.text_output).toBeWithin(100, 200)
  expect(told.text_input).toBe((usage?.input_tokens ?? 0) === 0 ? 0 : 80)
  // A transcript takes its time to say, where nobody tells what it came to.
  expect(told.audio_input).toBe(told.text_input > 0 ? 0 : 60)
})

test('events that come as bytes are paid like others', async () => {
  const { house } = await start((socket, event) => {
    if (event.type === 'response.create') socket.send(Buffer.from(JSON.stringify(done)))
  })
  const talk = house.talk()
  await talk.until('session.created')
  talk.say({ type: 'response.create' })
  await talk.until('response.done')
  talk.socket.close()
  await house.settled()
  expect(await house.user()).toMatchObject({ quota: QUOTA - COST, used_quota: COST })
})

test('sound that comes faster than anybody speaks is paid for beforehand too', async () => {
  const silent: Ear = () => {}
  const { house, upstream } = await start(silent, 50_000)
  const hasty = house.talk()
  await hasty.until('session.created')
  const minute = {
    type: 'input_audio_buffer.append',
    audio: Buffer.alloc(60 * 48_000).toString('base64'),
  }
  let isOver = false
  const refused = hasty.until('error').finally(() => {
    isOver = true
  })
  // A second are ten tokens at 16. One after the other: more than a few at once are too many to pass on.
  for (let minutes = 1; minutes <= 10 && !isOver; minutes++) {
    hasty.say(minute)
    await until(() => isOver || upstream.heard.length >= minutes)
  }
  expect((await refused).error).toMatchObject({ code: 'insufficient_user_quota' })
  await house.settled()
  expect(await house.user()).toMatchObject({ quota: 50_000, used_quota: 0 })
})

test('sound costs the same in whatever pieces it comes: small ones are not rounded up each', async () => {
  const { house } = await start(answerWhole, 50_000)
  const talk = house.talk()
  await talk.until('session.created')
  const piece = { type: 'input_audio_buffer.append', audio: Buffer.alloc(48_000 / 50).toString('base64') }
  // Two minutes: 1,200 tokens at 16. As many as there are pieces would be more than there is.
  for (let pieces = 0; pieces < 2 * 60 * 50; pieces++) talk.say(piece)
  talk.say({ type: 'response.create' })
  await talk.until('response.done')
  talk.socket.close()
  await house.settled()
  expect(await house.user()).toMatchObject({ quota: 50_000 - COST, used_quota: COST })
})

test('where each answer has a price, what is written down of the question has none', async () => {
  const hear: Ear = (socket, event) => {
    if (event.type !== 'response.create') return
    const usage = { type: 'tokens', input_tokens: 30, output_tokens: 5, total_tokens: 35 }
    say(socket, { type: 'conversation.item.input_audio_transcription.completed', transcript: 'hi', usage })
    answerWhole(socket, event)
  }
  const { house } = await start(hear)
  await house.set('ModelPrice', JSON.stringify({ [MODEL]: 0.01 }))
  const talk = house.talk()
  await talk.until('session.created')
  for (let turn = 0; turn < 2; turn++) {
    talk.say({ type: 'response.create' })
    await talk.until('response.done')
  }
  talk.socket.close()
  await house.settled()
  expect(await house.user()).toMatchObject({ quota: QUOTA - 2 * 5000, used_quota: 2 * 5000 })
})

const item = (letters: number) => {
  const content = [{ type: 'input_text', text: 'word '.repeat(letters / 5) }]
  return { type: 'conversation.item.create', item: { type: 'message', role: 'user', content } }
}

test('what an answer has read is paid with it: the next one is not held back for it', async () => {
  const { house } = await start(answerWhole, 50_000)
  const talk = house.talk()
  await talk.until('session.created')
  // 10,000 tokens at 2 each time: all of them together are more than there is.
  for (let turn = 0; turn < 6; turn++) {
    talk.say(item(40_000))
    talk.say({ type: 'response.create' })
    await talk.until('response.done')
  }
  talk.socket.close()
  await house.settled()
  // Six times 3426.8.
  expect(await house.user()).toMatchObject({ quota: 50_000 - 20_561, used_quota: 20_561 })
})

test('who has too little for an answer to all that was said is told so before it is made', async () => {
  const silent: Ear = () => {}
  const { house } = await start(silent, 50_000)
  const poor = house.talk()
  await poor.until('session.created')
  // 25,000 tokens at 2 are more than there is when another 1,000 are said.
  poor.say(item(100_000))
  poor.say(item(4000))
  expect((await poor.until('error')).error).toMatchObject({ code: 'insufficient_user_quota' })
  expect(await poor.closed).toMatchObject({ code: 1008 })
  await house.settled()
  expect(await house.user()).toMatchObject({ quota: 50_000, used_quota: 0 })

  const rich = await start(answerWhole)
  const talk = rich.house.talk()
  await talk.until('session.created')
  talk.say(item(2_000_000))
  talk.say({ type: 'response.create' })
  await talk.until('response.done')
  // 500,000 tokens at 2 are set aside for it.
  expect((await rich.house.user()).quota).toBeLessThan(QUOTA - 1_000_000)
  talk.socket.close()
  await rich.house.settled()
  expect(await rich.house.user()).toMatchObject({ quota: QUOTA - COST, used_quota: COST })
})

test('thousands of events that are refused end the session before all are answered', async () => {
  const { house } = await start(() => {})
  const talk = house.talk()
  await talk.until('session.created')
  for (let count = 0; count < 5000; count++)
    talk.say({ type: 'session.update', session: { model: 'another' } })
  let told = 0
  while (await talk.next()) told++
  expect((await talk.closed).code).toBe(1008)
  expect(told).toBeLessThan(1000)
  await house.settled()
})
