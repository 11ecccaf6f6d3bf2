import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { parseObject } from '../../server/dialects/json.ts'
import { type Client, loggedIn, rootClient } from '../client.ts'
import { type Program, ROOT_PASSWORD, startProgram, until } from '../program.ts'
import type { FakeUpstream, Script } from '../upstreams/index.ts'
import { openRig, type Rig, SECRET_KEY } from './rig.ts'
import { anthropic, ask, chat, gemini, readStream, requestIdOf, responses, type Way } from './ways.ts'

const PASSWORD = 'users-pass-1'
const SENTENCE = 'the quick brown fox jumps over the lazy dog and is never seen again'
const KB = 1024
const models = ['text-embedding-3-small', 'gpt-image-1', 'tts-1', 'whisper-1']

let rig: Rig
let program: Program
let [openai, claude] = [] as unknown as [FakeUpstream, FakeUpstream]
let owner: Client
let other: Client
let admin: Client
let root: Client
let key = ''
let adminsKey = ''
const requests: string[] = []

beforeAll(async () => {
  openai = await chat.start()
  claude = await anthropic.start()
  const hash = await Bun.password.hash(PASSWORD)
  const names: string[] = []
  rig = await openRig(async books => {
    const { store } = books
    for (const role of [1, 1, 10]) {
      const id = await books.addUser({ role })
      await store.db.updateTable('users').set({ password_hash: hash }).where('id', '=', id).execute()
      const { username } = await store.db
        .selectFrom('users')
        .select('username')
        .where('id', '=', id)
        .executeTakeFirstOrThrow()
      names.push(username)
      const token = await books.addToken({ userId: id })
      if (key === '') key = token.key
      adminsKey = token.key
    }
    for (const name of ['CriticalRateLimit', 'GlobalApiRateLimit']) await books.setOption(name, '0')
    await books.setOption('DefaultModelRatio', '1')
    await books.setOption('LogContentKilobytes', '4')
    await books.addChannel({ type: 1, baseUrl: openai.url, key: openai.key, models: [chat.model, ...models] })
    await books.addChannel({ type: 14, baseUrl: claude.url, key: claude.key, models: [anthropic.model] })
  })
  program = rig.program
  root = await rootClient(rig.url)
  const [first = '', second = '', third = ''] = names
  owner = await loggedIn(rig.url, first, PASSWORD)
  other = await loggedIn(rig.url, second, PASSWORD)
  admin = await loggedIn(rig.url, third, PASSWORD)
})
afterAll(async () => {
  expect(await rig.differences()).toEqual([])
  await rig.close()
  await program.stop()
  for (const fake of [openai, claude]) await fake.stop()
})

interface Kept {
  request: string
  answer: string
  words: string
  request_left_out: number
  answer_left_out: number
}

const pathOf = (requestId: string): string => `/api/log/content/${requestId}`

async function find(requestId: string, reader = owner): Promise<Kept | undefined> {
  const { json } = await reader.get(pathOf(requestId))
  return json.success ? json.data : undefined
}

/** What was kept of a call, waited for. */
function keptOf(response: Response): Promise<Kept> {
  requests.push(requestIdOf(response))
  return until(() => find(requestIdOf(response)))
}

async function choose(scope: string): Promise<void> {
  expect((await root.saveOption('LogContentScope', scope)).json.success).toBe(true)
}

function post(path: string, body: object | FormData): Promise<Response> {
  const isForm = body instanceof FormData
  return fetch(program.url + path, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, ...(isForm ? {} : { 'content-type': 'application/json' }) },
    body: isForm ? body : JSON.stringify(body),
  })
}

const asked = (way: Way, more: { script?: Script; stream?: boolean; model?: string; text?: string } = {}) => {
  const { script, ...rest } = more
  if (script) openai.next(script)
  return ask(program.url, way, { key, text: SENTENCE, ...rest })
}

test('nothing is kept unless it is wanted', async () => {
  const { json } = await owner.get('/api/status')
  expect(json.data.enable_log_content).toBe(false)
  for (const stream of [false, true]) await (await asked(chat, { stream })).text()
  await (await asked(chat, { script: { status: 400, body: { error: { message: 'no' } } } })).text()
  await choose('all')
  // What comes later is stored later.
  const later = await asked(chat)
  await later.text()
  await keptOf(later)
  const rows = await rig.store.db.selectFrom('log_contents').select('request_id').execute()
  expect(rows).toEqual([{ request_id: requestIdOf(later) }])
  expect((await owner.get('/api/status')).json.data.enable_log_content).toBe(true)
})

