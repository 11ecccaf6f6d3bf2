// What goes to a server's tools and comes from them: read by the rules that say so, kept, and told as spans.

import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import type { JsonObject } from '../../server/dialects/json.ts'
import { type Client, rootClient } from '../client.ts'
import { Collector } from '../otel/collector.ts'
import { until } from '../program.ts'
import type { Rig } from '../relay/rig.ts'
import { addMcpServer, connectClient, openMcpRig, postMcp, textOf } from './house.ts'
import { type McpUpstream, startMcpUpstream } from './upstream.ts'

const PRICE = 700
const rule = { enabled: true, where: ['tool-input', 'tool-output'], groups: [], models: [] }
const hook = { by: 'webhook', seconds: 30, otherwise: 'block' }

let rig: Rig
let root: Client
let key = ''
let userId = 0
let upstream: McpUpstream
let modern: McpUpstream
const collector = new Collector()
const asked: JsonObject[] = []
let verdict: (body: JsonObject) => JsonObject = () => ({ action: 'allow' })
const webhook = Bun.serve({
  idleTimeout: 0,
  port: 0,
  hostname: '127.0.0.1',
  async fetch(request) {
    const body = (await request.json()) as JsonObject
    asked.push(body)
    return Response.json(verdict(body))
  },
})

beforeAll(async () => {
  upstream = startMcpUpstream('sessions')
  modern = startMcpUpstream('modern')
  const people = { by: 'kinds', kinds: ['email', 'card'] }
  const url = `http://127.0.0.1:${webhook.port}/`
  const rules = [
    { ...rule, name: 'people', models: ['mcp/docs/*', 'mcp/fresh/*'], looks: people, action: 'mask' },
    {
      ...rule,
      name: 'secret',
      where: ['tool-input'],
      looks: { by: 'words', words: ['project x'] },
      action: 'block',
    },
    {
      ...rule,
      name: 'leak',
      where: ['tool-output'],
      looks: { by: 'words', words: ['forbidden'] },
      action: 'block',
    },
    // Rules that say nothing of tools do not read them, whoever they are for.
    {
      ...rule,
      name: 'models',
      where: ['input', 'output'],
      looks: { by: 'words', words: ['told'] },
      action: 'block',
    },
    { ...rule, name: 'own-check', models: ['mcp/asked/*'], looks: { ...hook, url }, action: 'block' },
  ]
  rig = await openMcpRig(
    async books => {
      userId = await books.addUser({ quota: 1_000_000 })
      key = (await books.addToken({ userId })).key
      await addMcpServer(books, { name: 'docs', url: upstream.url, price: PRICE })
      await addMcpServer(books, { name: 'fresh', url: modern.url, price: PRICE })
      await addMcpServer(books, { name: 'asked', url: upstream.url, price: PRICE })
      await addMcpServer(books, { name: 'other', url: upstream.url, price: PRICE })
      await books.setOption('Guards', JSON.stringify(rules))
      await books.setOption('LogContentScope', 'all')
    },
    { OTEL_EXPORTER_OTLP_ENDPOINT: collector.url },
  )
  root = await rootClient(rig.url)
})
afterAll(async () => {
  expect(collector.complaints).toEqual([])
  expect(await rig.differences()).toEqual([])
  await rig.close()
  await webhook.stop(true)
  await collector.stop()
  await upstream.stop()
  await modern.stop()
})

const call = (tool: string, args: object = {}, more: object = {}) => ({
  ...{ jsonrpc: '2.0', id: 7, method: 'tools/call' },
  params: { name: tool, arguments: args, ...more },
})

async function post(server: string, message: object) {
  const response = await postMcp(`${rig.url}/mcp/${server}`, key, message)
  const requestId = response.headers.get('x-oneapi-request-id') ?? ''
  const text = await response.text()
  const data = text.startsWith('event:')
    ? (text
        .match(/^data: (.*)$/gm)
        ?.at(-1)
        ?.slice(6) ?? '')
    : text
  return { json: JSON.parse(data), text, requestId, charge: await rig.chargeOf(requestId) }
}

/** What administrators are told besides. */
const insideOf = ({ details }: { details: Record<string, unknown> }) =>
  (details.admin_info ?? {}) as JsonObject

