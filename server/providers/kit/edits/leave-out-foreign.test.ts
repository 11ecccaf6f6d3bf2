import { describe, expect, test } from 'bun:test'
import type { Json, JsonObject } from '../../../dialects/json.ts'
import type { Destination } from '../../define.ts'
import { leaveOutForeign } from './leave-out-foreign.ts'
import { leaveOutUnproven } from './leave-out-unproven.ts'

const to = (model: string): Destination => ({
  baseUrl: 'https://a.example',
  key: 'k',
  model,
  stream: false,
  other: '',
  organization: undefined,
})

describe('an Anthropic conversation', () => {
  const thought = (signature: string) => ({ type: 'thinking', thinking: 'hm', signature })
  const sealed = (data: string) => ({ type: 'redacted_thinking', data })
  const text = { type: 'text', text: 'b', cache_control: { type: 'ephemeral' } }
  const call = (id: string) => ({ type: 'tool_use', id, name: 'f', input: {} })
  const result = (id: string) => ({ type: 'tool_result', tool_use_id: id, content: 'r' })
  const said = (...content: Json[]): JsonObject => ({ role: 'assistant', content })
  const user = { role: 'user', content: 'a' }
  const edit = (messages: Json, more: JsonObject = {}, model = 'claude-sonnet-4-6') =>
    leaveOutForeign({ messages, ...more }, to(model))

  test('loses what other vendors left in it, and nothing else', () => {
    expect(
      edit([
        user,
        said(thought(''), text),
        said(thought('tg1.gemini.QUJD'), sealed('tg1.openai-responses.gAA'), call('c.1--tgsig--QUJD')),
        { role: 'user', content: [result('c.1--tgsig--QUJD'), text] },
        said(thought('Eq')),
        said(thought(''), thought('')),
        said(sealed('Eq'), text),
        user,
      ]),
    ).toEqual({
      messages: [
        user,
        said(text),
        said(call('c_x2e1')),
        { role: 'user', content: [result('c_x2e1'), text] },
        said(thought('Eq')),
        said(sealed('Eq'), text),
        user,
      ],
    })
  })

  test('of its own is left as it is', () => {
    const own: Json[] = [
      [
        user,
        said(thought('Eq'), sealed('Eq'), call('toolu_1')),
        { role: 'user', content: [result('toolu_1')] },
      ],
      [{ role: 'user', content: [{ type: 'text', text: 'tg1. --tgsig--QUJD' }] }],
      [{ role: 'user', content: [] }, null, 5, { role: 'assistant', content: [null, 'x', {}] }],
      'x',
      null,
    ]
    for (const messages of own) expect(edit(messages)).toBeUndefined()
    expect(leaveOutForeign({}, to('claude-sonnet-4-6'))).toBeUndefined()
  })

  test('other vendors sign nothing, and need their thoughts back', () => {
    expect(edit([user, said(thought(''), text)], {}, 'kimi-k3')).toBeUndefined()
    expect(edit([user, said(call('functions.f:0'))], {}, 'kimi-k3')).toBeUndefined()
    const marked = [user, said(thought('tg1.gemini.QUJD'), call('f:0--tgsig--QUJD'))]
    expect(edit(marked, {}, 'kimi-k3')).toEqual({ messages: [user, said(call('f:0'))] })
  })

  test('a budget goes with the thoughts of the turn under way', () => {
    const thinking = { type: 'enabled', budget_tokens: 2000 }
    const results = { role: 'user', content: [result('c')] }
    const after = [user, said(call('c')), results]
    expect(edit([user, said(thought(''), call('c')), results], { thinking })).toStrictEqual({
      messages: after,
      thinking: undefined,
    })
    const adaptive = { thinking: { type: 'adaptive' } }
    expect(edit([user, said(thought(''), call('c')), results], adaptive)).toStrictEqual({ messages: after })
    expect(edit([user, said(thought(''), text), user], { thinking })).toStrictEqual({
      messages: [user, said(text), user],
    })
  })
})

describe('a Responses conversation', () => {
  const thought = (id: string, encrypted_content?: string): JsonObject => ({
    type: 'reasoning',
    id,
    summary: [],
    ...(encrypted_content === undefined ? {} : { encrypted_content }),
  })
  const named = (id: string) => ({ type: 'item_reference', id })
  const message = { type: 'message', id: 'msg_chatcmpl-1_1', role: 'assistant', content: 'b' }

  test('loses the thoughts that the vendor cannot know', () => {
    const kept = [
      message,
      thought('rs_0a1b'),
      thought('rs_chatcmpl-1_3', 'gAAA'),
      named('rs_0a1b'),
      named('msg_x_1'),
    ]
    expect(
      leaveOutUnproven({
        input: [
          thought('rs_chatcmpl-1_0'),
          thought('rs_msg_01Ab_0', ''),
          thought('rs_msg_01Ab_0', 'tg1.anthropic.Eq'),
          thought('rs_0a1b', 'tg1r.anthropic.Eq'),
          thought('rs_0a1b', 'tg1c.gemini.Cp'),
          named('rs_chatcmpl-1_0'),
          ...kept,
        ],
      }),
    ).toEqual({ input: kept })
    expect(leaveOutUnproven({ input: kept })).toBeUndefined()
    for (const input of ['x', null, [null, 5, 'x', {}], undefined])
      expect(leaveOutUnproven({ input })).toBeUndefined()
  })
})
