import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import OpenAI from 'openai'
import type {
  Response,
  ResponseCompletedEvent,
  ResponsesClientEvent,
  ResponsesServerEvent,
} from 'openai/resources/responses/responses'
import { ResponsesWS } from 'openai/resources/responses/ws'
import { asObject } from '../../server/dialects/json.ts'
import { dropAll, engines } from '../services/databases.ts'
import { bodyOf, DIALECTS, expectOrder, type House, MODELS, openHouse } from './house.ts'

type Create = Omit<ResponsesClientEvent.ResponseCreate, 'type'>

const tools: OpenAI.Responses.Tool[] = [
  {
    type: 'function',
    name: 'get_weather',
    description: 'The weather in a city',
    parameters: { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] },
    strict: false,
  },
]

/** The vendor's own client; every turn is awaited until its last event. */
class Conversation {
  readonly socket: ResponsesWS
  readonly #events: ResponsesServerEvent[] = []
  #wake: (() => void) | undefined

  constructor(house: House) {
    this.socket = new ResponsesWS(new OpenAI({ apiKey: house.key, baseURL: `${house.rig.url}/v1` }))
    this.socket.on('event', event => {
      this.#events.push(event)
      this.#wake?.()
    })
    this.socket.on('error', () => {})
  }

  send(create: Create): void {
    this.socket.send({ type: 'response.create', ...create })
  }

  async next(): Promise<ResponsesServerEvent> {
    for (;;) {
      const event = this.#events.shift()
      if (event) return event
      await new Promise<void>(resolve => {
        this.#wake = resolve
      })
    }
  }

  async until<Type extends ResponsesServerEvent['type']>(type: Type, streamId?: string) {
    for (;;) {
      const event = await this.next()
      if (event.type === type && event.stream_id === streamId)
        return event as Extract<ResponsesServerEvent, { type: Type }>
      if (event.type === 'error' && type !== 'error') throw new Error(JSON.stringify(event))
    }
  }

  /** The answer, put together as the vendor's clients do: from its events. */
  async ask(create: Create): Promise<{ response: Response; text: string }> {
    this.send(create)
    let text = ''
    for (;;) {
      const event = await this.next()
      if (event.type === 'error') throw new Error(JSON.stringify(event))
      if (event.type === 'response.output_text.delta') text += event.delta
      if (event.type === 'response.completed') return { response: event.response, text }
    }
  }
}

async function expectPaid(house: House, upstream: (typeof DIALECTS)[number], response: Response) {
  const { request_id } = await house.rig.store.db
    .selectFrom('logs')
    .select('request_id')
    .where('user_id', '=', house.userId)
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirstOrThrow()
  const { usage } = response
  await house.expectPaid(upstream, {
    text: '',
    thinking: '',
    calls: [],
    finish: '',
    requestId: request_id,
    usage: {
      input: usage?.input_tokens ?? 0,
      cached: usage?.input_tokens_details.cached_tokens ?? 0,
      output: usage?.output_tokens ?? 0,
      reasoning: usage?.output_tokens_details.reasoning_tokens ?? 0,
    },
  })
}

function callOf(response: Response): OpenAI.Responses.ResponseFunctionToolCall {
  const call = response.output.find(item => item.type === 'function_call')
  if (!call) throw new Error('no call')
  return call
}

/** Where charges are written matters for nothing that is said, and for all that is paid. */
const stores = engines.filter(({ name }) => name !== 'mariadb')

afterAll(dropAll)