describe('what is asked and answered is kept', () => {
  const pairs = [
    [chat, chat.model],
    [responses, chat.model],
    [anthropic, anthropic.model],
    [chat, anthropic.model],
    [anthropic, chat.model],
    [gemini, chat.model],
  ] as const

  test.each([false, true])('as the client sent and got it, in every dialect; streamed: %p', async stream => {
    const answered = await Promise.all(
      pairs.map(async ([client, model]) => {
        const response = await asked(client, { model, stream })
        return { client, model, response, text: await response.text() }
      }),
    )
    for (const { client, model, response, text } of answered) {
      expect(text).toContain(stream ? 'lazy' : SENTENCE)
      const kept = await keptOf(response)
      expect(kept).toMatchObject({ request_id: requestIdOf(response), request_left_out: 0 })
      expect(kept.request).toBe(JSON.stringify(client.body(model, SENTENCE, stream)))
      if (stream) expect(kept.answer).toMatch(client.endMark)
      expect(kept.words).toBe(stream ? `You said: ${SENTENCE}` : '')
      if (kept.answer_left_out > 0) expectEnds(kept.answer, text)
      else expect(kept.answer).toBe(text)
    }
  })

  function expectEnds(kept: string, whole: string): void {
    const [head = '', tail = ''] = kept.split(/\n\n\[… \d+ bytes …\]\n\n/)
    expect(whole.startsWith(head)).toBe(true)
    expect(whole.endsWith(tail)).toBe(true)
    expect(Buffer.byteLength(head + tail)).toBeLessThanOrEqual(4 * KB)
    expect(Buffer.byteLength(head + tail)).toBeGreaterThan(4 * KB - 8)
    expect(kept).not.toContain('\ufffd')
  }

  test('up to the limit, and of what is longer both ends', async () => {
    const text = Array.from({ length: 500 }, (_, at) => `${SENTENCE} ${at}.`).join(' ')
    const reply = { text: `${text} ${'好'.repeat(3000)}` }
    for (const stream of [false, true]) {
      const response = await asked(chat, { text, stream, script: { reply } })
      const whole = await response.text()
      const kept = await keptOf(response)
      const request = JSON.stringify(chat.body(chat.model, text, stream))
      expect(kept.request_left_out).toBe(request.length - 4 * KB)
      expectEnds(kept.request, request)
      expect(kept.answer_left_out).toBe(Buffer.byteLength(whole) - 4 * KB)
      expectEnds(kept.answer, whole)
    }
  })

  test('also of calls that failed, with what the client was told', async () => {
    const refused = await asked(chat, { script: { status: 400, body: { error: { message: 'too odd' } } } })
    const said = await refused.text()
    expect(said).toContain('too odd')
    expect((await keptOf(refused)).answer).toBe(said)
    // Before anybody is asked.
    const unknown = await asked(chat, { model: 'm-unknown' })
    const told = await unknown.text()
    expect(unknown.ok).toBe(false)
    const kept = await keptOf(unknown)
    expect(kept.answer).toBe(told)
    expect(kept.request).toContain(SENTENCE)
  })

  test('also of answers that are given again', async () => {
    await root.saveOption('AnswerCacheSeconds', '60')
    for (const stream of [false, true]) {
      const again = () =>
        ask(program.url, chat, { key, text: 'again', stream, headers: { 'x-tollgate-cache': 'on' } })
      await (await again()).text()
      const response = await again()
      expect(response.headers.get('x-tollgate-cache')).toBe('hit')
      const kept = await keptOf(response)
      expect(kept).toMatchObject({ answer: await response.text(), words: stream ? 'You said: again' : '' })
      expect(kept.request).toContain('"again"')
    }
    await root.saveOption('AnswerCacheSeconds', '0')
  })

  test('also of streams that broke, to the words that tell of it', async () => {
    const broken = [
      await asked(chat, { stream: true, script: { cutAfterFrames: 6, onceRead: true } }),
      await asked(chat, { stream: true, script: { errorAfterFrames: 6, onceRead: true } }),
    ]
    const read = await Promise.all(broken.map(readStream))
    for (const [at, response] of broken.entries()) {
      expect(read[at]?.text).toMatch(chat.failMark)
      expect((await keptOf(response)).answer).toBe(read[at]?.text ?? '')
    }
  })

  test('also of a client that left: what had been sent to it', async () => {
    const leaving = new AbortController()
    openai.next({ stallAfterFrames: 5 })
    const asking = { key, text: SENTENCE, stream: true, signal: leaving.signal }
    const response = await ask(program.url, chat, asking)
    const reader = response.body?.getReader()
    const got = new TextDecoder().decode((await reader?.read())?.value)
    leaving.abort()
    const kept = await keptOf(response)
    expect(kept.answer).toStartWith(got)
    expect(kept.answer).not.toMatch(chat.endMark)
    expect(kept.request).toContain(SENTENCE)
  })

  test('without pictures, sound and files, whose size is noted', async () => {
    const picture = Buffer.alloc(300_000, 7).toString('base64')
    const url = `data:image/png;base64,${picture}`
    const content = [
      { type: 'text', text: SENTENCE },
      { type: 'image_url', image_url: { url } },
    ]
    const seen = await post('/v1/chat/completions', {
      model: chat.model,
      messages: [{ role: 'user', content }],
    })
    expect(seen.ok).toBe(true)
    const kept = await keptOf(seen)
    expect(kept.request_left_out).toBe(0)
    expect(kept.request).toContain(`[… ${picture.length - 512} bytes of base64]"}}]}]}`)
    expect(parseObject(kept.request)).toBeDefined()

    const painted = await post('/v1/images/generations', { model: 'gpt-image-1', prompt: SENTENCE })
    expect(painted.ok).toBe(true)
    const { answer } = await keptOf(painted)
    expect(parseObject(answer)).toBeDefined()
    expect(answer.length).toBeLessThan(4 * KB)

    const spoken = await post('/v1/audio/speech', { model: 'tts-1', input: SENTENCE, voice: 'alloy' })
    const { byteLength } = await spoken.arrayBuffer()
    expect((await keptOf(spoken)).answer).toBe(`[${spoken.headers.get('content-type')}, ${byteLength} bytes]`)

    const form = new FormData()
    form.set('model', 'whisper-1')
    form.set('prompt', SENTENCE)
    form.set('file', new File([Buffer.alloc(32_000)], '说.wav', { type: 'audio/wav' }))
    const heard = await post('/v1/audio/transcriptions', form)
    expect(heard.ok).toBe(true)
    expect(JSON.parse((await keptOf(heard)).request)).toEqual([
      ['model', 'whisper-1'],
      ['prompt', SENTENCE],
      ['file', '[说.wav, 32000 bytes]'],
    ])
  })

  test('without the secrets that came with it', async () => {
    const secret = 'sesame-open-the-tool-server-door'
    const tools = [
      { type: 'mcp', server_label: 'a', server_url: 'https://tools.example', authorization: secret },
      {
        type: 'mcp',
        server_label: 'b',
        server_url: 'https://b.example',
        headers: { 'X-Api-Key': `${secret}"` },
      },
    ]
    // As an agent sends it: what a tool was called with is a text in which there is JSON.
    const body = { ...responses.body(chat.model, SENTENCE, false), tools }
    const args = JSON.stringify({ api_key: `\\"${secret}`, city: 'tools.town' }, undefined, 1)
    const call = { type: 'function_call', call_id: 'c', name: 'look', arguments: args }
    const output = { type: 'function_call_output', call_id: 'c', output: '{}' }
    const input = [{ role: 'user', content: SENTENCE }, call, output]
    const response = await fetch(`${program.url}/v1/responses?key=${key}`, {
      method: 'POST',
      headers: { 'x-api-key': key, authorization: `Bearer ${key}` },
      body: JSON.stringify({ ...body, input }),
    })
    const kept = JSON.stringify(await keptOf(response))
    expect(kept).not.toContain(secret)
    expect(kept).toContain('tools.town')
    expect(kept).not.toContain(key.slice(3))
    expect(kept).toContain('tools.example')
    expect(kept).toContain(SENTENCE)
    // However they are spelled.
    for (const name of ['API-key', 'Api_Key', 'ACCESS_TOKEN', 'accessToken', 'Proxy-Authorization']) {
      const spelled = [{ ...tools[0], authorization: undefined, headers: { [name]: secret } }]
      const text = JSON.stringify(await keptOf(await post('/v1/responses', { ...body, tools: spelled })))
      expect([text.includes('tools.example'), text.includes(secret)]).toEqual([true, false])
    }
  })
})

