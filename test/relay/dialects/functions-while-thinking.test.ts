import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { asArray, asObject, type JsonObject, parseObject } from '../../../server/dialects/json.ts'
import { openVendors, type VendorHouse } from '../../providers/house.ts'
import { startAzure, startOpenai } from '../../upstreams/index.ts'
import { anthropic, chat, gemini, readStream, requestIdOf, type Way } from '../ways.ts'

// From 5.4 on OpenAI's models take functions in chat only while they do not think, and some are in Responses alone:
// clients of every other dialect are led there, and told what came in their own words.

const MODEL = 'gpt-5.6-sol'
const OLDER = 'gpt-5.4'
const both = { dialects: ['openai-chat', 'openai-responses'] as const }
const mappings = { known: MODEL, 'known-codex': 'gpt-5.3-codex', 'known-older': OLDER }

const setups = [
  {
    type: 1,
    start: startOpenai,
    // At an address of which nobody said what is spoken there.
    models: [MODEL],
    beside: ({ url, key }: { url: string; key: string }) => [
      { type: 1, baseUrl: url, key, models: Object.keys(mappings), mapping: mappings, setting: both },
      {
        ...{ type: 1, baseUrl: url, key, models: ['chat-alone'], mapping: { 'chat-alone': MODEL } },
        setting: { dialects: ['openai-chat'] as const },
      },
    ],
  },
  { type: 3, start: startAzure, models: [OLDER] },
]

let street: Awaited<ReturnType<typeof openVendors>>
beforeAll(async () => {
  street = await openVendors(setups)
})
afterAll(async () => {
  for (const house of street.houses) expect(await house.rig.differences()).toEqual([])
  await street.close()
})

function houseOf(at: number): VendorHouse {
  const house = street.houses[at]
  if (!house) throw new Error('no house')
  return house
}

const schema = { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] }
const weather = { name: 'weather', description: 'Tells it.' }

/** How each dialect offers a function, and says that it is to be thought about. */
const offers: ReadonlyMap<Way, { tools: JsonObject; thinks: JsonObject }> = new Map([
  [
    chat,
    {
      tools: { tools: [{ type: 'function', function: { ...weather, parameters: schema } }] },
      thinks: { reasoning_effort: 'low' },
    },
  ],
  [
    anthropic,
    {
      tools: { tools: [{ ...weather, input_schema: schema }] },
      thinks: { thinking: { type: 'adaptive' }, output_config: { effort: 'low' } },
    },
  ],
  [
    gemini,
    {
      tools: { tools: [{ functionDeclarations: [{ ...weather, parametersJsonSchema: schema }] }] },
      thinks: { generationConfig: { thinkingConfig: { thinkingLevel: 'LOW' } } },
    },
  ],
])

interface Heard {
  readonly status: number
  readonly text: string
  readonly requestId: string
  /** The vendor's addresses that were asked, in their order. */
  readonly asked: readonly string[]
}

async function ask(
  house: VendorHouse,
  way: Way,
  model: string,
  more: JsonObject,
  stream = false,
): Promise<Heard> {
  const before = house.fake.requests.length
  const body = { ...way.body(model, 'call weather', stream), ...more }
  const response = await house.post(way.path(model, stream), body)
  const { text } = await readStream(response)
  const asked = house.fake.requests
    .slice(before)
    .map(({ path }) => path.replace(/^.*\/(?=chat|responses)/, ''))
  return { status: response.status, text, requestId: requestIdOf(response), asked }
}

const called = /"name": ?"weather"/

