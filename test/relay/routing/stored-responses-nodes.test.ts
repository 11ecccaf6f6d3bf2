import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { join } from 'node:path'
import { asArray, asObject, asText, type JsonObject, parseObject } from '../../../server/dialects/json.ts'
import { morePatience } from '../../more-patience.ts'
import { type Program, startProgram } from '../../program.ts'
import { SECRET_KEY } from '../rig.ts'
import { ask, responses } from '../ways.ts'
import { type ChannelHouse, openChannelHouse } from './channel-house.ts'

const model = 'm-nodes'
/** What is not written down in two seconds, others do not know. */
const patience = morePatience({ 2000: 60_000 })
let house: ChannelHouse
let other: Program
let strangerKey = ''

beforeAll(async () => {
  house = await openChannelHouse(
    {},
    async ({ add, books }) => {
      strangerKey = (await books.addToken({ userId: await books.addUser() })).key
      for (const at of ['a', 'b', 'c'] as const) await add(at, model)
    },
    { WORKERS: '2', ...patience },
  )
  other = await startOther()
})
afterAll(async () => {
  await other.stop()
  await house.close()
})

const startOther = () =>
  startProgram({
    SECRET_KEY,
    ...patience,
    DATABASE_URL: `sqlite:${join(house.rig.program.dataDir, 'tollgate.db')}`,
  })

/** On a connection of its own, so that any worker may get it. */
async function say(
  url: string,
  key: string,
  stream: boolean,
  more: JsonObject,
): Promise<[number, JsonObject]> {
  const headers = { connection: 'close', 'accept-language': 'en' }
  const response = await ask(url, responses, { key, model, stream, more, headers })
  const text = await response.text()
  if (!text.startsWith('event:')) return [response.status, parseObject(text) ?? {}]
  const last = text.split('\n').findLast(line => line.startsWith('data: {'))
  return [response.status, asObject(parseObject(last?.slice('data: '.length) ?? '')?.response) ?? {}]
}

const idOf = (value: unknown): string => asText(asObject(value)?.id) ?? ''

describe.each([false, true])('an answer of one node, streamed %p', stream => {
  test('is gone on from at any worker and node, on the channel that made it', async () => {
    const [, answer] = await say(house.rig.url, house.key, stream, {})
    const item = idOf(asArray(answer.output)[0])
    expect([idOf(answer), item]).not.toContain('')
    const before = house.asked(model)
    // By chance alone a third of them would come right.
    for (let turn = 0; turn < 8; turn++) {
      const url = turn % 2 ? house.rig.url : other.url
      const input = [{ role: 'user', content: `turn ${turn}` }]
      const [status] = await say(url, house.key, stream, { previous_response_id: idOf(answer), input })
      expect(status).toBe(200)
      const named = [...input, { type: 'item_reference', id: item }, { role: 'user', content: 'and then?' }]
      expect((await say(url, house.key, stream, { input: named }))[0]).toBe(200)
    }
    const after = house.asked(model)
    const asked = Object.entries(after).filter(([name, count]) => count !== before[name as 'a' | 'b' | 'c'])
    expect(asked.map(([name, count]) => count - before[name as 'a' | 'b' | 'c'])).toEqual([16])
  })

  test("is nobody else's at any of them, and a node that starts anew knows it", async () => {
    const [, answer] = await say(house.rig.url, house.key, stream, {})
    const input = [
      { role: 'user', content: 'mine now' },
      { type: 'item_reference', id: idOf(asArray(answer.output)[0]) },
    ]
    const before = house.asked(model)
    for (const url of [house.rig.url, other.url, house.rig.url, other.url]) {
      for (const more of [{ previous_response_id: idOf(answer) }, { input }]) {
        const [status, body] = await say(url, strangerKey, false, more)
        expect([status, asText(asObject(body.error)?.message)]).toEqual([
          404,
          expect.stringContaining('not known here'),
        ])
      }
    }
    expect(house.asked(model)).toEqual(before)
    await other.stop()
    other = await startOther()
    expect((await say(other.url, house.key, false, { previous_response_id: idOf(answer) }))[0]).toBe(200)
  })
})

test('an answer that the vendor is told not to keep leaves nothing behind', async () => {
  const rows = () => house.rig.store.db.selectFrom('kept_answers').select('name_hash').execute()
  const before = await rows()
  expect((await say(house.rig.url, house.key, true, { store: false }))[0]).toBe(200)
  expect((await say(house.rig.url, house.key, false, { store: false }))[0]).toBe(200)
  expect(await rows()).toEqual(before)
})
