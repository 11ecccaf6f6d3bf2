import { afterAll, beforeAll, expect, test } from 'bun:test'
import type Anthropic from '@anthropic-ai/sdk'
import { toFile } from '@anthropic-ai/sdk'
import { roles } from '../../contract/users.ts'
import { newMark } from '../../server/relay/anthropic/file-rows.ts'
import { betas, type ClaudeFilesHouse, OTHER, openClaudeFilesHouse } from './claude-files-house.ts'
import { failureOf } from './message-batch-house.ts'

// What nobody does with files who means well, and what vendors should not do with them.

let house: ClaudeFilesHouse
beforeAll(async () => {
  house = await openClaudeFilesHouse()
})
afterAll(async () => {
  expect(await house.differences()).toEqual([])
  await house.close()
})

const upload = async (client: Anthropic, text: string) =>
  client.beta.files.upload({ file: await toFile(Buffer.from(text), 'a.txt', { type: 'text/plain' }), betas })
const rowOf = (id: string) =>
  house.store.db.selectFrom('anthropic_files').selectAll().where('id', '=', id).executeTakeFirstOrThrow()

test('a file that stands behind another of the same name is seen too, however it is written', async () => {
  const theirs = (await upload(house.client, 'theirs')).id
  const { client, key } = await house.newcomer()
  const mine = (await upload(client, 'mine')).id
  const ways = [
    (name: string) => `"source":{"type":"file","${name}":"${theirs}","file_id":"${mine}"}`,
    (name: string) =>
      `"source":{"type":"file","${name}":"${theirs}"},"source":{"type":"file","file_id":"${mine}"}`,
    (name: string) =>
      `"source":{"type":"file","${name}":"${theirs}"},"source":{"type":"text","media_type":"text/plain","data":"a"}`,
  ]
  const send = async (path: string, source: string) => {
    const headers = { 'x-api-key': key, 'anthropic-version': '2023-06-01', 'anthropic-beta': betas.join() }
    const messages = `[{"role":"user","content":[{"type":"document",${source}}]}]`
    const limit = path.endsWith('count_tokens') ? '' : '"max_tokens":9,'
    const body = `{"model":"${OTHER}",${limit}"messages":${messages}}`
    return (await fetch(house.url + path, { method: 'POST', headers, body })).status
  }
  const before = house.upstream.requests.length
  for (const path of ['/v1/messages', '/v1/messages/count_tokens'])
    for (const way of ways)
      for (const name of ['file_id', '\\u0066ile\\u005Fi\\u0064'])
        expect(await send(path, way(name))).toBe(400)
  expect(house.upstream.requests.length).toBe(before)
  // Escapes by themselves are nothing odd.
  expect(await send('/v1/messages', `"source":{"type":"file","\\u0066ile_id":"${mine}"}`)).toBe(200)
})

test('what a schema or a call of a tool has by that name is its own', async () => {
  const { client } = await house.newcomer()
  const { usage } = await client.beta.messages.create({
    ...{ model: OTHER, max_tokens: 9 },
    tools: [{ name: 'open', input_schema: { type: 'object', properties: { file_id: { type: 'string' } } } }],
    messages: [
      { role: 'user', content: 'Open it: {"file_id":"file_none"}' },
      { role: 'assistant', content: [{ type: 'tool_use', id: 't', name: 'open', input: { file_id: 'x' } }] },
      { role: 'user', content: [{ type: 'tool_result', tool_use_id: 't', content: 'Opened' }] },
    ],
  })
  expect(usage.output_tokens).toBeGreaterThan(0)
})

test('a conversation goes on whose file has expired since, where it is only told of', async () => {
  const { client } = await house.newcomer()
  const { id } = await upload(client, 'mine')
  await house.store.db.updateTable('anthropic_files').set({ expires_at: 1 }).where('id', '=', id).execute()
  const citations = [
    { type: 'char_location', cited_text: 'a', document_index: 0, document_title: null, file_id: id },
  ]
  const said = client.beta.messages.create({
    ...{ model: OTHER, max_tokens: 9, betas },
    messages: [
      { role: 'user', content: 'What is in it?' },
      { role: 'assistant', content: [{ type: 'text', text: 'a', citations }] as never },
      { role: 'user', content: 'And?' },
    ],
  })
  expect((await said).type).toBe('message')
})

test('in a team a file is whose token it was uploaded with, and the owners’', async () => {
  const team = await house.addUser({ quota: 50_000_000, role: roles.team })
  const clientOf = async (person: number): Promise<Anthropic> => {
    const { id, key } = await house.addToken({ userId: team })
    await house.store.change('tokens', transaction =>
      transaction.updateTable('tokens').set({ created_by: person }).where('id', '=', id).execute(),
    )
    return house.clientOf(key)
  }
  const person = async (role: 'owner' | 'member'): Promise<number> => {
    const id = await house.addUser({ quota: 0 })
    const membership = { team_id: team, user_id: id, role, added_by: 0, added_at: 1 }
    await house.store.db.insertInto('team_members').values(membership).execute()
    return id
  }
  const [owner, maker, other] = [await person('owner'), await person('member'), await person('member')]
  const { id } = await upload(await clientOf(maker), 'ours')
  const idsOf = async (client: Anthropic) =>
    (await client.beta.files.list({ betas })).data.map(file => file.id)
  const source = { type: 'file' as const, file_id: id }
  const ask = (client: Anthropic) =>
    client.beta.messages.create({
      ...{ model: OTHER, max_tokens: 9, betas },
      messages: [{ role: 'user', content: [{ type: 'document', source }] }],
    })
  // Also with another token of theirs.
  for (const one of [maker, owner]) {
    const client = await clientOf(one)
    expect(await idsOf(client)).toEqual([id])
    expect((await ask(client)).type).toBe('message')
  }
  const stranger = await clientOf(other)
  expect(await idsOf(stranger)).toEqual([])
  for (const way of [() => ask(stranger), () => stranger.beta.files.delete(id, { betas })])
    expect(await failureOf(way())).toMatchObject({ status: 404 })
  expect(house.upstream.files.has(id)).toBe(true)
})

test('a vendor that gives an id twice takes nothing from whose it is', async () => {
  const { client } = await house.newcomer()
  const first = await upload(client, 'mine')
  const row = await rowOf(first.id)
  // The next that the vendor will give.
  const id = first.id.replace(/\d+$/, digits => String(Number(digits) + 1).padStart(digits.length, '0'))
  const owner = house.payer.userId
  await house.store.db
    .insertInto('anthropic_files')
    .values({ ...row, id, mark: newMark(), user_id: owner })
    .execute()
  expect((await failureOf(upload(client, 'again'))).status).toBeGreaterThanOrEqual(500)
  expect(house.upstream.files.has(id)).toBe(true)
  expect((await rowOf(id)).user_id).toBe(owner)
})

test('a list asks after a few of many that their vendor does not know', async () => {
  const { client, userId } = await house.newcomer()
  const row = await rowOf((await upload(client, 'mine')).id)
  const made = Array.from({ length: 35 }, (_, at) => ({
    ...{ ...row, id: `file_gone_${at}`, mark: newMark(), user_id: userId },
    ...{ is_uploaded: 0 as const, data: '' },
  }))
  await house.store.db.insertInto('anthropic_files').values(made).execute()
  const before = house.upstream.requests.length
  expect((await client.beta.files.list({ limit: 100, betas })).data).toHaveLength(36)
  expect(house.upstream.requests.length).toBe(before + 10)
})
