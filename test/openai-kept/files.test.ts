import { afterAll, beforeAll, expect, test } from 'bun:test'
import { request } from 'node:http'
import { toFile } from 'openai'
import {
  aFile,
  aPicture,
  ask,
  askInChat,
  MEGABYTE,
  refusal,
  rowOf,
  runs,
  said,
  sendForm,
  upload,
} from './files-house.ts'
import { type KeptHouse, MODEL, openKeptHouse, PICTURES, SECOND } from './house.ts'

// Files that OpenAI's SDK uploads and names in calls.

let house: KeptHouse
beforeAll(async () => {
  house = await openKeptHouse({ ToolPrice: '{"code_interpreter":30,"image_generation":0}' })
})
afterAll(async () => {
  expect(await house.differences()).toEqual([])
  await house.close()
})

const heldBy = async (userId: number) =>
  (await house.store.db.selectFrom('holds').select('id').where('user_id', '=', userId).execute()).length

test.each(['user_data', 'vision', 'assistants'] as const)(
  'a file for %s is uploaded, seen, and deleted, and costs nothing',
  async purpose => {
    const { client, userId } = await house.newcomer()
    const bytes = Buffer.alloc(6 * MEGABYTE + 5, 'tollgate')
    const made = [
      await upload(client, 'short', purpose),
      // Its purpose comes behind it, and in between it has gone on.
      await upload(client, bytes, purpose),
      await client.files.create({
        ...{ purpose, expires_after: { anchor: 'created_at' as const, seconds: 3600 } },
        file: await toFile(bytes, '数据 “1”.pdf', { type: 'application/pdf' }),
      }),
    ]
    expect(made).toMatchObject([
      { object: 'file', purpose, filename: 'report.pdf', bytes: 5, status: 'processed', expires_at: null },
      { purpose, filename: 'report.pdf', bytes: bytes.length, expires_at: null },
      { purpose, filename: '数据 “1”.pdf', bytes: bytes.length, expires_at: expect.any(Number) },
    ])
    const sent = house.first.requests.filter(({ method, path }) => method === 'POST' && path === '/v1/files')
    const file = sent.at(-1)?.form?.get('file')
    if (!(file instanceof Blob)) throw new Error('no file came')
    expect(Buffer.from(await file.arrayBuffer()).equals(bytes)).toBe(true)
    for (const one of made) {
      expect(await client.files.retrieve(one.id)).toEqual(one)
      expect(await refusal(client.files.content(one.id))).toEqual([
        400,
        expect.stringContaining(`Not allowed to download files of purpose: ${purpose}`),
      ])
      expect(await client.files.delete(one.id)).toEqual({ id: one.id, object: 'file', deleted: true })
      expect(await refusal(client.files.retrieve(one.id))).toEqual([
        404,
        expect.stringContaining(`No such File object: ${one.id}`),
      ])
    }
    expect((await refusal(ask(client, [made[0]?.id ?? ''])))[0]).toBe(404)
    expect(await house.balance(userId)).toBe(50_000_000)
  },
)

test.each([false, true])(
  'what names files goes to the key that has them, and is paid as it was read; streamed %p',
  async stream => {
    const { client, userId } = await house.newcomer()
    const ids: string[] = []
    for (let at = 0; at < 4; at++) ids.push((await upload(client)).id)
    // Of one account, or the vendor would not know them.
    const before = house.first.complaints.length
    const say = async (input: Parameters<typeof said>, tools?: ReturnType<typeof runs>[]) => {
      const asked = { model: MODEL, input: said(...input), ...(tools && { tools }) }
      return stream
        ? client.responses.stream(asked).finalResponse()
        : await client.responses.create({ ...asked, stream: false })
    }
    const answers = []
    for (const id of ids) answers.push(await say([aFile(id), aPicture(id)]))
    answers.push(await say(ids.map(aFile)))
    const paid = answers.reduce(
      (sum, { usage }) => sum + (usage?.input_tokens ?? 0) + 3 * (usage?.output_tokens ?? 0),
      0,
    )
    expect(await house.differences()).toEqual([])
    expect(await house.balance(userId)).toBe(50_000_000 - paid)
    for (const id of ids) {
      const chat = {
        model: MODEL,
        messages: [{ role: 'user' as const, content: [{ type: 'file' as const, file: { file_id: id } }] }],
      }
      if (stream) await client.chat.completions.stream(chat).finalChatCompletion()
      else await client.chat.completions.create(chat)
      await say([], [runs(id)])
      await say([], [{ type: 'image_generation', input_image_mask: { file_id: id } } as never])
    }
    expect(house.first.complaints.slice(before)).toEqual([])
  },
)

