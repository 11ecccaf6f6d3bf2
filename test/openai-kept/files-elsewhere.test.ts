import { afterAll, beforeAll, expect, test } from 'bun:test'
import type OpenAI from 'openai'
import { ResponsesWS } from 'openai/resources/responses/ws'
import { roles } from '../../contract/users.ts'
import { sweepBatches } from '../../server/tasks/batches/sweep-batches.ts'
import { deleteLeft } from '../../server/tasks/left-behind.ts'
import { until } from '../program.ts'
import { aFile, ask, askInChat, refusal, rowOf, said, upload } from './files-house.ts'
import { AZURE, type KeptHouse, MODEL, openKeptHouse, PICTURES, SECOND } from './house.ts'

// Files beside whatever else accounts keep, and files that nobody here knows.

let house: KeptHouse
beforeAll(async () => {
  house = await openKeptHouse({ ToolPrice: '{"code_interpreter":30}' })
})
afterAll(async () => {
  expect(await house.differences()).toEqual([])
  await house.close()
})

const item = (id: string) => ({ type: 'message' as const, role: 'user' as const, content: [aFile(id)] })

test('conversations, containers and files are kept together, whichever came first', async () => {
  const { client } = await house.newcomer()
  const { id } = await upload(client, 'x,y')
  const conversation = await client.conversations.create({ items: [item(id)] })
  await client.conversations.items.create(conversation.id, { items: [item(id)] })
  const container = await client.containers.create({ name: 'Code', file_ids: [id] })
  const [put] = (await client.containers.files.list(container.id)).data
  const { id: another } = await upload(client, 'p,q')
  const named = await client.containers.files.create(container.id, { file_id: another })
  for (const [file, text] of [
    [put?.id ?? '', 'x,y'],
    [named.id, 'p,q'],
  ] as const) {
    const content = await client.containers.files.content.retrieve(file, { container_id: container.id })
    expect(await content.text()).toBe(text)
  }
  const first = await client.responses.create({
    ...{ model: MODEL, input: said(aFile(id)), conversation: conversation.id },
    tools: [{ type: 'code_interpreter', container: container.id }],
  })
  const next = { model: MODEL, input: said(aFile(another)), previous_response_id: first.id }
  expect((await client.responses.create(next)).status).toBe('completed')
  // Somebody else's is put into none of them.
  const other = await house.newcomer()
  const theirs = await other.client.conversations.create()
  for (const wrong of [
    () => other.client.conversations.create({ items: [item(id)] }),
    () => other.client.conversations.items.create(theirs.id, { items: [item(id)] }),
    () => other.client.containers.create({ name: 'x', file_ids: [id] }),
    () => client.containers.files.create(container.id, { file_id: 'file-none' }),
  ])
    expect(await refusal(wrong())).toEqual([404, expect.stringContaining('No such File object')])
})

test('what lies in another account than the file is not named with it', async () => {
  const { client } = await house.newcomer()
  const elsewhere = await client.responses.create({ model: SECOND, input: 'Hello' })
  const { id } = await upload(client)
  const conversation = await client.conversations.create()
  await house.store.db
    .updateTable('openai_files')
    .set({ created_at: 1, key_hash: 'x' })
    .where('id', '=', id)
    .execute()
  const before = house.asked()
  expect((await refusal(client.conversations.items.create(conversation.id, { items: [item(id)] })))[0]).toBe(
    404,
  )
  const { id: mine } = await upload(client)
  const apart = client.responses.create({
    ...{ model: MODEL, input: said(aFile(mine)), previous_response_id: elsewhere.id },
  })
  expect(await refusal(apart)).toEqual([400, expect.stringContaining('different accounts')])
  expect(house.asked()).toBe(before + 1)
})

