import { describe, expect, spyOn, test } from 'bun:test'
import { judgeText, makeReady, maskText, type ReadyRule } from '../../../contract/guards/judge.ts'
import { guardKinds } from '../../../contract/guards/kinds.ts'
import type { GuardRule, LocalLook } from '../../../contract/guards/rule.ts'
import { GuardedStream } from './guarded-stream.ts'
import { Tally } from './tally.ts'

function ready(looks: LocalLook, action: GuardRule['action'] = 'mask', name: string = looks.by): ReadyRule {
  return makeReady({ name, enabled: true, where: ['output'], groups: [], models: [], looks, action }, looks)
}

const kinds = ready({ by: 'kinds', kinds: Object.keys(guardKinds) as (keyof typeof guardKinds)[] })
const words = ready({ by: 'words', words: ['Foo', 'foobar', '密码', 'b@'] })
const pattern = ready({ by: 'pattern', pattern: '\\bORD-\\d{2,6}\\b|a.{0,12}z|q+' })
const rules = [kinds, words, pattern]

const PEM = `-----BEGIN RSA PRIVATE KEY-----\nProc-Type: 4,ENCRYPTED\n\n${'MIIEowIBAAKCAQEA7bq0\n'.repeat(20)}-----END RSA PRIVATE KEY-----`
const texts = [
  'plain words, and nothing to be found in them: 1, 2, 3.',
  'write to ada.l@example.co.uk, or bob@x.org.',
  'call 13800138000 or +86 138-0013-8000, not 1380013800; +1 (415) 555-2671!',
  'card 4111 1111 1111 1111 and 4111 1111 1111 1112, id 11010519491231002X.',
  'hosts 192.168.7.1 and 2001:db8:0:0:0:0:2:1 at 12:34:56, version 1.2.3',
  `key sk-abcdefghijklmnopqrstuvwxyz0123 then ${PEM} and more`,
  'iban DE89 3704 0044 0532 0130 00 OK. GB82 WEST 1234 5698 7654 32',
  'foo Foobar FOOBAZ 密码是密 码 密码',
  'ORD-1 ORD-12 ORD-123456 ORD-1234567 xORD-12 a----z a-------------z qqqq aqz',
  'foo@b@ada@example.com13800138000',
  '👋 é 漢字 ada@example.com👋',
  '-----BEGIN PRIVATE KEY----- is how such a block begins',
]

const frame = (content: string, index = 0): string =>
  `data: ${JSON.stringify({ choices: [{ index, delta: { content }, finish_reason: null }] })}\n\n`

function cutIn(text: string, size: number): string[] {
  return Array.from({ length: Math.ceil(text.length / size) }, (_, at) =>
    text.slice(at * size, (at + 1) * size),
  )
}

function contentOf(frames: string, index = 0): string {
  return frames
    .split('\n\n')
    .filter(one => one.startsWith('data: {'))
    .map(one => JSON.parse(one.slice(6)).choices[0])
    .filter(choice => choice.index === index)
    .map(choice => choice.delta.content)
    .join('')
}

const whole = (text: string): string =>
  maskText(text, judgeText(rules, text, 0, true, { steps: 1e7 }).findings)

describe('a text in pieces is masked as it is whole', () => {
  test.each(texts)('%s', text => {
    for (let size = 1; size <= 24; size++) {
      const stream = new GuardedStream('openai-chat', rules, new Tally())
      const pieces = cutIn(text, size)
      const out = pieces.map(piece => stream.push(frame(piece))).join('') + stream.end()
      expect(contentOf(out)).toBe(whole(text))
      // None added, none left out.
      expect(out.split('\n\n').length).toBe(pieces.length + 1)
    }
  })

  test('also where two answers come by turns', () => {
    const [one = '', other = ''] = [texts[1], texts[2]]
    const stream = new GuardedStream('openai-chat', rules, new Tally())
    let out = ''
    for (let at = 0; at < Math.max(one.length, other.length); at += 3) {
      if (at < one.length) out += stream.push(frame(one.slice(at, at + 3), 0))
      if (at < other.length) out += stream.push(frame(other.slice(at, at + 3), 1))
    }
    out += stream.end()
    expect([contentOf(out, 0), contentOf(out, 1)]).toEqual([whole(one), whole(other)])
  })
})

test('frames in which nothing is masked pass as they came', () => {
  const raw =
    'id: 7\r\ndata: {"choices":[{"index":0,"delta":{"content":"caf\\u00e9 "}}],"n":12345678901234567890}\r\n\r\n'
  const stream = new GuardedStream('openai-chat', rules, new Tally())
  expect(stream.push(`: a comment\n\n${raw}`) + stream.push('data: [DONE]\n\n')).toBe(
    `: a comment\n\n${raw}data: [DONE]\n\n`,
  )
})

test('no more is held back than a match could need', () => {
  const stream = new GuardedStream('openai-chat', [kinds], new Tally())
  expect(stream.push(frame('Hello there, '))).not.toBe('')
  expect(stream.push(frame('ad'))).toBe('')
  expect(stream.push(frame('a@example.com'))).toBe('')
  expect(contentOf(stream.push(frame(' and')) + stream.push(frame(' so on. ')))).toBe('[email] and so on. ')
})

