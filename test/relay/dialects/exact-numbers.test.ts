import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import type { JsonObject } from '../../../server/dialects/json.ts'
import { anthropic, ask, chat, readStream, responses, type Way, ways } from '../ways.ts'
import { openPairs, type Pairs } from './pairs-house.ts'

// Ids of rows and messages are often whole numbers of 64 bits, which JavaScript rounds: to a tool, the next one up
// or down is another row.

const ID = '1750000000000000001'
const LOW = '-9223372036854775808'
const { rawJSON } = JSON as unknown as { rawJSON(text: string): string }
const input = { id: rawJSON(ID), low: rawJSON(LOW), near: Number.MAX_SAFE_INTEGER }

let house: Pairs
beforeAll(async () => {
  house = await openPairs()
})
afterAll(() => house.close())

const schema = { type: 'object', properties: { id: { type: 'integer' }, low: { type: 'integer' } } }

function toolsOf(client: Way): JsonObject {
  switch (client) {
    case chat:
      return { tools: [{ type: 'function', function: { name: 'find_row', parameters: schema } }] }
    case responses:
      return { tools: [{ type: 'function', name: 'find_row', parameters: schema, strict: false }] }
    case anthropic:
      return { tools: [{ name: 'find_row', input_schema: schema }] }
    default:
      return { tools: [{ functionDeclarations: [{ name: 'find_row', parametersJsonSchema: schema }] }] }
  }
}

/** A conversation with a call and its result, both with such a number, as a client writes it. */
function historyOf(client: Way, model: string): string {
  const args = `{"id":${ID},"low":${LOW}}`
  const row = `{"id":${ID},"owner":${LOW}}`
  const quoted = JSON.stringify
  const head = quoted({ ...client.body(model, 'which row?', false), ...toolsOf(client) })
  const turns = (own: string, more: string): string =>
    `${quoted({ ...JSON.parse(head), [own]: undefined }).slice(0, -1)},"${own}":[${more}]}`
  switch (client) {
    case chat:
      return turns(
        'messages',
        `{"role":"user","content":"which row?"},
         {"role":"assistant","content":null,"tool_calls":[{"id":"call_1","type":"function","function":{"name":"find_row","arguments":${quoted(args)}}}]},
         {"role":"tool","tool_call_id":"call_1","content":${quoted(row)}}`,
      )
    case responses:
      return turns(
        'input',
        `{"role":"user","content":"which row?"},
         {"type":"function_call","call_id":"call_1","name":"find_row","arguments":${quoted(args)}},
         {"type":"function_call_output","call_id":"call_1","output":${quoted(row)}}`,
      )
    case anthropic:
      return turns(
        'messages',
        `{"role":"user","content":"which row?"},
         {"role":"assistant","content":[{"type":"tool_use","id":"toolu_1|a","name":"find_row","input":${args}}]},
         {"role":"user","content":[{"type":"tool_result","tool_use_id":"toolu_1|a","content":${quoted(row)}}]}`,
      )
    default:
      return turns(
        'contents',
        `{"role":"user","parts":[{"text":"which row?"}]},
         {"role":"model","parts":[{"functionCall":{"name":"find_row","args":${args}}}]},
         {"role":"user","parts":[{"functionResponse":{"name":"find_row","response":${row}}}]}`,
      )
  }
}

const pairs = ways.flatMap(client =>
  ways.map(upstream => [`${client.name} → ${upstream.name}`, client, upstream] as const),
)

describe('the numbers of a call are those that the model gave', () => {
  test.each(pairs)('%s', async (_name, client, upstream) => {
    for (const stream of [false, true]) {
      house
        .vendorOf(upstream)
        .next({ reply: { text: '', calls: [{ name: 'find_row', input }], finish: 'tools' } })
      const model = house.modelOf(upstream)
      const response = await ask(house.rig.url, client, {
        key: house.key,
        model,
        stream,
        more: toolsOf(client),
      })
      const { text, events } = await readStream(response)
      const said = stream ? pieces(events.map(({ data }) => data)) : text
      expect([response.status, said]).toEqual([200, expect.stringContaining(ID)])
      expect(said).toContain(LOW)
    }
  })

  /** Arguments may come cut anywhere: their pieces, put together. */
  function pieces(frames: readonly string[]): string {
    return frames
      .map(frame => /"(?:arguments|partial_json|delta)":("(?:[^"\\]|\\.)*")/.exec(frame)?.[1])
      .map((quoted, at) => (quoted ? String(JSON.parse(quoted)) : (frames[at] ?? '')))
      .join('')
  }
})

describe('the numbers of a conversation are those that the client sent', () => {
  test.each(pairs)('%s', async (_name, client, upstream) => {
    const model = house.modelOf(upstream)
    const response = await ask(house.rig.url, client, {
      key: house.key,
      model,
      rawBody: historyOf(client, model),
    })
    expect([response.status, await response.text()]).toEqual([200, expect.any(String)])
    const sent = house.vendorOf(upstream).requests.at(-1)?.text ?? ''
    expect([sent.split(ID).length - 1, sent.split(LOW).length - 1]).toEqual([2, 2])
  })
})