async function contentOf(requestId: string): Promise<{ request: string; answer: string } | undefined> {
  const { json } = await root.get(`/api/log/content/${requestId}`)
  return json.success ? json.data : undefined
}

describe('what is masked', () => {
  test.each([
    ['docs', 'older'],
    ['fresh', 'modern'],
  ] as const)('goes to %s and comes from it without it, by an official client (%s)', async (server, kind) => {
    const { client, requestIds } = await connectClient(`${rig.url}/mcp/${server}`, key, kind)
    const heard: (string | undefined)[] = []
    const result = await client.callTool(
      { name: 'tell', arguments: { to: 'ada@example.com', number: 4 } },
      { onprogress: ({ message }) => heard.push(message) },
    )
    const { told } = server === 'docs' ? upstream : modern
    expect(told.at(-1)).toEqual({ to: '[email]', number: 4 })
    expect(result.content).toEqual([
      { type: 'text', text: 'From [email]: told [email]' },
      { type: 'resource', resource: { uri: 'note://told', text: 'From [email]' } },
    ])
    expect(result.structuredContent).toEqual({ about: 'From [email]', rank: '[card]' })
    expect(heard).toEqual(['on its way to [email]'])
    const requestId = requestIds.at(-1) ?? ''
    const row = await rig.logOf(requestId)
    expect([row.quota, insideOf(row).guards]).toEqual([PRICE, { people: 5 }])
    await client.close()
  })

  test('also where a header repeats an argument', async () => {
    const meta = {
      'io.modelcontextprotocol/protocolVersion': '2026-07-28',
      'io.modelcontextprotocol/clientInfo': { name: 'a test', version: '1' },
      'io.modelcontextprotocol/clientCapabilities': {},
    }
    const response = await postMcp(
      `${rig.url}/mcp/fresh`,
      key,
      call('tell', { to: 'ada@example.com' }, { _meta: meta }),
      {
        'mcp-protocol-version': '2026-07-28',
        'mcp-method': 'tools/call',
        'mcp-name': 'tell',
        'mcp-param-to': 'ada@example.com',
      },
    )
    expect(response.status).toBe(200)
    expect(await response.text()).not.toContain('ada@')
    expect(modern.seen.at(-1)?.get('mcp-param-to')).toBe('[email]')
  })

  test('of an error, of a resource and of a prompt too', async () => {
    const failed = await post('docs', call('ada@example.com'))
    expect(JSON.stringify(failed.json)).toContain('[email]')
    expect(JSON.stringify(failed.json)).not.toContain('ada@')
    expect(failed.charge).toBeUndefined()
    const { client } = await connectClient(`${rig.url}/mcp/docs`, key, 'older')
    const { messages } = await client.getPrompt({ name: 'greet', arguments: { who: 'ada@example.com' } })
    expect(messages).toEqual([{ role: 'user', content: { type: 'text', text: 'Greet [email]' } }])
    await client.close()
  })

  test('not where no rule names tools, nor for a server that none is for', async () => {
    const { json, requestId } = await post('other', call('tell', { to: 'ada@example.com' }))
    expect(upstream.told.at(-1)).toEqual({ to: 'ada@example.com' })
    expect(textOf(json.result)).toBe('From office@example.com: told ada@example.com')
    expect(insideOf(await rig.logOf(requestId)).guards).toBeUndefined()
  })
})

describe('what is blocked', () => {
  test('never reaches the server, and costs nothing', async () => {
    const begun = upstream.begun.tell ?? 0
    const { json, requestId, charge } = await post('docs', call('tell', { to: 'everybody of Project X' }))
    expect(json.error.code).toBe(-32000)
    expect(json.error.message).toContain('secret')
    expect(json.error.data.code).toBe('guard_blocked')
    expect([upstream.begun.tell, charge]).toEqual([begun, undefined])
    const row = await rig.logOf(requestId)
    expect([row.type, row.quota, insideOf(row).guards]).toEqual([5, 0, { secret: 1 }])
    expect(await contentOf(requestId)).toBeUndefined()
  })

  test('is not handed over when it is an answer, nor what is said on the way to it', async () => {
    const before = await rig.balance(userId)
    const { json, text, requestId, charge } = await post(
      'other',
      call('tell', { to: 'the forbidden city' }, { _meta: { progressToken: 1 } }),
    )
    expect(json.error.message).toContain('leak')
    expect(text).not.toContain('forbidden')
    expect([charge, await rig.balance(userId)]).toEqual([undefined, before])
    expect(insideOf(await rig.logOf(requestId)).guards).toEqual({ leak: 2 })
  })

  test('a resource is refused, which the log tells', async () => {
    const message = { jsonrpc: '2.0', id: 1, method: 'prompts/get' }
    const { json, requestId } = await post('other', {
      ...message,
      params: { name: 'greet', arguments: { who: 'the forbidden city' } },
    })
    expect(json.error.message).toContain('leak')
    const row = await rig.logOf(requestId)
    expect([row.model_name, row.type]).toEqual(['mcp/other', 5])
  })
})