test('what another tool gave, a token count and an edit of pictures name them too', async () => {
  const { client, key } = await house.newcomer()
  const { id } = await upload(client, 'a picture', 'vision')
  const before = [house.first.complaints.length, house.second.requests.length]
  await client.responses.create({
    model: MODEL,
    input: [
      { type: 'function_call', call_id: 'call_1', name: 'look', arguments: '{"file_id":"none"}' },
      { type: 'function_call_output', call_id: 'call_1', output: [{ type: 'input_image', file_id: id }] },
    ],
  })
  for (let at = 0; at < 4; at++) {
    const { input_tokens } = await client.responses.inputTokens.count({
      model: MODEL,
      input: said(aFile(id)),
    })
    expect(input_tokens).toBeGreaterThan(85)
    const edit = { model: PICTURES, prompt: 'Brighter', images: [{ file_id: id }], mask: { file_id: id } }
    expect((await house.call('POST', '/v1/images/edits', edit, key)).status).toBe(200)
  }
  expect([house.first.complaints.length, house.second.requests.length]).toEqual(before)
  const edit = { model: PICTURES, prompt: 'Brighter', images: [{ file_id: id }] }
  const { status, json } = await house.call('POST', '/v1/images/edits', edit, house.stranger.key)
  expect([status, json.error.message]).toEqual([404, expect.stringContaining(id)])
})

test('a call that names a file does not leave its account, whatever fails there', async () => {
  const { client } = await house.newcomer()
  const { id } = await upload(client)
  const [first, second] = [house.first.requests.length, house.second.requests.length]
  house.first.next(house.first.failWith('server-error'))
  expect((await refusal(ask(client, [id])))[0]).toBeGreaterThanOrEqual(500)
  house.first.next(house.first.failWith('server-error'))
  expect((await refusal(askInChat(client, id)))[0]).toBeGreaterThanOrEqual(500)
  house.first.next(house.first.failWith('server-error'))
  const edit = { model: PICTURES, prompt: 'x', images: [{ file_id: id }] }
  expect((await refusal(client.post('/images/edits', { body: edit })))[0]).toBeGreaterThanOrEqual(500)
  expect(house.first.requests.length).toBe(first + 3)
  expect(house.second.requests.length).toBe(second)
  expect((await ask(client, [id])).output_text).toContain('What is this?')
})

test('what belongs to somebody else is as unknown as what never was, and nothing is asked or held', async () => {
  const { id } = await upload(house.client)
  const { client, userId } = await house.newcomer()
  const before = house.asked()
  const container = { name: 'Code', file_ids: [id] }
  const ways: ((id: string) => Promise<unknown>)[] = [
    id => client.files.retrieve(id),
    id => client.files.content(id),
    id => client.files.delete(id),
    id => ask(client, [id]),
    id => askInChat(client, id),
    id => client.responses.create({ model: MODEL, input: said(aPicture(id)) }),
    id => client.responses.create({ model: MODEL, input: 'Run code', tools: [runs(id)] }),
    id => client.responses.inputTokens.count({ model: MODEL, input: said(aFile(id)) }),
    id => client.conversations.create({ items: [{ role: 'user', content: [aFile(id)] }] as never }),
    id => client.containers.create({ ...container, file_ids: [id] }),
    id => client.batches.create({ input_file_id: id, endpoint: '/v1/responses', completion_window: '24h' }),
  ]
  for (const way of ways) {
    const [real, missing] = [await refusal(way(id)), await refusal(way('file-none'))]
    expect(real[0]).toBe(404)
    const plain = ([, text]: typeof real) => text.replace(/file-\w+/, '').replace(/\(request id: [^)]*\)/, '')
    expect(plain(real)).toBe(plain(missing))
  }
  expect(house.asked()).toBe(before)
  expect(await heldBy(userId)).toBe(0)
  expect((await client.files.list()).data).toEqual([])
  expect((await ask(house.client, [id])).status).toBe('completed')
})

