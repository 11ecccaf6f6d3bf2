import { afterAll, beforeAll, expect, test } from 'bun:test'
import type Anthropic from '@anthropic-ai/sdk'
import { toFile } from '@anthropic-ai/sdk'
import { READ } from '../upstreams/anthropic-files/start-anthropic-files.ts'
import {
  betas,
  type ClaudeFilesHouse,
  ELSEWHERE,
  MODEL,
  OTHER,
  openClaudeFilesHouse,
} from './claude-files-house.ts'
import { failureOf } from './message-batch-house.ts'

// Files with Anthropic's own client: uploaded, looked at, named in messages, counted, deleted.

let house: ClaudeFilesHouse
beforeAll(async () => {
  house = await openClaudeFilesHouse()
})
afterAll(async () => {
  expect(await house.differences()).toEqual([])
  await house.close()
})

type Meta = Anthropic.Beta.BetaFileMetadata
const MEGABYTE = 1024 * 1024
const pdf = (text: string | Buffer, name = 'report.pdf') =>
  toFile(Buffer.from(text), name, { type: 'application/pdf' })
const upload = async (client: Anthropic, text: string | Buffer): Promise<Meta> =>
  client.beta.files.upload({ file: await pdf(text), betas })
const named = (...ids: string[]): Anthropic.Beta.BetaMessageParam[] => [
  {
    role: 'user',
    content: [
      ...ids.map(file_id => ({ type: 'document' as const, source: { type: 'file' as const, file_id } })),
      { type: 'text', text: 'What is this?' },
    ],
  },
]
const asks = (client: Anthropic, ids: readonly string[], model = OTHER) =>
  client.beta.messages.create({ model, max_tokens: 50, messages: named(...ids), betas })
const textOf = async (asked: ReturnType<typeof asks>) => {
  const { content } = await asked
  return content.flatMap(block => (block.type === 'text' ? [block.text] : [])).join()
}
const priceOf = (files: number) => READ.prompt + files * READ.file + 5 * READ.output
const heldBy = async (userId: number) =>
  (await house.store.db.selectFrom('holds').select('id').where('user_id', '=', userId).execute()).length

test('a file goes through as it is, is named in a message and paid as it was read', async () => {
  const bytes = Buffer.alloc(9 * MEGABYTE + 5, 'tollgate')
  const file = await upload(house.client, bytes)
  expect(file).toMatchObject({
    ...{ type: 'file', filename: 'report.pdf', mime_type: 'application/pdf', downloadable: false },
    size_bytes: bytes.length,
  })
  expect(house.upstream.files.get(file.id)?.text).toBe(bytes.toString())
  expect(await house.spent()).toBe(0)
  expect(await textOf(asks(house.client, [file.id]))).toBe('seen 1')
  expect(await house.spent()).toBe(priceOf(1))
  expect(await house.client.beta.files.retrieveMetadata(file.id, { betas })).toEqual(file)
  // Also for who says nothing of a beta.
  expect((await house.client.files.retrieveMetadata(file.id)).id).toBe(file.id)
  expect(await house.client.beta.files.delete(file.id, { betas })).toEqual({
    id: file.id,
    type: 'file_deleted',
  })
  expect(house.upstream.files.has(file.id)).toBe(false)
  for (const gone of [
    () => house.client.beta.files.retrieveMetadata(file.id),
    () => asks(house.client, [file.id]),
  ])
    expect(await failureOf(gone())).toMatchObject({ status: 404, type: 'not_found_error' })
  expect(await house.spent()).toBe(0)
})

test('what it is to be called, and when it is to go, goes along', async () => {
  const { client } = await house.newcomer()
  const file = await client.beta.files.upload({
    file: await toFile(Buffer.from('a,b'), '数据 “1”.csv', { type: 'text/csv' }),
    ...{ expires_in_seconds: 7200, betas },
  })
  expect(file).toMatchObject({ filename: '数据 “1”.csv', mime_type: 'text/csv' })
  expect(Date.parse(file.expires_at ?? '')).toBeGreaterThan(Date.now())
  await house.store.db
    .updateTable('anthropic_files')
    .set({ expires_at: 1 })
    .where('id', '=', file.id)
    .execute()
  expect(await failureOf(asks(client, [file.id]))).toMatchObject({ status: 404 })
  expect((await client.beta.files.list()).data).toEqual([])
})

