import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import { gzipSync } from 'node:zlib'
import type { JsonObject } from '../../../server/dialects/json.ts'
import { until } from '../../program.ts'
import type { FakeUpstream } from '../../upstreams/index.ts'
import { openRig, type Rig } from '../rig.ts'
import { rawRequest, sendRaw } from '../streams/raw-socket.ts'
import {
  anthropic,
  ask,
  chat,
  gemini,
  problemIn,
  requestIdOf,
  responses,
  vendorIn,
  type Way,
  ways,
} from '../ways.ts'

const MEGABYTE = 1024 * 1024

let rig: Rig
let key = ''
let userId = 0
const fakes = new Map<string, FakeUpstream>()

beforeAll(async () => {
  for (const way of [chat, anthropic, gemini]) fakes.set(way.model, await way.start({ accept: ACCEPTED }))
  rig = await openRig(async books => {
    userId = await books.addUser({ quota: 1e12 })
    key = (await books.addToken({ userId })).key
    for (const way of [chat, anthropic, gemini]) {
      const { url: baseUrl, key: vendorKey } = vendorOf(way)
      await books.addChannel({ type: way.channelType, baseUrl, key: vendorKey, models: [way.model] })
    }
  })
})
afterAll(async () => {
  expect(await rig.differences()).toEqual([])
  for (const fake of fakes.values()) expect(fake.complaints).toEqual([])
  await rig.close()
  for (const fake of fakes.values()) await fake.stop()
})

const PRICES: JsonObject = {
  input_cost_per_token: 0,
  output_cost_per_token: 0,
  model_info: { input_cost_per_token: 0 },
  price: 0,
  quota: -5,
  user_role: 'proxy_admin',
  custom_pricing: true,
}
/** One vendor writes all names in camel case. */
const camel = (name: string): string => name.replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase())
const EVIL = ['__proto__', 'constructor', ...Object.keys(PRICES)]
const ACCEPTED = [...EVIL, ...EVIL.map(camel), '_Proto__']

const vendorOf = (way: Way): FakeUpstream => vendorIn(fakes, way.model)

const requestCount = (): number => [...fakes.values()].reduce((sum, fake) => sum + fake.requests.length, 0)

async function refusedAs(way: Way, body: BodyInit, status: number): Promise<string> {
  const before = requestCount()
  const response = await ask(rig.url, way, { key, rawBody: body })
  const text = await response.text()
  expect([way.name, response.status, text.slice(0, 200)]).toEqual([way.name, status, text.slice(0, 200)])
  const problem = problemIn(way, text)
  expect([way.name, problem !== undefined]).toEqual([way.name, true])
  expect(requestCount()).toBe(before)
  return problem?.message ?? ''
}

