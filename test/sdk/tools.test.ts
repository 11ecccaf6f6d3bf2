import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import type { Conversation, ToolOffer } from './conversation.ts'
import { DIALECTS, expectOrder, type House, MODELS, openHouse, PAIRS } from './house.ts'

let house: House
beforeAll(async () => {
  house = await openHouse()
})
afterAll(() => house.close())

const WEATHER: ToolOffer = {
  name: 'get_weather',
  description: 'The weather in a city',
  schema: {
    type: 'object',
    properties: { city: { type: 'string', description: 'Its name' }, days: { type: 'integer' } },
    required: ['city', 'days'],
    additionalProperties: false,
  },
}
const TIME: ToolOffer = {
  name: 'get_time',
  description: 'The time',
  schema: { type: 'object', properties: {} },
}
const tools = [WEATHER, TIME]
const weather = { name: 'get_weather', input: { city: 'some city', days: 1 } }
const time = { name: 'get_time', input: {} }

describe.each(PAIRS)('$client asks $upstream, streamed $stream', ({ client, upstream, stream }) => {
  const ask = (conversation: Conversation) =>
    house.clients[client].ask(MODELS[upstream], conversation, stream)
  const finishes = () => house.clients[client].finishes

  test('a call and its result', async () => {
    const question = { user: 'Please call get_weather' }
    const called = await ask({ turns: [question], tools })
    expect(called.calls).toEqual([{ id: expect.any(String), ...weather }])
    expect(called.text).toBe('')
    expect(called.finish).toBe(finishes().tools)
    await house.expectPaid(upstream, called)

    const [of] = called.calls
    if (of === undefined) throw new Error('no call')
    const told = await ask({
      turns: [question, { said: called }, { results: [{ of, text: 'Sunny, 30°' }] }],
      tools,
    })
    expect(told.text).toBe('The tool said: Sunny, 30°')
    expect(told.finish).toBe(finishes().stop)
    await house.expectPaid(upstream, told)

    const more = await ask({
      turns: [
        question,
        { said: called },
        { results: [{ of, text: 'Sunny, 30°' }] },
        { said: told },
        { user: 'Thanks' },
      ],
      tools,
    })
    expect(more.text).toBe('You said: Thanks')
    await house.expectPaid(upstream, more)
  })

  test.each([
    { offered: tools, wanted: [weather, time] },
    // Calls of one name, which only ids or their order tell apart.
    { offered: [WEATHER], wanted: [weather, weather] },
  ])('two calls at once: $wanted.1.name', async ({ offered, wanted }) => {
    const question = { user: 'Now call both' }
    const called = await ask({ turns: [question], tools: offered })
    expect(called.calls).toEqual(wanted.map(one => ({ id: expect.any(String), ...one })))
    // Gemini itself gives none.
    if (client !== 'gemini') expect(new Set(called.calls.map(call => call.id)).size).toBe(2)
    await house.expectPaid(upstream, called)

    const results = called.calls.map((of, at) => ({ of, text: at === 0 ? 'first' : 'second' }))
    const told = await ask({ turns: [question, { said: called }, { results }], tools: offered })
    expect(told.text).toBe('The tool said: first | second')
    await house.expectPaid(upstream, told)
  })

  test('a tool that must be called', async () => {
    const said = await ask({ turns: [{ user: 'Good morning' }], tools, choice: { name: 'get_time' } })
    expect(said.calls).toEqual([{ id: expect.any(String), ...time }])
    await house.expectPaid(upstream, said)
  })

  test('any tool, but one must be called', async () => {
    const said = await ask({ turns: [{ user: 'Good morning' }], tools, choice: 'required' })
    expect(said.calls).toEqual([{ id: expect.any(String), ...weather }])
    await house.expectPaid(upstream, said)
  })

  test('no tool may be called', async () => {
    const said = await ask({ turns: [{ user: 'call get_weather' }], tools, choice: 'none' })
    expect(said.calls).toEqual([])
    expect(said.text).toBe('You said: call get_weather')
    expect(said.finish).toBe(finishes().stop)
    await house.expectPaid(upstream, said)
  })
})

/** Gemini cannot be asked for one call only. */
const SERIAL = PAIRS.filter(({ client, upstream }) => client !== 'gemini' && upstream !== 'gemini')

test.each(SERIAL)('one call at most: $client asks $upstream, streamed $stream', async pair => {
  const conversation = { turns: [{ user: 'call both' }], tools, oneCallAtMost: true }
  const said = await house.clients[pair.client].ask(MODELS[pair.upstream], conversation, pair.stream)
  expect(said.calls).toEqual([{ id: expect.any(String), ...weather }])
  await house.expectPaid(pair.upstream, said)
})

/** An agent may change the model in the middle: what one vendor called, another has to take. */
const MOVES = DIALECTS.flatMap(client =>
  DIALECTS.flatMap(from => DIALECTS.filter(to => to !== from).map(to => ({ client, from, to }))),
)

test.each(MOVES)('$client goes on from $from with $to', async ({ client, from, to }) => {
  const question = { user: 'call both' }
  const called = await house.clients[client].ask(
    MODELS[from],
    { turns: [question], tools, think: true },
    true,
  )
  const results = called.calls.map((of, at) => ({ of, text: at === 0 ? 'first' : 'second' }))
  const turns = [question, { said: called }, { results }]
  const told = await house.clients[client].ask(MODELS[to], { turns, tools }, true)
  expect(told.text).toBe('The tool said: first | second')
  await house.expectPaid(to, told)
})

test('no vendor had to complain, and the books agree', () => expectOrder(house))