test('a variable of a prompt names a file too, and what comes over a socket', async () => {
  const { client, key } = await house.newcomer()
  const { id } = await upload(client)
  const complained = house.first.complaints.length
  for (let at = 0; at < 3; at++) {
    const prompt = { id: 'pmpt_1', variables: { paper: { type: 'input_file' as const, file_id: id } } }
    await client.responses.create({ model: MODEL, input: 'Hi', prompt })
  }
  const talk = async (by: OpenAI): Promise<string> => {
    const socket = new ResponsesWS(by)
    const ended = new Promise<string>(resolve => {
      socket.on('event', ({ type }) => {
        if (type === 'response.completed' || type === 'error') resolve(type)
      })
      socket.on('error', () => resolve('error'))
    })
    socket.send({ type: 'response.create', model: MODEL, input: said(aFile(id)) })
    const type = await ended
    socket.close()
    return type
  }
  expect(await talk(house.clientOf(key))).toBe('response.completed')
  expect(await talk(house.visitor)).toBe('error')
  expect(house.first.complaints.slice(complained)).toEqual([])
})

test('one that nobody here knows goes where callers may name what is in the account, and to other vendors', async () => {
  const { client } = await house.newcomer()
  const id = 'file-uploadedelsewhere'
  const before = house.asked()
  expect((await refusal(ask(client, [id])))[0]).toBe(404)
  expect((await refusal(askInChat(client, id)))[0]).toBe(404)
  expect(house.asked()).toBe(before)
  // Files at Azure are nobody's here: as ever, whoever names one was told.
  const there = (await house.newcomer('azure')).client
  const asked = house.azure.requests.length
  await refusal(ask(there, [id], AZURE))
  expect(house.azure.requests.length).toBe(asked + 1)
  expect(house.azure.requests.at(-1)?.text).toContain(id)
  const open = await house.addChannel({
    ...{ type: 1, baseUrl: house.second.url, key: house.second.key, models: [SECOND] },
    setting: { allow_account_data: true },
  })
  // When the program has heard of it, the call goes there, and no more to the other.
  const isAsked = async (): Promise<true | undefined> => {
    const { length } = house.second.requests
    await refusal(ask(client, [id], SECOND))
    return house.second.requests.length > length || undefined
  }
  await until(isAsked)
  for (let at = 0; at < 3; at++) expect(await isAsked()).toBe(true)
  // What it is put into is made there too, wherever the caller's others are.
  for (const made of [0, 1]) {
    if (made > 0) await client.conversations.create()
    for (const make of [
      () => client.conversations.create({ items: [item(id)] }),
      () => client.containers.create({ name: 'Code', file_ids: [id] }),
    ]) {
      const [first, second] = [house.first.requests.length, house.second.requests.length]
      await refusal(make())
      expect(house.second.requests.length).toBeGreaterThan(second)
      expect(house.first.requests.length).toBe(first)
    }
  }
  const { length } = house.second.requests
  const { id: mine } = await upload(house.client)
  // Somebody's is theirs wherever it is named.
  expect((await refusal(ask(client, [mine], SECOND)))[0]).toBe(404)
  expect(house.second.requests.length).toBe(length)
  await house.store.change('channels', transaction =>
    transaction.deleteFrom('channels').where('id', '=', open).execute(),
  )
})

test('a file that stands behind another of the same name is seen too, however it is written', async () => {
  const theirs = (await upload(house.client)).id
  const { client, key } = await house.newcomer()
  const mine = (await upload(client)).id
  const send = async (part: string, tools = '') => {
    const input = `[{"role":"user","content":[{"type":"input_file",${part}}]}]`
    const body = `{"model":"${MODEL}",${tools}"input":${input}}`
    const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' }
    return (await fetch(`${house.url}/v1/responses`, { method: 'POST', headers, body })).status
  }
  const before = house.asked()
  for (const name of ['file_id', '\\u0066ile\\u005Fi\\u0064'])
    expect(await send(`"${name}":"${theirs}","file_id":"${mine}"`)).toBe(400)
  for (const name of ['file_ids', 'file_id\\u0073']) {
    const container = `{"type":"auto","${name}":["${theirs}"],"file_ids":["${mine}"]}`
    const tools = `"tools":[{"type":"code_interpreter","container":${container}}],`
    expect(await send(`"file_id":"${mine}"`, tools)).toBe(400)
  }
  expect(house.asked()).toBe(before)
  expect(await send(`"\\u0066ile_id":"${mine}"`)).toBe(200)
})