describe.each([...offers])('$name', (way, { tools, thinks }) => {
  test.each([false, true])('functions are called by a model that thinks, streamed %p', async stream => {
    const house = houseOf(0)
    for (const more of [tools, { ...tools, ...thinks }]) {
      const said = await ask(house, way, 'known', more, stream)
      expect([said.status, said.asked]).toEqual([200, ['responses']])
      expect(said.text).toMatch(called)
      const { input = 0, output = 0 } = house.fake.served.at(-1)?.tally ?? {}
      expect(await house.rig.chargeOf(said.requestId)).toBe(house.cost('known', { input, output }))
    }
  })

  test('a model that nobody knows to need it is asked there when it has said so, and then at once', async () => {
    const house = houseOf(0)
    const model = MODEL
    const more = { ...tools, ...thinks }
    const first = await ask(house, way, model, more)
    expect([first.status, first.asked.at(-1)]).toEqual([200, 'responses'])
    expect(first.text).toMatch(called)
    expect((await ask(house, way, model, more)).asked).toEqual(['responses'])
  })

  test('what can be asked in chat is', async () => {
    const house = houseOf(0)
    expect((await ask(house, way, 'known', thinks)).asked).toEqual(['chat/completions'])
    expect((await ask(house, way, 'known-older', tools)).asked).toEqual(['chat/completions'])
    expect((await ask(house, way, 'known-older', { ...tools, ...thinks })).asked).toEqual(['responses'])
  })

  test('a model that is nowhere else is found', async () => {
    const said = await ask(houseOf(0), way, 'known-codex', {})
    expect([said.status, said.asked]).toEqual([200, ['responses']])
    expect(said.text).toContain('You said: call weather')
  })

  test('where the operator says that chat alone is spoken, the refusal is told', async () => {
    const said = await ask(houseOf(0), way, 'chat-alone', tools)
    expect([said.status, said.asked]).toEqual([400, ['chat/completions']])
    expect(said.text).toContain('Function tools with reasoning_effort are not supported')
  })

  test('Azure has it beside its deployments', async () => {
    const said = await ask(houseOf(1), way, OLDER, { ...tools, ...thinks })
    expect([said.status, said.asked]).toEqual([200, ['responses']])
    expect((await ask(houseOf(1), way, OLDER, tools)).asked).toEqual(['chat/completions'])
  })
})

test('an upstream that has no such address is believed its first word', async () => {
  const house = houseOf(0)
  const refusal =
    'Function tools with reasoning_effort are not supported for x in /v1/chat/completions. Please use /v1/responses instead.'
  house.fake.next({ status: 400, body: { error: { message: refusal, type: 'invalid_request_error' } } })
  house.fake.next({ status: 404, body: { error: { message: 'Not found' } } })
  const said = await ask(house, chat, MODEL, { n: 1 })
  expect([said.status, said.asked]).toEqual([400, ['chat/completions', 'responses']])
  expect(said.text).toContain(refusal)
})

test('thoughts go back with the results of the calls that they led to', async () => {
  const house = houseOf(0)
  const { tools, thinks } = offers.get(chat) ?? { tools: {}, thinks: {} }
  const { text } = await ask(house, chat, 'known', { ...tools, ...thinks })
  const message = asObject(asObject(asArray(parseObject(text)?.choices)[0])?.message)
  const [call] = asArray(message?.tool_calls)
  const id = asObject(call)?.id ?? ''
  const messages = [
    { role: 'user', content: 'call weather' },
    message ?? {},
    { role: 'tool', tool_call_id: id, content: 'rain' },
  ]
  const said = await ask(house, chat, 'known', { ...tools, ...thinks, messages })
  expect(said.text).toContain('The tool said: rain')
  const types = asArray(house.body().input).map(item => asObject(item)?.type)
  expect(types).toEqual(['message', 'reasoning', 'function_call', 'function_call_output'])
})

test('an account that may not see thoughts gets its answers without', async () => {
  const house = houseOf(0)
  const { tools, thinks } = offers.get(anthropic) ?? { tools: {}, thinks: {} }
  const message = 'Your organization must be verified to generate reasoning summaries.'
  const error = { message, type: 'invalid_request_error', param: 'reasoning.summary' }
  house.fake.next({ status: 400, body: { error } })
  const said = await ask(house, anthropic, 'known', { ...tools, ...thinks })
  expect([said.status, said.asked]).toEqual([200, ['responses', 'responses']])
  expect(said.text).toMatch(called)
  const [before, after] = house.fake.requests.slice(-2).map(({ text }) => parseObject(text)?.reasoning)
  expect([before, after]).toEqual([{ effort: 'low', summary: 'auto' }, { effort: 'low' }])
})
