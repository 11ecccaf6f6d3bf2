import { expect, test } from 'bun:test'
import { refuseAccountFrame } from './guard-account-data.ts'

const update = (session: object) => JSON.stringify({ event_id: 'e1', type: 'session.update', session })
const mcp = { type: 'mcp', server_label: 'm' }

test.each<[string, string]>([
  ['session.tools[0].connector_id', update({ tools: [{ ...mcp, connector_id: 'connector_gmail' }] })],
  ['session.tools[0].tunnel_id', update({ tools: [{ ...mcp, tunnel_id: 't' }] })],
  [
    'session.tools[0].tunnel_id',
    update({ tools: [{ ...mcp, tunnel_id: 't' }] }).replace('tunnel', '\\u0074unnel'),
  ],
  [
    'response.tools[0].tunnel_id',
    '{"event_id":"e1","type":"response.create","response":{"tools":[{"type":"mcp","tunnel_id":"t"}]}}',
  ],
])('%s is refused', (field, frame) => {
  for (const sent of [frame, Buffer.from(frame)])
    expect(refuseAccountFrame(sent)).toMatchObject({
      error: { code: 'feature.account-data', params: { field } },
      eventId: 'e1',
    })
})

test.each<[string, string | Buffer]>([
  ['sound', '{"type":"input_audio_buffer.append","audio":"UklGRg=="}'],
  ['words', update({ instructions: 'ask me for the connector_id' })],
  ['a connector with a token', update({ tools: [{ ...mcp, connector_id: 'c', authorization: 'theirs' }] })],
  ['no JSON', 'tunnel_id'],
  ['bytes', Buffer.from([0, 255, 1])],
])('%s may pass', (_what, frame) => {
  expect(refuseAccountFrame(frame)).toBeUndefined()
})

test('what may name it among more than can be read at once is refused', () => {
  const frame = `{"session":{"x":"tunnel_id","tools":[${'[],'.repeat(600_000)}1]}}`
  expect(refuseAccountFrame(frame)).toMatchObject({ error: { code: 'relay.crowded-json' } })
})
