import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { until } from '../program.ts'
import { type Conversation, PNG, type Said, type ToolOffer } from '../sdk/conversation.ts'
import { catchError, statusOf } from '../sdk/sdk-errors.ts'
import type { FailureKind } from '../upstreams/failure.ts'
import { openVendors, type VendorHouse, type VendorSetup } from './house.ts'

/** What a vendor's chat can do beside texts. What it lacks has to be refused before anything is sent. */
type Feature = 'tools' | 'forced-tools' | 'thinking' | 'images' | 'schema' | 'stop' | 'limit' | 'cache'

export interface ChatCases extends VendorSetup {
  readonly name: string
  readonly can: readonly Feature[]
  /** False for a vendor that never says what an answer costs: it is counted here. */
  readonly counts?: false
  /** Asked for in these tests; the first of `models` when absent. */
  readonly model?: string
  /** Dialects that the vendor speaks itself: its answers go to their clients as they came. */
  readonly speaks?: readonly (typeof CLIENTS)[number][]
  /** What those clients find elsewhere than OpenAI puts it: there, only what is paid is looked at. */
  readonly apart?: readonly ('thinking' | 'cache')[]
  /** Tests of this vendor alone, and of what is not chat. */
  readonly more?: (house: () => VendorHouse) => void
}

const CLIENTS = ['openai-chat', 'openai-responses', 'anthropic', 'gemini'] as const
const WAYS = CLIENTS.flatMap(client => [false, true].map(stream => ({ client, stream })))

const WEATHER: ToolOffer = {
  name: 'get_weather',
  description: 'The weather in a city',
  schema: {
    type: 'object',
    properties: { city: { type: 'string' }, days: { type: 'integer' } },
    required: ['city', 'days'],
    additionalProperties: false,
  },
}
const SCHEMA = {
  type: 'object',
  properties: { city: { type: 'string' }, warm: { type: 'boolean' } },
  required: ['city', 'warm'],
  additionalProperties: false,
}
const DISABLED = 3

/** Every client dialect in front of one vendor, whole and streamed: words, charge and errors. */
export function testChat(cases: ChatCases): void {
  testChats([cases])
}

/** The same for several vendors, behind one gateway. */
export function testChats(all: readonly ChatCases[]): void {
  let street: Awaited<ReturnType<typeof openVendors>>
  beforeAll(async () => {
    street = await openVendors(all)
  })
  afterAll(() => street.close())

  for (const [at, cases] of all.entries())
    testVendor(cases, () => {
      const house = street.houses[at]
      if (!house) throw new Error('no house')
      return house
    })
}