test('where only failures are kept, good calls leave nothing', async () => {
  await choose('errors')
  const good = await asked(chat)
  await good.text()
  const streamed = await asked(chat, { stream: true })
  await streamed.text()
  const broken = await asked(chat, { stream: true, script: { errorAfterFrames: 6, onceRead: true } })
  await broken.text()
  const bad = await asked(chat, { script: { status: 400, body: { error: { message: 'no' } } } })
  await bad.text()
  for (const response of [broken, bad]) expect((await keptOf(response)).request).toContain(SENTENCE)
  expect((await keptOf(broken)).words).toStartWith('You said:')
  expect((await keptOf(bad)).words).toBe('')
  for (const response of [good, streamed]) expect(await find(requestIdOf(response))).toBeUndefined()
  await choose('all')
})

describe('it is read', () => {
  const audited = async (): Promise<object[]> =>
    (await root.get('/api/audit?action=log.read-content&page_size=100')).json.data.items

  test('by its owner, and by administrators of whom the record tells', async () => {
    const [id = ''] = requests
    const before = (await audited()).length
    for (const reader of [owner, admin, root]) expect(await find(id, reader)).toBeDefined()
    const records = await audited()
    const after = { user_id: owner.userId }
    expect(records.length - before).toBe(2)
    for (const [at, reader] of [root, admin].entries())
      expect(records[at]).toMatchObject({ user_id: reader.userId, subject: `request:${id}`, after })
  })

  test('by nobody else, for whom it is like one that was not kept', async () => {
    const [id = ''] = requests
    const absent = await other.get(pathOf('0198f00d00007000800000000000beef'))
    const hidden = await other.get(pathOf(id))
    expect(absent.json.success).toBe(false)
    expect(hidden.status).toBe(absent.status)
    expect(hidden.json).toEqual(absent.json)
    const { status } = await fetch(program.url + pathOf(id))
    expect(status).toBe(401)
    expect((await other.get(pathOf('x'.repeat(2000)))).json).toEqual(absent.json)
  })

  test('by an administrator of none who stands as high', async () => {
    const asking = { key: adminsKey, text: SENTENCE }
    const response = await ask(program.url, chat, asking)
    await response.text()
    const id = requestIdOf(response)
    await until(() => find(id, admin))
    expect(await find(id, root)).toBeDefined()
    await rig.store.db
      .updateTable('users')
      .set({ role: 10 })
      .where('id', '=', other.userId ?? 0)
      .execute()
    const refused = await other.get(pathOf(id))
    expect(refused.json.success).toBe(false)
    expect(refused.text).not.toContain('brown fox')
    await rig.store.db
      .updateTable('users')
      .set({ role: 1 })
      .where('id', '=', other.userId ?? 0)
      .execute()
  })
})

