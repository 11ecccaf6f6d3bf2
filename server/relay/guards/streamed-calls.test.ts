import { describe, expect, test } from 'bun:test'
import { judgeText, makeReady, maskText, type ReadyRule } from '../../../contract/guards/judge.ts'
import type { GuardRule, LocalLook } from '../../../contract/guards/rule.ts'
import type { DialectName } from '../../dialects/spec.ts'
import { textsOfJson } from '../request/spoken-texts.ts'
import { GuardedStream } from './guarded-stream.ts'
import { Tally } from './tally.ts'

// What tools are called with comes as pieces of JSON. However it is cut, what comes out is what a whole answer
// would say.

function ready(looks: LocalLook, action: GuardRule['action'] = 'mask', name: string = looks.by): ReadyRule {
  return makeReady({ name, enabled: true, where: ['output'], groups: [], models: [], looks, action }, looks)
}

const rules = [
  ready({ by: 'kinds', kinds: ['email', 'phone', 'key'] }),
  ready({ by: 'words', words: ['Forbidden', '密码', 'a"b', 'true'] }),
]

const inputs = [
  '{}',
  '{"to":"ada@example.com"}',
  ' { "to" : [ "x ada@example.com y" , 13800138000 , 7, -1.5e3, true, null ] , "ada@example.com" : "kept name" }',
  '{"escaped":"ada\\u0040example.com and \\u5bc6\\u7801 and a\\"b \\\\ \\/ \\n","emoji":"\\ud83d\\udc4b 👋 ada@example.com👋"}',
  '{"nested":{"a":[{"b":["forbidden fruit",{"c":"x@y.example"}]},[]],"n":"13800138000"},"last":"end a@b.exam"}',
  '["ada@example.com",{"phone":"+86 138-0013-8000"}]',
  `{"long":"${'word '.repeat(3000)}ada@example.com"}`,
  'ada@example.com is no JSON',
]

function masked(text: string): string {
  return maskText(text, judgeText(rules, text, 0, true, { steps: 1e7 }).findings)
}

/** As the same is masked where it comes whole. */
function wholly(input: string): unknown {
  let out = input
  for (const place of textsOfJson(input, next => {
    out = next
  }))
    if (masked(place.text) !== place.text) place.put(masked(place.text))
  return read(out)
}