function testVendor(cases: ChatCases, open: () => VendorHouse): void {
  const model = cases.model ?? cases.models[0] ?? ''
  const can = (feature: Feature): boolean => cases.can.includes(feature)
  let house: VendorHouse
  beforeAll(() => {
    house = open()
  })

  async function expectPaid(said: Said): Promise<void> {
    if (cases.counts !== false) return house.expectPaid(said, model)
    const { input, output } = said.usage
    expect(said.usage).toMatchObject({ cached: 0, reasoning: 0 })
    expect(Math.min(input, output)).toBeGreaterThan(0)
    expect(await house.rig.chargeOf(said.requestId)).toBe(house.cost(model, { input, output }))
  }

  /** Whoever names another model gets that, where the vendor's words are understood. */
  async function expectAnother(refusing: string, kind: FailureKind): Promise<void> {
    house.fake.next(house.fake.failWith(kind))
    const messages = [{ role: 'user', content: 'Hi' }]
    const asked = { model: refusing, messages, fallbacks: [model] }
    const { status, headers } = await house.post('/v1/chat/completions', asked)
    expect([status, decodeURIComponent(headers.get('x-tollgate-model') ?? '')]).toEqual([200, model])
  }

  describe.each(WAYS)(`$client asks ${cases.name}, streamed $stream`, ({ client, stream }) => {
    const ask = (conversation: Conversation) => house.clients[client].ask(model, conversation, stream)
    const finishes = () => house.clients[client].finishes
    const isApart = (feature: 'thinking' | 'cache'): boolean =>
      cases.speaks?.includes(client) === true && cases.apart?.includes(feature) === true
    const refused = async (conversation: Conversation): Promise<void> => {
      const before = house.fake.requests.length
      expect(statusOf(await catchError(ask(conversation)))).toBe(400)
      expect(house.fake.requests.length).toBe(before)
    }

    test('a conversation with a system prompt', async () => {
      const texts = [
        'You are terse.',
        'My name is Ada; cached.',
        'Hello Ada! 你好 👋',
        'What is my name?',
      ] as const
      const said = await ask({
        system: texts[0],
        turns: [{ user: texts[1] }, { assistant: texts[2] }, { user: texts[3] }],
      })
      expect(said.text).toBe('You said: What is my name?')
      expect(said.finish).toBe(finishes().stop)
      if (isApart('cache')) return house.expectPrice(said, model)
      if (can('cache')) expect(said.usage.cached).toBeGreaterThan(0)
      await expectPaid(said)
    })

    test('characters of every width', async () => {
      const text = '"quotes"\\ \n\t\u2028 é 漢字 👩‍👩‍👧 </script>'
      const said = await ask({ turns: [{ user: text }] })
      expect(said.text).toBe(`You said: ${text}`)
      await expectPaid(said)
    })

    if (can('limit'))
      test('an answer that is cut by the limit', async () => {
        const said = await ask({ turns: [{ user: 'word '.repeat(40) }], maxTokens: 16 })
        expect(said.text).toBe(`You said: ${'word '.repeat(40)}`.slice(0, 64))
        expect(said.finish).toBe(finishes().length)
        await expectPaid(said)
      })

    if (can('stop') && client !== 'openai-responses')
      test('a stop string', async () => {
        const said = await ask({ turns: [{ user: 'one two STOP three' }], stop: 'STOP' })
        expect(said.text).toBe('You said: one two ')
        await expectPaid(said)
      })

    if (can('schema'))
      test('a schema for the answer', async () => {
        const said = await ask({ turns: [{ user: 'Where is it warm? Answer in JSON.' }], schema: SCHEMA })
        expect(JSON.parse(said.text)).toEqual({ city: 'some city', warm: true })
        await expectPaid(said)
      })

    test('an image', async () => {
      const conversation = { turns: [{ user: 'What is this?', image: { base64: PNG } }] }
      if (!can('images')) return refused(conversation)
      const said = await ask(conversation)
      expect(said.text).toBe(`saw image image/png ${Buffer.from(PNG, 'base64').length} bytes`)
      await expectPaid(said)
    })

    test('a call and its result', async () => {
      const question = { user: 'Please call get_weather' }
      if (!can('tools')) return refused({ turns: [question], tools: [WEATHER] })
      const called = await ask({ turns: [question], tools: [WEATHER] })
      expect(called.calls).toEqual([
        { id: expect.any(String), name: 'get_weather', input: { city: 'some city', days: 1 } },
      ])
      expect(called.finish).toBe(finishes().tools)
      await expectPaid(called)
      const [of] = called.calls
      if (of === undefined) throw new Error('no call')
      const told = await ask({
        turns: [question, { said: called }, { results: [{ of, text: 'Sunny, 30°' }] }],
        tools: [WEATHER],
      })
      expect(told.text).toBe('The tool said: Sunny, 30°')
      expect(told.finish).toBe(finishes().stop)
      await expectPaid(told)
    })

    if (can('tools'))
      test('a tool that has to be called', async () => {
        const conversation = { turns: [{ user: 'Hi' }], tools: [WEATHER], choice: 'required' as const }
        if (!can('forced-tools')) return refused(conversation)
        const said = await ask(conversation)
        expect(said.calls.map(({ name }) => name)).toEqual(['get_weather'])
        await expectPaid(said)
      })

    if (can('thinking'))
      test('thoughts', async () => {
        const said = await ask({ turns: [{ user: 'Why?' }], think: true })
        expect(said.text).toBe('You said: Why?')
        if (isApart('thinking')) return house.expectPrice(said, model)
        expect(said.thinking).toBe('Thinking about: Why?')
        await expectPaid(said)
      })

    test('a refusal is told in the vendor’s words, and without its secrets', async () => {
      house.fake.next(house.fake.failWith('bad-request', 'Your question is too odd.'))
      const error = await catchError(ask({ turns: [{ user: 'Hi' }] }))
      expect(statusOf(error)).toBe(house.fake.failWith('bad-request').status === 422 ? 422 : 400)
      expect(error.message).toContain('Your question is too odd.')
      house.fake.next(house.fake.failTellingSecrets('bad-request'))
      const secret = await catchError(ask({ turns: [{ user: 'Hi' }] }))
      expect(secret.message).not.toContain(house.fake.key)
      expect(secret.message).not.toContain(house.fake.url)
    })

    if (stream) {
      test('bytes that come one by one', async () => {
        house.fake.next({ chunkBytes: 1 })
        const said = await ask({ turns: [{ user: 'One 漢字 at a time' }] })
        expect(said.text).toBe('You said: One 漢字 at a time')
        await expectPaid(said)
      })

      test('a stream that is cut, and one that tells of an error, are no answers', async () => {
        const question = { turns: [{ user: 'one two three four five six' }] }
        house.fake.next({ cutAfterFrames: 3 })
        expect(await catchError(ask(question))).toBeInstanceOf(Error)
        house.fake.next({ errorAfterFrames: 3 })
        expect(await catchError(ask(question))).toBeInstanceOf(Error)
      })
    }

    // Clients of the vendor's own dialect get its answer as it came.
    if (cases.counts !== false && !cases.speaks?.includes(client))
      test('an answer without a count is counted here', async () => {
        house.fake.next({ usage: 'none' })
        const said = await ask({ turns: [{ user: 'How many tokens are this?' }] })
        expect(said.usage.output).toBeGreaterThan(0)
        expect(await house.rig.chargeOf(said.requestId)).toBe(
          house.cost(model, { input: said.usage.input, output: said.usage.output }),
        )
      })
  })

  for (const { kind, leads, status } of cases.failures ?? [])
    test(`${kind} of ${cases.name} is ${leads}`, async () => {
      const name = house.failing(kind)
      const before = house.fake.requests.length
      house.fake.next(house.fake.failWith(kind))
      const asking = house.clients['openai-chat'].ask(name, { turns: [{ user: 'Hi' }] }, false)
      if (leads === 'told') {
        expect(statusOf(await catchError(asking))).toBe(status ?? house.fake.failWith(kind).status)
        expect(house.fake.requests.length).toBe(before + 1)
        if (kind === 'too-long' || kind === 'filtered') await expectAnother(name, kind)
        return
      }
      expect((await asking).text).toBe('You said: Hi')
      expect(house.fake.requests.length).toBe(before + 2)
      if (leads === 'disabled')
        await until(async () => ((await house.statusOf(name)) === DISABLED ? true : undefined))
      else expect(await house.statusOf(name)).toBe(1)
    })

  cases.more?.(open)

  test(`${cases.name} had nothing to complain of, and the books agree`, () => house.expectOrder())
}
