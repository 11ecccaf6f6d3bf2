import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { asArray, asObject, type JsonObject, parseObject } from '../../../server/dialects/json.ts'
import type { Reply } from '../../upstreams/reply.ts'
import { anthropic, ask, chat, gemini, readStream, responses, type Way } from '../ways.ts'
import { openPairs, type Pairs } from './pairs-house.ts'

// What OpenAI's Codex sends, shortened, to models of any vendor. Its tools come in namespaces, in the midst of the
// conversation and by a search that it makes itself, and it executes what it finds in the answer under their names.

let house: Pairs
beforeAll(async () => {
  house = await openPairs()
})
afterAll(() => house.close())

const others = [chat, anthropic, gemini].flatMap(way =>
  [false, true].map(stream => [way.name, stream, way] as const),
)

const parameters = { type: 'object', properties: { cmd: { type: 'string' } }, required: ['cmd'] }
const run = { type: 'function', name: 'exec_command', description: 'Runs it.', strict: false, parameters }
const spawn = { type: 'function', name: 'spawn_agent', description: 'Starts one.', strict: false, parameters }
const agents = {
  type: 'namespace',
  name: 'multi_agent_v1',
  description: 'Tools for sub-agents.',
  tools: [spawn, { ...spawn, name: 'close_agent' }],
}
const says = (role: string, text: string) => ({
  type: 'message',
  id: `msg_${role}`,
  role,
  content: [{ type: 'input_text', text }],
})
const start = [says('developer', 'You are Codex.'), says('user', 'Go')]
const session: JsonObject = {
  tool_choice: 'auto',
  parallel_tool_calls: true,
  store: false,
  include: ['reasoning.encrypted_content'],
  prompt_cache_key: '01a1e97f-99e6-7391-9672-0f05ff47a2a4',
  client_metadata: { session_id: '01a1e97f-99e6-7391-9672-0f05ff47a2a4' },
}

/** The items of the answer, as their client gets them. */
async function items(
  upstream: Way,
  stream: boolean,
  more: JsonObject,
  calls: Reply['calls'] = [],
): Promise<JsonObject[]> {
  if (calls.length > 0)
    house.vendorOf(upstream).next({ reply: { thinking: '', text: '', calls, finish: 'tools' } })
  const response = await ask(house.rig.url, responses, {
    key: house.key,
    model: house.modelOf(upstream),
    stream,
    more: { ...session, ...more },
  })
  const { text, events } = await readStream(response)
  expect([response.status, response.status === 200 ? '' : text]).toEqual([200, ''])
  const said = events.map(({ data }) => parseObject(data))
  const whole = stream ? asObject(said.at(-1)?.response) : parseObject(text)
  const output = asArray(whole?.output).map(item => asObject(item) ?? {})
  if (stream) {
    const done = said.filter(one => one?.type === 'response.output_item.done')
    expect(done.map(one => one?.item)).toEqual(output)
  }
  return output
}

/** What the vendor was offered. */
function offered(upstream: Way): string[] {
  const { tools } = house.sentTo(upstream)
  return asArray(tools).flatMap(tool => {
    const one = asObject(tool)
    const many = asArray(one?.functionDeclarations)
    const named = many.length > 0 ? many.map(asObject) : [asObject(one?.function) ?? one]
    return named.flatMap(each => (typeof each?.name === 'string' ? each.name : []))
  })
}