test('all files of an account are with the key that has the first, and their messages go there', async () => {
  const { client } = await house.newcomer()
  const ids: string[] = []
  for (const text of ['a', 'b', 'c', 'd']) ids.push((await upload(client, text)).id)
  expect(new Set(ids.map(id => house.upstream.files.get(id)?.account)).size).toBe(1)
  expect(await textOf(asks(client, ids))).toBe('seen 4')
  // By the channel that serves the model too, and comes first, but has not the file, nobody is asked.
  for (const id of ids) expect(await textOf(asks(client, [id], MODEL))).toBe('seen 1')
  const { input_tokens } = await client.beta.messages.countTokens({
    ...{ model: MODEL, messages: named(...ids), betas },
  })
  expect(input_tokens).toBe(READ.prompt + 4 * READ.file)
  expect(house.upstream.complaints.filter(one => one.includes('messages'))).toEqual([])
})

test('lists show one’s own, in pages of either kind', async () => {
  const { client, key } = await house.newcomer()
  const ids: string[] = []
  for (const text of ['a', 'b', 'c', 'd', 'e']) ids.unshift((await upload(client, text)).id)
  const seen: string[] = []
  for await (const { id } of client.beta.files.list({ limit: 2, betas })) {
    seen.push(id)
    // Who deletes what a page shows gets to the next all the same.
    if (id === ids[1]) await client.beta.files.delete(id)
  }
  expect(seen).toEqual(ids)
  const left = ids.filter(id => id !== ids[1])
  const list = async (query: string) => {
    const headers = { 'x-api-key': key, 'anthropic-version': '2023-06-01' }
    const response = await fetch(`${house.url}/v1/files?${query}`, { headers })
    const { data, ...page } = (await response.json()) as { data?: { id: string }[] }
    return { ...page, status: response.status, ids: data?.map(({ id }) => id) }
  }
  expect(await list('limit=2')).toMatchObject({
    ...{ ids: left.slice(0, 2), has_more: true, first_id: left[0], last_id: left[1] },
  })
  expect(await list(`limit=2&after_id=${left[1]}`)).toMatchObject({ ids: left.slice(2), has_more: false })
  expect(await list(`limit=2&before_id=${left[3]}`)).toMatchObject({ ids: left.slice(1, 3), has_more: true })
  expect((await client.beta.files.list({ ids: [left[0] ?? '', 'file_none'] })).data).toHaveLength(1)
  for (const query of ['limit=0', 'limit=1001', 'page=x', `after_id=${left[0]}&before_id=${left[1]}`])
    expect((await list(query)).status).toBe(400)
  expect((await list('after_id=file_none')).status).toBe(404)
  expect((await house.visitor.beta.files.list()).data).toEqual([])
})

test('what belongs to somebody else is as unknown as what never was, and nothing is asked or held', async () => {
  const file = await upload(house.client, 'mine')
  const other = await house.newcomer()
  const before = house.upstream.requests.length
  const image = (file_id: string) => [
    { role: 'user' as const, content: [{ type: 'image', source: { type: 'file', file_id } }] as never },
  ]
  const quoted = (file_id: string) => [
    {
      role: 'user' as const,
      content: [{ type: 'tool_result', tool_use_id: 't', content: image(file_id)[0]?.content }] as never,
    },
  ]
  const told = (file_id: string) => [
    { role: 'user' as const, content: 'a' },
    {
      role: 'assistant' as const,
      content: [
        {
          ...{ type: 'bash_code_execution_tool_result', tool_use_id: 's' },
          content: {
            type: 'bash_code_execution_result',
            content: [{ type: 'bash_code_execution_output', file_id }],
          },
        },
      ] as never,
    },
  ]
  const put = (file_id: string) => [
    { role: 'user' as const, content: [{ type: 'container_upload', file_id }] as never },
  ]
  const { client } = other
  const say = (messages: Anthropic.Beta.BetaMessageParam[]) =>
    client.beta.messages.create({ model: OTHER, max_tokens: 9, messages, betas })
  const ways = [
    (id: string) => client.beta.files.retrieveMetadata(id),
    (id: string) => client.beta.files.download(id),
    (id: string) => client.beta.files.delete(id),
    (id: string) => say(named(id)),
    (id: string) => say(image(id)),
    (id: string) => say(quoted(id)),
    (id: string) => say(put(id)),
    (id: string) => client.beta.messages.countTokens({ model: OTHER, messages: named(id), betas }),
  ]
  const plain = ({ status, type, message }: Awaited<ReturnType<typeof failureOf>>) =>
    [status, type, message.replace(/file_\w+/, '').replace(/\(request id: [^)]*\)/, '')] as const
  for (const way of ways) {
    const [real, missing] = [await failureOf(way(file.id)), await failureOf(way('file_none'))]
    expect(plain(real)).toEqual(plain(missing))
    expect([real.status, real.type]).toEqual([404, 'not_found_error'])
  }
  expect(await failureOf(say(told(file.id)))).toMatchObject({ status: 404 })
  expect(house.upstream.requests.length).toBe(before)
  expect(await heldBy(other.userId)).toBe(0)
  expect(await textOf(asks(house.client, [file.id]))).toBe('seen 1')
})