describe.each([...ways])('$name', way => {
  const nonsense: [string, string][] = [
    ['nothing', ''],
    ['no JSON', 'hello'],
    ['half of it', '{"model":"gpt-4o","messages":[{"role":'],
    ['a list', '[{"model":"gpt-4o"}]'],
    ['a text', '"gpt-4o"'],
    ['null', 'null'],
    ['a number', '5'],
    ['a comma too many', '{"model":"gpt-4o",}'],
    ['deep', `{"a":${'['.repeat(100_000)}${']'.repeat(100_000)}}`],
    ['deep objects', `${'{"a":'.repeat(100_000)}1${'}'.repeat(100_000)}`],
  ]
  test('what is no JSON object', async () => {
    for (const [, body] of nonsense)
      expect(await refusedAs(way, body, 400)).toStartWith('请求体不是合法的 JSON 对象')
    expect((await fetch(`${rig.url}/healthz`)).status).toBe(200)
  })

  test('what is more than can be read at once', async () => {
    const good = JSON.stringify(way.body(way.model, 'hi', false))
    for (const [name, unit, count] of [
      ['lists', '[],', 600_000],
      ['objects', '{},', 600_000],
      ['texts', '"",', 600_000],
      ['numbers', '1,', 8_000_000],
    ] as const) {
      const body = good.replace('{', `{"metadata":[${unit.repeat(count)}1],`)
      const packed = new Uint8Array(gzipSync(body))
      expect([name, packed.length * 90 < body.length]).toEqual([name, true])
      const sent = { key, rawBody: packed, headers: { 'content-encoding': 'gzip' } }
      const response = await ask(rig.url, way, sent)
      const problem = problemIn(way, await response.text())
      expect([name, response.status, problem?.message]).toEqual([
        name,
        400,
        expect.stringContaining('超过 500000 个，或数字超过 8000000 个'),
      ])
    }
  })

  const amounts = [
    '-1',
    '0',
    '0.5',
    '9007199254740992',
    '18446744073686646784',
    '1e400',
    '"5"',
    'true',
    '[5]',
  ]
  const fields: Record<string, (value: string) => string> = {
    'openai-chat': value => `"max_tokens":${value}`,
    'openai-responses': value => `"max_output_tokens":${value}`,
    anthropic: value => `"max_tokens":${value}`,
    gemini: value => `"generationConfig":{"maxOutputTokens":${value}}`,
  }
  const more: Record<string, ((value: string) => string)[]> = {
    'openai-chat': [value => `"max_completion_tokens":${value}`, value => `"n":${value}`],
    gemini: [
      value => `"generation_config":{"max_output_tokens":${value}}`,
      value => `"generationConfig":{"candidateCount":${value}}`,
    ],
  }
  test('amounts that are none', async () => {
    const balance = await rig.balance(userId)
    const body = JSON.stringify(way.body(way.model, 'hi', false)).replace('"max_tokens":1000,', '')
    // Nought fills Anthropic's cache.
    for (const field of [fields[way.name], ...(more[way.name] ?? [])])
      for (const amount of amounts.filter(one => one !== '0' || way.name !== 'anthropic'))
        await refusedAs(way, body.replace('{', `{${field?.(amount)},`), 400)
    expect(await rig.balance(userId)).toBe(balance)
  })

  test('prices of the client’s own change nothing', async () => {
    const charge = async (extra: JsonObject) => {
      const response = await ask(rig.url, way, { key, text: 'a fixed text', more: extra })
      expect(response.status).toBe(200)
      return rig.chargeOf(requestIdOf(response))
    }
    const usual = await charge({})
    expect(usual).toBeGreaterThan(0)
    expect(await charge(PRICES)).toBe(usual ?? 0)
  })

  test('names that mean something to JavaScript', async () => {
    const evil = '{"__proto__":{"stream":true,"polluted":1},"constructor":{"prototype":{"polluted":1}},'
    const body = JSON.stringify(way.body(way.model, 'hi', false)).replace('{', evil)
    const response = await ask(rig.url, way, { key, rawBody: body })
    expect([way.name, response.status]).toEqual([way.name, 200])
    expect(response.headers.get('content-type')).toBe('application/json')
    expect(vendorOf(way).requests.at(-1)?.text).toBe(body)
    expect((await ask(rig.url, way, { key })).status).toBe(200)
  })

  test('ten megabytes of prompt', async () => {
    const text = 'all work and no play '.repeat(500_000)
    const response = await ask(rig.url, way, { key, text })
    expect([way.name, response.status]).toEqual([way.name, 200])
    expect(vendorOf(way).requests.at(-1)?.bytes.length).toBeGreaterThan(10 * MEGABYTE)
    await response.text()
  })

  test('bytes that are no text', async () => {
    const bytes = Buffer.from(JSON.stringify(way.body(way.model, 'h?i', false)))
    bytes[bytes.indexOf('?')] = 0xff
    expect((await ask(rig.url, way, { key, rawBody: bytes })).status).toBe(200)
    // What no vendor could read is marked as lost, by the sign that is there for it.
    const sent = new TextDecoder('utf-8', { fatal: true }).decode(vendorOf(way).requests.at(-1)?.bytes)
    expect(sent).toContain('h\ufffdi')
    expect((await ask(rig.url, way, { key, text: 'half \ud83d of it' })).status).toBe(200)
  })
})

test.each([chat, responses, anthropic])('$name: no model, or one that is none', async way => {
  for (const model of [undefined, null, '', '  ', 5, true, {}, ['gpt-4o']])
    await refusedAs(way, JSON.stringify({ ...way.body('', 'hi', false), model }), 400)
  for (const model of ['x'.repeat(300), 'gpt\u00004o', 'gpt\n4o'])
    await refusedAs(way, JSON.stringify({ ...way.body('', 'hi', false), model }), 400)
})

test('amounts that are too large together', async () => {
  const body = JSON.stringify({ ...chat.body(chat.model, 'hi', false), n: 128, max_tokens: 2 ** 52 })
  await refusedAs(chat, body, 400)
})

test('of a name that is there twice the last one counts, for us and for the upstream', async () => {
  const twice = '"model":"nobody-has-this","model":"gpt-4o","max_tokens":1000000000000000,"max_tokens":50'
  const rawBody = `{${twice},"messages":[{"role":"user","content":"hi"}]}`
  const response = await ask(rig.url, chat, { key, rawBody })
  expect(response.status).toBe(200)
  expect((await rig.logOf(requestIdOf(response))).model_name).toBe('gpt-4o')
  expect(vendorOf(chat).requests.at(-1)?.json).toMatchObject({ model: 'gpt-4o', max_tokens: 50 })
})

