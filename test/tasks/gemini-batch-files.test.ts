import { afterAll, beforeAll, expect, test } from 'bun:test'
import { mkdtempSync, readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { GoogleGenAI } from '@google/genai'
import { until } from '../program.ts'
import { USED } from '../upstreams/gemini-kept/fake-batches.ts'
import { failureOf, type GeminiHouse, openGeminiHouse } from './gemini-house.ts'

// Batches of a file with Google's own client: read as it is uploaded, answered in a file, paid once when they end.

let house: GeminiHouse
beforeAll(async () => {
  house = await openGeminiHouse()
})
afterAll(async () => {
  expect(house.upstream.complaints.filter(text => !/not found|may not exist|odd length/.test(text))).toEqual(
    [],
  )
  expect(await house.differences()).toEqual([])
  await house.close()
})

/** At a ratio of 2, a quarter of that from a cache and four times as much for output; half of all that in a batch. */
const EACH = (2 * (USED.prompt - USED.cached + USED.cached / 4 + 4 * (USED.thoughts + USED.output))) / 2

const line = (at: number, request: object = {}, more: object = {}): string =>
  JSON.stringify({
    key: `k${at}`,
    // As the vendor's own examples spell it.
    request: {
      contents: [{ parts: [{ text: `say ${at}` }] }],
      generation_config: { max_output_tokens: 50 },
      ...request,
    },
    ...more,
  })
const lines = (count: number): string => Array.from({ length: count }, (_, at) => line(at)).join('\n')

async function upload(text: string, google = house.google, mimeType = 'jsonl'): Promise<string> {
  const { name = '' } = await google.files.upload({ file: new Blob([text]), config: { mimeType } })
  return name
}
const begin = (file: string, google = house.google, model = 'g-pro') =>
  google.batches.create({ model, src: file, config: { displayName: 'Nightly' } })
async function download(file: string, google: GoogleGenAI): Promise<string> {
  const downloadPath = join(mkdtempSync(join(tmpdir(), 'answers-')), 'answers.jsonl')
  await google.files.download({ file, downloadPath })
  return readFileSync(downloadPath, 'utf8')
}
const spentBy = async (userId: number) => 50_000_000 - (await house.balance(userId))

test('from an upload to the file of answers', async () => {
  const { userId, google } = await house.newcomer()
  const file = await upload(lines(3), google)
  const { name = '', state } = await begin(file, google)
  expect(state).toBe('JOB_STATE_PENDING' as never)
  const batch = house.upstream.batches.last()
  expect(batch.requests.map(({ key }) => key)).toEqual(['k0', 'k1', 'k2'])
  // The most that it can cost: a byte as a token, and fifty of each answer.
  const held = await spentBy(userId)
  expect(held).toBeGreaterThan(3 * 50 * 4)
  expect((await failureOf(google.files.download({ file, downloadPath: '/dev/null' }))).status).toBe(400)

  house.upstream.batches.end(batch, 'BATCH_STATE_SUCCEEDED', 2)
  await house.poll(0, 4)
  expect(await spentBy(userId)).toBe(2 * EACH)
  const looks = () => house.upstream.asked.filter(({ way }) => way === `GET /v1beta/${batch.name}`).length
  const before = looks()
  const ended = await google.batches.get({ name })
  expect(looks()).toBe(before)
  expect(ended.state).toBe('JOB_STATE_SUCCEEDED' as never)
  const made = ended.dest?.fileName ?? ''
  expect(made).toMatch(/^files\/[0-9a-f]{32}$/)
  expect(JSON.stringify(ended)).not.toContain('vendor')
  const answers = (await download(made, google))
    .trim()
    .split('\n')
    .map(text => JSON.parse(text))
  expect(
    answers.map(({ key, response, error }) => [key, response?.candidates.length, error?.message]),
  ).toEqual([
    ['k0', 1, undefined],
    ['k1', 1, undefined],
    ['k2', undefined, 'too long'],
  ])
  expect(await google.files.get({ name: made })).toMatchObject({ name: made, source: 'GENERATED' })
  // By the address of the vendor's own examples; and nobody else's.
  const path = `/download/v1beta/${made}:download?alt=media`
  const key = house.payer.key
  expect((await house.call('GET', path, undefined, key)).status).toBe(403)
  expect((await failureOf(house.visitor.batches.create({ model: 'g-pro', src: file }))).status).toBe(403)
  await google.batches.delete({ name })
  expect((await download(made, google)).length).toBeGreaterThan(100)
  await google.files.delete({ name: made })
  expect((await failureOf(google.files.get({ name: made }))).status).toBe(403)
})

test('what is read in several pieces is held for to the last line', async () => {
  const { userId, google } = await house.newcomer()
  const long = (at: number) => line(at, { contents: [{ parts: [{ text: 'ä€😀 "}\\n{'.repeat(20_000) }] }] })
  const text = `${Array.from({ length: 50 }, (_, at) => long(at)).join('\r\n')}\n\n`
  const bytes = Buffer.byteLength(text)
  expect(bytes).toBeGreaterThan(16 * 1024 * 1024)
  await begin(await upload(text, google, 'application/jsonl'), google)
  expect(house.upstream.batches.last().requests).toHaveLength(50)
  // At a ratio of 2, of which a batch costs half: a token for each byte at most, and no less than what was said.
  expect(await spentBy(userId)).toBeGreaterThan(bytes * 0.9)
  house.upstream.batches.end(house.upstream.batches.last(), 'BATCH_STATE_EXPIRED', 0)
  await house.poll()
  expect(await spentBy(userId)).toBe(0)
})

const twice = line(1).replace('"max_output_tokens":50', '"max_output_tokens":5,"max_output_tokens":50')
const bad: [string, string, string][] = [
  ['no JSON', 'nothing', 'JSON'],
  ['no request', '{"key":"a"}', 'request'],
  ['another field', line(1, {}, { url: 'x' }), 'url'],
  ['a number for a key', line(1, {}, { key: 5 }), 'key'],
  ['a model', line(1, { model: 'models/g-flash' }), 'model'],
  ['a name twice', twice, 'more than once'],
  ['both spellings', line(1, { generationConfig: {} }), 'more than once'],
  [
    'both of a limit',
    line(1, { generation_config: { candidateCount: 1, candidate_count: 8 } }),
    'more than once',
  ],
  ['a search', line(1, { tools: [{ google_search: {} }] }), 'google_search'],
  ['a cache', line(1, { cached_content: 'cachedContents/a' }), 'cached_content'],
  [
    'a file',
    line(1, { contents: [{ parts: [{ file_data: { file_uri: 'https://a/v1beta/files/b' } }] }] }),
    'file',
  ],
  ['too long a line', line(1, { contents: [{ parts: [{ text: 'x'.repeat(5_000_000) }] }] }), '4194304'],
]
test.each(bad)('refused by its line, and nothing is held: %s', async (_what, wrong, word) => {
  const { userId, google } = await house.newcomer()
  const file = await upload(`${line(0)}\n${wrong}\n${line(2)}`, google)
  const failure = await failureOf(begin(file, google))
  expect([failure.status, await spentBy(userId)]).toEqual([400, 0])
  expect(failure.message).toContain('Request 2')
  expect(failure.message).toContain(word)
})

test('a file that is none of requests, is empty, or is for whom rules would have to read it', async () => {
  const { google } = await house.newcomer()
  const plain = await upload(lines(2), google, 'text/plain')
  expect((await failureOf(begin(plain, google))).message).toContain('application/jsonl')
  expect((await failureOf(begin(await upload('\n\n', google), google))).status).toBe(400)
  const file = await upload(lines(1), google)
  const rule = { enabled: true, name: 'people', groups: [], action: 'mask', models: ['g-pro'] }
  const looks = { by: 'words', words: ['answer'] }
  const put = (where: string) =>
    house.setOption('Guards', JSON.stringify([{ ...rule, where: [where], looks }]))
  await put('input')
  expect((await failureOf(begin(file, google))).message).toContain('people')
  // What is answered is read whenever it is fetched.
  await put('output')
  const { name = '' } = await begin(file, google)
  house.upstream.batches.end(house.upstream.batches.last(), 'BATCH_STATE_SUCCEEDED', 1)
  await house.poll()
  const made = (await google.batches.get({ name })).dest?.fileName ?? ''
  expect(await download(made, google)).not.toContain('answer')
  await house.setOption('Guards', '[]')
  expect(await download(made, google)).toContain('answer 0')
})

const PIECE = 262_144

/** By hand, without the client: pieces of a file of requests. */
async function startUpload(key: string, size: number): Promise<string> {
  const response = await fetch(`${house.url}/upload/v1beta/files`, {
    method: 'POST',
    headers: {
      ...{ 'x-goog-api-key': key, 'content-type': 'application/json' },
      ...{ 'x-goog-upload-protocol': 'resumable', 'x-goog-upload-command': 'start' },
      'x-goog-upload-header-content-length': String(size),
      'x-goog-upload-header-content-type': 'application/jsonl',
    },
    body: '{}',
  })
  return response.headers.get('x-goog-upload-url') ?? ''
}
const put = (url: string, command: string, offset: number, body: string) =>
  fetch(url, {
    method: 'POST',
    headers: { 'x-goog-upload-command': command, 'x-goog-upload-offset': String(offset) },
    body,
  })

test('what the vendor has and nobody has read is for no batch', async () => {
  const { key, google, userId } = await house.newcomer()
  const first = `${line(0)}\n`.padEnd(PIECE)
  const url = await startUpload(key, PIECE + 1 + lines(2).length)
  // It arrives, and its answer does not: whoever goes on does so from where the vendor is.
  house.upstream.fail = { way: 'POST /upload/v1beta/files', status: 500, done: true }
  expect((await put(url, 'upload', 0, first)).status).toBe(500)
  const last = await put(url, 'upload, finalize', PIECE, `\n${lines(2)}`)
  const { file } = (await last.json()) as { file: { name: string } }
  const failure = await failureOf(begin(file.name, google))
  expect([failure.status, await spentBy(userId)]).toEqual([400, 0])
  expect(failure.message).toContain('upload it again')
})

test('an output that its vendor has lost is paid by what it counted', async () => {
  const { userId, google } = await house.newcomer()
  const { name = '' } = await begin(await upload(lines(2), google), google)
  const batch = house.upstream.batches.last()
  house.upstream.batches.end(batch, 'BATCH_STATE_SUCCEEDED', 2)
  house.upstream.files.all.delete(batch.responsesFile ?? '')
  await house.poll()
  expect((await google.batches.get({ name })).state).toBe('JOB_STATE_PENDING' as never)
  await house.poll(4000)
  expect((await google.batches.get({ name })).state).toBe('JOB_STATE_SUCCEEDED' as never)
  expect(await spentBy(userId)).toBeWithin(1, 2 * EACH)
})

test('killed while it is uploaded, begun, and while it ends: read whole or not at all, and paid once', async () => {
  const { userId, key, google } = await house.newcomer()
  const kill = () => {
    for (const pid of house.program.workerPids()) process.kill(pid, 'SIGKILL')
  }
  const text = `${line(0)}\n`.padEnd(PIECE - 5) + lines(3)
  const url = await startUpload(key, text.length)
  expect((await put(url, 'upload', 0, text.slice(0, PIECE))).status).toBe(200)
  kill()
  // Another process goes on in the middle of a line.
  const goOn = () => put(url, 'upload, finalize', PIECE, text.slice(PIECE)).catch(() => undefined)
  let name = ''
  await until(async () => {
    const answer = await goOn()
    if (answer?.status !== 200) return false
    name = ((await answer.json()) as { file: { name: string } }).file.name
    return true
  })
  house.upstream.fail = { way: 'POST /v1beta/models', status: 0, done: true }
  const lost = begin(name, google).catch(() => 'lost')
  await until(async () => house.upstream.fail === undefined)
  kill()
  expect(await lost).toBe('lost')
  await house.poll(600)
  const batch = house.upstream.batches.last()
  expect(batch.requests).toHaveLength(4)
  house.upstream.batches.end(batch, 'BATCH_STATE_SUCCEEDED', 4)
  await house.poll(600, 3)
  // As if it had died between the charge and its own word for it.
  await house.store.db
    .updateTable('batches')
    .set({ state: 'running' })
    .where('user_id', '=', userId)
    .execute()
  await house.poll(600, 3)
  expect(await spentBy(userId)).toBe(4 * EACH)
})
