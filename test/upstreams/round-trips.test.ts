import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { asArray, asObject, type Json } from '../../server/dialects/json.ts'
import { askClaude, CLAUDE_TOOL, chat, SCHEMA, startVendors, user } from './ask-vendors.ts'
import { expectedUsage, type FakeUpstream, Signatures, startAnthropic, startOpenai } from './index.ts'

const CHAT_TOOL = { type: 'function', function: { name: 'weather', parameters: SCHEMA } }
const PIXELS = Buffer.from('not really a picture').toString('base64')

let vendors: Awaited<ReturnType<typeof startVendors>>
beforeAll(async () => {
  vendors = await startVendors()
})
afterAll(() => vendors.stop())

const hi = [user('hi')]

describe('tools, there and back', () => {
  test('chat: two at once, then their results', async () => {
    const base = { model: 'gpt-4o', tools: [CHAT_TOOL] }
    const first = await vendors.gpt({ ...base, messages: [user('call both')] })
    const message = asObject(asObject(asArray(first.json.choices)[0])?.message) ?? {}
    const calls = asArray(message.tool_calls).map(call => asObject(call) ?? {})
    expect(calls.map(call => asObject(call.function)?.arguments)).toEqual([
      '{"city":"some city"}',
      '{"city":"some city"}',
    ])
    const results = calls.map((call, at) => ({
      role: 'tool',
      tool_call_id: call.id,
      content: `result ${at}`,
    }))
    const second = await vendors.gpt({ ...base, messages: [user('call both'), message, ...results] })
    expect(JSON.stringify(second.json)).toContain('The tool said: result 0 | result 1')
  })

  test('responses: thoughts come sealed and go back sealed', async () => {
    const base = {
      model: 'gpt-5.5',
      store: false,
      include: ['reasoning.encrypted_content'],
      reasoning: { effort: 'low', summary: 'auto' },
      tools: [{ type: 'function', name: 'weather', parameters: SCHEMA, strict: false }],
    }
    const first = await vendors.responses({ ...base, input: [user('call weather')] })
    const output = asArray(first.json.output)
    expect(output.map(item => asObject(item)?.type)).toEqual(['reasoning', 'function_call'])
    const result = { type: 'function_call_output', call_id: asObject(output[1])?.call_id, output: 'sunny' }
    const second = await vendors.responses({ ...base, input: [user('call weather'), ...output, result] })
    expect(second.status).toBe(200)
    expect(JSON.stringify(second.json)).toContain('The tool said: sunny')
  })

  test('Anthropic: thoughts go back as they came, and only so', async () => {
    const base = { model: 'claude-sonnet-4-6', thinking: { type: 'adaptive' }, tools: [CLAUDE_TOOL] }
    const first = await vendors.claude({ ...base, messages: [user('call weather')] })
    const content = asArray(first.json.content).map(block => asObject(block) ?? {})
    expect(content.map(block => block.type)).toEqual(['thinking', 'tool_use'])
    const result = user([{ type: 'tool_result', tool_use_id: content[1]?.id, content: 'sunny' }])
    const again = (blocks: Json[]) =>
      vendors.claude({
        ...base,
        messages: [user('call weather'), { role: 'assistant', content: blocks }, result],
      })
    const second = await again(asArray(first.json.content).slice())
    expect(JSON.stringify(second.json)).toContain('The tool said: sunny')
    const changed = await again([{ ...content[0], thinking: 'other' }, content[1] ?? null])
    expect(JSON.stringify(changed.json)).toContain('cannot be modified')
  })

  test('Gemini: the signature stays on its call', async () => {
    const base = { tools: [{ functionDeclarations: [{ name: 'weather', parametersJsonSchema: SCHEMA }] }] }
    const question = { role: 'user', parts: [{ text: 'call weather' }] }
    const first = await vendors.gem('gemini-3.8-flash', { ...base, contents: [question] })
    const content = asObject(asObject(asArray(first.json.candidates)[0])?.content) ?? {}
    const answer = { functionResponse: { name: 'weather', response: { output: 'sunny' } } }
    const contents = [question, content, { role: 'user', parts: [answer] }]
    const second = await vendors.gem('gemini-3.8-flash', { ...base, contents })
    expect(JSON.stringify(second.json)).toContain('The tool said: sunny')
  })

  test('DeepSeek and Mistral show what they think', async () => {
    const deep = await vendors.deepseek({ model: 'deepseek-flash', messages: hi })
    expect(JSON.stringify(deep.json)).toContain('"reasoning_content":"Thinking about: hi"')
    const body = { model: 'mistral-medium-latest', messages: hi, reasoning_effort: 'high' }
    const parts = await vendors.mistral(body)
    expect(JSON.stringify(parts.json)).toContain(
      '{"type":"thinking","thinking":[{"type":"text","text":"Thinking about: hi"}]}',
    )
  })
})

