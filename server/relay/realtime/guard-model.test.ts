import { expect, test } from 'bun:test'
import type { Frame } from './frame.ts'
import { guardModel } from './guard-model.ts'

const names = { asked: 'gpt-realtime', upstream: 'gpt-realtime' }

test.each<[string, Frame]>([
  ['sound', '{"type":"input_audio_buffer.append","audio":"UklGRg=="}'],
  ['its own model', '{"type":"session.update","session":{"type":"realtime","model":"gpt-realtime"}}'],
  ['no model', '{"type":"session.update","session":{"instructions":"be a model citizen"}}'],
  ['null', '{"type":"session.update","session":{"model":null}}'],
  [
    'a transcription model',
    '{"type":"session.update","session":{"input_audio_transcription":{"model":"whisper-1"}}}',
  ],
  ['no JSON and no model', 'hello'],
  ['bytes', Buffer.from([0, 255, 1])],
])('a frame with %s goes as it came', (_name, frame) => {
  expect(guardModel(frame, names)).toBe(frame)
})

test.each<[string, Frame]>([
  ['a session', '{"event_id":"e1","type":"session.update","session":{"model":"gpt-4o-realtime-preview"}}'],
  ['a response', '{"event_id":"e1","type":"response.create","response":{"model":"o3"}}'],
  ['escapes', '{"event_id":"e1","type":"session.update","session":{"mod\\u0065l":"o3"}}'],
  ['another kind of value', '{"event_id":"e1","type":"session.update","session":{"model":["o3"]}}'],
  ['bytes', Buffer.from('{"event_id":"e1","type":"session.update","session":{"model":"o3"}}')],
])('another model in %s is refused', (_name, frame) => {
  expect(guardModel(frame, names)).toMatchObject({ error: { code: 'relay.model-denied' }, eventId: 'e1' })
})

test('what names a model and cannot be read is refused', () => {
  expect(guardModel('{"session":{"model":"o3"},}', names)).toMatchObject({
    error: { code: 'relay.invalid-json' },
  })
})

test('what names a model among more than can be read at once is refused', () => {
  const frame = `{"type":"session.update","session":{"model":"gpt-realtime","tools":[${'[],'.repeat(600_000)}1]}}`
  expect(guardModel(frame, names)).toMatchObject({ error: { code: 'relay.crowded-json' } })
})

test('the upstream hears its own name for the model', () => {
  const frame = '{"type":"session.update","session":{"model":"gpt-realtime","voice":"ash"}}'
  expect(guardModel(frame, { asked: 'gpt-realtime', upstream: 'deployment-1' })).toBe(
    '{"type":"session.update","session":{"model":"deployment-1","voice":"ash"}}',
  )
})
