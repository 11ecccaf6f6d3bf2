import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { request } from 'node:http'
import type { JsonObject } from '../../../server/dialects/json.ts'
import { type Client, rootClient } from '../../client.ts'
import { until } from '../../program.ts'
import { type FakeUpstream, startGemini, startOpenai } from '../../upstreams/index.ts'
import { openRig, type Rig } from '../rig.ts'
import { ask, chat, gemini, readStream, readUntil, requestIdOf } from '../ways.ts'

const rule = { enabled: true, where: ['input', 'output'], groups: [], models: [] }
const HOSTILE = '(x+x+)+y'
const people = { by: 'kinds', kinds: ['email', 'phone', 'card', 'id', 'ip', 'key', 'iban'] }
const RULES = [
  { ...rule, name: 'people', models: ['gpt*', 'text-*', 'gemini-*'], looks: people, action: 'mask' },
  {
    ...rule,
    name: 'hostile',
    models: ['gpt-4o-mini'],
    looks: { by: 'pattern', pattern: HOSTILE },
    action: 'block',
  },
  {
    ...rule,
    name: 'elsewhere',
    groups: ['vip'],
    looks: { by: 'words', words: ['good morning'] },
    action: 'block',
  },
  { ...rule, name: 'off', enabled: false, looks: { by: 'words', words: ['good'] }, action: 'block' },
]

let rig: Rig
let openai: FakeUpstream
let google: FakeUpstream
let root: Client
let key = ''
let vip = ''

beforeAll(async () => {
  openai = await startOpenai({ accept: ['negative_prompt'] })
  google = await startGemini()
  rig = await openRig(async books => {
    const userId = await books.addUser()
    key = (await books.addToken({ userId })).key
    vip = (await books.addToken({ userId: await books.addUser({ group: 'vip' }) })).key
    await books.setOption('Guards', JSON.stringify(RULES))
    await books.setOption('GuardsRefuseUnread', 'true')
    await books.setOption('LogContentScope', 'all')
    await books.setOption('AnswerCacheSeconds', '3600')
    await books.setOption('DefaultModelRatio', '1')
    const models = ['gpt-4o', 'gpt-4o-mini', 'gpt-3.5-turbo', 'text-embedding-3-small', 'gpt-image-1', 'o3']
    const groups = ['default', 'vip']
    await books.addChannel({ type: 1, baseUrl: openai.url, key: openai.key, models, groups })
    const own = { baseUrl: google.url, key: google.key, groups }
    await books.addChannel({ ...own, type: 24, models: [gemini.model, 'gemini-embedding-001'] })
  })
  root = await rootClient(rig.url)
})
afterAll(async () => {
  expect([...openai.complaints, ...google.complaints]).toEqual([])
  expect(await rig.differences()).toEqual([])
  await rig.close()
  await openai.stop()
  await google.stop()
})

const lastText = () => openai.requests.at(-1)?.text ?? ''