describe('what it sees and counts', () => {
  test('pictures', async () => {
    const url = `data:image/png;base64,${PIXELS}`
    const seen = await vendors.gpt({
      model: 'gpt-4o',
      messages: [user([{ type: 'image_url', image_url: { url } }])],
    })
    expect(JSON.stringify(seen.json)).toContain('saw image image/png 20 bytes')
    const source = { type: 'url', url: 'https://example.com/a.png' }
    const linked = await vendors.claude({
      model: 'claude-sonnet-4-6',
      messages: [user([{ type: 'image', source }])],
    })
    expect(JSON.stringify(linked.json)).toContain('saw image url https://example.com/a.png')
  })

  test('cache reads and writes are told apart', async () => {
    const text = { type: 'text', text: 'cached '.repeat(40), cache_control: { type: 'ephemeral', ttl: '1h' } }
    const body = { model: 'claude-sonnet-4-6', max_tokens: 4000, messages: [user([text])] }
    const { json } = await vendors.claude(body)
    const tally = expectedUsage('anthropic', body)
    expect(tally).toMatchObject({ input: 77, cached: 38, written: 0, writtenHour: 19 })
    expect(json.usage).toMatchObject({
      input_tokens: 20,
      cache_read_input_tokens: 38,
      cache_creation_input_tokens: 19,
      cache_creation: { ephemeral_5m_input_tokens: 0, ephemeral_1h_input_tokens: 19 },
    })
  })

  test('limits and stop strings end the text', async () => {
    const short = await vendors.gpt({ model: 'gpt-4o', messages: [user('a long story')], max_tokens: 2 })
    expect(asArray(short.json.choices)[0]).toMatchObject({
      message: { content: 'You said' },
      finish_reason: 'length',
    })
    const stopped = await vendors.claude({
      model: 'claude-sonnet-4-6',
      messages: [user('one END two')],
      stop_sequences: ['END'],
    })
    expect(stopped.json).toMatchObject({ stop_reason: 'stop_sequence', stop_sequence: 'END' })
  })

  test('a forbidden string is a complaint', async () => {
    const fake = await startOpenai({ forbid: ['sk-client'] })
    const answer = await chat(fake, { model: 'gpt-4o', messages: [user('my key is sk-client')] })
    expect([answer.status, fake.complaints.length]).toEqual([400, 1])
    await fake.stop()
  })

  test('vendors that speak chat elsewhere and show their thoughts', async () => {
    const fake = await startOpenai({ prefix: '/api/paas/v4', showsThinking: true, accept: ['thinking'] })
    const body = { model: 'glm-5.3', messages: hi, reasoning_effort: 'high', thinking: { type: 'enabled' } }
    const answer = await chat(fake, body, '/api/paas/v4/chat/completions')
    expect(JSON.stringify(answer.json)).toContain('"reasoning_content":"Thinking about: hi"')
    await fake.stop()
  })

  test('the newest Claude keeps its thoughts, for itself and for its own model', async () => {
    const first = await vendors.claude({ model: 'claude-opus-5-5', messages: hi })
    const content = asArray(first.json.content).slice()
    expect(content[0]).toMatchObject({ type: 'thinking', thinking: '' })
    const messages = [...hi, { role: 'assistant', content }, user('go on')]
    expect((await vendors.claude({ model: 'claude-opus-5-5', messages })).status).toBe(200)
    expect((await vendors.claude({ model: 'claude-fable-5-1', messages })).status).toBe(400)
  })

  test('sealed thoughts, and signatures that two fakes share', async () => {
    const signatures = new Signatures()
    const [one, other] = [await startAnthropic({ signatures }), await startAnthropic({ signatures })]
    one.next({ reply: { redacted: true } })
    const ask = (fake: FakeUpstream, messages: Json[]) =>
      askClaude(fake, { model: 'claude-sonnet-4-6', max_tokens: 100, messages })
    const content = asArray((await ask(one, hi)).json.content).slice()
    expect(content[0]).toMatchObject({ type: 'redacted_thinking' })
    const messages = [...hi, { role: 'assistant', content }, user('go on')]
    expect((await ask(other, messages)).status).toBe(200)
    expect((await vendors.claude({ model: 'claude-sonnet-4-6', messages })).status).toBe(400)
    await one.stop()
    await other.stop()
  })

  test('counting only', async () => {
    const body = { model: 'claude-sonnet-4-6', messages: hi }
    expect((await vendors.countClaude(body)).json).toEqual({
      input_tokens: expectedUsage('anthropic', body).input,
    })
  })
})