test('files of two accounts, and models of other channels, are refused in words', async () => {
  const { client } = await house.newcomer()
  const [one, two] = [await upload(client), await upload(client)]
  const before = house.asked()
  for (const asked of [() => ask(client, [one.id], SECOND), () => askInChat(client, one.id, SECOND)])
    expect(await refusal(asked())).toEqual([400, expect.stringContaining(`does not serve ${SECOND}`)])
  await house.store.db.updateTable('openai_files').set({ key_hash: 'x' }).where('id', '=', two.id).execute()
  expect(await refusal(ask(client, [one.id, two.id]))).toEqual([
    400,
    expect.stringContaining('different accounts'),
  ])
  // Of the second the key is gone: it says so, and can still be deleted here.
  for (const gone of [() => ask(client, [two.id]), () => client.files.retrieve(two.id)])
    expect(await refusal(gone())).toEqual([404, expect.stringContaining('its key')])
  await client.files.delete(two.id)
  expect((await client.files.list()).data.map(({ id }) => id)).toEqual([one.id])
  expect(house.asked()).toBe(before)
})

test('lists show those of batches and those of calls together', async () => {
  const { client } = await house.newcomer()
  const line = JSON.stringify({
    ...{ custom_id: 'a', method: 'POST', url: '/v1/responses' },
    body: { model: MODEL, input: 'Hi' },
  })
  const ids: string[] = []
  for (let at = 0; at < 3; at++) {
    ids.unshift((await upload(client, `${at}`, at === 1 ? 'vision' : 'user_data')).id)
    const file = await toFile(Buffer.from(line), 'in.jsonl')
    ids.unshift((await client.files.create({ file, purpose: 'batch' })).id)
  }
  expect((await client.files.list()).data.map(({ id }) => id)).toEqual(ids)
  for (const limit of [1, 2, 4]) {
    const paged = await Array.fromAsync(client.files.list({ limit }))
    expect(paged.map(({ id }) => id)).toEqual(ids)
  }
  const rising = await Array.fromAsync(client.files.list({ limit: 2, order: 'asc' }))
  expect(rising.map(({ id }) => id)).toEqual(ids.toReversed())
  for (const [purpose, count] of [
    ['batch', 3],
    ['user_data', 2],
    ['vision', 1],
    ['assistants', 0],
  ] as const)
    expect((await client.files.list({ purpose })).data.map(file => file.purpose)).toEqual(
      Array.from({ length: count }, () => purpose),
    )
  expect((await refusal(client.files.list({ after: 'file-none' })))[0]).toBe(404)
  expect((await client.files.list({ after: '' })).data.map(({ id }) => id)).toEqual(ids)
  // One for calls is not for batches, and the other way round.
  const [batch = '', named = ''] = ids
  const begun = client.batches.create({
    ...{ input_file_id: named, endpoint: '/v1/responses', completion_window: '24h' },
  })
  expect(await refusal(begun)).toEqual([400, expect.stringContaining('purpose batch')])
  expect((await refusal(ask(client, [batch])))[0]).toBe(404)
})

