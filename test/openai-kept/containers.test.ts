import { afterAll, beforeAll, expect, test } from 'bun:test'
import { toFile } from 'openai'
import { catchError, statusOf } from '../sdk/sdk-errors.ts'
import { WRITTEN } from '../upstreams/openai/containers.ts'
import { FIRST, type KeptHouse, MODEL, openKeptHouse, SECOND } from './house.ts'

// Containers that OpenAI's accounts run code in, as its SDK makes them, fills them and fetches what was written there.

/** Of a gigabyte for 20 minutes, at 30 dollars for a thousand. */
const SESSION = 15_000
const code = (container: string | { type: 'auto' }) => ({ type: 'code_interpreter' as const, container })

let house: KeptHouse
beforeAll(async () => {
  house = await openKeptHouse()
})
afterAll(async () => {
  expect(await house.differences()).toEqual([])
  await house.close()
})

async function refusal(asking: Promise<unknown>): Promise<[number | undefined, string]> {
  const error = await catchError(asking)
  return [statusOf(error), error.message]
}

/** As if its paid time had passed; not so long ago that it is swept. */
async function overdue(id: string): Promise<void> {
  const paid_until = Math.floor(Date.now() / 1000) - 3600
  await house.store.db.updateTable('openai_containers').set({ paid_until }).where('id', '=', id).execute()
}

/** As a client tells of it again. */
const ranIn = (container_id: string) => ({
  ...{ type: 'code_interpreter_call' as const, id: 'ci_1', status: 'completed' as const },
  ...{ code: 'print(1)', container_id, outputs: null },
})

const tokens = (response: { usage?: { input_tokens: number; output_tokens: number } | null | undefined }) =>
  (response.usage?.input_tokens ?? 0) + 3 * (response.usage?.output_tokens ?? 0)

test('is made and paid once, by its size, under the name that its maker gave it', async () => {
  const { client } = house
  await house.spent()
  const made = await client.containers.create({
    ...{ name: 'Otters', memory_limit: '4g', expires_after: { anchor: 'last_active_at', minutes: 20 } },
  })
  const requestId = house.lastId()
  expect(made).toMatchObject({ object: 'container', name: 'Otters', memory_limit: '4g', status: 'running' })
  expect(await house.spent()).toBe(4 * SESSION)
  expect(await house.chargeOf(requestId)).toBe(4 * SESSION)
  expect(await house.logOf(requestId)).toMatchObject({
    ...{ type: 2, quota: 4 * SESSION, prompt_tokens: 0, completion_tokens: 0 },
    details: { container_id: made.id },
  })
  expect(await client.containers.retrieve(made.id)).toMatchObject({ id: made.id, name: 'Otters' })
  const other = await client.containers.create({ name: 'Minks' })
  expect(await house.spent()).toBe(SESSION)
  const all = await Array.fromAsync(client.containers.list({ limit: 1 }))
  expect(all.map(({ id, name }) => [id, name])).toEqual([
    [other.id, 'Minks'],
    [made.id, 'Otters'],
  ])
  expect((await client.containers.list({ name: 'Otters' })).data.map(({ id }) => id)).toEqual([made.id])
  await client.containers.delete(made.id)
  expect((await refusal(client.containers.retrieve(made.id)))[0]).toBe(404)
  expect((await client.containers.list()).data.map(({ id }) => id)).toEqual([other.id])
  expect(await house.spent()).toBe(0)
})

test('has files, which go in and come out as they are', async () => {
  const { client } = house
  const { id } = await client.containers.create({ name: 'Files' })
  const bytes = new Uint8Array([0, 255, 13, 10, 45, 45, 0])
  const put = await client.containers.files.create(id, { file: await toFile(bytes, 'a "b".bin') })
  expect(put).toMatchObject({ object: 'container.file', bytes: 7, container_id: id, source: 'user' })
  await client.containers.files.create(id, { file: await toFile(bytes, 'other.bin') })
  const files = await Array.fromAsync(client.containers.files.list(id, { limit: 1, order: 'asc' }))
  expect(files.map(file => file.id)[0]).toBe(put.id)
  expect(files).toHaveLength(2)
  const where = { container_id: id }
  expect(await client.containers.files.retrieve(put.id, where)).toEqual(put)
  const content = await client.containers.files.content.retrieve(put.id, where)
  expect(new Uint8Array(await content.arrayBuffer())).toEqual(bytes)
  expect(content.headers.get('content-type')).toBe('application/octet-stream')
  await client.containers.files.delete(put.id, where)
  expect(await refusal(client.containers.files.retrieve(put.id, where))).toEqual([
    404,
    expect.stringContaining(`File with id '${put.id}' not found`),
  ])
  // Of a file by its id it is known here whose it is.
  expect((await refusal(client.containers.files.create(id, { file_id: 'file-1' })))[0]).toBe(404)
})

