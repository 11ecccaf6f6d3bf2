import { afterAll, beforeAll, expect, test } from 'bun:test'
import { join } from 'node:path'
import type OpenAI from 'openai'
import { ResponsesWS } from 'openai/resources/responses/ws'
import { deleteLeft } from '../../server/tasks/left-behind.ts'
import { startProgram, until } from '../program.ts'
import { SECRET_KEY } from '../relay/rig.ts'
import { catchError, statusOf } from '../sdk/sdk-errors.ts'
import { AZURE, CLAUDE, FIRST, type KeptHouse, MODEL, openKeptHouse, SECOND } from './house.ts'

// Conversations that OpenAI's accounts keep, as its SDK makes them, talks in them and deletes them.

let house: KeptHouse
beforeAll(async () => {
  house = await openKeptHouse()
})
afterAll(() => house.close())

const said = (content: string) => ({ type: 'message' as const, role: 'user' as const, content })

/** What is refused, in words. */
async function refusal(asking: Promise<unknown>): Promise<[number | undefined, string]> {
  const error = await catchError(asking)
  return [statusOf(error), error.message]
}

test('is made, seen, changed, filled, read and deleted, and costs nothing', async () => {
  const { client } = house
  await house.spent()
  const made = await client.conversations.create({ items: [said('Otters?')], metadata: { for: 'otters' } })
  expect(made).toMatchObject({ object: 'conversation', metadata: { for: 'otters' } })
  const { id } = made
  expect(await client.conversations.retrieve(id)).toEqual(made)
  expect((await client.conversations.update(id, { metadata: { for: 'minks' } })).metadata).toEqual({
    for: 'minks',
  })
  const added = await client.conversations.items.create(id, {
    items: [said('Or minks?'), said('Both!')],
    include: ['message.output_text.logprobs'],
  })
  expect(added.data).toHaveLength(2)
  // Page by page, in either direction.
  const rising = await Array.fromAsync(client.conversations.items.list(id, { limit: 2, order: 'asc' }))
  expect(rising).toMatchObject(
    ['Otters?', 'Or minks?', 'Both!'].map(text => ({ content: [{ type: 'input_text', text }] })),
  )
  const [last] = (await client.conversations.items.list(id, { limit: 1 })).data
  expect(last?.id).toBe(added.last_id)
  const item = added.first_id
  expect(await client.conversations.items.retrieve(item, { conversation_id: id })).toMatchObject({ id: item })
  expect((await client.conversations.items.delete(item, { conversation_id: id })).id).toBe(id)
  expect(await refusal(client.conversations.items.retrieve(item, { conversation_id: id }))).toEqual([
    404,
    expect.stringContaining(`Item with id '${item}' not found`),
  ])
  expect(await client.conversations.delete(id)).toEqual({ id, object: 'conversation.deleted', deleted: true })
  expect(await refusal(client.conversations.retrieve(id))).toEqual([
    404,
    expect.stringContaining(`Conversation with id '${id}' not found`),
  ])
  expect(await house.spent()).toBe(0)
  const rows = await house.store.db.selectFrom('openai_conversations').select('id').execute()
  expect(rows.map(row => row.id)).not.toContain(id)
})

test.each([false, true])(
  'is talked in, and all that was said before is paid as input; streamed %p',
  async stream => {
    const { client } = house
    const { id } = await client.conversations.create({ items: [said('My name is Ada. '.repeat(20))] })
    const talk = async (input: string, conversation: string | { id: string }) =>
      stream
        ? client.responses.stream({ model: MODEL, input, conversation }).finalResponse()
        : client.responses.create({ model: MODEL, input, conversation })
    await house.spent()
    const first = await talk('Good morning', id)
    expect(first.conversation).toEqual({ id })
    expect(first.output_text).toBe('You said: Good morning')
    const paid = ({ usage }: OpenAI.Responses.Response) =>
      (usage?.input_tokens ?? 0) + 3 * (usage?.output_tokens ?? 0)
    expect(await house.spent()).toBe(paid(first))
    expect(first.usage?.input_tokens).toBeGreaterThan(50)
    const second = await talk('And who am I?', { id })
    expect(await house.spent()).toBe(paid(second))
    expect(second.usage?.input_tokens).toBeGreaterThan(first.usage?.input_tokens ?? 0)
    const items = await Array.fromAsync(client.conversations.items.list(id, { order: 'asc' }))
    expect(items).toHaveLength(5)
    // What is in it can be named elsewhere, where it is.
    const answer = items.at(-1)?.id ?? ''
    const again = await client.responses.create({
      model: MODEL,
      input: [{ type: 'item_reference', id: answer }, said('Go on')],
    })
    expect(again.output_text).toBe('You said: Go on')
  },
)

