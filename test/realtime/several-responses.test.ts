import { afterAll, beforeAll, expect, test } from 'bun:test'
import { asObject, asText } from '../../server/dialects/json.ts'
import { type House, openHouse } from './house.ts'
import { done, type Ear, say, startLoopback } from './upstream.ts'

// Clients may have responses made beside the conversation, several at once.

const QUOTA = 10_000_000
let house: House
let upstream: ReturnType<typeof startLoopback>

/** Ends those beside the conversation by their names alone, as OpenAI does; `short` is over at once. */
const hear: Ear = (socket, event) => {
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

beforeAll(async () => {
  upstream = startLoopback(hear)
  house = await openHouse(QUOTA)
  await house.addChannel(upstream.url)
})
afterAll(async () => {
  await house.close()
  upstream.stop()
})

test('who leaves in the middle of several pays for each of them, and for what it read', async () => {
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
