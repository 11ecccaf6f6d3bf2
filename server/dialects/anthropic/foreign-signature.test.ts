import { describe, expect, test } from 'bun:test'
import type { Signature } from '../spec.ts'
import {
  decodeCallId,
  decodeSignature,
  encodeCallId,
  encodeSignature,
  readSealed,
} from './foreign-signature.ts'

describe('signatures of thinking', () => {
  const table: readonly [Signature, string][] = [
    [{ by: 'anthropic', value: 'EqQBCgIYAhIM' }, 'EqQBCgIYAhIM'],
    [{ by: 'gemini', value: 'CpwBA+/=' }, 'tg1.gemini.CpwBA+/='],
    [{ by: 'openai-responses', value: 'gAAAA.b.c' }, 'tg1.openai-responses.gAAAA.b.c'],
    [{ by: 'openai-chat', value: 'x' }, 'tg1.openai-chat.x'],
  ]
  test.each(table)('%j is written as %s and read back', (signature, text) => {
    expect(encodeSignature(signature)).toBe(text)
    expect(decodeSignature(text)).toEqual(signature)
  })

  test('none is the empty text, and what only looks like ours is Anthropic’s', () => {
    expect(encodeSignature(undefined)).toBe('')
    expect(decodeSignature('')).toBeUndefined()
    expect(decodeSignature('tg1.')).toEqual({ by: 'anthropic', value: 'tg1.' })
    expect(decodeSignature('tg1.constructor.x')).toEqual({ by: 'anthropic', value: 'tg1.constructor.x' })
  })

  test('sealed thinking remembers its maker', () => {
    expect(readSealed('EmwKAhgB')).toEqual({ type: 'thinking', text: '', redacted: 'EmwKAhgB' })
    expect(readSealed('tg1.openai-responses.gAA')).toEqual({
      type: 'thinking',
      text: '',
      redacted: 'gAA',
      signature: { by: 'openai-responses', value: 'gAA' },
    })
  })
})

describe('signatures of calls', () => {
  const values = ['CpwBAdHtim+/9w==', 'ü€😀', '--tgsig--', 'a'.repeat(5000)]
  test.each(values)('a signature rides on the id and comes off again', value => {
    const signature: Signature = { by: 'gemini', value }
    const id = encodeCallId('toolu_01--tgsig--x', signature)
    expect(id).toMatch(/^[a-zA-Z0-9_-]+$/)
    expect(decodeCallId(id)).toEqual({ id: 'toolu_01--tgsig--x', signature })
  })

  test('ids without one stay as they are', () => {
    expect(encodeCallId('toolu_1', undefined)).toBe('toolu_1')
    expect(encodeCallId('toolu_1', { by: 'openai-responses', value: 'x' })).toBe('toolu_1')
    for (const id of ['toolu_1', 'a--tgsig--', 'a--tgsig--!!', 'a--tgsig--A', ''])
      expect(decodeCallId(id)).toEqual({ id })
  })
})