test('what is no upload never reaches a vendor', async () => {
  const before = house.asked()
  const file = new Blob(['words'])
  const purpose: [string, string] = ['purpose', 'user_data']
  const [anchor, seconds] = ['expires_after[anchor]', 'expires_after[seconds]'] as const
  const wrong: [Parameters<typeof sendForm>[1], string][] = [
    [[purpose], 'file'],
    [[['file', file]], 'purpose'],
    [
      [
        ['purpose', 'evals'],
        ['file', file],
      ],
      'user_data',
    ],
    [[purpose, ['file', 'words']], 'file'],
    [[purpose, ['file', new Blob([])]], 'empty'],
    [[['file', new Blob([])], purpose], 'empty'],
    [[purpose, ['file', file], ['file', file]], 'file'],
    [[purpose, purpose, ['file', file]], 'purpose'],
    [[purpose, ['file', file], ['expires_in_seconds', '1']], 'expires_in_seconds'],
    [[['file', file], purpose, [anchor, 'created_at']], seconds],
    [[['file', file], purpose, [seconds, '3600']], anchor],
    [[purpose, [anchor, 'last_active_at'], [seconds, '3600'], ['file', file]], anchor],
    [[purpose, [anchor, 'created_at'], [seconds, '3599'], ['file', file]], seconds],
    [[purpose, [anchor, 'created_at'], [seconds, '2592001'], ['file', file]], seconds],
    [[purpose, [anchor, 'created_at'], [seconds, '36e2'], ['file', file]], seconds],
  ]
  for (const [fields, name] of wrong) {
    const { status, message } = await sendForm(house, fields)
    expect([status, message]).toEqual([400, expect.stringContaining(name)])
  }
  // Too long a file to wait for what it is for, which it turns out not to be.
  const requests = Array.from({ length: 50 }, (_, at) =>
    JSON.stringify({
      ...{ custom_id: `${at}`, method: 'POST', url: '/v1/responses' },
      body: { model: MODEL, input: 'x'.repeat(MEGABYTE / 10) },
    }),
  )
  const [isOne, isNone] = [new Blob([requests.join('\n')]), new Blob([Buffer.alloc(5 * MEGABYTE, 'x')])]
  const early = { status: 400, message: expect.stringContaining('must stand before the file') }
  expect(await sendForm(house, [['file', isOne], purpose])).toEqual(early)
  const late = (value: string) =>
    sendForm(house, [
      ['file', isNone],
      ['purpose', value],
    ])
  expect(await late('batch')).toEqual(early)
  expect((await late('evals')).status).toBe(400)
  expect(await announce(513 * MEGABYTE)).toBe(413)
  expect(house.asked()).toBe(before)
})

/** What somebody is told who says how much is to come. */
async function announce(bytes: number): Promise<number> {
  const { promise, resolve, reject } = Promise.withResolvers<number>()
  const headers = {
    ...{ authorization: `Bearer ${house.payer.key}`, 'content-type': 'multipart/form-data; boundary=x' },
    'content-length': bytes,
  }
  const asked = request(`${house.url}/v1/files`, { method: 'POST', headers })
  asked.on('response', ({ statusCode = 0 }) => resolve(statusCode))
  asked.on('error', reject)
  asked.write('--x')
  return promise.finally(() => asked.destroy())
}

test('no more than so many, and so much', async () => {
  const { client, userId } = await house.newcomer()
  const { id } = await upload(client)
  const row = await rowOf(house, id)
  if (!row) throw new Error('it was not kept')
  const set = (bytes: number) =>
    house.store.db.updateTable('openai_files').set({ bytes }).where('id', '=', id).execute()
  await set(10 * 1024 * MEGABYTE - 5)
  expect(await refusal(upload(client, 'six or more'))).toEqual([400, expect.stringContaining('delete some')])
  await set(1)
  const more = Array.from({ length: 999 }, (_, at) => ({
    ...{ ...row, mark: at.toString(16).padStart(32, '0'), id: `file-${userId}x${at}` },
  }))
  await house.store.db.insertInto('openai_files').values(more).execute()
  expect(await refusal(upload(client))).toEqual([400, expect.stringContaining('1000 files')])
  // Those that have expired are not counted.
  await house.store.db.updateTable('openai_files').set({ expires_at: 1 }).where('id', '=', id).execute()
  await upload(client)
  expect((await refusal(ask(client, [id])))[0]).toBe(404)
})

test('where an account is out of order, a short file goes to another', async () => {
  const { client } = await house.newcomer()
  await upload(client)
  const before = house.second.requests.length
  house.first.always(house.first.failWith('overloaded'))
  const { id } = await upload(client, 'again').finally(() => house.first.always({}))
  expect(house.second.requests.length).toBe(before + 1)
  expect((await ask(client, [id], SECOND)).status).toBe('completed')
})

test('who has no channel of OpenAI’s is told so', async () => {
  for (const group of ['azure', 'claude']) {
    const { client } = await house.newcomer(group)
    expect(await refusal(upload(client))).toEqual([400, expect.stringContaining('No OpenAI channel')])
  }
})
