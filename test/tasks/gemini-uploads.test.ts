import { afterAll, beforeAll, expect, test } from 'bun:test'
import { type GeminiHouse, openGeminiHouse } from './gemini-house.ts'

// Uploads by hand: what their clients may get wrong, leave undone or try.

let house: GeminiHouse
beforeAll(async () => {
  house = await openGeminiHouse()
})
afterAll(async () => {
  expect(await house.differences()).toEqual([])
  await house.close()
})

const PIECE = 262_144

function start(size: number | string, more: Record<string, string> = {}, body: object = { file: {} }) {
  return fetch(`${house.url}/upload/v1beta/files`, {
    method: 'POST',
    headers: {
      'x-goog-api-key': house.payer.key,
      'content-type': 'application/json',
      'accept-language': 'en',
      'x-goog-upload-protocol': 'resumable',
      'x-goog-upload-command': 'start',
      'x-goog-upload-header-content-length': String(size),
      'x-goog-upload-header-content-type': 'text/plain',
      ...more,
    },
    body: JSON.stringify(body),
  })
}

async function begin(size: number): Promise<string> {
  const response = await start(size)
  expect([response.status, response.headers.get('x-goog-upload-status')]).toEqual([200, 'active'])
  return response.headers.get('x-goog-upload-url') ?? ''
}

/** Without a key, as the vendor's own examples do it. */
const put = (url: string, command: string, offset: number | string, body?: BodyInit) =>
  fetch(url, {
    method: 'POST',
    headers: {
      'accept-language': 'en',
      'x-goog-upload-command': command,
      'x-goog-upload-offset': String(offset),
    },
    ...(body === undefined ? {} : { body }),
  })

async function wordOf(asked: Promise<Response>) {
  const response = await asked
  const { error } = (await response.json()) as { error: { code: number; status: string } }
  expect(error.code).toBe(response.status)
  return `${response.status} ${error.status}`
}

const rows = () =>
  house.store.db.selectFrom('gemini_files').selectAll().where('user_id', '=', house.payer.userId).execute()
const asked = () => house.upstream.asked.length

test('the address for the bytes is the gateway’s own, and needs no key', async () => {
  const url = await begin(PIECE + 3)
  expect(url).toMatch(
    new RegExp(`^${house.url}/upload/v1beta/files\\?upload_id=[0-9a-f]{64}&upload_protocol=resumable$`),
  )
  const first = await put(url, 'upload', 0, Buffer.alloc(PIECE))
  expect([first.status, first.headers.get('x-goog-upload-status')]).toEqual([200, 'active'])
  const where = await put(url, 'query', 0)
  expect(where.headers.get('x-goog-upload-size-received')).toBe(String(PIECE))
  const last = await put(url, 'upload, finalize', PIECE, 'end')
  expect(last.headers.get('x-goog-upload-status')).toBe('final')
  const { file } = (await last.json()) as { file: { name: string } }
  // Who did not hear it hears it again, and nothing is uploaded twice.
  const before = asked()
  for (const command of ['query', 'upload, finalize', 'finalize']) {
    const again = await put(url, command, PIECE, command === 'query' ? undefined : 'end')
    expect(again.headers.get('x-goog-upload-status')).toBe('final')
    expect(await again.json()).toMatchObject({ file: { name: file.name } })
  }
  expect(asked()).toBe(before)
  // Nobody who reads the database can go on with somebody's upload.
  const secret = new URL(url).searchParams.get('upload_id') ?? ''
  expect(JSON.stringify(await rows())).not.toContain(secret)
  expect(JSON.stringify(await rows())).not.toContain('upload_id=')
})

test('what is announced wrongly never reaches a vendor', async () => {
  const before = asked()
  const wrong = [
    start('x'),
    start(0),
    start(-1),
    start('9'.repeat(30)),
    start(2 * 1024 ** 3 + 1),
    start(5, { 'x-goog-upload-header-content-type': `text/${'x'.repeat(7000)}` }),
    start(5, { 'x-goog-upload-header-content-type': 'plain' }),
    start(5, { 'x-goog-upload-protocol': 'raw' }),
    start(5, { 'x-goog-upload-command': 'start, upload, finalize' }),
    ...['files/../x', '../files/x', 'files/', 'files/a/b', 'files/A', 'files/-a', 'x'.repeat(300), 5, {}].map(
      name => start(5, {}, { file: { name } }),
    ),
    start(5, {}, { file: { displayName: 'x'.repeat(513) } }),
    start(5, {}, { file: { displayName: 'a\0b' } }),
  ]
  for (const one of wrong) expect(await wordOf(one)).toBe('400 INVALID_ARGUMENT')
  expect(await wordOf(start(5, { 'x-goog-api-key': 'sk-none' }))).toBe('401 UNAUTHENTICATED')
  expect(asked()).toBe(before)
})

test('pieces that do not fit are refused, and the rest can still come', async () => {
  const url = await begin(PIECE + 3)
  await put(url, 'upload', 0, Buffer.alloc(PIECE))
  const before = asked()
  const bad = [
    put(url, 'upload', PIECE, Buffer.alloc(PIECE)),
    put(url, 'upload, finalize', PIECE, 'no'),
    put(url, 'upload, finalize', PIECE, 'long'),
    put(url, 'upload, finalize', PIECE + 3, 'end'),
    put(url, 'upload, finalize', '', 'end'),
    put(url, 'upload, finalize', '-3', 'end'),
    put(url, 'upload, finalize', '1e3', 'end'),
    put(url, 'upload, finalize', '9'.repeat(40), 'end'),
    put(url, 'finalize, upload', PIECE, 'end'),
    put(url, 'steal', PIECE, 'end'),
  ]
  for (const one of bad) expect(await wordOf(one)).toBe('400 INVALID_ARGUMENT')
  const packed = { 'content-encoding': 'gzip', 'x-goog-upload-command': 'upload, finalize' }
  const headers = { ...packed, 'x-goog-upload-offset': String(PIECE) }
  expect((await fetch(url, { method: 'POST', headers, body: 'end' })).status).toBe(415)
  expect(asked()).toBe(before)
  // Where it is, its vendor knows.
  expect(await wordOf(put(url, 'upload', 0, Buffer.alloc(PIECE)))).toBe('400 INVALID_ARGUMENT')
  expect(await wordOf(put(url, 'finalize', 0))).toBe('400 INVALID_ARGUMENT')
  expect((await put(url, 'upload, finalize', PIECE, 'end')).headers.get('x-goog-upload-status')).toBe('final')
})