test('is talked in while nobody waits', async () => {
  const { client } = house
  const { id } = await client.conversations.create({ items: [said('My name is Ada. '.repeat(20))] })
  const begun = await client.responses.create({
    model: MODEL,
    input: 'Hello',
    conversation: id,
    background: true,
  })
  const done = await until(async () => {
    const seen = await client.responses.retrieve(begun.id)
    return seen.status === 'completed' ? seen : undefined
  })
  expect(done.conversation).toEqual({ id })
})

test('is talked in over a WebSocket, by its maker alone', async () => {
  const { id } = await house.client.conversations.create({ items: [said('My name is Ada')] })
  /** How a turn ends. */
  const turn = async (client: OpenAI): Promise<string> => {
    const socket = new ResponsesWS(client)
    const { promise, resolve } = Promise.withResolvers<string>()
    socket.on('event', event => {
      if (event.type === 'response.completed') resolve(`${event.response.conversation?.id}`)
    })
    socket.on('error', error => resolve(error.message))
    socket.send({ type: 'response.create', model: MODEL, input: 'Who am I?', conversation: id })
    const end = await promise
    socket.close()
    return end
  }
  expect(await turn(house.client)).toBe(id)
  expect(await turn(house.visitor)).toContain('not found')
  expect((await house.client.conversations.items.list(id)).data).toHaveLength(3)
})

test('stays with the account that has it, at every node, whatever else could answer', async () => {
  const other = await startProgram({
    SECRET_KEY,
    DATABASE_URL: `sqlite:${join(house.program.dataDir, 'tollgate.db')}`,
  })
  try {
    const { key, client } = await house.newcomer()
    const there = house.clientOf(key, other.url)
    const { id } = await client.conversations.create()
    const before = house.second.requests.length
    for (let turn = 0; turn < 6; turn++) {
      const at = turn % 2 ? client : there
      const { output_text } = await at.responses.create({ model: MODEL, input: `${turn}`, conversation: id })
      expect(output_text).toBe(`You said: ${turn}`)
      await at.conversations.items.create(id, { items: [said('by the way')] })
    }
    expect(house.second.requests.length).toBe(before)
    expect((await there.conversations.items.list(id)).data).toHaveLength(18)
    await there.conversations.delete(id)
    expect((await refusal(client.responses.create({ model: MODEL, input: 'x', conversation: id })))[0]).toBe(
      404,
    )
  } finally {
    await other.stop()
  }
})

test('is nobody else’s: to others it is as if it were not there, and no account is asked', async () => {
  const { id } = await house.client.conversations.create({ items: [said('A secret')] })
  const item = (await house.client.conversations.items.list(id)).data[0]?.id ?? ''
  const before = house.asked()
  const { conversations, responses } = house.visitor
  const unknown = 'conv_00000000000000000000'
  for (const name of [id, unknown]) {
    const words = expect.stringContaining(`Conversation with id '${name}' not found`)
    const asks = [
      () => conversations.retrieve(name),
      () => conversations.update(name, { metadata: {} }),
      () => conversations.delete(name),
      () => conversations.items.list(name),
      () => conversations.items.create(name, { items: [said('Mine now')] }),
      () => conversations.items.retrieve(item, { conversation_id: name }),
      () => conversations.items.delete(item, { conversation_id: name }),
      () => responses.create({ model: MODEL, input: 'What was said?', conversation: name }),
      () =>
        responses.create({ model: MODEL, input: 'What was said?', conversation: { id: name }, stream: true }),
    ]
    for (const ask of asks) expect(await refusal(ask())).toEqual([404, words])
  }
  expect(house.asked()).toBe(before)
  // Nor can what is in it be put into a conversation of their own.
  const answered = await house.client.responses.create({ model: MODEL, input: 'Tell me', conversation: id })
  const mine = await conversations.create()
  const named = { type: 'item_reference' as const, id: answered.output[0]?.id ?? '' }
  expect((await refusal(conversations.items.create(mine.id, { items: [named] })))[0]).toBe(404)
  expect((await refusal(conversations.create({ items: [named] })))[0]).toBe(404)
  expect((await house.client.conversations.items.list(id)).data).toHaveLength(3)
})

