import { describe, expect, test } from 'bun:test'
import { parseObject } from '../../dialects/json.ts'
import { asCharged } from '../order/charge-usage.ts'
import { readDelta, readReport, sortEvent } from './read-event.ts'
import { addUsage, SessionUsage } from './session-usage.ts'

const DONE = `{"type":"response.done","event_id":"event_CGr7","response":{"object":"realtime.response","id":"resp_CGr6","status":"completed","status_details":null,"output":[{"id":"item_1","type":"message","status":"completed","role":"assistant","content":[{"type":"output_audio","transcript":"Hello!"}]}],"conversation_id":"conv_1","output_modalities":["audio"],"max_output_tokens":"inf","usage":{"total_tokens":253,"input_tokens":132,"output_tokens":121,"input_token_details":{"text_tokens":119,"audio_tokens":13,"image_tokens":0,"cached_tokens":64,"cached_tokens_details":{"text_tokens":60,"audio_tokens":4,"image_tokens":0}},"output_token_details":{"text_tokens":30,"audio_tokens":91}},"metadata":null}}`
const TRANSCRIBED = `{"event_id":"event_2122","type":"conversation.item.input_audio_transcription.completed","item_id":"item_003","content_index":0,"transcript":"Hello","usage":{"type":"tokens","total_tokens":48,"input_tokens":38,"input_token_details":{"text_tokens":10,"audio_tokens":28},"output_tokens":10}}`
const CUT = '{"type":"response.done","response":{"status":"cancelled","usage":null}}'

const reportOf = (text: string) => readReport(parseObject(text) ?? {})

test('frames are told apart by a look at their text', () => {
  expect(sortEvent(DONE)).toBe('report')
  expect(sortEvent(TRANSCRIBED)).toBe('report')
  expect(sortEvent('{"event_id":"e","type":"response.output_audio.delta","delta":"AAAA"}')).toBe('delta')
  expect(sortEvent('{"event_id":"e","type":"response.created","response":{}}')).toBe('created')
  expect(sortEvent('{"event_id":"e","type":"error","error":{}}')).toBe('error')
  expect(sortEvent('{"event_id":"e","type":"session.created","session":{}}')).toBeUndefined()
})

describe('usage', () => {
  test('a response’s tokens stand in one category each', () => {
    const usage = reportOf(DONE)?.usage
    expect(usage && asCharged(usage)).toEqual({
      input: 59,
      cacheRead: 64,
      audioInput: 9,
      output: 30,
      audioOutput: 91,
    })
  })

  test('a transcription’s tokens, and its seconds', () => {
    const usage = reportOf(TRANSCRIBED)?.usage
    expect(usage && asCharged(usage)).toEqual({ input: 10, audioInput: 28, output: 10 })
    const seconds = reportOf(TRANSCRIBED.replace(/"usage":.*/, '"usage":{"type":"duration","seconds":2.31}}'))
    expect(seconds?.usage).toEqual({ input: 24, output: 0, audioInput: 24 })
  })

  test.each([
    ['no usage', CUT],
    ['a word', '{"type":"response.done","response":{"usage":"much"}}'],
    ['no response', '{"type":"response.done","response":null}'],
  ])('%s is none', (_name, text) => {
    expect(reportOf(text)).toEqual({ of: 'response', usage: undefined })
  })

  test('strange details throw nothing and make no fractions', () => {
    const usage = reportOf(
      '{"type":"response.done","response":{"usage":{"input_tokens":10,"output_tokens":5,"input_token_details":{"audio_tokens":1.5,"cached_tokens":-3,"cached_tokens_details":[]},"output_token_details":{"audio_tokens":"9"}}}}',
    )?.usage
    expect(usage && asCharged(usage)).toEqual({ input: 9, audioInput: 1, output: 5 })
  })

  test('words of the model about such an event are no report', () => {
    expect(reportOf('{"type":"response.output_text.delta","delta":"\\"response.done\\""}')).toBeUndefined()
  })
})

test('deltas: text is read, sound is measured', () => {
  expect(readDelta('{"type":"response.output_text.delta","delta":"Hi \\"you\\""}')).toEqual({
    text: 'Hi "you"',
  })
  expect(readDelta('{"type":"response.audio_transcript.delta","delta":"Hi"}')).toEqual({ text: 'Hi' })
  const sound = Buffer.alloc(4800).toString('base64')
  expect(readDelta(`{"type":"response.audio.delta", "delta": "${sound}"}`)).toEqual({ audioBytes: 4800 })
  expect(readDelta('{"type":"response.output_audio.delta","delta":"')).toEqual({ audioBytes: 0 })
  expect(readDelta('{"type":"response.output_text.delta","delta":null}')).toBeUndefined()
})

describe('a session', () => {
  const countText = (text: string) => Promise.resolve(text.length)

  test('adds up what is reported', async () => {
    const usage = new SessionUsage(countText)
    expect(usage.isEmpty).toBe(true)
    usage.noteDelta({ text: 'counted by the upstream' })
    for (const text of [DONE, DONE, TRANSCRIBED]) {
      const report = reportOf(text)
      if (report) await usage.note(report)
    }
    await usage.noteBreak()
    expect(usage.total).toEqual({
      calls: 2,
      input: 128,
      cacheRead: 128,
      audioInput: 46,
      output: 70,
      audioOutput: 182,
    })
  })

  test('counts what was heard of a response that was never reported', async () => {
    const usage = new SessionUsage(countText)
    usage.noteCreated()
    expect(usage.isResponding).toBe(true)
    usage.noteDelta({ text: 'four' })
    usage.noteDelta({ audioBytes: 48_000 })
    await usage.noteBreak()
    await usage.noteBreak()
    expect(usage.total).toEqual({ calls: 1, input: 0, output: 4, audioOutput: 20 })
    expect(usage.isResponding).toBe(false)
  })

  test('counts nothing for a response of which nothing was heard', async () => {
    const usage = new SessionUsage(countText)
    usage.noteCreated()
    await usage.note({ of: 'response', usage: undefined })
    expect(usage.isEmpty).toBe(true)
  })

  test('categories add up by name', () => {
    expect(addUsage({ input: 1, calls: 1 }, { input: 2, audioOutput: 3 })).toEqual({
      input: 3,
      calls: 1,
      audioOutput: 3,
    })
  })
})