test('a form names files as JSON does, however its reader may take that', async () => {
  const theirs = (await upload(house.client, 'a picture', 'vision')).id
  const { client, key } = await house.newcomer()
  const { id } = await upload(client, 'a picture', 'vision')
  const edit = async (name: string, value: string): Promise<number> => {
    const form = new FormData()
    form.append('model', PICTURES)
    form.append('prompt', `Brighter than {"file_id":"${theirs}"}`)
    form.append('image[]', new Blob(['a picture']), 'a.png')
    form.append(name, value)
    const headers = { authorization: `Bearer ${key}` }
    return (await fetch(`${house.url}/v1/images/edits`, { method: 'POST', headers, body: form })).status
  }
  const before = house.asked()
  for (const name of [
    'mask[file_id]',
    'images[0][file_id]',
    'image.file_id',
    'images[][file_ids][]',
    'file_id',
  ])
    expect([name, await edit(name, theirs)]).toEqual([name, 404])
  for (const [name, value] of [
    ['mask', { file_id: theirs }],
    ['images', [{ file_id: id }, { file_id: theirs }]],
  ] as const)
    expect([name, await edit(name, JSON.stringify(value))]).toEqual([name, 404])
  expect(await edit('mask', `{"file_id":"${theirs}","file_id":"${id}"}`)).toBe(400)
  expect(house.asked()).toBe(before)
  const second = house.second.requests.length
  for (const mask of [{ file_id: id }, { file_id: id }, { file_id: id }])
    expect(await edit('mask', JSON.stringify(mask))).toBe(200)
  expect(await edit('mask', 'no JSON of {"file_id":"file-none"}')).toBe(200)
  expect(house.second.requests.length - second).toBeLessThan(2)
})

test('what is only told of may be gone, and what a caller describes is its own', async () => {
  const { client } = await house.newcomer()
  const { id } = await upload(client)
  const cited = (file_id: string) => ({
    ...{ type: 'output_text' as const, text: 'It says so' },
    annotations: [{ type: 'file_citation' as const, file_id, filename: 'a.pdf', index: 1 }],
  })
  const goOn = (file_id: string) =>
    client.responses.create({
      model: MODEL,
      input: [
        { role: 'user', content: 'What does it say?' },
        {
          ...{ type: 'message', role: 'assistant', id: 'msg_1', status: 'completed' },
          content: [cited(file_id)],
        },
        { role: 'user', content: 'And?' },
      ],
      tools: [
        {
          ...{ type: 'function', name: 'open', strict: false },
          parameters: { type: 'object', properties: {}, default: { file_id: 'file-none' } },
        },
      ],
      metadata: { file_id: 'file-none' },
    })
  await house.store.db.updateTable('openai_files').set({ expires_at: 1 }).where('id', '=', id).execute()
  for (const one of [id, 'file-none']) expect((await goOn(one)).status).toBe('completed')
  const theirs = (await upload(house.client)).id
  expect((await refusal(goOn(theirs)))[0]).toBe(404)
})