describe('a webhook', () => {
  test('is asked about both sides, and is told which', async () => {
    asked.length = 0
    verdict = ({ texts, side }) =>
      side === 'tool-input' ? { action: 'mask', texts: ['somebody'] } : { action: 'allow', texts }
    const { json, charge } = await post('asked', call('tell', { to: 'Ada' }))
    expect(textOf(json.result)).toBe('From office@example.com: told somebody')
    expect(upstream.told.at(-1)).toEqual({ to: 'somebody' })
    expect(asked.map(({ side, model, texts }) => [side, model, (texts as string[])[0]])).toEqual([
      ['tool-input', 'mcp/asked/tell', 'Ada'],
      ['tool-output', 'mcp/asked/tell', 'From office@example.com: told somebody'],
    ])
    expect(charge).toBe(PRICE)
  })

  test('that says no costs nothing', async () => {
    verdict = () => ({ action: 'block', reason: 'not today' })
    const begun = upstream.begun.tell
    const { json, charge } = await post('asked', call('tell', { to: 'Ada' }))
    expect(json.error.message).toContain('not today')
    expect([upstream.begun.tell, charge]).toEqual([begun, undefined])
  })
})

test('what tools are asked and answer is kept, as far as rules leave it', async () => {
  const { requestId } = await post('docs', call('tell', { to: 'ada@example.com', number: 4 }))
  await until(async () => (await contentOf(requestId)) !== undefined)
  const { request = '', answer = '' } = (await contentOf(requestId)) ?? {}
  expect(JSON.parse(request)).toEqual(call('tell', { to: '[email]', number: 4 }))
  expect(JSON.parse(answer)).toMatchObject({ id: 7, result: { structuredContent: { rank: '[card]' } } })

  const away = await post('docs', call('no-such-tool'))
  await until(async () => (await contentOf(away.requestId)) !== undefined)
  expect(JSON.parse((await contentOf(away.requestId))?.answer ?? '')).toMatchObject({
    error: { code: -32602 },
  })
})

test('calls of tools are spans, in the caller’s trace, and say nothing of their content', async () => {
  const traceId = 'a'.repeat(31).concat('1')
  const traceparent = `00-${traceId}-00f067aa0ba902b7-01`
  const good = await post('docs', call('tell', { to: 'marmalade' }, { _meta: { traceparent } }))
  const bad = await post('docs', call('fail'))
  const blocked = await post('docs', call('tell', { to: 'project x' }))
  const all = [good, bad, blocked].map(({ requestId }) => requestId)
  await until(() => all.every(id => collector.find(id)))
  const [told, failed, refused] = all.map(id => collector.find(id))
  expect(told?.call).toMatchObject({ name: 'tools/call tell', traceId, parentSpanId: '00f067aa0ba902b7' })
  expect(told?.call.attributes).toMatchObject({
    'gen_ai.operation.name': 'execute_tool',
    'gen_ai.tool.name': 'tell',
    'mcp.method.name': 'tools/call',
    'tollgate.mcp.server': 'docs',
    'tollgate.model': 'mcp/docs/tell',
    'tollgate.quota': PRICE,
  })
  expect(told?.tries.length).toBe(1)
  expect(failed?.call.attributes['error.type']).toBe('tool_error')
  expect(failed?.tries[0]?.attributes['error.type']).toBe('tool_error')
  expect(refused?.call.attributes['error.type']).toBe('guard.asked')
  expect(refused?.tries).toEqual([])
  expect(insideOf(await rig.logOf(good.requestId)).trace_id).toBe(traceId)
  for (const word of ['marmalade', 'project x', '127.0.0.1'])
    expect(collector.texts.join('')).not.toContain(word)
})