describe.each(stores)('with its books in $name', ({ freshUrl }) => {
  let house: House
  beforeAll(async () => {
    house = await openHouse({ environment: { DATABASE_URL: await freshUrl() } })
  })
  afterAll(() => house.close())

  test.each(DIALECTS)('turns that only say what is new, answered by %s', async upstream => {
    const talk = new Conversation(house)
    const model = MODELS[upstream]
    const always = { model, store: false, tools } as const

    const called = await talk.ask({ ...always, input: 'Please call get_weather' })
    const { call_id, name } = callOf(called.response)
    expect(name).toBe('get_weather')
    await expectPaid(house, upstream, called.response)

    const told = await talk.ask({
      ...always,
      previous_response_id: called.response.id,
      input: [{ type: 'function_call_output', call_id, output: 'Sunny, 30°' }],
    })
    expect(told.text).toBe('The tool said: Sunny, 30°')
    expect(told.response.previous_response_id).toBe(called.response.id)
    await expectPaid(house, upstream, told.response)

    const more = await talk.ask({ ...always, previous_response_id: told.response.id, input: 'Thanks' })
    expect(more.text).toBe('You said: Thanks')
    await expectPaid(house, upstream, more.response)
    // All that was said before is there.
    const { text } = house.seen(upstream)
    for (const word of ['Please call', 'Sunny', 'The tool said', 'Thanks']) expect(text).toContain(word)
    expect(bodyOf(house.seen(upstream)).previous_response_id).toBeUndefined()
    talk.socket.close()
  })

  test.each(DIALECTS)('thoughts of %s go back to who had them', async upstream => {
    const talk = new Conversation(house)
    const always = {
      model: MODELS[upstream],
      store: false,
      tools,
      reasoning: { effort: 'medium', summary: 'auto' },
      include: ['reasoning.encrypted_content'],
    } satisfies Create
    const called = await talk.ask({ ...always, input: 'Please call get_weather' })
    const told = await talk.ask({
      ...always,
      previous_response_id: called.response.id,
      input: [{ type: 'function_call_output', call_id: callOf(called.response).call_id, output: 'Rain' }],
    })
    expect(told.text).toBe('The tool said: Rain')
    await expectPaid(house, upstream, told.response)
    // How the fakes' signatures begin, in base64.
    const signature = Buffer.from('signature').toString('base64')
    if (upstream !== 'openai-chat') expect(house.seen(upstream).text).toContain(signature)
    talk.socket.close()
  })

  test('thoughts whose seal nobody asked for are left out', async () => {
    const talk = new Conversation(house)
    const always = { model: MODELS['openai-responses'], store: false, reasoning: { effort: 'low' } } as const
    const first = await talk.ask({ ...always, input: 'One' })
    expect(first.response.output.map(({ type }) => type)).toContain('reasoning')
    const second = await talk.ask({ ...always, previous_response_id: first.response.id, input: 'Two' })
    expect(second.text).toBe('You said: Two')
    await expectPaid(house, 'openai-responses', second.response)
    talk.socket.close()
  })

  test('what its upstream stores is named to that upstream', async () => {
    const talk = new Conversation(house)
    const model = MODELS['openai-responses']
    const first = await talk.ask({ model, input: 'Remember me' })
    const second = await talk.ask({ model, previous_response_id: first.response.id, input: 'Who am I?' })
    expect(second.text).toBe('You said: Who am I?')
    const body = bodyOf(house.seen('openai-responses'))
    expect(body.previous_response_id).toBe(first.response.id)
    expect(JSON.stringify(body.input)).not.toContain('Remember me')
    await expectPaid(house, 'openai-responses', second.response)
    // One that nobody is to store, which follows one that is stored, follows it still.
    const third = await talk.ask({
      model,
      store: false,
      previous_response_id: second.response.id,
      input: 'Once more',
    })
    const fourth = await talk.ask({
      model,
      store: false,
      previous_response_id: third.response.id,
      input: 'And again',
    })
    expect(fourth.text).toBe('You said: And again')
    const last = bodyOf(house.seen('openai-responses'))
    expect(last.previous_response_id).toBe(second.response.id)
    expect(JSON.stringify(last.input)).toContain('Once more')
    await expectPaid(house, 'openai-responses', fourth.response)
    talk.socket.close()
    // Another socket of the same user finds it too.
    const other = new Conversation(house)
    const again = await other.ask({ model, previous_response_id: first.response.id, input: 'Hello' })
    expect(again.text).toBe('You said: Hello')
    other.socket.close()
  })

  test('a part that is sent ahead is free, and is there when it is needed', async () => {
    const talk = new Conversation(house)
    const model = MODELS.anthropic
    const before = await house.rig.balance(house.userId)
    const asked = house.fakes.anthropic.requests.length
    const ahead = await talk.ask({ model, generate: false, input: 'The long beginning', tools })
    expect(ahead.response).toMatchObject({ status: 'completed', output: [], usage: { total_tokens: 0 } })
    expect(house.fakes.anthropic.requests.length).toBe(asked)
    expect(await house.rig.balance(house.userId)).toBe(before)
    const first = await talk.ask({ model, previous_response_id: ahead.response.id, input: 'Go', tools })
    // This vendor joins what one side says.
    expect(first.text).toBe('You said: The long beginningGo')
    await expectPaid(house, 'anthropic', first.response)
    talk.socket.close()
  })

  test('lanes run side by side, each in its own order, and may fork', async () => {
    const talk = new Conversation(house)
    const root = await talk.ask({ model: MODELS.gemini, store: false, input: 'The trunk' })
    const { promise, resolve } = Promise.withResolvers<void>()
    house.fakes.gemini.next({ hold: { afterFrames: 1, until: promise } })
    const always = { model: MODELS.gemini, store: false } as const
    talk.send({ ...always, stream_id: 'slow', previous_response_id: root.response.id, input: 'Left' })
    await talk.until('response.created', 'slow')
    talk.send({ ...always, stream_id: 'slow', input: 'After it' })
    talk.send({ ...always, stream_id: 'quick', previous_response_id: root.response.id, input: 'Right' })
    const right = await talk.until('response.completed', 'quick')
    expect(JSON.stringify(right.response.output)).toContain('You said: Right')
    resolve()
    const texts: string[] = []
    for (const _ of [1, 2]) {
      const { response } = (await talk.until('response.completed', 'slow')) as ResponseCompletedEvent
      texts.push(JSON.stringify(response.output))
    }
    expect(texts).toEqual([
      expect.stringContaining('You said: Left'),
      expect.stringContaining('You said: After it'),
    ])
    talk.socket.close()
  })

  test('what is added to a response is said when that is done', async () => {
    const talk = new Conversation(house)
    const { promise, resolve } = Promise.withResolvers<void>()
    house.fakes['openai-chat'].next({ hold: { afterFrames: 1, until: promise } })
    talk.send({ model: MODELS['openai-chat'], store: false, input: 'Begin' })
    const { response } = await talk.until('response.created')
    const steer = { type: 'response.steer', previous_response_id: response.id } as const
    talk.socket.send({ ...steer, input: 'And be brief' })
    const accepted = await talk.until('response.steer.accepted')
    expect(accepted.steer).toEqual({ id: expect.any(String), previous_response_id: response.id })
    resolve()
    await talk.until('response.completed')
    const successor = await talk.until('response.completed')
    expect(successor.response.previous_response_id).toBe(response.id)
    expect(JSON.stringify(successor.response.output)).toContain('You said: And be brief')
    await expectPaid(house, 'openai-chat', successor.response)
    talk.socket.send({ ...steer, input: 'Too late' })
    const late = await talk.until('response.steer.failed')
    expect(late.error.code).toBe('response_already_completed')
    expect(late.steer.input).toBe('Too late')
    talk.socket.close()
  })

  test('what is added to a response that calls a tool waits for its result', async () => {
    const talk = new Conversation(house)
    const always = { model: MODELS['openai-chat'], store: false, tools } as const
    const { promise, resolve } = Promise.withResolvers<void>()
    house.fakes['openai-chat'].next({ hold: { afterFrames: 1, until: promise } })
    talk.send({ ...always, input: 'Please call get_weather' })
    const { response } = await talk.until('response.created')
    talk.socket.send({ type: 'response.steer', previous_response_id: response.id, input: 'In Celsius' })
    await talk.until('response.steer.accepted')
    resolve()
    const { response: whole } = await talk.until('response.completed')
    const { call_id } = callOf(whole)
    const pending = await talk.until('response.steer.pending')
    expect(pending.required_input).toEqual([{ type: 'function_call_output', call_id, name: 'get_weather' }])
    const input = [{ type: 'function_call_output', call_id, output: '30' }] as const
    await talk.ask({ ...always, previous_response_id: whole.id, input: [...input] })
    const messages = asObject(house.seen('openai-chat').json)?.messages
    expect(JSON.stringify(messages)).toContain('In Celsius')
    talk.socket.close()
  })

  test('no vendor had to complain, and the books agree', () => expectOrder(house))
})