test('what is kept outlives the program, and nobody reads it in the database', async () => {
  const last = await asked(chat)
  await last.text()
  await program.stop()
  program = await startProgram({ SECRET_KEY, ROOT_PASSWORD, DATA_DIR: program.dataDir })
  const [first, second] = await Promise.all([
    rootClient(program.url),
    fetch(program.url + pathOf(requestIdOf(last)), {
      headers: { cookie: `session=${owner.cookie}`, 'new-api-user': String(owner.userId) },
    }).then(response => response.json()),
  ])
  expect((second as { data: Kept }).data.request).toContain(SENTENCE)
  const rows = await rig.store.db.selectFrom('log_contents').selectAll().execute()
  expect(rows.length).toBeGreaterThan(new Set(requests).size)
  expect(JSON.stringify(rows)).not.toContain('brown fox')
  expect(program.output() + rig.program.output()).not.toContain('brown fox')

  // It goes with the log, from which it is reached.
  const now = Math.floor(Date.now() / 1000)
  const cleared = await first.send('DELETE', `/api/log/?target_timestamp=${now + 60}`)
  expect(cleared.json.success).toBe(true)
  const left = await rig.store.db.selectFrom('log_contents').select('created_at').execute()
  expect(left.filter(({ created_at }) => created_at < now)).toEqual([])
  expect(await find(requests[0] ?? '', first)).toBeUndefined()
})
