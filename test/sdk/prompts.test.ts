// Prompts that an account keeps: made through the API, called with the vendors' own SDKs, on every engine.

import { afterAll, describe, expect, test } from 'bun:test'
import Anthropic from '@anthropic-ai/sdk'
import { GoogleGenAI } from '@google/genai'
import OpenAI from 'openai'
import { ResponsesWS } from 'openai/resources/responses/ws'
import { TokenClient } from '../api/rig-client.ts'
import { until } from '../program.ts'
import { dropAll, engines } from '../services/databases.ts'
import { recordIds } from './conversation.ts'
import { bodyOf, expectOrder, type House, MODELS, openHouse } from './house.ts'
import { catchError, statusOf } from './sdk-errors.ts'

const HEADER = 'x-tollgate-prompt'
/** Such as take a temperature. */
const CHAT = 'gpt-4o-mini'
const RESPONSES = 'gpt-4.1'
const GEMINI = 'gemini-2.5-flash'
const more = { 'openai-chat': [CHAT], 'openai-responses': [RESPONSES], gemini: [GEMINI] }

const support = [
  { role: 'system', content: 'You answer for {{ company }}.' },
  { role: 'user', content: 'I am {{name}}.' },
  { role: 'assistant', content: 'Hello {{name}}!' },
]
const filled = [
  { role: 'system', content: 'You answer for Acme.' },
  { role: 'user', content: 'I am Ada.' },
  { role: 'assistant', content: 'Hello Ada!' },
]
const variables = { company: 'Acme', name: 'Ada' }

afterAll(dropAll)

