import { afterAll, beforeAll, expect, test } from 'bun:test'
import { type DrawingHouse, openDrawingHouse } from './drawing-house.ts'

// What goes on from a drawing goes to the channel that made it, whichever that is: it must be one that the caller may use.

const PRICE = 50_000
let house: DrawingHouse['house']
let upstream: DrawingHouse['upstream']
let drawn: DrawingHouse['drawn']
let close: DrawingHouse['close']

beforeAll(async () => {
  ;({ house, upstream, drawn, close } = await openDrawingHouse())
  await house.setOption('GroupRatio', JSON.stringify({ default: 1, cheap: 0.1 }))
  await house.setOption('UserUsableGroups', JSON.stringify({ default: '', cheap: '' }))
})
afterAll(() => close())

/** Another token of the same owner. */
const keyIn = async (group: string) => (await house.addToken({ userId: house.payer.userId, group })).key

test('by a token of a cheaper group nobody goes on with what was drawn in another', async () => {
  const { id } = await drawn()
  await house.spent()
  const asked = upstream.requests.length
  const ways: [string, object][] = [
    ['change', { taskId: id, action: 'REROLL' }],
    ['simple-change', { content: `${id} U1` }],
    ['modal', { taskId: id, prompt: 'a dog' }],
  ]
  for (const listed of [[], ['cheap']]) {
    await house.setOption('AutoGroups', JSON.stringify(listed))
    const key = await keyIn(listed.length === 0 ? 'cheap' : 'auto')
    for (const [kind, body] of ways) {
      const refused = await house.call('POST', `/mj/submit/${kind}`, body, key)
      expect([kind, refused.status, await house.spent()]).toEqual([kind, 503, 0])
    }
  }
  expect(upstream.requests.length).toBe(asked)
})

test('of several groups it is paid in the one that has the channel', async () => {
  const { id } = await drawn()
  await house.setOption('AutoGroups', JSON.stringify(['cheap', 'default']))
  await house.spent()
  const body = { taskId: id, action: 'REROLL' }
  const { status, json } = await house.call('POST', '/mj/submit/change', body, await keyIn('auto'))
  expect([status, json.code, await house.spent()]).toEqual([200, 1, PRICE])
})
