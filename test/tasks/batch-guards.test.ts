import { afterAll, beforeAll, expect, test } from 'bun:test'
import { logTypes } from '../../contract/log-types.ts'
import { until } from '../program.ts'
import { type BatchHouse, failureOf, line, lines, openBatchHouse } from './batch-house.ts'

const rule = { enabled: true, where: ['input'], groups: [], models: [] }
const RULES = [
  { ...rule, name: 'people', looks: { by: 'kinds', kinds: ['email'] }, action: 'mask' },
  { ...rule, name: 'fruit', looks: { by: 'words', words: ['forbidden'] }, action: 'block' },
]
const hook = (otherwise: 'allow' | 'block') => ({
  ...rule,
  name: otherwise,
  models: ['b-other'],
  looks: { by: 'webhook', url: 'http://127.0.0.1:9/', seconds: 1, otherwise },
  action: 'block',
})

let house: BatchHouse

const setRules = (...more: object[]) => house.setOption('Guards', JSON.stringify([...RULES, ...more]))
const said = (content: string, model = 'b-chat') => ({ model, messages: [{ role: 'user', content }] })

beforeAll(async () => {
  house = await openBatchHouse()
  await setRules()
  // In force a moment later.
  await until(() =>
    house.upload([line(0, said('forbidden'))]).then(
      () => undefined,
      () => true,
    ),
  )
})
afterAll(async () => {
  expect(house.upstream.complaints).toEqual([])
  expect(await house.differences()).toEqual([])
  await house.close()
})

test('lines are masked on their way to the vendor', async () => {
  const file = await house.upload([
    line(0),
    line(1, said('I am ada@example.com')),
    line(2, { messages: [{ role: 'user', content: [{ type: 'text', text: 'or bob@example.org' }] }] }),
  ])
  const batch = await house.begin(file.id)
  const sent = house.upstream.linesOf(await house.atUpstream(batch.id))
  expect(sent.map(({ body }) => JSON.stringify(body.messages))).toEqual([
    expect.stringContaining('"say 0"'),
    expect.stringContaining('"I am [email]"'),
    expect.stringContaining('"or [email]"'),
  ])
  await house.end(batch.id, 'completed', 3)
})

test.each([0, 2, 4999])('a line that is blocked, at %d, refuses the file by its number', async at => {
  const before = house.upstream.files.size
  const all = lines(5000).with(at, line(at, said('the forbidden fruit')))
  const failure = await failureOf(house.upload(all))
  expect(failure.status).toBe(400)
  expect(failure.message).toMatch(new RegExp(`line ${at + 1}\\b.*“fruit”`, 'i'))
  expect(house.upstream.files.size).toBe(before)
  const id = /request id: ([^)\s"]+)/.exec(failure.message)?.[1] ?? ''
  expect(await house.logOf(id)).toMatchObject({
    type: logTypes.error,
    quota: 0,
    details: { admin_info: { guards: { fruit: 1 } } },
  })
})

test('those who would have to be asked are not: the rule says whether the batch goes on', async () => {
  await setRules(hook('block'))
  const asks = () => house.upload(lines(2, { model: 'b-other' }))
  const failure = await until(() =>
    asks().then(
      () => undefined,
      error => error as Error & { status: number },
    ),
  )
  expect([failure.status, failure.message]).toEqual([400, expect.stringContaining('“block”')])
  await setRules(hook('allow'))
  await until(() => asks().catch(() => undefined))
})

test('answers are masked when they are fetched, and one that is blocked has an error in its place', async () => {
  await setRules()
  const file = await until(() =>
    house.upload([line(0), line(1, said('two')), line(2, said('three'))]).catch(() => undefined),
  )
  const batch = await house.begin(file.id)
  const ended = await house.end(batch.id, 'completed', 3)
  const fetched = async () => (await house.client.files.content(ended.output_file_id ?? '')).text()
  const plain = await fetched()
  const answers = (text: string): Answer[] =>
    text
      .trimEnd()
      .split('\n')
      .map(one => JSON.parse(one))
  const words = (text: string) =>
    answers(text).map(({ response }) => response?.body.choices[0]?.message.content)
  expect(words(plain)).toEqual(['answer 0', 'answer 1', 'answer 2'])

  const looks = { by: 'words', words: ['answer 0', 'er 2'] }
  await setRules({ ...rule, name: 'back', where: ['output'], looks, action: 'mask' })
  const masked = await until(async () => {
    const text = await fetched()
    return text === plain ? undefined : text
  })
  expect(words(masked)).toEqual(['[masked]', 'answer 1', 'answ[masked]'])
  expect(masked.split('\n')[1]).toBe(plain.split('\n')[1] ?? '')

  await setRules({ ...rule, name: 'back', where: ['output'], looks, action: 'block' })
  const blocked = await until(async () => {
    const text = await fetched()
    return text === masked ? undefined : answers(text)
  })
  expect(
    blocked.map(({ custom_id, response, error }) => [custom_id, response !== null, error?.code]),
  ).toEqual([
    ['r0', false, 'guard_blocked'],
    ['r1', true, undefined],
    ['r2', false, 'guard_blocked'],
  ])
  expect(blocked[0]?.error?.message).toContain('“back”')
})

interface Answer {
  readonly custom_id: string
  readonly response: { readonly body: { readonly choices: { message: { content: string } }[] } } | null
  readonly error: { readonly code: string; readonly message: string } | null
}