test('nothing becomes somebody else’s who tells its name', async () => {
  const { client, visitor } = house
  const answered = await client.responses.create({ model: FIRST, input: 'Tell me a secret' })
  const id = answered.output[0]?.id ?? ''
  const retold = {
    ...{ type: 'message' as const, id, role: 'assistant' as const, status: 'completed' as const },
    content: [{ type: 'output_text' as const, text: 'Mine', annotations: [] }],
  }
  const mine = await visitor.conversations.create()
  await visitor.conversations.items.create(mine.id, { items: [retold] })
  const input = [{ type: 'item_reference' as const, id }, said('Go on')]
  const [status] = await refusal(visitor.responses.create({ model: FIRST, input }))
  expect(status).toBe(404)
  expect((await client.responses.create({ model: FIRST, input })).output_text).toBe('You said: Go on')
})

test('a vendor that tells the name of another conversation has made none, and that stays whose it is', async () => {
  const { id } = await house.client.conversations.create({ items: [said('A secret')] })
  const { client } = await house.newcomer()
  const asked = house.asked()
  house.first.next({ body: { id, object: 'conversation' } })
  expect((await refusal(client.conversations.create()))[0]).toBe(502)
  // Nor is it deleted as one that could not be noted.
  expect(house.asked()).toBe(asked + 1)
  expect((await refusal(client.conversations.retrieve(id)))[0]).toBe(404)
  expect((await house.client.conversations.items.list(id)).data).toHaveLength(1)
})

test('what is kept in two accounts cannot be named together', async () => {
  const { client } = await house.newcomer()
  const elsewhere = await client.responses.create({ model: SECOND, input: 'Hello' })
  const { id } = await client.conversations.create()
  const input = [{ type: 'item_reference' as const, id: elsewhere.output[0]?.id ?? '' }, said('Go on')]
  const before = house.asked()
  expect(await refusal(client.responses.create({ model: MODEL, input, conversation: id }))).toEqual([
    400,
    expect.stringContaining('different accounts'),
  ])
  // And a model that its channel does not have cannot talk in it.
  expect(await refusal(client.responses.create({ model: SECOND, input: 'Hi', conversation: id }))).toEqual([
    400,
    expect.stringContaining(`does not serve ${SECOND}`),
  ])
  expect(house.asked()).toBe(before)
})

test('an account that is out of order is passed over when one is made', async () => {
  const { client } = await house.newcomer()
  await client.conversations.create()
  const before = house.second.requests.length
  house.first.next(house.first.failWith('server-error'))
  house.first.next(house.first.failWith('server-error'))
  const { id } = await client.conversations.create()
  expect(house.second.requests.length).toBe(before + 1)
  expect(
    (await client.responses.create({ model: MODEL, input: 'Here?', conversation: id })).output_text,
  ).toBe('You said: Here?')
})

test('is kept at Azure too, and at no vendor that keeps none', async () => {
  const { client } = await house.newcomer('azure')
  const { id } = await client.conversations.create({ items: [said('Hello')] })
  const { output_text, conversation } = await client.responses.create({
    ...{ model: AZURE, input: 'Still there?', conversation: id },
  })
  expect([output_text, conversation]).toEqual(['You said: Still there?', { id }])
  expect(house.azure.requests.map(({ path }) => path)).toContain('/openai/v1/conversations')
  const others = (await house.newcomer('claude')).client
  expect(await refusal(others.conversations.create())).toEqual([
    400,
    expect.stringContaining('has no channel that keeps such things'),
  ])
  expect((await refusal(others.responses.create({ model: CLAUDE, input: 'Hi', conversation: id })))[0]).toBe(
    404,
  )
  const chat = { model: FIRST, messages: [{ role: 'user' as const, content: 'Hi' }], conversation: id }
  expect((await refusal(house.client.chat.completions.create(chat)))[0]).toBe(400)
})