test('a header called __proto__', async () => {
  const body = JSON.stringify(chat.body(chat.model, 'hi', false))
  const lines = [
    'POST /v1/chat/completions HTTP/1.1',
    'Host: localhost',
    `Authorization: Bearer ${key}`,
    '__proto__: x',
    'constructor: y',
    `Content-Length: ${body.length}`,
    'Connection: close',
  ]
  expect((await sendRaw(rig.url, rawRequest(lines, body))).status).toBe(200)
})

function residentBytes(): number {
  const { pid, workerPids } = rig.program
  return [pid, ...workerPids()]
    .map(one => Number(readFileSync(`/proc/${one}/statm`, 'utf8').split(' ')[1]) * 4096)
    .reduce((sum, one) => sum + one, 0)
}

describe('bodies that are too large', () => {
  const head = (framing: string) =>
    rawRequest([
      'POST /v1/chat/completions HTTP/1.1',
      'Host: localhost',
      `Authorization: Bearer ${key}`,
      framing,
    ])

  test('announced: refused before they come', async () => {
    const before = residentBytes()
    const answer = await sendRaw(rig.url, [head(`Content-Length: ${65 * MEGABYTE}`), 'x'])
    expect(answer.status).toBe(413)
    expect(answer.text).toContain('(request id: ')
    expect(residentBytes() - before).toBeLessThan(30 * MEGABYTE)
  })

  test('not announced: refused where the limit is', async () => {
    const before = residentBytes()
    const piece = 'x'.repeat(MEGABYTE)
    const chunk = `${MEGABYTE.toString(16)}\r\n${piece}\r\n`
    const pieces = [head('Transfer-Encoding: chunked'), ...Array.from({ length: 65 }, () => chunk)]
    const answer = await sendRaw(rig.url, pieces)
    expect(answer.status).toBe(413)
    expect(residentBytes() - before).toBeLessThan(200 * MEGABYTE)
    expect((await ask(rig.url, chat, { key })).status).toBe(200)
  })

  test('of somebody without a key: not read at all', async () => {
    const before = residentBytes()
    const chunk = `${MEGABYTE.toString(16)}\r\n${'x'.repeat(MEGABYTE)}\r\n`
    const bare = rawRequest([
      'POST /v1/chat/completions HTTP/1.1',
      'Host: localhost',
      'Transfer-Encoding: chunked',
    ])
    const answer = await sendRaw(rig.url, [bare, ...Array.from({ length: 40 }, () => chunk)])
    expect(answer.status).toBe(401)
    expect(residentBytes() - before).toBeLessThan(60 * MEGABYTE)
  })
})

describe('sensitive words', () => {
  const word = 'Forbidden Fruit'
  const hidden: Record<string, JsonObject> = {
    'openai-chat': {
      messages: [{ role: 'system', content: [{ type: 'text', text: `a FORBIDDEN fruit b` }] }],
    },
    'openai-responses': { instructions: 'x', input: [{ role: 'user', content: `forbidden fruit` }] },
    anthropic: { system: [{ type: 'text', text: `xforbidden fruitx` }] },
    gemini: { systemInstruction: { parts: [{ text: `forbidden fruit` }] } },
  }
  test('are refused wherever they stand, until that is switched off', async () => {
    await rig.setOption('SensitiveWords', `nothing\n ${word} \n\n`)
    await until(async () => (await ask(rig.url, chat, { key, text: word })).status === 400)
    for (const way of ways) {
      const body = JSON.stringify({ ...way.body(way.model, 'hi', false), ...hidden[way.name] })
      expect(await refusedAs(way, body, 400)).toStartWith('sensitive words: forbidden fruit')
    }
    const named = await (await ask(rig.url, chat, { key, text: word })).text()
    expect(problemIn(chat, named)?.code).toBe('sensitive_words_detected')
    expect((await ask(rig.url, chat, { key, text: 'forbidden, fruit' })).status).toBe(200)
    for (const option of ['CheckSensitiveOnPromptEnabled', 'CheckSensitiveEnabled']) {
      await rig.setOption(option, 'false')
      await until(async () => (await ask(rig.url, chat, { key, text: word })).status === 200)
      await rig.setOption(option, 'true')
      await until(async () => (await ask(rig.url, chat, { key, text: word })).status === 400)
    }
  })
})

test('responses go on only from what this caller got', async () => {
  const more = { previous_response_id: 'resp_of_somebody_else' }
  const response = await ask(rig.url, responses, { key, more })
  expect(response.status).toBe(404)
})