function read(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

function cutIn(text: string, size: number): string[] {
  return Array.from({ length: Math.ceil(text.length / size) }, (_, at) =>
    text.slice(at * size, (at + 1) * size),
  )
}

/** What is looked at of a frame, in any dialect. */
interface Told {
  readonly choices?: readonly { readonly delta: { readonly tool_calls?: readonly Call[] } }[]
  readonly delta?: string | { readonly partial_json?: string }
  readonly arguments?: string
  readonly item?: { readonly arguments: string }
  readonly response?: { readonly output: readonly { readonly arguments: string }[] }
  readonly candidates?: readonly { readonly content: { readonly parts: readonly Part[] } }[]
}
interface Call {
  readonly index: number
  readonly function: { readonly arguments: string }
}
interface Part {
  readonly functionCall?: { readonly args: object }
}

interface Way {
  readonly dialect: DialectName
  piece(text: string): object
  readonly end: object
  said(frame: Told): string
}

const ways: Way[] = [
  {
    dialect: 'openai-chat',
    piece: text => ({
      choices: [{ index: 0, delta: { tool_calls: [{ index: 0, function: { arguments: text } }] } }],
    }),
    end: { choices: [{ index: 0, delta: {}, finish_reason: 'tool_calls' }] },
    said: frame => frame.choices?.[0]?.delta.tool_calls?.[0]?.function.arguments ?? '',
  },
  {
    dialect: 'anthropic',
    piece: text => ({
      type: 'content_block_delta',
      index: 1,
      delta: { type: 'input_json_delta', partial_json: text },
    }),
    end: { type: 'content_block_stop', index: 1 },
    said: ({ delta }) => (typeof delta === 'object' ? delta.partial_json : undefined) ?? '',
  },
  {
    dialect: 'openai-responses',
    piece: text => ({
      type: 'response.function_call_arguments.delta',
      output_index: 1,
      item_id: 'fc_1',
      delta: text,
    }),
    end: { type: 'response.output_item.done', output_index: 1, item: { type: 'message', content: [] } },
    said: ({ delta }) => (typeof delta === 'string' ? delta : ''),
  },
]

const asFrame = (json: object): string => `data: ${JSON.stringify(json)}\n\n`
const framesIn = (text: string): Told[] =>
  text
    .split('\n\n')
    .filter(Boolean)
    .map(one => JSON.parse(one.slice(6)))

describe.each(ways)('$dialect', ({ dialect, piece, end, said }) => {
  test.each(inputs.map((input, at) => [at, input] as const))(
    'input %d is masked as it is whole',
    (_, input) => {
      for (let size = 1; size <= 12; size++) {
        const stream = new GuardedStream(dialect, rules, new Tally())
        const pieces = ['', ...cutIn(input, size)]
        const out = [...pieces.map(piece), end].map(frame => stream.push(asFrame(frame))).join('')
        const frames = framesIn(out + stream.end())
        expect(frames.length).toBe(pieces.length + 1)
        expect(read(frames.map(said).join(''))).toEqual(wholly(input))
      }
    },
  )

  test('where nothing is masked it passes as it came', () => {
    const stream = new GuardedStream(dialect, rules, new Tally())
    const input = '{ "a" :\t"caf\\u00e9 \\/", "n": 1.50, "ok": true }'
    const given = [...cutIn(input, 3).map(piece), end].map(asFrame)
    expect(given.map(frame => stream.push(frame)).join('') + stream.end()).toBe(given.join(''))
  })

  test('a rule that blocks lets nothing of it out', () => {
    const block = [ready({ by: 'words', words: ['forbidden'] }, 'block', 'blocks')]
    const tally = new Tally()
    const stream = new GuardedStream(dialect, block, tally)
    const out = cutIn('{"what":"for\\u0062idden"}', 2).map(text => stream.push(asFrame(piece(text))))
    expect(out.join('')).not.toContain('for')
    expect([stream.refusal?.code, tally.seen]).toEqual(['guard.answered', { blocks: 1 }])
  })

  test('what never ends is not held back without end, however it is written', () => {
    const pattern = [ready({ by: 'pattern', pattern: 'a[^z]*z' })]
    for (const begin of ['{"x":"a', '{"x":', '{"x":"a\\u0062'])
      for (const letter of ['b', '\\n', '\\u0041']) {
        const stream = new GuardedStream(dialect, pattern, new Tally())
        let held = 0
        let most = 0
        for (const text of cutIn(begin + letter.repeat(100_000 / letter.length), 97)) {
          held = stream.push(asFrame(piece(text))) === '' ? held + text.length : 0
          most = Math.max(most, held)
        }
        expect(most).toBeLessThan(10_000)
      }
  })
})

test('calls that are written by turns do not disturb each other', () => {
  const stream = new GuardedStream('openai-chat', rules, new Tally())
  const one = '{"to":"ada@example.com"}'
  const other = '{"also":"bob@example.org!!"}'
  const piece = (index: number, text: string) => ({
    choices: [{ index: 0, delta: { tool_calls: [{ index, function: { arguments: text } }] } }],
  })
  let out = ''
  for (let at = 0; at < other.length; at += 2) {
    if (at < one.length) out += stream.push(asFrame(piece(0, one.slice(at, at + 2))))
    out += stream.push(asFrame(piece(1, other.slice(at, at + 2))))
  }
  const calls = framesIn(out + stream.end()).flatMap(frame => frame.choices?.[0]?.delta.tool_calls ?? [])
  const said = (index: number): string =>
    calls
      .filter(call => call.index === index)
      .map(call => call.function.arguments)
      .join('')
  expect([said(0), said(1)]).toEqual(['{"to":"[email]"}', '{"also":"[email]!!"}'])
})

test('what repeats the pieces says the same, letter by letter', () => {
  const stream = new GuardedStream('openai-responses', rules, new Tally())
  const input = '{ "to": "ada@example.com", "n":13800138000}'
  const place = { output_index: 0, item_id: 'fc_1' }
  const item = { type: 'function_call', id: 'fc_1', name: 'mail', arguments: input }
  const type = 'response.function_call_arguments'
  const given = [
    ...cutIn(input, 5).map(delta => ({ type: `${type}.delta`, ...place, delta })),
    { type: `${type}.done`, ...place, arguments: input },
    { type: 'response.output_item.done', output_index: 0, item },
    { type: 'response.completed', response: { output: [item] } },
  ]
  const frames = framesIn(given.map(frame => stream.push(asFrame(frame))).join('') + stream.end())
  const deltas = frames.map(({ delta }) => delta ?? '').join('')
  expect(deltas).toBe('{ "to": "[email]", "n":"[phone]"}')
  expect(frames.at(-3)?.arguments).toBe(deltas)
  expect(frames.at(-2)?.item?.arguments).toBe(deltas)
  expect(frames.at(-1)?.response?.output[0]?.arguments).toBe(deltas)
})

test('Google gives a call whole, also between words', () => {
  const tally = new Tally()
  const stream = new GuardedStream('gemini', rules, tally)
  const frame = (...parts: object[]) => ({ candidates: [{ index: 0, content: { parts } }] })
  const call = { functionCall: { name: 'mail', args: { to: 'ada@example.com', n: 13800138000, x: [1] } } }
  const out = [frame({ text: 'mail ad' }), frame(call), frame({ text: 'a@example.com' })].map(one =>
    stream.push(asFrame(one)),
  )
  const [, called] = framesIn(out.join('') + stream.end())
  expect(called?.candidates?.[0]?.content.parts[0]?.functionCall?.args).toEqual({
    to: '[email]',
    n: '[phone]',
    x: [1],
  })
  expect(tally.seen).toEqual({ kinds: 3 })
})
