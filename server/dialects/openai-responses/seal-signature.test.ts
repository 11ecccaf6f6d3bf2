import { expect, test } from 'bun:test'
import { type Sealed, seal, unseal } from './seal-signature.ts'

const cases: [Sealed, string][] = [
  [{ kind: 'thinking', signature: { by: 'openai-responses', value: 'gAAAA' } }, 'gAAAA'],
  [{ kind: 'thinking', signature: { by: 'anthropic', value: 'a.b/c==' } }, 'tg1.anthropic.a.b/c=='],
  [{ kind: 'redacted', by: 'anthropic', data: 'R' }, 'tg1r.anthropic.R'],
  [{ kind: 'call', signature: { by: 'gemini', value: 'G' } }, 'tg1c.gemini.G'],
  [{ kind: 'call', signature: { by: 'openai-responses', value: 'x' } }, 'tg1c.openai-responses.x'],
]

test.each(cases)('%j', (sealed, content) => {
  expect(seal(sealed)).toBe(content)
  expect(unseal(content)).toEqual(sealed)
})

test.each(['', 'tg1', 'tg1.', 'tg1.nobody.x', 'tg1.__proto__.x', 'tg1.anthropic'])(
  '%j is the vendor’s own',
  content => {
    expect(unseal(content)).toEqual({
      kind: 'thinking',
      signature: { by: 'openai-responses', value: content },
    })
  },
)
