import { describe, expect, test } from 'bun:test'
import { atRest } from '../at-rest.ts'
import { startSpark, startSparkOpen } from '../upstreams/spark/start.ts'
import { testChat } from './chat-cases.ts'
import type { VendorHouse } from './house.ts'

/** It says so of a clock that is wrong and of an address that is not on its list: neither is the key's fault. */
function testForbidden(house: () => VendorHouse): void {
  test.each([
    'HMAC signature cannot be verified, a valid date or x-date header is required for HMAC Authentication',
    'Your IP address is not allowed',
  ])('403, %s: the next channel is asked, and the key stays', async message => {
    const model = house().failing('forbidden')
    const before = house().fake.requests.length
    house().fake.next({ status: 403, body: { message } })
    const said = await house().clients['openai-chat'].ask(model, { turns: [{ user: 'Hi' }] }, true)
    expect(said.text).toBe('You said: Hi')
    expect(house().fake.requests.length).toBeGreaterThan(before)
    await atRest()
    expect(await house().statusOf(model)).toBe(1)
  })
}

describe('its WebSockets', () =>
  testChat({
    name: 'Spark',
    type: 18,
    start: startSpark,
    models: ['generalv3.5', 'lite', 'spark-x', 'SparkDesk'],
    channel: () => ({ other: 'v3.1' }),
    can: [],
    failures: [
      { kind: 'too-long', leads: 'told', status: 400 },
      { kind: 'filtered', leads: 'told', status: 400 },
      { kind: 'forbidden', leads: 'retried' },
      { kind: 'no-balance', leads: 'retried' },
      { kind: 'rate-limit', leads: 'retried' },
      { kind: 'quota', leads: 'retried' },
      { kind: 'server-error', leads: 'retried' },
      { kind: 'overloaded', leads: 'retried' },
      { kind: 'bad-key', leads: 'disabled' },
      { kind: 'account-off', leads: 'disabled' },
    ],
    more(house) {
      testForbidden(house)

      test('every model has its address', async () => {
        const system = 'You are terse.'
        for (const [model, path] of [
          ['lite', '/v1.1/chat'],
          ['SparkDesk', '/v3.1/chat'],
        ] as const) {
          const said = await house().clients.anthropic.ask(model, { system, turns: [{ user: 'Hi' }] }, true)
          // It knows no system text, so the user said it.
          expect(said.text).toBe('You said: You are terse.\nHi')
          expect(house().seen().path).toBe(path)
          await house().expectPaid(said, model)
        }
      })

      test('thoughts', async () => {
        for (const stream of [false, true]) {
          const said = await house().clients['openai-chat'].ask(
            'spark-x',
            { turns: [{ user: 'Why?' }] },
            stream,
          )
          expect([said.thinking, said.text]).toEqual(['Thinking about: Why?', 'You said: Why?'])
        }
      })
    },
  }))

describe('its plain requests', () =>
  testChat({
    name: 'Spark by HTTP',
    type: 18,
    start: startSparkOpen,
    models: ['4.0Ultra', 'spark-x'],
    can: ['tools', 'forced-tools', 'stop'],
    failures: [
      { kind: 'too-long', leads: 'told' },
      { kind: 'rate-limit', leads: 'retried' },
      { kind: 'forbidden', leads: 'retried' },
      { kind: 'server-error', leads: 'retried' },
      { kind: 'bad-key', leads: 'disabled' },
    ],
    more(house) {
      testForbidden(house)

      test('a limit is kept, though the vendor does not name it as the end', async () => {
        const turns = [{ user: 'word '.repeat(40) }]
        const said = await house().clients['openai-chat'].ask('4.0Ultra', { turns, maxTokens: 16 }, true)
        expect(said.text).toHaveLength(64)
        await house().expectPaid(said, '4.0Ultra')
      })

      test('models that think have their own address', async () => {
        for (const stream of [false, true]) {
          const asked = { turns: [{ user: 'Why?' }], think: true }
          const said = await house().clients.anthropic.ask('spark-x', asked, stream)
          expect([said.thinking, said.text]).toEqual(['Thinking about: Why?', 'You said: Why?'])
          expect(house().seen().path).toBe('/v2/chat/completions')
        }
      })
    },
  }))
