import { afterEach, expect, test } from 'bun:test'
import { asObject, asText } from '../../server/dialects/json.ts'
import { openHouse } from './house.ts'
import { COST, done, type Ear, say, startLoopback } from './upstream.ts'

// What an upstream may do otherwise than one answer after the other, each event a text.

const QUOTA = 10_000_000
const ending: (() => unknown)[] = []
afterEach(async () => {
  for (const end of ending.splice(0).reverse()) await end()
})

async function start(hear: Ear) {
  const upstream = startLoopback(hear)
  ending.push(() => upstream.stop())
  const house = await openHouse(QUOTA)
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