describe.each(others)('to %s, streamed %p', (_name, stream, upstream) => {
  test('tools in a namespace, beside others and a search of the web', async () => {
    const tools = [run, agents, { type: 'web_search', external_web_access: false }]
    const called = await items(upstream, stream, { input: start, tools }, [
      { name: 'multi_agent_v1__spawn_agent', input: { cmd: 'look' } },
      { name: 'exec_command', input: { cmd: 'ls' } },
    ])
    const calls = called.filter(item => item.type === 'function_call')
    expect(calls).toMatchObject([
      { namespace: 'multi_agent_v1', name: 'spawn_agent', arguments: '{"cmd":"look"}' },
      { name: 'exec_command', arguments: '{"cmd":"ls"}' },
    ])
    expect(calls[1]).not.toHaveProperty('namespace')
    expect(offered(upstream).slice(0, 3)).toEqual([
      'exec_command',
      'multi_agent_v1__spawn_agent',
      'multi_agent_v1__close_agent',
    ])
    expect(JSON.stringify(house.sentTo(upstream))).toContain('Tools for sub-agents.')
    const results = calls.map(({ call_id }) => ({ type: 'function_call_output', call_id, output: 'done' }))
    const [said] = await items(upstream, stream, { input: [...start, ...called, ...results], tools })
    expect(JSON.stringify(said)).toContain('The tool said: done | done')
    expect(JSON.stringify(house.sentTo(upstream))).toContain('"multi_agent_v1__spawn_agent"')
  })

  test('tools that are told of in the conversation, one of them for a text', async () => {
    const exec = { type: 'custom', name: 'exec', description: 'Runs code.', format: { type: 'text' } }
    const told = { type: 'namespace', name: 'functions', description: '', tools: [exec, run] }
    const input = [{ type: 'additional_tools', id: 'at_1', role: 'developer', tools: [told] }, ...start]
    const called = await items(upstream, stream, { input }, [
      { name: 'functions__exec', input: { input: 'text(1)' } },
    ])
    const call = called.at(-1)
    expect(call).toMatchObject({
      type: 'custom_tool_call',
      namespace: 'functions',
      name: 'exec',
      input: 'text(1)',
    })
    const output = { type: 'custom_tool_call_output', call_id: call?.call_id ?? '', output: 'one' }
    const [said] = await items(upstream, stream, { input: [...input, ...called, output] })
    expect(JSON.stringify(said)).toContain('The tool said: one')
  })

  test('tools that it finds when the model asks for them', async () => {
    const search = { type: 'tool_search', execution: 'client', description: 'Finds tools.', parameters }
    const called = await items(upstream, stream, { input: start, tools: [search, run] }, [
      { name: 'tool_search', input: { cmd: 'files' } },
    ])
    const call = called.at(-1)
    expect(call).toMatchObject({
      type: 'tool_search_call',
      status: 'completed',
      execution: 'client',
      arguments: { cmd: 'files' },
    })
    const files = {
      type: 'namespace',
      name: 'mcp__files',
      description: 'Files.',
      tools: [{ ...run, name: 'read' }],
    }
    const found = {
      type: 'tool_search_output',
      call_id: call?.call_id ?? '',
      status: 'completed',
      execution: 'client',
      tools: [files],
    }
    const input = [...start, ...called, found]
    const next = await items(upstream, stream, { input, tools: [search, run] }, [
      { name: 'mcp__files__read', input: { cmd: 'a' } },
    ])
    expect(next.at(-1)).toMatchObject({ type: 'function_call', namespace: 'mcp__files', name: 'read' })
    expect(offered(upstream)).toEqual(['tool_search', 'exec_command', 'mcp__files__read'])
    expect(JSON.stringify(house.sentTo(upstream))).toContain('Now at hand: mcp__files__read')
  })
})

test('where the vendor would search for tools, its place is taken by all of them', async () => {
  const tools = [{ type: 'tool_search' }, { ...agents, tools: [{ ...spawn, defer_loading: true }] }]
  await items(anthropic, false, { input: start, tools })
  expect(offered(anthropic)).toEqual(['multi_agent_v1__spawn_agent'])
})

test('what one agent tells another is read, unless it is sealed', async () => {
  const sealed = (encrypted_content: string) => ({ type: 'encrypted_content', encrypted_content })
  const content = [
    { type: 'input_text', text: 'NEW_TASK' },
    sealed('look around'),
    sealed('gAAAAABnSomeSeal_-=='),
  ]
  const letter = { type: 'agent_message', id: 'amsg_1', author: '/root', recipient: '/root/look', content }
  const [said] = await items(anthropic, false, { input: [start[0] ?? {}, letter] })
  expect(JSON.stringify(said)).toContain('look around')
  expect(JSON.stringify(house.sentTo(anthropic))).not.toContain('gAAAA')
})

test('a choice names a tool and its namespace', async () => {
  const tool_choice = { type: 'function', namespace: 'multi_agent_v1', name: 'close_agent' }
  const output = await items(anthropic, false, { input: start, tools: [run, agents], tool_choice })
  expect(output.at(-1)).toMatchObject({ namespace: 'multi_agent_v1', name: 'close_agent' })
})

test('settings that change in the conversation are those of the answer', async () => {
  const change = { type: 'configuration_update', text: { format: { type: 'json_object' } } }
  await items(chat, false, { input: [...start, change, says('user', 'As JSON')] })
  expect(house.sentTo(chat)).toMatchObject({ response_format: { type: 'json_object' } })
})

test('a search of the web is left out only beside other tools', async () => {
  const search = { type: 'web_search' }
  await items(chat, true, { input: start, tools: [run, search] })
  expect(house.sentTo(chat)).not.toHaveProperty('web_search_options')
  const model = house.modelOf(chat)
  const more = { ...session, input: start, tools: [search] }
  const refused = await ask(house.rig.url, responses, { key: house.key, model, more })
  expect([refused.status, await refused.text()]).toEqual([400, expect.stringContaining('Web search')])
  expect(house.vendorOf(chat).complaints.splice(0)).toHaveLength(1)
})

describe('to OpenAI itself', () => {
  test('all of it goes as it came', async () => {
    const tools = [run, agents, { type: 'tool_search', execution: 'client', description: 'x', parameters }]
    const body = { ...session, input: start, tools, include: [] }
    await items(responses, true, body)
    expect(house.sentTo(responses)).toEqual({ ...body, model: house.modelOf(responses), stream: true })
  })

  test('a tool that is paid by the piece cannot be slipped in later', async () => {
    const container = { type: 'code_interpreter', container: { type: 'auto' } }
    const told = { type: 'additional_tools', role: 'developer', tools: [run, container] }
    const found = { type: 'tool_search_output', call_id: null, tools: [container] }
    await items(responses, false, { input: [told, found, ...start] })
    expect(house.sentTo(responses).input).toEqual([
      { ...told, tools: [run] },
      { ...found, tools: [] },
      ...start,
    ])
  })
})
