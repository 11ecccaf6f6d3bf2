import { afterAll, beforeAll, expect, test } from 'bun:test'
import { logTypes } from '../../contract/log-types.ts'
import { until } from '../program.ts'
import {
  failureOf,
  type MessageBatchHouse,
  openMessageBatchHouse,
  request,
  requests,
} from './message-batch-house.ts'

const rule = { enabled: true, where: ['input'], groups: [], models: [] }
const RULES = [
  { ...rule, name: 'people', looks: { by: 'kinds', kinds: ['email'] }, action: 'mask' },
  { ...rule, name: 'fruit', looks: { by: 'words', words: ['forbidden'] }, action: 'block' },
]
const said = (content: string) => ({ messages: [{ role: 'user', content }] })

let house: MessageBatchHouse

const setRules = (...more: object[]) => house.setOption('Guards', JSON.stringify([...RULES, ...more]))

beforeAll(async () => {
  house = await openMessageBatchHouse()
  await setRules()
  // In force a moment later.
  await until(() =>
    house.begin([request(0, said('forbidden'))]).then(
      ({ id }) => house.end(id, { errored: 1 }).then(() => undefined),
      () => true,
    ),
  )
})
afterAll(async () => {
  expect(house.upstream.complaints).toEqual([])
  expect(await house.differences()).toEqual([])
  await house.close()
})

test('requests are masked on their way to the vendor', async () => {
  const batch = await house.begin([
    request(0),
    request(1, said('I am ada@example.com')),
    request(2, { messages: [{ role: 'user', content: [{ type: 'text', text: 'or bob@example.org' }] }] }),
  ])
  const sent = house.upstream.requestsOf(await house.atUpstream(batch.id))
  expect(sent.map(({ params }) => JSON.stringify(params.messages))).toEqual([
    expect.stringContaining('"say 0"'),
    expect.stringContaining('"I am [email]"'),
    expect.stringContaining('"or [email]"'),
  ])
  await house.end(batch.id, { errored: 3 })
})

test.each([0, 2, 999])('one that is blocked, at %d, refuses the batch by its place', async at => {
  const before = house.upstream.batches.size
  await house.spent()
  const all = requests(1000).with(at, request(at, said('the forbidden fruit')))
  const failure = await failureOf(house.begin(all))
  expect(failure).toMatchObject({ status: 400, type: 'invalid_request_error' })
  expect(failure.message).toContain(`requests.${at}: `)
  expect([house.upstream.batches.size, await house.spent()]).toEqual([before, 0])
  const id = /request id: ([^)\s"]+)/.exec(failure.message)?.[1] ?? ''
  expect(await house.logOf(id)).toMatchObject({
    type: logTypes.error,
    quota: 0,
    details: { admin_info: { guards: { fruit: 1 } } },
  })
})

test('answers are masked or blocked where they are read, and paid as they were made', async () => {
  const batch = await house.begin(requests(3))
  await house.end(batch.id, { succeeded: 3 })
  const out = { ...rule, where: ['output'] }
  await setRules(
    { ...out, name: 'one', looks: { by: 'words', words: ['answer 1'] }, action: 'mask' },
    { ...out, name: 'two', looks: { by: 'words', words: ['answer 2'] }, action: 'block' },
  )
  const results = await until(async () => {
    const all = await house.resultsOf(batch.id)
    return all.some(({ result }) => result.type === 'errored') ? all : undefined
  })
  expect(results.map(({ custom_id }) => custom_id)).toEqual(['r2', 'r1', 'r0'])
  const [blocked, masked, plain] = results.map(({ result }) => result)
  expect(blocked).toMatchObject({
    type: 'errored',
    error: { type: 'error', error: { type: 'invalid_request_error' } },
  })
  expect(JSON.stringify(blocked)).not.toContain('answer 2')
  expect(JSON.stringify(masked)).not.toContain('answer 1')
  expect(masked).toMatchObject({ type: 'succeeded', message: { usage: { output_tokens: 30 } } })
  expect(plain).toMatchObject({ message: { content: [{ text: 'answer 0' }] } })
  await setRules()
})

test('where others would have to be asked, and must be, there are no batches', async () => {
  const looks = { by: 'webhook', url: 'http://127.0.0.1:9/', seconds: 1, otherwise: 'block' }
  await setRules({ ...rule, name: 'asked', looks, action: 'block' })
  const failure = await until(() =>
    house.begin(requests(1)).then(
      ({ id }) => house.end(id, { errored: 1 }).then(() => undefined),
      error => error as Error,
    ),
  )
  expect(failure.message).toContain('asked')
  await setRules()
})
