import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { until } from '../../program.ts'
import { anthropic, ask, chat } from '../ways.ts'
import { CACHE, type CacheHouse, type Called, openCacheHouse } from './cache-house.ts'

// Of calls that ask the same at once one goes out, and the others wait for its answer.

let house: CacheHouse

beforeAll(async () => {
  house = await openCacheHouse(async () => {})
})
afterAll(() => house.close())

const asked = () => house.vendorOf(chat).requests.length

/** Nothing is answered until it is opened; `scripts` say how, in the order of the requests. */
function closeGate(...scripts: object[]): () => void {
  const { promise: opened, resolve } = Promise.withResolvers<void>()
  house.vendorOf(chat).always(async () => {
    const script = scripts.shift() ?? {}
    await opened
    return script
  })
  return resolve
}

/** By now the program has read all that was sent before. */
async function letArrive(): Promise<void> {
  for (let at = 0; at < 3; at++) await house.call(anthropic, { cache: '', text: `meanwhile ${at}` })
}

const outcomes = (calls: readonly Called[]) => calls.map(({ cache }) => cache).sort()

describe.each([false, true])('streamed %p', stream => {
  test('a hundred ask at once, one upstream call is made, and each pays as for a kept answer', async () => {
    const before = asked()
    const open = closeGate()
    const calling = Array.from({ length: 100 }, () => house.call(chat, { text: 'all at once', stream }))
    await until(() => asked() > before)
    await letArrive()
    open()
    const calls = await Promise.all(calling)
    expect(asked()).toBe(before + 1)
    expect(new Set(calls.map(({ status, body }) => `${status} ${body}`)).size).toBe(1)
    expect(outcomes(calls)).toEqual([...Array(99).fill('hit'), 'miss'])
    const { input = 0, output = 0 } = house.vendorOf(chat).served.at(-1)?.tally ?? {}
    const usual = (input + output * 2) * 3
    for (const { cache, requestId } of calls)
      expect(await house.rig.chargeOf(requestId)).toBe(cache === 'hit' ? Math.floor((usual + 1) / 2) : usual)
  })

  test('where the first fails each asks for itself', async () => {
    const fake = house.vendorOf(chat)
    const before = asked()
    const open = closeGate(fake.failWith('bad-request'))
    const calling = Array.from({ length: 6 }, () => house.call(chat, { text: 'one fails', stream }))
    await until(() => asked() > before)
    await letArrive()
    open()
    const calls = await Promise.all(calling)
    expect(calls.map(({ status }) => status).sort()).toEqual([200, 200, 200, 200, 200, 400])
    expect(asked() - before).toBeGreaterThanOrEqual(2)
    expect((await house.call(chat, { text: 'one fails', stream })).cache).toBe('hit')
  })

  test('where the first leaves another takes its place, and the others wait for that one', async () => {
    const before = asked()
    const open = closeGate()
    const leaving = new AbortController()
    const { signal } = leaving
    const asking = { key: house.token.key, model: 'm-chat', text: 'one leaves', stream }
    const first = ask(house.rig.url, chat, { ...asking, headers: { [CACHE]: 'on' }, signal })
    first.catch(() => {})
    await until(() => asked() === before + 1)
    const calling = Array.from({ length: 5 }, () => house.call(chat, { text: 'one leaves', stream }))
    await letArrive()
    leaving.abort()
    await until(() => asked() === before + 2)
    open()
    const calls = await Promise.all(calling)
    expect(calls.map(({ status }) => status)).toEqual(Array(5).fill(200))
    expect(outcomes(calls)).toEqual([...Array(4).fill('hit'), 'miss'])
    expect(asked()).toBe(before + 2)
  })

  test('who asks anew, or not for a kept answer, waits for nobody', async () => {
    const before = asked()
    const open = closeGate()
    const call = (cache: string) => house.call(chat, { text: 'not everybody waits', stream, cache })
    const first = call('on')
    await until(() => asked() === before + 1)
    const calling = [first, call('refresh'), call(''), call('on')]
    await until(() => asked() >= before + 3)
    await letArrive()
    open()
    expect((await Promise.all(calling)).map(({ status }) => status)).toEqual([200, 200, 200, 200])
    expect(asked()).toBe(before + 3)
  })
})
