import { afterAll, beforeAll, expect, test } from 'bun:test'
import { createPartFromUri, createUserContent, type File as KeptFile } from '@google/genai'
import { READ } from '../upstreams/gemini-kept/start-gemini-kept.ts'
import { failureOf, type GeminiHouse, openGeminiHouse } from './gemini-house.ts'

// Files with Google's own client: uploaded in pieces, looked at, named in calls, deleted.

let house: GeminiHouse
beforeAll(async () => {
  house = await openGeminiHouse()
})
afterAll(async () => {
  expect(await house.differences()).toEqual([])
  await house.close()
})

const MEGABYTE = 1024 * 1024
const png = (bytes: number | string): Blob =>
  new Blob([typeof bytes === 'string' ? bytes : Buffer.alloc(bytes, 'tollgate')], { type: 'image/png' })

const asks = (google: GeminiHouse['google'], ...files: KeptFile[]) =>
  google.models.generateContent({
    model: 'g-pro',
    contents: createUserContent([
      'What is this?',
      ...files.map(({ uri = '', mimeType = '' }) => createPartFromUri(uri, mimeType)),
    ]),
  })
const priceOf = (files: number) => 2 * (READ.prompt + files * READ.file + 4 * READ.output)

test('a file of several pieces goes through as it is, and is named in a call', async () => {
  const bytes = 17 * MEGABYTE + 5
  const file = await house.google.files.upload({
    file: png(bytes),
    config: { mimeType: 'image/png', displayName: 'A picture' },
  })
  expect({ ...file }).toMatchObject({
    name: expect.stringMatching(/^files\/[0-9a-f]{32}$/),
    uri: expect.stringMatching(new RegExp(`^${house.url}/v1beta/files/[0-9a-f]{32}$`)),
    displayName: 'A picture',
    mimeType: 'image/png',
    sizeBytes: String(bytes),
    state: 'ACTIVE',
  })
  const digest = new Bun.CryptoHasher('sha256').update(Buffer.alloc(bytes, 'tollgate')).digest('hex')
  expect(file.sha256Hash).toBe(Buffer.from(digest).toString('base64'))
  expect([...house.upstream.files.uploads.values()].at(-1)?.pieces).toBe(3)
  const said = JSON.stringify(file)
  expect(said).not.toContain('vendor')
  expect(said).not.toContain(house.upstream.url)

  await house.spent()
  expect((await asks(house.google, file)).text).toBe('seen 1')
  expect(await house.spent()).toBe(priceOf(1))
  expect(await house.google.files.get({ name: file.name ?? '' })).toMatchObject({
    name: file.name,
    state: 'ACTIVE',
  })
  await house.google.files.delete({ name: file.name ?? '' })
  expect((await failureOf(house.google.files.get({ name: file.name ?? '' }))).status).toBe(403)
  expect((await failureOf(asks(house.google, file))).status).toBe(403)
  expect(await house.spent()).toBe(0)
})

test('all files of an account are with the key that has the first, and their calls go there', async () => {
  const { google } = await house.newcomer()
  const files = []
  for (const text of ['a', 'b', 'c', 'd']) files.push(await google.files.upload({ file: png(text) }))
  const accounts = new Set([...house.upstream.files.all.values()].slice(-4).map(({ account }) => account))
  expect(accounts.size).toBe(1)
  expect((await asks(google, ...files)).text).toBe('seen 4')
  // By the channel that serves the model too, but has not the file, nobody is asked.
  for (let at = 0; at < 5; at++) {
    const contents = createUserContent([createPartFromUri(files[at % 4]?.uri ?? '', 'image/png')])
    const { text } = await google.models.generateContent({ model: 'g-flash', contents })
    expect(text).toBe('seen 1')
  }
})

test('a prompt that names a file is counted by who has it', async () => {
  const { google } = await house.newcomer()
  const { uri = '' } = await google.files.upload({ file: png('counted') })
  const contents = createUserContent([createPartFromUri(uri, 'image/png')])
  for (let at = 0; at < 4; at++) {
    const { totalTokens } = await google.models.countTokens({ model: 'g-flash', contents })
    expect(totalTokens).toBe(READ.prompt + READ.file)
  }
  const stolen = house.visitor.models.countTokens({ model: 'g-flash', contents })
  expect((await failureOf(stolen)).status).toBe(403)
})

