import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { asArray, asObject, asText, parseObject } from '../../../server/dialects/json.ts'
import { ask, responses } from '../ways.ts'
import { type ChannelHouse, openChannelHouse } from './channel-house.ts'

const model = 'm-items'
const thinker = 'm-thoughts'
const NAMES = ['a', 'b', 'c'] as const
let house: ChannelHouse
let strangerKey = ''

beforeAll(async () => {
  house = await openChannelHouse({}, async ({ add, books }) => {
    strangerKey = (await books.addToken({ userId: await books.addUser() })).key
    await add('a', model)
    await add('b', model)
    await add('c', model)
    for (const name of NAMES) await add(name, thinker)
  })
  for (const name of NAMES) house.answer(name, thinker, { reply: { thinking: 'Hm.' } })
})
afterAll(() => house.close())

/** The id of what was said, or thought. */
async function firstItem(stream: boolean, of = model): Promise<string> {
  const text = await (await ask(house.rig.url, responses, { key: house.key, model: of, stream })).text()
  const last = text.split('\n').findLast(line => line.startsWith('data: {'))
  const response = stream
    ? asObject(parseObject(last?.slice('data: '.length) ?? '')?.response)
    : parseObject(text)
  const id = asText(asObject(asArray(response?.output)[0])?.id)
  if (!id) throw new Error(`no item in ${text}`)
  return id
}

function goOn(id: string, said: string, key = house.key): Promise<Response> {
  const input = [
    { role: 'user', content: said },
    { type: 'item_reference', id },
    { role: 'user', content: 'and then?' },
  ]
  return ask(house.rig.url, responses, { key, model, more: { input } })
}

describe.each([false, true])('an item of an answer, streamed %p', stream => {
  test('is known to the channel that a request naming it is led to, whatever else it says', async () => {
    const id = await firstItem(stream)
    const before = house.asked(model)
    // By chance alone a third of them would come right.
    for (let at = 0; at < 8; at++) {
      const response = await goOn(id, `turn ${stream} ${at}`)
      expect([response.status, response.status === 200 ? '' : await response.text()]).toEqual([200, ''])
    }
    const asked = house.asked(model)
    expect(Object.values(asked).reduce((sum, count) => sum + count, 0)).toBe(
      Object.values(before).reduce((sum, count) => sum + count, 0) + 8,
    )
  })

  test("is nobody else's to name", async () => {
    const id = await firstItem(stream)
    const before = house.asked(model)
    const refused = await goOn(id, 'mine now', strangerKey)
    expect(refused.status).toBe(404)
    expect(await refused.text()).toContain(id)
    expect(house.asked(model)).toEqual(before)
  })
})

// As OpenAI's agents send the conversation back.
test.each([false, true])('a thought without its seal leads to who keeps it, streamed %p', async stream => {
  const id = await firstItem(stream, thinker)
  expect(id).toStartWith('rs_')
  for (let at = 0; at < 8; at++) {
    const input = [
      { role: 'user', content: `turn ${stream} ${at}` },
      { id, type: 'reasoning', summary: [] },
      { role: 'user', content: 'and then?' },
    ]
    const response = await ask(house.rig.url, responses, {
      key: house.key,
      model: thinker,
      more: { input },
    })
    expect([response.status, response.status === 200 ? '' : await response.text()]).toEqual([200, ''])
  }
})

test('what is not known here is asked for all the same, and the vendor says what it knows', async () => {
  const refused = await goOn('msg_of_last_week', 'do you remember')
  expect(refused.status).toBe(404)
  const said = "Item with id 'msg_of_last_week' not found."
  expect(await refused.text()).toContain(said)
  const complaints = Object.values(house.upstreams).flatMap(fake => fake.complaints.splice(0))
  expect(complaints.map(complaint => complaint.includes(said))).toEqual([true])
})
