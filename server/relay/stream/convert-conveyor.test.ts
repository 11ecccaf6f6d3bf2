import { afterAll, describe, expect, test } from 'bun:test'
import { type Recorded, recordStream } from '../../../bench/providers/record-stream.ts'
import { listVendors } from '../../../bench/providers/vendors.ts'
import { dialects } from '../../dialects/index.ts'
import { TokenCounter } from '../counting/token-counter.ts'
import { ConvertConveyor } from './convert-conveyor.ts'
import type { Conveyor, Piece } from './conveyor.ts'

// Frames that repeat are not read whole. What comes out must be what comes out of the same frames when none
// repeats the one before: the same JSON with a blank in every other.

/** Of one length, as the fakes cut by length; some look like what stands around them. */
const PIECES = [
  ' word0',
  ' word1',
  '","a":',
  'conten',
  ' word1',
  '"}}]}}',
  'a\\"b\\n',
  '\n\n\txy\n',
  'é中文—😀',
  '      ',
]
const PIECES_AGAIN = [...PIECES, ...PIECES, ' word2', ' word3']

const counter = new TokenCounter()
afterAll(() => counter.stop())

const streams: Recorded[] = []
for (const vendor of listVendors()) {
  const recorded = await recordStream(vendor, PIECES_AGAIN)
  if (!recorded.passes && recorded.streams) streams.push(recorded)
}

function respell(frame: Uint8Array, at: number): Uint8Array {
  const text = Buffer.from(frame).toString('latin1')
  return at % 2 === 0 ? frame : Buffer.from(text.replace('{"', '{ "'), 'latin1')
}

function asText(piece: Piece | undefined): string {
  if (piece === undefined || typeof piece === 'string') return piece ?? ''
  return Buffer.concat(piece instanceof Uint8Array ? [piece] : piece).toString()
}

/** Vendors that name no answer and no time get them from us. */
function withoutMarks(text: string): string {
  return text.replaceAll(/"id":"chatcmpl-[^"]*"/g, '"id":""').replaceAll(/"created":\d+/g, '"created":0')
}

function take(conveyor: Conveyor, chunks: readonly Uint8Array[]): string {
  return withoutMarks(chunks.map(chunk => asText(conveyor.take(chunk))).join(''))
}

/** What a client that leaves in the middle is charged by. */
function leave(recorded: Recorded, chunks: readonly Uint8Array[]) {
  const conveyor = recorded.createConveyor(counter)
  const out = take(conveyor, chunks)
  const { usage, guessed, certain } = conveyor
  conveyor.forget()
  return { out, usage, guessed, certain }
}

function finish(recorded: Recorded, chunks: readonly Uint8Array[]) {
  const conveyor = recorded.createConveyor(counter)
  const out = take(conveyor, chunks)
  const isWhole = conveyor.end()
  const { usageIsFinal, usage } = conveyor
  conveyor.forget()
  return { out, isWhole, usageIsFinal, usage, rest: withoutMarks(asText(conveyor.rest())) }
}

describe.each(streams.map(recorded => [recorded.name, recorded] as const))('%s', (name, recorded) => {
  const { frames } = recorded

  test('everything said comes out', () => {
    const { out, isWhole, rest } = finish(recorded, frames)
    const said = [...(out + rest).matchAll(/"content":("(?:[^"\\]|\\.)*")/g)].map(([, text = '']) =>
      JSON.parse(text),
    )
    expect(isWhole).toBe(true)
    expect(said.join('')).toBe(PIECES_AGAIN.join(''))
  })

  // The sums of AWS's messages forbid to write them anew; what is in them is Anthropic's.
  if (name !== 'AWS Claude')
    test('a stream cut after any frame is the same as when all are read', () => {
      const strange = frames.map(respell)
      for (let count = 0; count <= frames.length; count++) {
        expect(leave(recorded, frames.slice(0, count))).toEqual(leave(recorded, strange.slice(0, count)))
        expect(finish(recorded, frames.slice(0, count))).toEqual(finish(recorded, strange.slice(0, count)))
      }
    })

  test('it does not matter where the bytes are cut', () => {
    const bytes = Buffer.concat(frames.slice(-8))
    const whole = finish(recorded, [bytes])
    for (let at = 1; at < bytes.length; at++)
      expect(finish(recorded, [bytes.subarray(0, at), bytes.subarray(at)])).toEqual(whole)
  })
})

describe('usage is final', () => {
  const chunk = (text: string, more = '') => `data: {"choices":[{"delta":{"content":"${text}"}}]${more}}\n\n`
  const used = (output: number) => `,"usage":{"prompt_tokens":1,"completion_tokens":${output}}`
  const repeated = [chunk('a', used(1)), chunk('b', used(2)), chunk('c', used(3))]

  test.each([
    ['with the last of the frames that repeat', repeated, true],
    ['not when a frame without it follows them', [...repeated, chunk('d')], false],
  ])('%s', (_, frames, isFinal) => {
    const { createReader, createWriter } = dialects['openai-chat']
    const request = { model: 'm', stream: true, system: [], messages: [], tools: [] }
    const writer = createWriter({ model: 'm', estimatedInput: 1, request })
    const conveyor = new ConvertConveyor(createReader(), writer, counter.countStream())
    for (const frame of frames) conveyor.take(Buffer.from(frame))
    conveyor.end()
    expect(conveyor.usageIsFinal).toBe(isFinal)
    expect(conveyor.usage).toMatchObject({ input: 1, output: 3 })
    conveyor.forget()
  })
})
