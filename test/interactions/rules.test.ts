import { afterAll, beforeAll, expect, test } from 'bun:test'
import { asObject } from '../../server/dialects/json.ts'
import { rootClient } from '../client.ts'
import { until } from '../program.ts'
import { addPrompt } from '../services/add-prompt.ts'
import { looksWhenTold } from '../tasks/house.ts'
import { AGENT, type InteractionHouse, MODEL, openInteractionHouse, UPSTREAM } from './house.ts'

// What operators and accounts have said of calls holds for interactions too.

const ORDERED = 'gemini-ordered'
const SCARCE = 2000

let house: InteractionHouse
beforeAll(async () => {
  const rule = {
    enabled: true,
    models: [],
    groups: [],
    action: 'mask',
    looks: { by: 'kinds', kinds: ['email'] },
  }
  const settings = {
    Guards: JSON.stringify([{ ...rule, name: 'people', where: ['input'] }]),
    LogContentScope: 'all',
    AnswerCacheSeconds: '3600',
    DefaultModelRatio: '1',
  }
  // What is looked at here is what the vendor was asked last.
  house = await openInteractionHouse(settings, looksWhenTold)
  const { url: baseUrl, key } = house.upstream
  await house.addChannel({
    ...{ type: 24, baseUrl, key, models: [ORDERED] },
    setting: {
      ...{ system_prompt: 'Be brief.', system_prompt_override: true, force_format: true },
      param_override: { labels: { team: 'otters' } },
    },
  })
  await until(async () => (await house.call('GET', '/v1/models')).json.data.some(isOrdered))
})
afterAll(async () => {
  // One was begun in the background.
  await house.poll()
  expect(house.upstream.complaints).toEqual([])
  expect(await house.differences()).toEqual([])
  await house.close()
})

const isOrdered = ({ id }: { readonly id: string }): boolean => id === ORDERED

const ask = async (more: object, headers: Record<string, string> = {}, key = house.payer.key) => {
  const response = await fetch(`${house.url}/v1beta/interactions`, {
    method: 'POST',
    headers: {
      'x-goog-api-key': key,
      'content-type': 'application/json',
      'accept-language': 'en',
      ...headers,
    },
    body: JSON.stringify({ model: MODEL, input: 'Hello', ...more }),
  })
  return { response, text: await response.text(), sent: asObject(house.last().json) ?? {} }
}

test('what is to be masked is masked in texts, contents, steps and what functions are told', async () => {
  const mail = 'ada@example.com'
  const given = [
    { type: 'user_input', content: [{ type: 'text', text: `Ask ${mail}` }] },
    { type: 'function_call', id: 'c', name: 'mail', arguments: { name: mail, to: [mail] } },
    { type: 'function_result', call_id: 'c', name: 'mail', result: { name: mail } },
    { type: 'function_result', call_id: 'c', name: 'mail', result: [{ type: 'text', text: mail }] },
    { type: 'function_result', call_id: 'c', name: 'mail', result: mail },
  ]
  for (const more of [
    { input: `Ask ${mail}` },
    { input: { type: 'text', text: mail } },
    { input: [{ type: 'text', text: mail }] },
    { input: given },
    { system_instruction: `I am ${mail}` },
  ]) {
    const { response, sent } = await ask(more)
    expect(response.status).toBe(200)
    expect(JSON.stringify(sent)).toContain('[email]')
    expect(JSON.stringify(sent)).not.toContain(mail)
  }
})

test('the channel’s instructions and overrides go along, and its answer passes though it reformats others', async () => {
  const { sent, text } = await ask({ model: ORDERED, system_instruction: 'Rhyme.', stream: true })
  expect(sent).toMatchObject({ system_instruction: 'Be brief.\n\nRhyme.', labels: { team: 'otters' } })
  expect(text).toContain('event: interaction.completed')
  expect((await ask({ model: ORDERED })).sent.system_instruction).toBe('Be brief.')
})

test('a prompt of the account’s is put before what is said, with its parameters', async () => {
  await addPrompt(house.store, house.payer.userId, {
    name: 'greet',
    messages: [
      { role: 'system', content: 'You greet.' },
      { role: 'user', content: 'Greet {{name}}' },
      { role: 'assistant', content: 'Hello!' },
    ],
    parameters: { temperature: 0.5, max_tokens: 50 },
  })
  const prompt_id = 'greet'
  const said = (type: string, text: string) => ({ type, content: [{ type: 'text', text }] })
  const first = [said('user_input', 'Greet Ada'), said('model_output', 'Hello!')]
  const variables = { name: 'Ada' }
  for (const [input, last] of [
    ['Again', said('user_input', 'Again')],
    [{ type: 'text', text: 'Again' }, said('user_input', 'Again')],
    [[{ type: 'text', text: 'Again' }], said('user_input', 'Again')],
    [[said('user_input', 'Again')], said('user_input', 'Again')],
  ] as const) {
    const { response, sent, text } = await ask({ prompt_id, prompt_variables: variables, input })
    expect([response.status, text]).toEqual([200, text])
    expect(sent).toMatchObject({
      input: [...first, last],
      system_instruction: 'You greet.',
      generation_config: { temperature: 0.5, max_output_tokens: 50 },
    })
  }
})