test('a file goes in under a boundary of ours: nothing inside of it is another form to somebody else', async () => {
  const { id } = await house.client.containers.create({ name: 'Forms' })
  const inner = '--b\r\nContent-Disposition: form-data; name="file_id"\r\n\r\nfile-theirs\r\n--b--\r\n'
  const head = 'Content-Disposition: form-data; name="file"; filename="a.bin"'
  const sent = await fetch(`${house.url}/v1/containers/${id}/files`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${house.payer.key}`,
      'content-type': 'multipart/form-data; boundary=a; boundary=b',
    },
    body: `--a\r\n${head}\r\n\r\n${inner}\r\n--a--\r\n`,
  })
  expect(sent.status).toBe(200)
  const { headers, form } = house.first.requests.at(-1) ?? {}
  expect(headers?.['content-type']).toMatch(/^multipart\/form-data; boundary=[\w-]{20,}$/)
  const file = form?.get('file')
  if (!(file instanceof File)) throw new Error('no file came')
  expect([await file.text(), file.name]).toEqual([inner, 'a.bin'])
})

test.each([false, true])('code runs there, and is not paid twice; streamed %p', async stream => {
  const { client } = house
  const { id } = await client.containers.create({ name: 'Code', memory_limit: '4g' })
  const run = (tools = [code(id)]) => {
    const asked = { model: MODEL, input: 'Run code', tools, store: false }
    return stream ? client.responses.stream(asked).finalResponse() : client.responses.create(asked)
  }
  await house.spent()
  for (let turn = 0; turn < 4; turn++) {
    const response = await run()
    expect(response.output[0]).toMatchObject({ type: 'code_interpreter_call', container_id: id })
    expect(await house.spent()).toBe(tokens(response))
  }
  // When that time is over, an answer pays for the next, by the size that it has.
  await overdue(id)
  const later = await run()
  expect(await house.spent()).toBe(tokens(later) + 4 * SESSION)
  expect(await house.spent()).toBe(0)
  const again = await run()
  expect(await house.spent()).toBe(tokens(again))
})

test.each(['create', 'stream', 'background'] as const)(
  'what an answer wrote can be fetched by whom it was made for (%s)',
  async way => {
    const { client } = house
    const asked = { model: MODEL, input: 'Run code', tools: [code({ type: 'auto' })] }
    await house.spent()
    let response =
      way === 'stream'
        ? await client.responses.stream(asked).finalResponse()
        : await client.responses.create({ ...asked, background: way === 'background' })
    while (response.status !== 'completed') response = await client.responses.retrieve(response.id)
    expect(await house.spent()).toBe(tokens(response) + SESSION)
    const [ran] = response.output
    const id = (ran?.type === 'code_interpreter_call' && ran.container_id) || ''
    const [file] = (await client.containers.files.list(id)).data
    const where = { container_id: id }
    const content = await client.containers.files.content.retrieve(file?.id ?? '', where)
    expect(await content.text()).toBe(WRITTEN)
    expect((await refusal(house.visitor.containers.files.list(id).then()))[0]).toBe(404)
    expect((await client.containers.list()).data[0]?.id).toBe(id)
    // And gone on with, where it is, in the time that was paid.
    const more = await client.responses.create({ ...asked, tools: [code(id)] })
    expect(await house.spent()).toBe(tokens(more))
  },
)

test('whose time is over is asked after no more, because that would make it last longer', async () => {
  const { client } = house
  const { id } = await client.containers.create({ name: 'Old' })
  const file = await client.containers.files.create(id, { file: await toFile(Buffer.from('x'), 'x') })
  await overdue(id)
  const before = house.asked()
  const where = { container_id: id }
  for (const ask of [
    () => client.containers.retrieve(id),
    () => client.containers.files.list(id),
    () => client.containers.files.retrieve(file.id, where),
    () => client.containers.files.content.retrieve(file.id, where),
  ])
    expect(await refusal(ask() as Promise<unknown>)).toEqual([404, expect.stringContaining('is over')])
  expect(house.asked()).toBe(before)
  expect((await client.containers.list({ name: 'Old' })).data[0]?.status).toBe('expired')
  await client.containers.delete(id)
})

test('is nobody else’s: to others it is as if it were not there, and no account is asked', async () => {
  const { id } = await house.client.containers.create({ name: 'Mine' })
  const file = await house.client.containers.files.create(id, { file: await toFile(Buffer.from('x'), 'x') })
  const { containers, responses } = house.visitor
  const before = house.asked()
  const where = { container_id: id }
  const words = expect.stringContaining(`Container with id '${id}' not found`)
  for (const ask of [
    () => containers.retrieve(id),
    () => containers.delete(id),
    () => containers.files.list(id),
    () => containers.files.create(id, {}),
    () => containers.files.retrieve(file.id, where),
    () => containers.files.delete(file.id, where),
    () => containers.files.content.retrieve(file.id, where),
    () => containers.list({ after: id }),
    () => responses.create({ model: MODEL, input: 'Run code', tools: [code(id)] }),
    () => responses.create({ model: MODEL, input: 'Run code', tools: [code(id)], stream: true }),
  ])
    expect(await refusal(ask() as Promise<unknown>)).toEqual([404, words])
  expect(await house.logOf(house.lastId())).toMatchObject({ type: 5, model_name: MODEL })
  expect(house.asked()).toBe(before)
  expect((await containers.list()).data).toEqual([])
})

test('is not reached either by telling that code was run in it, or by what is put into a conversation', async () => {
  const { client, visitor } = house
  const { id } = await client.containers.create({ name: 'Mine' })
  const ran = ranIn(id)
  const shelled = {
    ...{ type: 'shell_call' as const, call_id: 'call_1', action: { commands: ['ls'] } },
    environment: { type: 'container_reference' as const, container_id: id },
  }
  const offered = { type: 'tool_search_output', call_id: 'call_2', tools: [code(id)] }
  const said = { role: 'user' as const, content: 'Run code' }
  const conversation = await visitor.conversations.create()
  const before = house.asked()
  const auto = { model: MODEL, tools: [code({ type: 'auto' })] }
  for (const item of [ran, shelled]) {
    const input = [said, item, said]
    for (const ask of [
      () => visitor.responses.create({ ...auto, input }),
      () => visitor.responses.create({ ...auto, input, stream: true }),
      () => visitor.responses.create({ ...auto, input, background: true }),
      () => visitor.responses.create({ ...auto, input, conversation: conversation.id }),
      () => visitor.conversations.create({ items: [item] }),
      () => visitor.conversations.items.create(conversation.id, { items: [item] }),
    ])
      expect(await refusal(ask() as Promise<unknown>)).toEqual([
        404,
        expect.stringContaining(`Container with id '${id}' not found`),
      ])
  }
  // Nobody could tell what it costs when a later call is offered it.
  for (const path of ['/v1/conversations', `/v1/conversations/${conversation.id}/items`]) {
    const { status, json } = await house.call('POST', path, { items: [offered] }, house.stranger.key)
    expect([status, json.error.message]).toEqual([400, expect.stringContaining('code_interpreter')])
  }
  expect(house.asked()).toBe(before)
  // Whose it is may tell of it, also when it is gone.
  const own = { ...auto, input: [said, ran, said] }
  expect((await client.responses.create(own)).status).toBe('completed')
  await client.containers.delete(id)
  expect((await client.responses.create(own)).status).toBe('completed')
})

test('goes where the maker’s other things are, and calls that name it go there', async () => {
  const { client } = await house.newcomer()
  const conversation = await client.conversations.create()
  const { id } = await client.containers.create({ name: 'Together' })
  const asked = { model: MODEL, input: 'Run code', tools: [code(id)], conversation: conversation.id }
  for (let turn = 0; turn < 4; turn++) await client.responses.create(asked)
  expect((await refusal(client.responses.create({ ...asked, model: SECOND })))[1]).toContain('does not serve')
  // In two accounts they cannot be named together.
  const [ran] = (
    await client.responses.create({ model: SECOND, input: 'Run code', tools: [code({ type: 'auto' })] })
  ).output
  const elsewhere = (ran?.type === 'code_interpreter_call' && ran.container_id) || ''
  const before = house.asked()
  expect(await refusal(client.responses.create({ ...asked, tools: [code(elsewhere)] }))).toEqual([
    400,
    expect.stringContaining('different accounts'),
  ])
  expect(house.asked()).toBe(before)
})

test('one that is not known here was made elsewhere, and passes as it did', async () => {
  const { client } = house
  await house.spent()
  const id = 'cntr_of_the_operator'
  const error = await catchError(
    client.responses.create({ model: FIRST, input: 'Run code', tools: [code(id)] }),
  )
  expect(statusOf(error)).toBe(404)
  expect(house.first.requests.at(-1)?.path).toBe('/v1/responses')
  expect(await house.spent()).toBe(0)
})

test('what is wrong with it is said before anything is held', async () => {
  await house.spent()
  const before = house.asked()
  for (const [body, name] of [
    [{}, 'name'],
    [{ name: '' }, 'name'],
    [{ name: 'x'.repeat(256) }, 'name'],
    [{ name: 'x', memory_limit: '3g' }, 'memory_limit'],
    [{ name: 'x', expires_after: { anchor: 'last_active_at', minutes: 90 } }, 'expires_after.minutes'],
    [{ name: 'x', file_ids: [1] }, 'file_ids'],
    [{ name: 'x', skills: [] }, 'skills'],
  ] as const) {
    const { status, json } = await house.call('POST', '/v1/containers', body)
    expect([status, json.error.message]).toEqual([400, expect.stringContaining(name)])
  }
  expect(house.asked()).toBe(before)
  expect(await house.spent()).toBe(0)
})
