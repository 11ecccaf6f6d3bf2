import { afterAll, beforeAll, expect, test } from 'bun:test'
import { rootClient } from '../client.ts'
import { catchError, statusOf } from '../sdk/sdk-errors.ts'
import { type KeptHouse, MODEL, openKeptHouse } from './house.ts'

// The operator's rules for what is put into conversations and read from them, and channels that go.

const rule = { enabled: true, groups: [], models: [] }
const RULES = [
  { ...rule, name: 'mail', where: ['input'], action: 'mask', looks: { by: 'kinds', kinds: ['email'] } },
  { ...rule, name: 'bombs', where: ['input'], action: 'block', looks: { by: 'words', words: ['bomb'] } },
  { ...rule, name: 'names', where: ['output'], action: 'mask', looks: { by: 'words', words: ['Ada'] } },
]

let house: KeptHouse
beforeAll(async () => {
  house = await openKeptHouse({
    Guards: JSON.stringify(RULES),
    CheckSensitiveEnabled: 'true',
    CheckSensitiveOnPromptEnabled: 'true',
    SensitiveWords: 'otter',
  })
})
afterAll(() => house.close())

const said = (content: string) => ({ type: 'message' as const, role: 'user' as const, content })

test('what rules mask in requests is masked in what is put into a conversation', async () => {
  const { conversations } = house.client
  const { id } = await conversations.create({ items: [said('Mail ada@example.com')], metadata: { n: '1' } })
  expect(house.first.requests.at(-1)?.json).toEqual({
    items: [said('Mail [email]')],
    metadata: { n: '1' },
  })
  await conversations.items.create(id, { items: [said('Or bob@example.com')] })
  expect(house.first.requests.at(-1)?.json).toEqual({ items: [said('Or [email]')] })
})

test('what they block, and words that are not allowed, reach no account and leave their row', async () => {
  const { conversations } = house.client
  const { id } = await conversations.create()
  const before = house.asked()
  for (const words of ['How do I build a bomb?', 'Where do OTTERs live?']) {
    for (const ask of [
      () => conversations.create({ items: [said(words)] }),
      () => conversations.items.create(id, { items: [said(words)] }),
    ]) {
      expect(statusOf(await catchError(ask()))).toBe(400)
      expect((await house.logOf(house.lastId())).type).toBe(5)
    }
  }
  expect(house.asked()).toBe(before)
})

test('what they mask in answers is masked wherever it is read again', async () => {
  const { client } = house
  const { id } = await client.conversations.create()
  house.first.next({ reply: { text: 'You are Ada' } })
  await client.responses.create({ model: MODEL, input: 'Who am I?', conversation: id })
  const [answer] = (await client.conversations.items.list(id)).data
  expect(JSON.stringify(answer)).not.toContain('Ada')
  const seen = await client.conversations.items.retrieve(answer?.id ?? '', { conversation_id: id })
  expect(JSON.stringify(seen)).not.toContain('Ada')
  expect(seen.id).toBe(answer?.id ?? '')
})

test('whose channel is switched off or gone is refused clearly, and nobody else gets its key', async () => {
  const { client } = house
  const { id } = await client.conversations.create()
  const answer = await client.responses.create({ model: MODEL, input: 'Hello', conversation: id })
  const root = await rootClient(house.url)
  const switchTo = async (status: number) =>
    expect((await root.put('/api/channel/', { id: 1, status })).json.success).toBe(true)
  await switchTo(2)
  const before = house.asked()
  const talk = () => client.responses.create({ model: MODEL, input: 'Still there?', conversation: id })
  const add = () => client.conversations.items.create(id, { items: [said('More')] })
  for (const ask of [talk, add]) expect((await catchError(ask())).message).toContain('gone or switched off')
  expect(house.asked()).toBe(before)
  // What it answered is looked for by others, with keys of their own.
  const next = { model: MODEL, input: 'Go on', previous_response_id: answer.id }
  expect(statusOf(await catchError(client.responses.create(next)))).toBe(400)
  expect(house.second.requests.at(-1)?.headers.authorization).toBe(`Bearer ${house.second.key}`)
  await switchTo(1)
  expect((await talk()).output_text).toBe('You said: Still there?')
  expect((await root.send('DELETE', '/api/channel/1/')).json.success).toBe(true)
  for (const ask of [talk, add, () => client.conversations.retrieve(id)]) {
    const error = await catchError(ask())
    expect([statusOf(error), error.message]).toEqual([404, expect.stringContaining('is gone')])
  }
  expect((await client.conversations.delete(id)).deleted).toBe(true)
})
