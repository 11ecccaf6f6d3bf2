import { expect, test } from 'bun:test'
import { anthropic } from '../../dialects/anthropic/index.ts'
import { openaiChat } from '../../dialects/openai-chat/index.ts'
import { openaiResponses } from '../../dialects/openai-responses/index.ts'
import type { NeutralRequest } from '../../dialects/spec.ts'
import { hostedTools } from '../request/hosted-tools.ts'
import { bridgeTo } from './bridge-dialects.ts'

// One caller must not hold up all others: as many as fit into a request take a moment, where each looking at all others
// would take longer than a test may.

const asked = (more: object): NeutralRequest =>
  openaiChat.readRequest({ model: 'm', messages: [{ role: 'user', content: 'hi' }], ...more }, {})
const many = Array.from({ length: 400_000 }, (_, at) => `stop ${at}`)

test('stop strings that an upstream can be told may be many', () => {
  expect(bridgeTo(anthropic, asked({ stop: many }), false).dialect).toBe(anthropic)
})

test.each([
  ['many', many],
  ['long', ['x'.repeat(8193)]],
  ['many and long', Array.from({ length: 60 }, (_, at) => `${at}`.repeat(200))],
])('of those that are looked for here too %s are refused', (_, stop) => {
  expect(() => bridgeTo(openaiResponses, asked({ stop }), false)).toThrow('more than 64 stop strings')
})

test('as many as vendors take are looked for here', () => {
  const stop = Array.from({ length: 64 }, (_, at) => `stop ${at}`)
  expect(bridgeTo(openaiResponses, asked({ stop }), false).dialect).not.toBe(openaiResponses)
})

test('tools that are told in the midst of a conversation may be many, and are told anew', () => {
  const tools = many.map(name => ({ type: 'function', name: name.replace(' ', '_'), parameters: {} }))
  const input = [
    { role: 'user', content: 'hi' },
    { type: 'tool_search_output', call_id: 'c', tools },
    { type: 'tool_search_output', call_id: 'd', tools: [{ ...tools[7], description: 'anew' }] },
  ]
  const read = openaiResponses.readRequest({ model: 'm', input, tools: [{ type: 'web_search' }] }, {})
  expect(read.tools.length).toBe(1 + many.length)
  expect(read.tools[8]).toMatchObject({ name: 'stop_7', description: 'anew' })
})

test('places to compute in may be many', () => {
  const tools = many.map(name => ({ type: 'code_execution_20250825', name }))
  expect(hostedTools({ tools })?.length).toBe(many.length)
  expect(
    hostedTools({ tools: [...tools, { type: 'web_search_20260209', name: 'web_search' }] })?.length,
  ).toBe(1)
})