test('what is asked and answered is in the log, where the operator wants it', async () => {
  const { response } = await ask({ input: 'Remember this', stream: true })
  const root = await rootClient(house.url)
  const id = response.headers.get('x-oneapi-request-id')
  const kept = await until(async () => (await root.get(`/api/log/content/${id}`)).json.data)
  expect(kept.request).toContain('Remember this')
  expect(kept.words).toBe('You said: Remember this')
})

test('no answer is given twice', async () => {
  const before = house.asked('POST')
  const headers = { 'x-tollgate-cache': 'on', 'x-portkey-cache': 'simple' }
  const [one, two] = [await ask({ input: 'The same' }, headers), await ask({ input: 'The same' }, headers)]
  expect(JSON.parse(one.text).id).not.toBe(JSON.parse(two.text).id)
  expect(house.asked('POST') - before).toBe(2)
})

test('whose money is scarce is answered as long as that pays for', async () => {
  const userId = await house.addUser({ quota: SCARCE })
  const { key } = await house.addToken({ userId })
  const limitOf = (sent: object): number =>
    Number(asObject(asObject(sent)?.generation_config)?.max_output_tokens)
  const { sent } = await ask({ generation_config: { max_output_tokens: 100_000, seed: 1 } }, {}, key)
  expect(limitOf(sent)).toBeLessThan(SCARCE / 3)
  expect(sent.generation_config).toMatchObject({ seed: 1 })
  const begun = await ask({ background: true }, {}, key)
  expect(limitOf(begun.sent)).toBeLessThan(SCARCE / 3)
})

test('an agent cannot be kept short, and is not begun for who could not pay for the longest', async () => {
  const posts = house.asked('POST')
  const userId = await house.addUser({ quota: SCARCE })
  const { key } = await house.addToken({ userId })
  const { response, text } = await ask({ model: undefined, agent: AGENT, background: true }, {}, key)
  expect([response.status, text]).toEqual([403, expect.stringContaining('quota for the longest')])
  expect(house.asked('POST')).toBe(posts)
  expect(await house.balance(userId)).toBe(SCARCE)
})

test('who is asked is who is paid for, however often and oddly they are named', async () => {
  for (const body of [
    `{"agent":"${AGENT}","agent":null,"model":"${MODEL}","input":"Hi"}`,
    `{"agen\\u0074":"${AGENT}","agent":null,"model":"x","model":"${MODEL}","input":"Hi"}`,
    `{"model":"x","\\u006dodel":"${MODEL}","input":"Hi"}`,
  ]) {
    const headers = { 'x-goog-api-key': house.payer.key, 'content-type': 'application/json' }
    await fetch(`${house.url}/v1/interactions`, { method: 'POST', headers, body })
    expect(house.last().text).not.toMatch(/agen|"x"/)
    expect(house.last().json).toEqual({ model: UPSTREAM, input: 'Hi' })
  }
})

test('what it goes on from is the caller’s own, however many they name', async () => {
  const theirs = JSON.parse((await ask({})).text).id
  const own = JSON.parse((await ask({}, {}, house.stranger.key)).text).id
  const posts = house.asked('POST')
  for (const more of [
    { previous_response_id: own, previous_interaction_id: theirs },
    { thread: { previous_message_id: own }, previous_interaction_id: theirs },
  ]) {
    const { response, text } = await ask(more, {}, house.stranger.key)
    expect([response.status, text]).toEqual([400, expect.stringContaining('previous_interaction_id')])
  }
  expect(house.asked('POST')).toBe(posts)
})

test('Google’s tools pass as they are, and a tier that costs more does not', async () => {
  const tools = [
    ...['code_execution', 'url_context', 'google_search', 'file_search'].map(type => ({ type })),
    { type: 'mcp_server', name: 's', url: 'https://mcp.example' },
  ]
  const { sent } = await ask({ tools, service_tier: 'priority' })
  expect(sent.tools).toEqual(tools)
  expect(sent).not.toHaveProperty('service_tier')
  expect((await ask({ service_tier: 'flex' })).sent.service_tier).toBe('flex')
})