test('what never ends is not held back without end', () => {
  const stream = new GuardedStream('openai-chat', [ready({ by: 'pattern', pattern: 'a[^z]*z' })], new Tally())
  let held = 0
  for (const piece of cutIn(`a${'b'.repeat(100_000)}`, 100))
    held += stream.push(frame(piece)) === '' ? 1 : -held
  expect(held * 100).toBeLessThan(10_000)
})

test('each is counted once, and a rule that blocks lets nothing out any more', () => {
  const tally = new Tally()
  const note = ready({ by: 'words', words: ['foo'] }, 'note', 'notes')
  const block = ready({ by: 'words', words: ['forbidden'] }, 'block', 'blocks')
  const stream = new GuardedStream('openai-chat', [note, block], tally)
  for (const piece of cutIn('foo and foo again. ', 2)) stream.push(frame(piece))
  expect(stream.refusal).toBeUndefined()
  const out = cutIn('forbidden foo', 2).map(piece => stream.push(frame(piece)))
  expect(out.join('')).not.toContain('for')
  expect(stream.refusal?.code).toBe('guard.answered')
  expect(tally.seen).toEqual({ notes: 2, blocks: 1 })
})

test('what came before goes out also where it came together with what is blocked', () => {
  const block = ready({ by: 'words', words: ['forbidden'] }, 'block')
  const stream = new GuardedStream('openai-responses', [block], new Tally())
  const event = (type: string, more: object): string => `data: ${JSON.stringify({ type, ...more })}\n\n`
  const opening = event('response.created', { response: { id: 'r', output: [] } })
  const said = event('response.output_text.delta', { item_id: 'm', content_index: 0, delta: 'forbid' })
  const rest = event('response.output_text.delta', { item_id: 'm', content_index: 0, delta: 'den fruit' })
  expect(stream.push(opening + said + rest + opening) + stream.end()).toBe(opening)
  expect(stream.refusal?.code).toBe('guard.answered')
})

test('what repeats so much that it cannot be searched stays behind', () => {
  const slow = ready({ by: 'pattern', pattern: '[^b]{0,90}[^c]{0,90}[^d]{0,90}[^e]{0,90}x' })
  const stream = new GuardedStream('openai-responses', [slow], new Tally())
  const item = { type: 'message', content: [{ type: 'output_text', text: 'a'.repeat(100_000) }] }
  const done = `data: ${JSON.stringify({ type: 'response.output_item.done', item })}\n\n`
  expect(stream.push(done) + stream.end()).toBe('')
  expect(stream.refusal?.code).toBe('guard.too-long')
})

test('of what breaks off, the half stays back that a rule may be waiting for the rest of', () => {
  const open = (...used: ReadyRule[]) => new GuardedStream('openai-chat', used, new Tally())
  const masking = open(kinds)
  const given = masking.push(frame('the key is ')) + masking.push(frame('sk-abcdefghijkl'))
  expect(contentOf(given + masking.push(frame('mnop')) + masking.breakOff())).toBe('the key is ')
  expect(masking.breakOff() + masking.end()).toBe('')

  const blocking = open(ready({ by: 'words', words: ['forbidden'] }, 'block'))
  expect(
    contentOf(blocking.push(frame('a word')) + blocking.push(frame(' forb')) + blocking.breakOff()),
  ).toBe('a word')

  // Rules that only take note keep nothing from anybody.
  const noting = open(ready({ by: 'words', words: ['forbidden'] }, 'note'))
  expect(contentOf(noting.push(frame('a word')) + noting.push(frame(' forb')) + noting.breakOff())).toBe(
    'a word forb',
  )
})

test('what tells of the break does not repeat the half either', () => {
  const stream = new GuardedStream('openai-responses', [kinds], new Tally())
  const said = 'the key is sk-abcdefghijkl'
  const delta = { type: 'response.output_text.delta', item_id: 'm', content_index: 0, delta: said }
  const output = [{ type: 'message', id: 'm', content: [{ type: 'output_text', text: said }] }]
  const failed = { type: 'response.failed', response: { status: 'failed', output } }
  expect(stream.push(`data: ${JSON.stringify(delta)}\n\n`) + stream.breakOff()).toBe('')
  expect(stream.rewrite(`data: ${JSON.stringify(failed)}\n\n`)).not.toContain('sk-')
})

test('with each call of a tool, those that were begun before are not gone through', () => {
  const many = 1000
  const calls = Array.from({ length: many }, (_, index) => ({
    index,
    function: { name: 'f', arguments: '{"to":"ada@example.com"}' },
  }))
  const stream = new GuardedStream('openai-chat', rules, new Tally())
  const walks = spyOn(Map.prototype, Symbol.iterator)
  const out = stream.push(
    `data: ${JSON.stringify({ choices: [{ index: 0, delta: { tool_calls: calls } }] })}\n\n`,
  )
  const walked = walks.mock.contexts.reduce((sum: number, map) => sum + (map as Map<string, unknown>).size, 0)
  walks.mockRestore()
  expect(out + stream.end()).not.toContain('ada@')
  expect(walked).toBeLessThan(10 * many)
})
