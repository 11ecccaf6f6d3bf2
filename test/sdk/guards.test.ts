import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { logTypes } from '../../contract/log-types.ts'
import { expectOrder, type House, MODELS, openHouse, PAIRS } from './house.ts'
import { catchError } from './sdk-errors.ts'

const rule = { enabled: true, where: ['input', 'output'], groups: [], models: [] }
const RULES = [
  { ...rule, name: 'people', looks: { by: 'kinds', kinds: ['email', 'phone'] }, action: 'mask' },
  { ...rule, name: 'fruit', looks: { by: 'words', words: ['Forbidden Fruit'] }, action: 'block' },
  { ...rule, name: 'greetings', looks: { by: 'pattern', pattern: '(?i)good \\w+' }, action: 'note' },
]

let house: House

beforeAll(async () => {
  house = await openHouse({ settings: { Guards: JSON.stringify(RULES) } })
})
afterAll(() => house.close())

describe.each(PAIRS)('$client asks $upstream, streamed $stream, through guards', pair => {
  const { client, upstream, stream } = pair
  const ask = (conversation: Parameters<House['clients']['gemini']['ask']>[1]) =>
    house.clients[client].ask(MODELS[upstream], conversation, stream)
  const askWords = (user: string) => ask({ turns: [{ user }] })

  test('what is masked in a request never reaches the vendor', async () => {
    const said = await ask({
      system: 'Answer to boss@example.com.',
      turns: [
        { user: 'I am ada@example.com' },
        { assistant: 'Hello' },
        { user: '你好, call 138-0013-8000!' },
      ],
    })
    expect(said.text).toBe('You said: 你好, call [phone]!')
    const { text } = house.seen(upstream)
    expect(text).toContain('I am [email]')
    expect(text).toContain('Answer to [email].')
    expect(text).not.toContain('example.com')
    await house.expectPaid(upstream, said)
    const row = await house.rig.logOf(said.requestId)
    expect(row.details.admin_info).toMatchObject({ guards: { people: 3 } })
    expect(row.other).not.toContain('example.com')
  })

  test('what is masked in an answer never reaches the client, however it is cut', async () => {
    house.fakes[upstream].next({
      reply: { text: 'Mail ада é ada.l@example.co.uk 👋 or call +86 13800138000. Good day' },
      pieceChars: 3,
      chunkBytes: 7,
    })
    const said = await askWords('who?')
    expect(said.text).toBe('Mail ада é [email] 👋 or call [phone]. Good day')
    expect(said.finish).toBe(house.clients[client].finishes.stop)
    expect(await house.rig.chargeOf(said.requestId)).toBeGreaterThan(0)
    const row = await house.rig.logOf(said.requestId)
    expect(row.details.admin_info).toMatchObject({ guards: { people: 2, greetings: 1 } })
  })

  test('what tools are called with is masked, however it is cut, and blocked', async () => {
    const schema = { type: 'object' as const, properties: {} }
    const tools = [{ name: 'mail', description: 'Sends a mail', schema }]
    const reply = (to: string) => ({
      text: '',
      calls: [{ name: 'mail', input: { to, lines: ['"call" +86 13800138000', 7], 'ada@example.com': true } }],
      finish: 'tools' as const,
    })
    const cut = { pieceChars: 3, chunkBytes: 11 }
    house.fakes[upstream].next({ reply: reply('ада é ada.l@example.co.uk 👋'), ...cut })
    const said = await ask({ turns: [{ user: 'mail her' }], tools })
    expect(said.calls).toEqual([
      {
        id: expect.any(String),
        name: 'mail',
        input: { to: 'ада é [email] 👋', lines: ['"call" [phone]', 7], 'ada@example.com': true },
      },
    ])
    expect(said.finish).toBe(house.clients[client].finishes.tools)
    expect(await house.rig.chargeOf(said.requestId)).toBeGreaterThan(0)
    const row = await house.rig.logOf(said.requestId)
    expect(row.details.admin_info).toMatchObject({ guards: { people: 2 } })

    house.fakes[upstream].next({ reply: reply('the forbidden fruit'), ...cut })
    const error = await catchError(ask({ turns: [{ user: 'mail her' }], tools }))
    expect(error.message).toContain('fruit')
    expect(error.message).not.toContain('forbidden')
  })

  test('a request that is blocked costs nothing and asks nobody', async () => {
    const before = house.fakes[upstream].requests.length
    const error = await catchError(askWords('the forbidden FRUIT please'))
    expect(error.message).toContain('fruit')
    expect(house.fakes[upstream].requests.length).toBe(before)
    const id = requestIdIn(error.message)
    const row = await house.rig.logOf(id)
    expect(row).toMatchObject({ type: logTypes.error, quota: 0 })
    expect(row.details).toMatchObject({ status_code: 400, admin_info: { guards: { fruit: 1 } } })
    expect(await house.rig.chargeOf(id)).toBeUndefined()
  })

  test('an answer that is blocked ends there; what a stream has given is paid once', async () => {
    house.fakes[upstream].next({
      reply: { text: 'Once upon a time there was a forbidden fruit, and nobody ate it.' },
      pieceChars: 4,
    })
    const error = await catchError(askWords('a story'))
    expect(error.message).toContain('fruit')
    expect(error.message).not.toContain('nobody ate')
    const row = await house.rig.logOf(requestIdIn(error.message))
    const charged = await house.rig.chargeOf(row.request_id)
    if (stream) {
      expect(row).toMatchObject({ type: logTypes.consumption, details: { broke_off: 'guard' } })
      expect(charged).toBeGreaterThan(0)
    } else {
      expect(row).toMatchObject({ type: logTypes.error, quota: 0 })
      expect(charged).toBeUndefined()
    }
  })
})

test('the books agree, and no vendor was sent anything wrong', () => expectOrder(house))

function requestIdIn(message: string): string {
  return /request id: ([^)\s"]+)/.exec(message)?.[1] ?? ''
}