test('lists show one’s own, in pages; a film is asked after until it is ready', async () => {
  const { google } = await house.newcomer()
  const names: string[] = []
  for (const text of ['a', 'b', 'c'])
    names.unshift((await google.files.upload({ file: png(text) })).name ?? '')
  const seen: string[] = []
  for await (const { name = '' } of await google.files.list({ config: { pageSize: 2 } })) seen.push(name)
  expect(seen).toEqual(names)
  house.upstream.files.nextState = 'PROCESSING'
  const film = await google.files.upload({ file: png('film') })
  expect(film.state).toBe('PROCESSING' as never)
  expect((await failureOf(asks(google, film))).status).toBe(400)
  const kept = [...house.upstream.files.all.values()].at(-1)
  if (kept) kept.state = 'ACTIVE'
  const [first] = (await google.files.list()).page
  expect(first).toMatchObject({ name: film.name, state: 'ACTIVE' })
  expect((await asks(google, film)).text).toBe('seen 1')
})

test('what belongs to somebody else is as unknown as what never was', async () => {
  const file = await house.google.files.upload({ file: png('mine') })
  const none = {
    ...file,
    name: `files/${'0'.repeat(32)}`,
    uri: `${house.url}/v1beta/files/${'0'.repeat(32)}`,
  }
  const ways = [
    ({ name = '' }: KeptFile) => house.visitor.files.get({ name }),
    ({ name = '' }: KeptFile) => house.visitor.files.delete({ name }),
    (one: KeptFile) => asks(house.visitor, one),
  ]
  for (const way of ways) {
    const [real, missing] = [await failureOf(way(file)), await failureOf(way(none))]
    const plain = (text: string) => text.replace(/[0-9a-f]{32}/g, '').replace(/\(request id: [^)]*\)/, '')
    expect([real.status, plain(real.message)]).toEqual([403, plain(missing.message)])
    expect(real.message).toContain('PERMISSION_DENIED')
  }
  expect((await house.visitor.files.list()).page.map(({ name }) => name)).not.toContain(file.name)
  expect((await asks(house.google, file)).text).toBe('seen 1')
})

test('a name of one’s own is one’s own: others may have the same, oneself not twice', async () => {
  const one = await house.newcomer()
  const other = await house.newcomer()
  const mine = await one.google.files.upload({ file: png('a'), config: { name: 'report-1' } })
  expect(mine.name).toBe('files/report-1')
  const again = one.google.files.upload({ file: png('b'), config: { name: 'report-1' } })
  expect((await failureOf(again)).status).toBe(409)
  const theirs = await other.google.files.upload({ file: png('c'), config: { name: 'report-1' } })
  expect(theirs.sha256Hash).not.toBe(mine.sha256Hash)
  expect((await asks(other.google, theirs)).text).toBe('seen 1')
  await one.google.files.delete({ name: 'files/report-1' })
  expect((await other.google.files.get({ name: 'files/report-1' })).sha256Hash).toBe(theirs.sha256Hash)
})

test('a file that the vendor has lost is told as unknown, and can be deleted', async () => {
  const { google } = await house.newcomer()
  const file = await google.files.upload({ file: png('lost') })
  const [name] = [...house.upstream.files.all.keys()].slice(-1)
  house.upstream.files.all.delete(name ?? '')
  const { status, message } = await failureOf(google.files.get({ name: file.name ?? '' }))
  expect(status).toBe(403)
  expect(message).not.toContain('vendor')
  await google.files.delete({ name: file.name ?? '' })
  expect((await google.files.list()).page).toEqual([])
})

test('who has no Gemini channel is told so', async () => {
  const userId = await house.addUser()
  const { key } = await house.addToken({ userId, group: 'other' })
  expect((await failureOf(house.clientOf(key).files.upload({ file: png('a') }))).status).toBe(503)
})