test('what is wrong with it is said in the vendor’s words, or in ours', async () => {
  const { client } = house
  const { id } = await client.conversations.create()
  const many = Array.from({ length: 21 }, () => said('x'))
  expect(await refusal(client.conversations.items.create(id, { items: many }))).toEqual([
    400,
    expect.stringContaining('array too long'),
  ])
  const bad = (body: object) => house.call('POST', '/v1/conversations', body)
  expect((await bad({ items: 'x' })).status).toBe(400)
  expect((await bad({ nonsense: 1 })).json.error.message).toContain('nonsense')
  const image = { type: 'input_image', image_url: 'gs://bucket/secret.png' }
  expect((await bad({ items: [{ role: 'user', content: [image] }] })).json.error.message).toContain(
    'image_url',
  )
  for (const conversation of [7, {}, { id: 5 }, [], ''])
    expect(
      (await house.call('POST', '/v1/responses', { model: MODEL, input: 'Hi', conversation })).json.error,
    ).toMatchObject({ param: 'conversation' })
  // Not even a NUL finds somebody else's.
  const odd = { model: MODEL, input: 'Hi', conversation: `${id}\0` }
  expect((await house.call('POST', '/v1/responses', odd)).status).toBe(404)
})

test('those of a deleted user are deleted at the vendor, for as long as it may be worth a try', async () => {
  const { userId, client } = await house.newcomer()
  const make = async () => (await client.conversations.create({})).id
  const [one, two] = [await make(), await make()]
  const stays = await house.client.conversations.create({})
  const theirs = async () => {
    const rows = house.store.db.selectFrom('openai_conversations').select('id')
    return (await rows.where('user_id', '=', userId).execute()).length
  }
  const deleted_at = Math.floor(Date.now() / 1000)
  await house.store.db.updateTable('users').set({ deleted_at }).where('id', '=', userId).execute()
  for (const fake of [house.first, house.second]) fake.always(fake.failWith('server-error'))
  const asked = house.asked()
  await house.later(29 * 86_400, deleteLeft)
  expect([await theirs(), house.asked() - asked]).toEqual([2, 2])
  for (const fake of [house.first, house.second]) fake.always({})
  await house.later(60, deleteLeft)
  const gone = [...house.first.requests, ...house.second.requests].filter(({ method }) => method === 'DELETE')
  expect(new Set(gone.slice(-2).map(({ path }) => path))).toEqual(
    new Set([one, two].map(id => `/v1/conversations/${id}`)),
  )
  expect(await theirs()).toBe(0)
  expect((await house.client.conversations.retrieve(stays.id)).id).toBe(stays.id)
})

test('what could not be deleted at the vendor for a month is forgotten', async () => {
  const { userId, client } = await house.newcomer()
  await client.conversations.create({})
  const deleted_at = Math.floor(Date.now() / 1000)
  await house.store.db.updateTable('users').set({ deleted_at }).where('id', '=', userId).execute()
  for (const fake of [house.first, house.second]) fake.always(fake.failWith('server-error'))
  await house.later(31 * 86_400, deleteLeft)
  for (const fake of [house.first, house.second]) fake.always({})
  const rows = house.store.db.selectFrom('openai_conversations').select('id')
  expect(await rows.where('user_id', '=', userId).execute()).toEqual([])
})

// The last: nobody answers after it.
test('all of it is forgotten in one turn where nobody answers any more', async () => {
  const { userId, client } = await house.newcomer()
  for (let made = 0; made < 3; made++) await client.conversations.create({})
  const deleted_at = Math.floor(Date.now() / 1000)
  await house.store.db.updateTable('users').set({ deleted_at }).where('id', '=', userId).execute()
  await house.first.stop()
  await house.second.stop()
  await house.later(29 * 86_400, deleteLeft)
  const rows = house.store.db.selectFrom('openai_conversations').select('id').where('user_id', '=', userId)
  expect(await rows.execute()).toHaveLength(3)
  await house.later(31 * 86_400, deleteLeft)
  expect(await rows.execute()).toEqual([])
})