test('more than was announced is cut off, however it is sent', async () => {
  const url = await begin(10)
  // Whoever waited for its end would wait for ever.
  const endless = new ReadableStream({
    start(controller) {
      for (let sent = 0; sent < 12; sent += 4) controller.enqueue(Buffer.alloc(4))
    },
  })
  expect(await wordOf(put(url, 'upload, finalize', 0, endless))).toBe('400 INVALID_ARGUMENT')
  // Less, without saying how much: its vendor must not take it for all.
  const short = new ReadableStream({
    start(controller) {
      controller.enqueue(Buffer.alloc(4))
      controller.close()
    },
  })
  expect(await wordOf(put(url, 'upload, finalize', 0, short))).toBe('400 INVALID_ARGUMENT')
  const uploads = [...house.upstream.files.uploads.values()]
  expect(uploads.at(-1)).toMatchObject({ received: 0, file: undefined })
})

test('an upload that nobody ends is no file, and is forgotten', async () => {
  const url = await begin(10)
  const [row] = (await rows()).slice(-1)
  const name = row?.name ?? ''
  expect((await house.call('GET', `/v1beta/files/${name}`)).status).toBe(403)
  const { json } = await house.call('GET', '/v1beta/files?pageSize=100')
  expect(JSON.stringify(json)).not.toContain(name)
  await house.store.db.updateTable('gemini_files').set({ expires_at: 1 }).where('name', '=', name).execute()
  expect(await wordOf(put(url, 'upload, finalize', 0, 'x'.repeat(10)))).toBe('404 NOT_FOUND')
  await begin(1)
  expect((await rows()).map(one => one.name)).not.toContain(name)
})

test('one can be called off, and is nobody’s to guess', async () => {
  const url = await begin(10)
  const other = new URL(url)
  other.searchParams.set('upload_id', '0'.repeat(64))
  expect(await wordOf(put(other.href, 'query', 0))).toBe('404 NOT_FOUND')
  other.searchParams.set('upload_id', '../../files')
  expect(await wordOf(put(other.href, 'query', 0))).toBe('404 NOT_FOUND')
  expect((await put(url, 'cancel', 0)).headers.get('x-goog-upload-status')).toBe('cancelled')
  expect(await wordOf(put(url, 'query', 0))).toBe('404 NOT_FOUND')
})

test('whose account is closed cannot go on', async () => {
  const userId = await house.addUser()
  const { key } = await house.addToken({ userId })
  const url = (await start(3, { 'x-goog-api-key': key })).headers.get('x-goog-upload-url') ?? ''
  await house.store.db.updateTable('users').set({ status: 2 }).where('id', '=', userId).execute()
  expect((await put(url, 'upload, finalize', 0, 'end')).status).toBe(403)
})

test('whose token is switched off, deleted or over cannot go on, and who has spent it can', async () => {
  const userId = await house.addUser()
  const changed = async (change: object) => {
    const { key, id } = await house.addToken({ userId })
    const url = (await start(3, { 'x-goog-api-key': key })).headers.get('x-goog-upload-url') ?? ''
    await house.store.db.updateTable('tokens').set(change).where('id', '=', id).execute()
    return (await put(url, 'upload, finalize', 0, 'end')).status
  }
  expect(await changed({ status: 2 })).toBe(401)
  expect(await changed({ expired_time: 1 })).toBe(401)
  expect(await changed({ deleted_at: 1 })).toBe(404)
  expect(await changed({ unlimited_quota: 0, remain_quota: 0 })).toBe(200)
})

test('an account that is out of order is passed by', async () => {
  await begin(1)
  house.upstream.fail = { way: 'POST /upload/v1beta/files', status: 503 }
  const url = await begin(3)
  expect((await put(url, 'upload, finalize', 0, 'end')).headers.get('x-goog-upload-status')).toBe('final')
})

test('a process that dies between the vendor’s word and ours loses no file', async () => {
  const url = await begin(3)
  expect((await put(url, 'upload, finalize', 0, 'end')).status).toBe(200)
  // As if nothing had been noted.
  const [row] = (await rows()).slice(-1)
  await house.store.db
    .updateTable('gemini_files')
    .set({ upstream_name: '', data: '' })
    .where('id', '=', row?.id ?? '')
    .execute()
  const again = await put(url, 'query', 0)
  expect(again.headers.get('x-goog-upload-status')).toBe('final')
  expect(await again.json()).toMatchObject({ file: { name: `files/${row?.name}`, state: 'ACTIVE' } })
})

test('paths that climb lead nowhere', async () => {
  for (const path of ['..%2Fmodels', '%2e%2e', 'a%2Fb', 'A', 'a.b', 'x'.repeat(41)])
    expect((await house.call('GET', `/v1beta/files/${path}`)).status).toBe(404)
  for (const query of ['pageSize=x', 'pageSize=-1', 'pageToken=zz', 'pageToken=%00'])
    expect((await house.call('GET', `/v1beta/files?${query}`)).status).toBe(400)
})