test('other dialects and other vendors never see the id', async () => {
  const { client, key } = await house.newcomer()
  const { id } = await upload(client, 'mine')
  const before = house.upstream.requests.length
  expect(await failureOf(asks(client, [id], ELSEWHERE))).toMatchObject({ status: 400 })
  const content = [{ type: 'file', file: { file_id: id } }]
  const { status } = await house.call(
    ...(['POST', '/v1/chat/completions'] as const),
    { model: OTHER, messages: [{ role: 'user', content }] },
    key,
  )
  expect(status).toBe(400)
  expect(house.upstream.requests.length).toBe(before)
})

test('files of two accounts cannot be named together', async () => {
  const { client } = await house.newcomer()
  const one = await upload(client, 'a')
  const two = await upload(client, 'b')
  await house.store.db
    .updateTable('anthropic_files')
    .set({ key_hash: 'x' })
    .where('id', '=', two.id)
    .execute()
  expect(await failureOf(asks(client, [one.id, two.id]))).toMatchObject({
    ...{ status: 400, message: expect.stringContaining('different accounts') },
  })
  // Of the second the key is gone: it says so, and can still be deleted here.
  for (const gone of [() => asks(client, [two.id]), () => client.beta.files.retrieveMetadata(two.id)])
    expect(await failureOf(gone())).toMatchObject({
      status: 404,
      message: expect.stringContaining('its key'),
    })
  await client.beta.files.delete(two.id)
  expect((await client.beta.files.list()).data.map(({ id }) => id)).toEqual([one.id])
})

test('where an account is out of order, a small file goes to another', async () => {
  const { client } = await house.newcomer()
  house.upstream.refusing = 503
  const before = house.upstream.requests.length
  const { id } = await upload(client, 'again')
  expect(house.upstream.requests.length).toBe(before + 2)
  expect(house.upstream.files.get(id)?.text).toBe('again')
})

test('what is no upload never reaches a vendor, and OpenAI’s clients have their own files', async () => {
  const before = house.upstream.requests.length
  const send = async (form: FormData | string, more: Record<string, string> = {}) => {
    const headers = { 'x-api-key': house.payer.key, 'accept-language': 'en', ...more }
    const response = await fetch(`${house.url}/v1/files`, { method: 'POST', headers, body: form })
    const { type, error } = (await response.json()) as { type: string; error: { type: string } }
    return `${response.status} ${type} ${error.type}`
  }
  const form = (fields: Record<string, string | Blob>) => {
    const made = new FormData()
    for (const [name, value] of Object.entries(fields)) made.append(name, value)
    return made
  }
  const wrong = [
    send('{}', { 'content-type': 'application/json' }),
    send(form({ expires_in_seconds: '7200' })),
    send(form({ file: 'words' })),
    send(form({ file: new Blob([]) })),
    send(form({ purpose: 'x', file: new Blob(['a']) })),
    send(form({ expires_in_seconds: 'x', file: new Blob(['a']) })),
  ]
  for (const one of wrong) expect(await one).toBe('400 error invalid_request_error')
  expect(await send(form({ file: new Blob(['a']) }), { 'x-api-key': 'sk-none' })).toBe(
    '401 error authentication_error',
  )
  expect(house.upstream.requests.length).toBe(before)
  const { json } = await house.call('GET', '/v1/files')
  expect(json).toMatchObject({ object: 'list', data: [] })
})

test('who has no Anthropic channel is told so', async () => {
  const userId = await house.addUser()
  const { key } = await house.addToken({ userId, group: 'other' })
  expect(await failureOf(upload(house.clientOf(key), 'a'))).toMatchObject({ status: 503 })
})