function post(path: string, body: JsonObject | FormData, headers: Record<string, string> = {}) {
  const isForm = body instanceof FormData
  return fetch(rig.url + path, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${key}`,
      ...(isForm ? {} : { 'content-type': 'application/json' }),
      ...headers,
    },
    body: isForm ? body : JSON.stringify(body),
  })
}

describe('what goes to a vendor', () => {
  test('a request in which nothing is found passes byte by byte', async () => {
    const rawBody =
      '{ "model":"gpt-4o",\n "messages":[{"role":"user","content":"caf\\u00e9 12345678901234567890"}] }'
    const response = await ask(rig.url, chat, { key, rawBody })
    expect(response.status).toBe(200)
    expect(lastText()).toBe(rawBody)
  })

  test('other fields stay as they are where something is masked', async () => {
    const rawBody =
      '{"model":"gpt-4o","seed":1,"messages":[{"role":"user","content":"a@b.example"}],"metadata":{"n":"1"},"logit_bias":{"5":1}}'
    expect((await ask(rig.url, chat, { key, rawBody })).status).toBe(200)
    expect(lastText()).toContain('"content":"[email]"')
    expect(lastText()).toContain('"logit_bias":{"5":1}')
  })

  test('what tools were called with, and what they said, stays JSON', async () => {
    const messages = [
      { role: 'user', content: 'call her' },
      {
        role: 'assistant',
        content: null,
        tool_calls: [
          {
            id: 'call_1',
            type: 'function',
            function: {
              name: 'dial',
              arguments: '{"name":"Ada","number":13800138000,"id":12345678901234567890}',
            },
          },
        ],
      },
      { role: 'tool', tool_call_id: 'call_1', content: 'she is at 192.168.7.1' },
    ]
    expect((await post('/v1/chat/completions', { model: 'gpt-4o', messages })).status).toBe(200)
    const sent = openai.requests.at(-1)?.json as unknown as {
      messages: { content: string; tool_calls?: AnyCall[] }[]
    }
    expect(sent.messages[1]?.tool_calls?.[0]?.function.arguments).toBe(
      '{"name":"Ada","number":"[phone]","id":12345678901234567890}',
    )
    expect(sent.messages[2]?.content).toBe('she is at [ip]')
  })

  test.each([
    [
      '/v1/embeddings',
      { model: 'text-embedding-3-small', input: ['card 4111 1111 1111 1111', 'x'] },
      '[card]',
    ],
    ['/v1/completions', { model: 'gpt-3.5-turbo', prompt: 'id 11010519491231002X' }, '[id]'],
    [
      '/v1/images/generations',
      { model: 'gpt-image-1', prompt: 'a poster: DE89 3704 0044 0532 0130 00' },
      '[iban]',
    ],
    ['/v1/responses', { model: 'gpt-4o', instructions: 'ask boss@example.com', input: 'hi' }, '[email]'],
    [
      '/v1/responses',
      { model: 'gpt-4o', prompt: { id: 'pmpt_1', variables: { name: 'boss@example.com' } }, input: 'hi' },
      '"name":"[email]"',
    ],
  ])('%s is read', async (path, body, mask) => {
    const response = await post(path, body)
    expect([response.status, await response.text().then(() => '')]).toEqual([200, ''])
    expect(lastText()).toContain(mask)
  })

  test('a form keeps its files where its words are masked', async () => {
    const form = new FormData()
    const picture = new Uint8Array([137, 80, 78, 71, 13, 10, 26, 10, 64])
    form.set('model', 'gpt-image-1')
    form.set('prompt', 'put ada@example.com on it')
    form.set('image', new File([picture], 'cat.png', { type: 'image/png' }))
    expect((await post('/v1/images/edits', form)).status).toBe(200)
    const sent = openai.requests.at(-1)?.form
    expect(sent?.get('prompt')).toBe('put [email] on it')
    const file = sent?.get('image') as unknown as File
    expect(new Uint8Array(await file.arrayBuffer())).toEqual(picture)
  })

  test('all words of a form are masked, not only the first', async () => {
    const form = new FormData()
    form.set('model', 'gpt-image-1')
    form.set('prompt', 'a fox')
    form.set('negative_prompt', 'nothing of ada@example.com')
    form.set('image', new File([new Uint8Array([137, 80, 78, 71])], 'cat.png', { type: 'image/png' }))
    expect((await post('/v1/images/edits', form)).status).toBe(200)
    expect(openai.requests.at(-1)?.form?.get('negative_prompt')).toBe('nothing of [email]')
  })

  test('what calls itself a thought is read like anything else', async () => {
    const said = 'ask ada@example.com'
    const messages: JsonObject[] = [
      { role: 'user', type: 'reasoning', content: said },
      { role: 'user', type: 'thinking', signature: 'x', content: [{ type: 'text', text: said }] },
      { role: 'user', thought: true, thoughtSignature: 'x', content: said },
    ]
    for (const message of messages) {
      const body = { model: 'gpt-4o', max_tokens: 100, messages: [message] }
      expect((await post('/v1/messages', body)).status).toBe(200)
      expect(lastText()).toContain('ask [email]')
    }
    const contents = [{ role: 'user', parts: [{ thought: true, text: said }] }]
    expect((await post(`/v1beta/models/${gemini.model}:generateContent`, { contents })).status).toBe(200)
    expect(google.requests.at(-1)?.text).toContain('ask [email]')
  })

  test('nothing gets past a rule that blocks in a thought that looks sealed', async () => {
    const thought = { type: 'thinking', thinking: 'xxxy', signature: 'c2VhbGVk' }
    const messages = [
      { role: 'user', content: 'hi' },
      { role: 'assistant', content: [thought, { type: 'text', text: 'hello' }] },
      { role: 'user', content: 'go on' },
    ]
    const asked = openai.requests.length
    const refused = await post('/v1/messages', { model: 'gpt-4o-mini', max_tokens: 100, messages })
    expect([refused.status, await refused.text()]).toEqual([400, expect.stringContaining('hostile')])
    expect(openai.requests.length).toBe(asked)
  })

  test('Google’s own embeddings are read', async () => {
    const body = { content: { parts: [{ text: 'sk-abcdefghijklmnopqrstuvwxyz012345' }] } }
    const response = await post('/v1beta/models/gemini-embedding-001:embedContent', body)
    expect(response.status).toBe(200)
    expect(google.requests.at(-1)?.text).toContain('"[key]"')
  })
})

interface AnyCall {
  readonly function: { readonly arguments: string }
}

describe('what comes back', () => {
  test('what a tool is to be called with is masked in a whole answer, and stays JSON', async () => {
    openai.next({
      reply: { text: '', calls: [{ name: 'dial', input: { to: 'a@b.example', n: 7 } }], finish: 'tools' },
    })
    const tools = [{ type: 'function', function: { name: 'dial', parameters: { type: 'object' } } }]
    const messages = [{ role: 'user', content: 'call' }]
    const { choices } = (await (
      await post('/v1/chat/completions', { model: 'gpt-4o', messages, tools })
    ).json()) as { choices: { message: { tool_calls: AnyCall[] } }[] }
    expect(JSON.parse(choices[0]?.message.tool_calls[0]?.function.arguments ?? '')).toEqual({
      to: '[email]',
      n: 7,
    })
  })

  test('completions, whole and streamed', async () => {
    for (const stream of [false, true]) {
      openai.next({ reply: { text: 'mail a@b.example now' }, pieceChars: 2 })
      const response = await post('/v1/completions', { model: 'gpt-3.5-turbo', prompt: 'hi', stream })
      const { events, text } = await readStream(response)
      const said = stream
        ? events
            .map(({ data }) => (data === '[DONE]' ? '' : (JSON.parse(data).choices[0]?.text ?? '')))
            .join('')
        : JSON.parse(text).choices[0].text
      expect(said).toBe('mail [email] now')
    }
  })

  test('as one array, for clients of Google that want no events', async () => {
    google.next({ reply: { text: 'mail a@b.example or 192.168.7.1 now' }, pieceChars: 5 })
    const response = await post(`/v1beta/models/${gemini.model}:streamGenerateContent`, {
      contents: [{ role: 'user', parts: [{ text: 'hi' }] }],
    })
    const answers = (await response.json()) as { candidates: { content: { parts: { text: string }[] } }[] }[]
    expect(answers.map(({ candidates }) => candidates[0]?.content.parts[0]?.text ?? '').join('')).toBe(
      'mail [email] or [ip] now',
    )
  })

  test('a stream stays one: what cannot become a match any more goes out at once', async () => {
    const { promise: goOn, resolve } = Promise.withResolvers<void>()
    openai.next({
      reply: { text: 'one two a@b.example end' },
      pieceChars: 4,
      hold: { afterFrames: 5, until: goOn },
    })
    const response = await ask(rig.url, chat, { key, stream: true })
    const before = await readUntil(response, 'two')
    expect(before).not.toContain('a@b')
    resolve()
  })

  test('the words of likelihoods go with what is masked', async () => {
    openai.next({ reply: { text: 'mail a@b.example' } })
    const response = await ask(rig.url, chat, { key, more: { logprobs: true } })
    const text = await response.text()
    expect(text).toContain('mail [email]')
    expect(text).not.toContain('b.example')
  })
})

describe('a pattern that others would search for ages', () => {
  const text = 'x'.repeat(200_000)

  test('finds, or says that it cannot', async () => {
    const fine = await ask(rig.url, chat, { key, model: 'gpt-4o-mini', text: 'x'.repeat(50) })
    expect(fine.status).toBe(200)
    const found = await ask(rig.url, chat, { key, model: 'gpt-4o-mini', text: `${'x'.repeat(50)}y` })
    expect([found.status, (await found.json()).error.message]).toEqual([
      400,
      expect.stringContaining('“hostile”'),
    ])
    const long = await ask(rig.url, chat, { key, model: 'gpt-4o-mini', text: text.repeat(20) })
    expect([long.status, (await long.json()).error.code]).toEqual([400, 'guard_blocked'])
  })

  test('does not hold up a stream', async () => {
    openai.next({ reply: { text: text.slice(0, 20_000) }, pieceChars: 500 })
    const { text: said, broke } = await readStream(
      await ask(rig.url, chat, { key, model: 'gpt-4o-mini', stream: true, text: 'hi' }),
    )
    expect(broke).toBe(false)
    expect(said).toMatch(chat.endMark)
  })
})

describe('whose calls a rule is for', () => {
  test('a group', async () => {
    expect((await ask(rig.url, chat, { key: vip })).status).toBe(400)
    expect((await ask(rig.url, chat, { key })).status).toBe(200)
  })

  test('a model', async () => {
    await ask(rig.url, chat, { key, model: 'o3', text: 'a@b.example' })
    expect(lastText()).toContain('a@b.example')
  })
})

test('kept contents hold what was masked, and nothing of what was blocked', async () => {
  const masked = await ask(rig.url, chat, { key, text: 'I am secret@example.com' })
  const kept = await until(async () => {
    const answer = await root.get(`/api/log/content/${requestIdOf(masked)}`)
    return answer.json.success ? answer : undefined
  })
  expect(kept.text).toContain('I am [email]')
  expect(kept.text).not.toContain('secret@')
  const blocked = await ask(rig.url, chat, { key, model: 'gpt-4o-mini', text: 'xxxxy' })
  const row = await rig.logOf(requestIdOf(blocked))
  expect(row.content).toContain('hostile')
  expect((await root.get(`/api/log/content/${row.request_id}`)).text).not.toContain('xxxxy')
})

test('a kept answer is found by what is left of a request', async () => {
  const headers = { 'x-tollgate-cache': '3600' }
  const first = await ask(rig.url, chat, { key, text: 'write to one@example.com', headers })
  const second = await ask(rig.url, chat, { key, text: 'write to two@example.com', headers })
  expect([first, second].map(one => one.headers.get('x-tollgate-cache'))).toEqual(['miss', 'hit'])
  expect(await second.text()).toBe(await first.text())
})

test('a realtime session is refused where rules cannot read it', async () => {
  const status = await new Promise<number | undefined>((resolve, reject) => {
    const headers = {
      authorization: `Bearer ${key}`,
      connection: 'upgrade',
      upgrade: 'websocket',
      'sec-websocket-key': 'dGhlIHNhbXBsZSBub25jZQ==',
      'sec-websocket-version': '13',
    }
    request(`${rig.url}/v1/realtime?model=gpt-4o-realtime-preview`, { headers })
      .on('response', response => {
        response.resume()
        resolve(response.statusCode)
      })
      .on('upgrade', () => reject(new Error('it was taken')))
      .on('error', reject)
      .end()
  })
  expect(status).toBe(400)
})

test('the figures tell how often, and never what', async () => {
  const text = await (await fetch(`${rig.url}/metrics`)).text()
  expect(text).toMatch(/tollgate_guard_found_total\{[^}]*rule="people"[^}]*action="mask"[^}]*\} [1-9]/)
  expect(text).not.toContain('example.com')
})
