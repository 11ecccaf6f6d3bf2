import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { until } from '../program.ts'
import { type Conversation, PNG, type Said } from '../sdk/conversation.ts'
import { catchError, statusOf } from '../sdk/sdk-errors.ts'
import { openVendor, type VendorHouse, type VendorSetup } from './house.ts'

const CLIENTS = ['openai-chat', 'openai-responses', 'anthropic', 'gemini'] as const
const WAYS = CLIENTS.flatMap(client => [false, true].map(stream => ({ client, stream })))
const TOOL = { name: 'f', description: 'A tool', schema: { type: 'object', properties: {} } }
const DISABLED = 3

export interface UncountedCases extends VendorSetup {
  readonly name: string
  readonly more?: (house: () => VendorHouse) => void
}

/** Every client dialect in front of a vendor that knows words alone and never says what they cost. */
export function testUncounted(cases: UncountedCases): void {
  const model = cases.models[0] ?? ''
  let house: VendorHouse
  beforeAll(async () => {
    house = await openVendor(cases)
  }, 60_000)
  afterAll(() => house.close())

  /** What the client was told was counted here, and is what was paid. */
  async function expectCounted({ usage, requestId }: Said): Promise<void> {
    const { input, output } = usage
    expect(usage).toMatchObject({ cached: 0, reasoning: 0 })
    expect(Math.min(input, output)).toBeGreaterThan(0)
    expect(await house.rig.chargeOf(requestId)).toBe(house.cost(model, { input, output }))
  }

  describe.each(WAYS)(`$client asks ${cases.name}, streamed $stream`, ({ client, stream }) => {
    const ask = (conversation: Conversation) => house.clients[client].ask(model, conversation, stream)

    test('a conversation with a system prompt, and characters of every width', async () => {
      const text = '"quotes"\\ \n\t\u2028 é 漢字 👩‍👩‍👧 </script>'
      const said = await ask({
        system: 'You are terse.',
        turns: [{ user: 'Hi' }, { assistant: 'Hello 👋' }, { user: text }],
      })
      expect(said.text).toBe(`You said: ${text}`)
      expect(said.finish).toBe(house.clients[client].finishes.stop)
      await expectCounted(said)
    })

    test('an image and a tool are refused before anything is sent', async () => {
      const before = house.fake.requests.length
      const image = { turns: [{ user: 'What is this?', image: { base64: PNG } }] }
      for (const conversation of [image, { turns: [{ user: 'Hi' }], tools: [TOOL] }])
        expect(statusOf(await catchError(ask(conversation)))).toBe(400)
      expect(house.fake.requests.length).toBe(before)
    })

    test('a refusal is told in the vendor’s words, and without its secrets', async () => {
      house.fake.next(house.fake.failWith('bad-request', 'Your question is too odd.'))
      const error = await catchError(ask({ turns: [{ user: 'Hi' }] }))
      expect([statusOf(error), error.message]).toEqual([400, expect.stringContaining('is too odd.')])
      house.fake.next(house.fake.failTellingSecrets('bad-request'))
      const secret = await catchError(ask({ turns: [{ user: 'Hi' }] }))
      expect(secret.message).not.toContain(house.fake.key)
      expect(secret.message).not.toContain(house.fake.url)
    })

    if (stream)
      test('bytes one by one, an answer that is cut, and one that ends in an error', async () => {
        const question = { turns: [{ user: 'one 漢字 three four five six' }] }
        house.fake.next({ chunkBytes: 1 })
        expect((await ask(question)).text).toBe('You said: one 漢字 three four five six')
        for (const script of [{ cutAfterFrames: 3 }, { errorAfterFrames: 3 }]) {
          house.fake.next(script)
          expect(await catchError(ask(question))).toBeInstanceOf(Error)
        }
      })
  })

  for (const { kind, leads, status } of cases.failures ?? [])
    test(`${kind} of ${cases.name} is ${leads}`, async () => {
      const name = `fails-${kind}`
      const before = house.fake.requests.length
      house.fake.next(house.fake.failWith(kind))
      const asking = house.clients['openai-chat'].ask(name, { turns: [{ user: 'Hi' }] }, false)
      if (leads === 'told') {
        expect(statusOf(await catchError(asking))).toBe(status ?? house.fake.failWith(kind).status)
        expect(house.fake.requests.length).toBe(before + 1)
        return
      }
      expect((await asking).text).toBe('You said: Hi')
      expect(house.fake.requests.length).toBe(before + 2)
      if (leads === 'disabled')
        await until(async () => ((await house.statusOf(name)) === DISABLED ? true : undefined))
      else expect(await house.statusOf(name)).toBe(1)
    })

  cases.more?.(() => house)

  test(`${cases.name} had nothing to complain of, and the books agree`, () => house.expectOrder())
}
