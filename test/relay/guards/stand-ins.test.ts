import { afterAll, beforeAll, expect, test } from 'bun:test'
import { type FakeUpstream, startOpenai } from '../../upstreams/index.ts'
import { openRig, type Rig } from '../rig.ts'
import { ask, chat } from '../ways.ts'

// Whoever names a model that nobody has, or that is down, must not reach another past that one's rules.

const rule = { enabled: true, groups: [], where: ['input'], action: 'block' }
const SECRET = 'the secret recipe'
const RULES = [
  { ...rule, name: 'secrets', models: ['gpt-4o'], looks: { by: 'words', words: ['secret recipe'] } },
  { ...rule, name: 'of all', models: [], looks: { by: 'words', words: ['never said'] } },
]

let rig: Rig
let openai: FakeUpstream
let key = ''

beforeAll(async () => {
  openai = await startOpenai()
  rig = await openRig(async books => {
    key = (await books.addToken({ userId: await books.addUser() })).key
    await books.setOption('Guards', JSON.stringify(RULES))
    await books.setOption('ModelFallbacks', JSON.stringify({ '*': ['gpt-4o', 'gpt-4o-mini'] }))
    const models = ['gpt-4o', 'gpt-4o-mini', 'gpt-3.5-turbo-instruct']
    await books.addChannel({ type: 1, baseUrl: openai.url, key: openai.key, models })
    await books.addChannel({ type: 1, baseUrl: 'http://127.0.0.1:9', key: 'sk-down', models: ['gpt-4.1'] })
  })
})
afterAll(async () => {
  expect(openai.complaints).toEqual([])
  expect(await rig.differences()).toEqual([])
  await rig.close()
  await openai.stop()
})

const said = (model: string, content: string, more: object = {}) =>
  ask(rig.url, chat, {
    key,
    rawBody: JSON.stringify({ model, messages: [{ role: 'user', content }], ...more }),
  })
const askedOf = (): unknown[] => openai.requests.splice(0).map(({ text }) => JSON.parse(text).model)

test('a model with rules of its own stands in for none that is without them', async () => {
  expect((await said('gpt-4o', SECRET)).status).toBe(400)
  expect(askedOf()).toEqual([])
  for (const model of ['no-such-model', 'gpt-4.1']) {
    const named = await said(model, SECRET, { fallbacks: ['gpt-4o'] })
    expect([model, named.status >= 500, askedOf()]).toEqual([model, true, []])
    const operators = await said(model, SECRET)
    expect([model, operators.status, operators.headers.get('x-tollgate-model'), askedOf()]).toEqual([
      ...[model, 200, 'gpt-4o-mini'],
      ['gpt-4o-mini'],
    ])
  }
})

test('rules that both have, or only the one that was named, are in nobody’s way', async () => {
  expect((await said('no-such-model', 'never said', { fallbacks: ['gpt-4o-mini'] })).status).toBe(400)
  const down = { model: 'no-such-model', prompt: SECRET, fallbacks: ['gpt-4o'] }
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' }
  const completion = { method: 'POST', headers, body: JSON.stringify(down) }
  expect((await fetch(`${rig.url}/v1/completions`, completion)).status).toBe(503)
  expect(askedOf()).toEqual([])
})
