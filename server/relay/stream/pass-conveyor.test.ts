import { describe, expect, test } from 'bun:test'
import { dialects } from '../../dialects/index.ts'
import type { DialectName } from '../../dialects/spec.ts'
import { FrameCount } from '../counting/frame-count.ts'
import type { Piece } from './conveyor.ts'
import { PassConveyor } from './pass-conveyor.ts'

function open(name: DialectName, wantsUsage = true): PassConveyor {
  const count = new FrameCount({ count: async () => 0, forget: () => {} })
  return new PassConveyor(dialects[name], wantsUsage, count)
}

function asText(piece: Piece | undefined): string {
  if (piece === undefined || typeof piece === 'string') return piece ?? ''
  return Buffer.concat(piece instanceof Uint8Array ? [piece] : piece).toString()
}

/** What the client has after each chunk, and what is left for when the charge is on disk. */
function convey(conveyor: PassConveyor, chunks: readonly string[]): { given: string[]; whole: boolean } {
  const given = chunks.map(chunk => asText(conveyor.take(Buffer.from(chunk))))
  return { given, whole: conveyor.end() }
}

describe('gemini, which has no end mark', () => {
  const frame = (text: string, index: number, finish?: string, output = 1) =>
    `data: ${JSON.stringify({
      candidates: [
        { content: { role: 'model', parts: [{ text }] }, index, ...(finish && { finishReason: finish }) },
      ],
      usageMetadata: { promptTokenCount: 5, candidatesTokenCount: output, totalTokenCount: 5 + output },
    })}\r\n\r\n`
  const usageAlone = 'data: {"usageMetadata":{"promptTokenCount":5,"candidatesTokenCount":9}}\r\n\r\n'
  const comment = ': bye\r\n\r\n'

  test('a finish in every frame: only the newest is kept back', () => {
    const [one, two, three] = [1, 2, 3].map(n => frame(`${n}`, 0, 'STOP', n))
    if (!one || !two || !three) throw new Error('no frames')
    const slowly = open('gemini')
    expect(convey(slowly, [one, two, three])).toEqual({ given: ['', one, two], whole: true })
    expect([asText(slowly.rest()), slowly.usage?.output]).toEqual([three, 3])
    const atOnce = open('gemini')
    expect(convey(atOnce, [one + two, three])).toEqual({ given: [one, two], whole: true })
    expect(asText(atOnce.rest())).toBe(three)
    const unended = open('gemini')
    expect(convey(unended, [one, two.trimEnd()])).toEqual({ given: ['', ''], whole: true })
    expect(asText(unended.rest())).toBe(`${one}${two.trimEnd()}\n\n`)
  })

  test('it is closing, and may yet go on', () => {
    const conveyor = open('gemini')
    conveyor.take(Buffer.from(frame('a', 0, 'STOP')))
    expect([conveyor.closing, conveyor.mayGoOn]).toEqual([true, true])
    expect(open('openai-chat').mayGoOn).toBe(false)
  })

  test('what says nothing of the answer lets nothing go', () => {
    const conveyor = open('gemini')
    const last = frame('a', 0, 'STOP')
    const done = 'data: [DONE]\r\n\r\n'
    expect(convey(conveyor, [last, comment, usageAlone, done])).toEqual({
      given: ['', '', '', ''],
      whole: true,
    })
    expect([asText(conveyor.rest()), conveyor.usage?.output]).toEqual([last + comment + usageAlone + done, 9])
  })

  test('two candidates that finish one after the other', () => {
    const frames = [
      frame('a1', 0),
      frame('b1', 1),
      frame('a2', 0, 'STOP', 2),
      frame('b2', 1, undefined, 3),
      frame('b3', 1, 'STOP', 4),
    ]
    const [a1 = '', b1 = '', a2 = '', b2 = '', b3 = ''] = frames
    const conveyor = open('gemini')
    expect(convey(conveyor, frames)).toEqual({ given: [a1, b1, '', a2 + b2, ''], whole: true })
    expect([asText(conveyor.rest()), conveyor.usage?.output]).toEqual([b3, 4])
    expect(convey(open('gemini'), frames.slice(0, -1)).whole).toBe(false)
  })

  test('an error after a finish lets nothing go either', () => {
    const conveyor = open('gemini')
    const error = 'data: {"error":{"code":503,"message":"busy","status":"UNAVAILABLE"}}\r\n\r\n'
    expect(convey(conveyor, [frame('a', 0, 'STOP'), error]).given).toEqual(['', ''])
    expect(conveyor.problem?.status).toBe(503)
  })
})

describe('chat with two choices', () => {
  const frame = (index: number, content: string, finish: string | null = null) =>
    `data: ${JSON.stringify({ choices: [{ index, delta: { content }, finish_reason: finish }], usage: null })}\n\n`
  const usage = 'data: {"choices":[],"usage":{"prompt_tokens":5,"completion_tokens":9,"total_tokens":14}}\n\n'
  const frames = [frame(0, 'a'), frame(1, 'b'), frame(0, '', 'stop'), frame(1, 'c'), frame(1, '', 'stop')]

  test('it is whole when both have finished', () => {
    expect(convey(open('openai-chat'), frames)).toEqual({ given: frames, whole: true })
    expect(convey(open('openai-chat'), frames.slice(0, -1)).whole).toBe(false)
  })

  test('usage that is told between them ends nothing', () => {
    const conveyor = open('openai-chat')
    const told = [...frames.slice(0, 4), usage, ...frames.slice(4), 'data: [DONE]\n\n']
    expect(convey(conveyor, told).given).toEqual([...told.slice(0, -1), ''])
    expect(conveyor.usage?.output).toBe(9)
  })

  test('to a client that has not asked for it no frame speaks of usage, wherever it is cut', () => {
    const all = [...frames, usage, 'data: [DONE]\n\n'].join('')
    for (let size = 1; size < 60; size++) {
      const conveyor = open('openai-chat', false)
      const pieces = all.match(new RegExp(`[^]{1,${size}}`, 'g')) ?? []
      const { given, whole } = convey(conveyor, pieces)
      const text = given.join('') + asText(conveyor.rest())
      expect(whole).toBe(true)
      expect(text).not.toContain('usage')
      const said = text.split('\n\n').slice(0, frames.length)
      const meant = frames.map(each => ({ ...JSON.parse(each.slice(6)), usage: undefined }))
      expect(said.map(each => JSON.parse(each.slice(6)))).toEqual(meant)
      expect(conveyor.usage?.output).toBe(9)
    }
  })

  test('a last frame without its blank line is not lost', () => {
    const conveyor = open('openai-chat')
    const last = frame(0, '', 'stop').trimEnd()
    expect(convey(conveyor, [frame(0, 'a'), last])).toEqual({ given: [frame(0, 'a'), ''], whole: true })
    expect(asText(conveyor.rest())).toBe(`${last}\n\n`)
  })

  test('what is cut in the middle of a frame is told to nobody', () => {
    for (const rest of [usage.slice(0, 40), 'data: [DO', ': com']) {
      const conveyor = open('openai-chat')
      const given = [frame(0, 'a'), frame(0, '', 'stop')]
      expect(convey(conveyor, [...given, rest])).toEqual({ given: [...given, ''], whole: true })
      expect(asText(conveyor.rest())).toBe('')
    }
  })
})
