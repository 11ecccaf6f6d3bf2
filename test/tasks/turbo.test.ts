import { afterAll, beforeAll, expect, test } from 'bun:test'
import { startMidjourney } from '../upstreams/midjourney/start-midjourney.ts'
import { openTaskHouse, type TaskHouse } from './house.ts'

// Drawing in a hurry takes twice as much of what the upstream's account has, however it is asked for.

const TENTH = 50_000
const plus = startMidjourney()
const small = startMidjourney()
let house: TaskHouse

beforeAll(async () => {
  house = await openTaskHouse(async rig => {
    await rig.addChannel({
      type: 5,
      baseUrl: plus.url,
      key: plus.key,
      models: ['mj_imagine', 'mj_reroll', 'mj_video'],
    })
    await rig.addChannel({ type: 2, baseUrl: small.url, key: small.key, models: ['mj_blend', 'mj_shorten'] })
    await rig.setOption('MjAccountFilterEnabled', 'true')
    await rig.setOption('ModelPrice', '{"mj_reroll": 0.1, "mj_reroll:turbo": 0.3, "mj_video": 0.1}')
  })
})
afterAll(async () => {
  expect([...plus.complaints, ...small.complaints]).toEqual([])
  expect(await house.differences()).toEqual([])
  await house.close()
  await plus.stop()
  await small.stop()
})

const cat = { prompt: 'a cat' }

test.each([
  ['the address', '/mj-turbo/mj/submit/imagine', { prompt: 'a cat' }, 2],
  ['the prompt', '/mj/submit/imagine', { prompt: 'a cat --turbo --ar 1:1' }, 2],
  // Phones make one long dash of two, and Midjourney takes either.
  ['the prompt of a phone', '/mj/submit/imagine', { prompt: 'a cat —turbo —ar 1:1' }, 2],
  ['the accounts', '/mj/submit/imagine', { prompt: 'a cat', accountFilter: { modes: ['TURBO'] } }, 2],
  [
    'the accounts, in small letters',
    '/mj/submit/imagine',
    { ...cat, accountFilter: { modes: ['turbo'] } },
    2,
  ],
  ['the accounts, by its number', '/mj/submit/imagine', { ...cat, accountFilter: { modes: [2] } }, 2],
  ['both', '/mj-turbo/mj/submit/imagine', { prompt: 'a cat --turbo' }, 2],
  ['another word', '/mj-fast/mj/submit/imagine', { prompt: 'a cat --turbofan' }, 1],
  ['an upstream that knows no modes', '/mj-turbo/mj/submit/blend', { base64Array: ['a', 'b'] }, 1],
  ['the same by its prompt', '/mj/submit/shorten', { prompt: 'a cat --turbo' }, 2],
  ['the prompt, three times', '/mj/submit/imagine', { prompt: 'a cat --turbo --repeat 3' }, 6],
  ['the address, of those that know none', '/mj-turbo/mj/submit/blend', { base64Array: ['a', 'b'] }, 1],
  ['nobody, but four times', '/mj/submit/imagine', { prompt: 'a cat --repeat 4 --ar 1:1' }, 4],
  ['nobody, but on a phone', '/mj/submit/imagine', { prompt: 'a cat —r 5' }, 5],
  ['nobody, but twice over', '/mj/submit/imagine', { prompt: 'a cat --r 2 --repeat 3' }, 3],
  ['nobody, but without an end', '/mj/submit/imagine', { prompt: 'a cat --repeat 999999999' }, 40],
  ['nobody, with words that only look so', '/mj/submit/imagine', { prompt: 'a --repeater 4 --r two' }, 1],
  ['nobody, to have it made shorter', '/mj/submit/shorten', { prompt: 'a cat --repeat 9' }, 1],
  ['nobody, but as films', '/mj/submit/video', { prompt: 'a cat --bs 4', image: 'a' }, 4],
])('asked for by %s', async (_how, path, body, times) => {
  await house.spent()
  const { json, requestId } = await house.call('POST', path, body)
  expect(json.code).toBe(1)
  expect(await house.spent()).toBe(times * TENTH)
  const { quota, details } = await house.logOf(requestId)
  expect([quota, details.model_price, details.calls ?? 1]).toEqual([times * TENTH, 0.1, times])
})

test('what decides the price has one name, for a proxy may not mind capitals', async () => {
  await house.spent()
  const asked = plus.requests.length
  for (const more of [
    ...[{ Prompt: 'a cat --turbo --repeat 40' }, { PROMPT: 'a cat --turbo' }, { BatchSize: 4 }],
    ...[{ AccountFilter: { modes: ['TURBO'] } }, { accountFilter: { Modes: ['TURBO'] } }],
    { NotifyHook: 'https://hook.example/' },
  ]) {
    const { status, json } = await house.call('POST', '/mj/submit/imagine', { ...cat, ...more })
    expect([more, status, json.code]).toEqual([more, 400, 4])
  }
  expect([await house.spent(), plus.requests.length]).toEqual([0, asked])
})

test('a price of its own goes before that, and all of it comes back when the drawing fails', async () => {
  const { json } = await house.call('POST', '/mj/submit/imagine', { prompt: 'a cat' })
  const at = [...plus.drawings.keys()].at(-1) ?? ''
  plus.succeed(at)
  await house.poll()
  await house.spent()
  const again = { action: 'REROLL', taskId: json.result }
  const hurried = await house.call('POST', '/mj-turbo/mj/submit/change', again)
  expect(await house.spent()).toBe(3 * TENTH)
  plus.fail([...plus.drawings.keys()].at(-1) ?? '', 'banned')
  await house.poll()
  expect(await house.spent()).toBe(-3 * TENTH)
  expect(await house.refunds(hurried.json.result)).toHaveLength(1)

  const twice = await house.call('POST', '/mj/submit/imagine', { prompt: 'a cat --turbo' })
  expect(await house.spent()).toBe(2 * TENTH)
  plus.fail([...plus.drawings.keys()].at(-1) ?? '', 'banned')
  await house.poll()
  expect(await house.spent()).toBe(-2 * TENTH)
  expect(await house.refunds(twice.json.result)).toHaveLength(1)
})