describe.each(engines)('on $name', engine => {
  let house: House
  let owner: TokenClient
  let openai: OpenAI
  let anthropic: Anthropic
  let gemini: GoogleGenAI
  let id = 0
  const ids = recordIds()

  const chat = (body: object, headers: Record<string, string> = {}) =>
    openai.chat.completions.create(body as OpenAI.ChatCompletionCreateParamsNonStreaming, { headers })
  const detailsOf = async (requestId = ids.last()) => (await house.rig.logOf(requestId)).details

  test('opens', async () => {
    const environment = { DATABASE_URL: await engine.freshUrl() }
    house = await openHouse({ environment, more, settings: { GlobalApiRateLimit: '0' } })
    const { url } = house.rig
    owner = await TokenClient.of(house.rig, house.userId)
    openai = new OpenAI({ apiKey: house.key, baseURL: `${url}/v1`, maxRetries: 0, fetch: ids.fetch })
    anthropic = new Anthropic({ apiKey: house.key, baseURL: url, maxRetries: 0, fetch: ids.fetch })
    gemini = new GoogleGenAI({ apiKey: house.key, httpOptions: { baseUrl: url } })
  })

  test('is made, and refused where it is none', async () => {
    const parameters = { temperature: 0.2, max_tokens: 300 }
    const made = await owner.post('/api/prompt', {
      name: 'support',
      messages: support,
      model: CHAT,
      parameters,
      note: 'first',
    })
    id = made.json.data.id
    expect(made.json.data).toMatchObject({ name: 'support', version: 1, newest: 1, model: CHAT })
    expect((await owner.get(`/api/prompt/${id}/version/1`)).json.data).toMatchObject({
      ...{ version: 1, messages: support, model: CHAT, parameters, note: 'first' },
    })
    const say = [{ role: 'user', content: 'x' }]
    for (const [body, words] of [
      [{ name: 'support', messages: say }, 'already'],
      [{ name: 'pmpt_1', messages: say }, 'name'],
      [{ name: 'a b', messages: say }, 'name'],
      [{ name: 'x', messages: [] }, 'messages'],
      [{ name: 'x', messages: [...say, { role: 'system', content: 'late' }] }, 'before all others'],
      [{ name: 'x', messages: [{ role: 'tool', content: 'x' }] }, 'role'],
      [{ name: 'x', messages: say, parameters: { tools: [] } }, 'parameters'],
      [{ name: 'x', messages: Array(3).fill({ role: 'user', content: 'x'.repeat(40_000) }) }, 'too large'],
    ] as const) {
      const refused = await owner.post('/api/prompt', body, { 'accept-language': 'en' })
      expect([refused.json.success, refused.json.message]).toEqual([false, expect.stringContaining(words)])
    }
    expect((await owner.get('/api/prompt')).json.data).toMatchObject({ total: 1, items: [{ id }] })
  })

  test('OpenAI’s own shape: messages first, the prompt’s model and parameters, paid to the unit', async () => {
    const before = await house.rig.balance(house.userId)
    const prompt = { id: 'support', variables }
    const messages = [{ role: 'user' as const, content: 'Where is my order?' }]
    const answer = await chat({ prompt, messages })
    expect(answer.model).toBe(CHAT)
    const seen = bodyOf(house.seen('openai-chat'))
    expect(seen.messages).toEqual([...filled, ...messages])
    expect(seen).toMatchObject({ model: CHAT, temperature: 0.2 })
    expect([seen.max_tokens ?? seen.max_completion_tokens, seen.prompt]).toEqual([300, undefined])
    const charge = house.price('openai-chat', CHAT)
    expect(await house.rig.chargeOf(ids.last())).toBe(charge)
    expect(before - (await house.rig.balance(house.userId))).toBe(charge)
    expect(await detailsOf()).toMatchObject({ prompt_name: 'support', prompt_version: 1 })
    // Exactly as if its caller had written it all.
    await chat({ model: CHAT, messages: [...filled, ...messages], temperature: 0.2, max_tokens: 300 })
    expect(await house.rig.chargeOf(ids.last())).toBe(charge)
    expect(await detailsOf()).not.toHaveProperty('prompt_name')
  })

  test('in the words of LiteLLM; what the caller says of model and parameters counts', async () => {
    await chat({
      ...{ model: MODELS.anthropic, messages: [{ role: 'user', content: 'Hi' }], temperature: 0.7 },
      ...{ prompt_id: 'support', prompt_variables: variables, prompt_version: 1, max_completion_tokens: 50 },
    })
    const seen = bodyOf(house.seen('anthropic'))
    expect(seen).toMatchObject({ model: MODELS.anthropic, temperature: 0.7, max_tokens: 50 })
    expect(JSON.stringify(seen.system)).toContain('You answer for Acme.')
    expect(seen.messages).toHaveLength(3)
    expect(JSON.stringify(seen)).not.toContain('prompt_')
  })

  test('Responses: instructions and input, streamed, and over a socket', async () => {
    const stream = await openai.responses.create({
      model: RESPONSES,
      prompt: { id: 'support', version: '1', variables },
      instructions: 'Be brief.',
      input: 'Where is my order?',
      stream: true,
    })
    for await (const _ of stream);
    const check = () => {
      const seen = bodyOf(house.seen('openai-responses'))
      expect(seen.instructions).toBe('You answer for Acme.\n\nBe brief.')
      expect(seen.input).toEqual([
        { type: 'message', ...filled[1] },
        { type: 'message', ...filled[2] },
        { type: 'message', role: 'user', content: 'Where is my order?' },
      ])
      expect(seen).toMatchObject({ max_output_tokens: 300, temperature: 0.2 })
      expect(seen).not.toHaveProperty('prompt')
    }
    check()
    const served = house.fakes['openai-responses'].requests.length
    const socket = new ResponsesWS(openai)
    socket.on('error', () => {})
    const done = new Promise<void>(resolve => {
      socket.on('event', event => event.type === 'response.completed' && resolve())
    })
    socket.send({
      ...{ type: 'response.create', model: RESPONSES, instructions: 'Be brief.' },
      ...{ prompt: { id: 'support', variables }, input: 'Where is my order?' },
    })
    await done
    socket.close()
    expect(house.fakes['openai-responses'].requests.length).toBe(served + 1)
    check()
  })

  test('what OpenAI keeps itself goes to OpenAI', async () => {
    const prompt = { id: 'pmpt_123', variables: { name: 'Ada' } }
    await openai.responses.create({ model: RESPONSES, prompt, input: 'Hi' })
    expect(bodyOf(house.seen('openai-responses')).prompt).toEqual(prompt)
    expect(await detailsOf()).not.toHaveProperty('prompt_name')
  })

  test('Anthropic and Gemini: named by a header, variables in the body', async () => {
    const headers = { [HEADER]: 'support@1' }
    const messages = [{ role: 'user' as const, content: 'Hi' }]
    const body = { model: MODELS.anthropic, max_tokens: 60, messages, prompt_variables: variables }
    await anthropic.messages.create(body as Anthropic.MessageCreateParamsNonStreaming, { headers })
    const expected = {
      ...{ model: MODELS.anthropic, max_tokens: 60 },
      ...{ system: 'You answer for Acme.', messages: [...filled.slice(1), ...messages] },
    }
    // The SDK speaks a version of Anthropic's API that has no temperature any more.
    expect(bodyOf(house.seen('anthropic'))).toEqual(expected)
    const older = { headers: { ...headers, 'anthropic-version': '2023-06-01' } }
    await anthropic.messages.create(body as Anthropic.MessageCreateParamsNonStreaming, older)
    expect(bodyOf(house.seen('anthropic'))).toEqual({ ...expected, temperature: 0.2 })
    expect(await detailsOf()).toMatchObject({ prompt_name: 'support', prompt_version: 1 })
    await gemini.models.generateContent({
      model: GEMINI,
      contents: 'Hi',
      config: {
        topP: 0.5,
        systemInstruction: 'Be brief.',
        httpOptions: { headers, extraBody: { prompt_variables: variables } },
      },
    })
    const seen = bodyOf(house.seen('gemini'))
    expect(JSON.stringify(seen.systemInstruction)).toMatch(/You answer for Acme\..*Be brief\./)
    expect(seen.contents).toEqual([
      { role: 'user', parts: [{ text: 'I am Ada.' }] },
      { role: 'model', parts: [{ text: 'Hello Ada!' }] },
      { role: 'user', parts: [{ text: 'Hi' }] },
    ])
    expect(seen.generationConfig).toMatchObject({ temperature: 0.2, maxOutputTokens: 300, topP: 0.5 })
    expect(seen).not.toHaveProperty('prompt_variables')
  })

  test('a new version is in use when it is taken into use, and an older one again by one call', async () => {
    const messages = [{ role: 'user', content: 'Second, {{name}}' }]
    const added = await owner.post(`/api/prompt/${id}/version`, { messages, note: 'shorter' })
    expect(added.json.data).toMatchObject({ version: 2, model: '', messages })
    const said = async (prompt: object) => {
      await chat({ model: CHAT, prompt: { variables, ...prompt } })
      return [bodyOf(house.seen('openai-chat')).messages, (await detailsOf()).prompt_version]
    }
    const second = [[{ role: 'user', content: 'Second, Ada' }], 2]
    expect(await said({ id: 'support' })).toEqual([filled, 1])
    expect(await said({ id: 'support', version: '2' })).toEqual(second)
    expect((await owner.put(`/api/prompt/${id}`, { version: 2 })).json.data).toMatchObject({ version: 2 })
    expect(await said({ id: 'support' })).toEqual(second)
    expect((await owner.put(`/api/prompt/${id}`, { version: 3 })).json.success).toBe(false)
    expect((await owner.send('DELETE', `/api/prompt/${id}/version/2`)).json.success).toBe(false)
    await owner.put(`/api/prompt/${id}`, { version: 1, name: 'support-desk' })
    expect(await said({ id: 'support-desk' })).toEqual([filled, 1])
    expect(statusOf(await catchError(chat({ model: CHAT, prompt: { id: 'support', variables } })))).toBe(404)
    // A number is given once.
    expect((await owner.send('DELETE', `/api/prompt/${id}/version/2`)).json.success).toBe(true)
    const third = await owner.post(`/api/prompt/${id}/version`, { messages, use: true })
    expect(third.json.data.version).toBe(3)
    expect((await said({ id: 'support-desk' }))[1]).toBe(3)
    const { data } = (await owner.get(`/api/prompt/${id}`)).json
    expect(data.versions.map(({ version }: { version: number }) => version)).toEqual([3, 1])
    await owner.put(`/api/prompt/${id}`, { version: 1, name: 'support' })
  })

  test('as Portkey has it: completions with overrides, and what would be asked for', async () => {
    const headers = { authorization: `Bearer ${house.key}`, 'content-type': 'application/json' }
    const post = (path: string, body: object) =>
      fetch(`${house.rig.url}/v1/prompts/${path}`, { method: 'POST', headers, body: JSON.stringify(body) })
    const answer = await post('support/completions', { variables, temperature: 1, stream: true })
    expect(answer.headers.get('content-type')).toContain('text/event-stream')
    expect(await answer.text()).toEndWith('data: [DONE]\n\n')
    expect(bodyOf(house.seen('openai-chat'))).toMatchObject({ model: CHAT, messages: filled, temperature: 1 })
    expect(bodyOf(house.seen('openai-chat'))).not.toHaveProperty('variables')
    const before = await house.rig.balance(house.userId)
    const asked = house.fakes['openai-chat'].requests.length
    const rendered = await post('support%403/render', { variables, model: 'other' })
    expect(await rendered.json()).toEqual({
      success: true,
      data: { model: 'other', messages: [{ role: 'user', content: 'Second, Ada' }] },
    })
    const missing = await post('support/render', { variables: { company: 'Acme' } })
    expect([missing.status, (await missing.json()).error.message]).toEqual([
      400,
      expect.stringContaining('name'),
    ])
    expect(house.fakes['openai-chat'].requests.length).toBe(asked)
    expect(await house.rig.balance(house.userId)).toBe(before)
  })

  test('what no database has a word for is as one that nobody has', async () => {
    for (const prompt of [
      { id: 'sup\0port' },
      { id: 'support ' },
      { id: 'support', version: Number.MAX_SAFE_INTEGER },
      { id: '\ud800' },
    ])
      expect(statusOf(await catchError(chat({ model: CHAT, prompt: { variables, ...prompt } })))).toBe(404)
    const headers = { authorization: `Bearer ${house.key}`, 'content-type': 'application/json' }
    const path = `${house.rig.url}/v1/prompts/sup%00port/render`
    expect((await fetch(path, { method: 'POST', headers, body: '{}' })).status).toBe(404)
  })

  test('is deleted, and then is not there', async () => {
    const other = await owner.post('/api/prompt', { name: 'gone', messages: support, model: CHAT })
    await chat({ prompt: { id: 'gone', variables } })
    await owner.send('DELETE', `/api/prompt/${other.json.data.id}`)
    expect(statusOf(await catchError(chat({ prompt: { id: 'gone', variables } })))).toBe(404)
    expect((await owner.get('/api/prompt?keyword=GONE')).json.data.total).toBe(0)
    const versions = await house.rig.store.db.selectFrom('prompt_versions').select('prompt_id').execute()
    expect(versions.every(({ prompt_id }) => prompt_id === id)).toBe(true)
  })

  test('the books agree, and no vendor complained', async () => {
    await until(async () => (await house.rig.differences()).length === 0)
    await expectOrder(house)
    await house.close()
  })
})
