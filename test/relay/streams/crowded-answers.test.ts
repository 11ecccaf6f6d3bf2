import { afterAll, beforeAll, expect, test } from 'bun:test'
import { type FakeUpstream, startOpenai } from '../../upstreams/index.ts'
import { openRig, type Rig } from '../rig.ts'
import { anthropic, ask, chat, problemIn } from '../ways.ts'

// What an upstream answers is read whole, and read it takes many times its length.

let fake: FakeUpstream
let rig: Rig
let key = ''

beforeAll(async () => {
  fake = await startOpenai()
  rig = await openRig(async books => {
    key = (await books.addToken({ userId: await books.addUser() })).key
    await books.addChannel({ type: 1, baseUrl: fake.url, key: fake.key, models: [chat.model] })
  })
})
afterAll(async () => {
  expect(await rig.differences()).toEqual([])
  await rig.close()
  await fake.stop()
})

const crowd = `[${'{"a":[]},'.repeat(600_000)}0]`
const usage = '"usage":{"prompt_tokens":5,"completion_tokens":2,"total_tokens":7}'
const message = '"choices":[{"index":0,"message":{"role":"assistant","content":"hi"},"finish_reason":"stop"}]'

test.each([
  ['passed', chat],
  ['converted', anthropic],
])('an answer of more values than anybody reads is none, %s', async (_how, way) => {
  const body = Buffer.from(`{"id":"c",${message},${usage},"more":${crowd}}`)
  fake.next({ status: 200, headers: { 'content-type': 'application/json' }, body })
  const response = await ask(rig.url, way, { key, model: chat.model })
  expect(response.status).toBe(502)
  expect(problemIn(way, await response.text())).toBeDefined()
  expect(rig.program.output()).not.toContain('a worker died')
})