test('in a team a file is whose token it was uploaded with, and the owners’', async () => {
  const team = await house.addUser({ quota: 50_000_000, role: roles.team })
  const clientOf = async (person: number): Promise<OpenAI> => {
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
  const { id } = await upload(await clientOf(maker))
  const idsOf = async (client: OpenAI) => (await client.files.list()).data.map(file => file.id)
  for (const one of [maker, owner]) {
    const client = await clientOf(one)
    expect(await idsOf(client)).toEqual([id])
    expect((await ask(client, [id])).status).toBe('completed')
  }
  const stranger = await clientOf(other)
  expect(await idsOf(stranger)).toEqual([])
  const ways = [() => ask(stranger, [id]), () => stranger.files.delete(id), () => stranger.files.retrieve(id)]
  for (const way of ways) expect((await refusal(way()))[0]).toBe(404)
  expect((await (await clientOf(owner)).files.delete(id)).deleted).toBe(true)
})

test('those of a deleted user are deleted at the vendor, and expired ones are forgotten', async () => {
  const { client, userId } = await house.newcomer()
  const gone = await house.newcomer()
  const [kept, left, lost] = [await upload(client), await upload(gone.client), await upload(gone.client)]
  const channelId = (await rowOf(house, left.id))?.channel_id ?? 0
  await house.store.db
    .updateTable('openai_files')
    .set({ channel_id: channelId + 1000 })
    .where('id', '=', lost.id)
    .execute()
  await house.store.db.updateTable('users').set({ deleted_at: 1 }).where('id', '=', gone.userId).execute()
  const deleted = () =>
    house.first.requests.filter(({ method }) => method === 'DELETE').map(({ path }) => path)
  const before = deleted().length
  await house.later(0, deleteLeft)
  expect(deleted().slice(before)).toEqual([`/v1/files/${left.id}`])
  for (const { id } of [left, lost]) expect(await rowOf(house, id)).toBeUndefined()
  await house.store.db
    .updateTable('openai_files')
    .set({ expires_at: 5 })
    .where('user_id', '=', userId)
    .execute()
  await sweepBatches(house.store, 4)
  expect(await rowOf(house, kept.id)).toBeDefined()
  await sweepBatches(house.store, 5)
  expect(await rowOf(house, kept.id)).toBeUndefined()
})

test('a file of a channel that is deleted, or is another vendor’s by now, is gone', async () => {
  const { client } = await house.newcomer()
  const { id } = await upload(client)
  const row = await rowOf(house, id)
  const set = (type: number) =>
    house.store.change('channels', transaction =>
      transaction
        .updateTable('channels')
        .set({ type })
        .where('id', '=', row?.channel_id ?? 0)
        .execute(),
    )
  await set(8)
  // Before the program has heard of it, the call goes well.
  const said = () => ask(client, [id]).then(String, String)
  await until(async () => (await said()).includes('its key') || undefined)
  const before = house.asked()
  expect((await refusal(client.files.retrieve(id)))[1]).toContain('its key')
  await client.files.delete(id)
  expect(house.asked()).toBe(before)
  await set(1)
})

test('a list goes on behind a file whose vendor names it as we name those of batches', async () => {
  const { client } = await house.newcomer()
  const body = { id: `file-${'f'.repeat(32)}`, object: 'file' }
  for (const fake of [house.first, house.second]) fake.always({ body })
  const odd = await upload(client).finally(() => {
    for (const fake of [house.first, house.second]) fake.always({})
  })
  const { id } = await upload(client)
  expect(odd.id).toBe(body.id)
  const idsBehind = async (after: string) =>
    (await client.files.list({ after, limit: 1 })).data.map(file => file.id)
  expect([await idsBehind(id), await idsBehind(odd.id)]).toEqual([[odd.id], []])
})

test('a vendor that gives an id twice takes nothing from whose it is, and one that gives none keeps nothing', async () => {
  const { client, userId } = await house.newcomer()
  const { id } = await upload(house.client)
  for (const body of [{ id, object: 'file' }, { id: 'file/../x', object: 'file' }, { object: 'file' }]) {
    // Whichever channel is asked first.
    for (const fake of [house.first, house.second]) fake.always({ body })
    expect((await refusal(upload(client)))[0]).toBeGreaterThanOrEqual(500)
  }
  for (const fake of [house.first, house.second]) fake.always({})
  const rows = house.store.db.selectFrom('openai_files').select('id').where('user_id', '=', userId)
  expect(await rows.execute()).toEqual([])
  expect((await house.client.files.retrieve(id)).id).toBe(id)
})
