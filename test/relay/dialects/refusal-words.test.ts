import { afterAll, beforeAll, expect, test } from 'bun:test'
import { featureErrors } from '../../../contract/errors/features.ts'
import { fieldErrors } from '../../../contract/errors/fields.ts'
import { errors } from '../../../contract/errors.ts'
import { parseObject } from '../../../server/dialects/json.ts'
import { serveLoopback } from '../../serve-loopback.ts'
import { openRig, type Rig } from '../rig.ts'
import { ways } from '../ways.ts'
import { type BadCall, badCalls, badLines, badRequests, seedBadCalls } from './bad-calls.ts'

const QUOTA = 1e12
type Code = keyof typeof fieldErrors | keyof typeof featureErrors

let rig: Rig
let key = ''
let userId = 0

/** A vendor that says nothing of what is wrong. */
const silent = serveLoopback(() => new Response('<html>nginx</html>', { status: 422 }))

beforeAll(async () => {
  rig = await openRig(async books => {
    userId = await books.addUser({ quota: QUOTA })
    key = (await books.addToken({ userId })).key
    await seedBadCalls(books)
    for (const { channelType: type, name } of ways)
      await books.addChannel({ type, baseUrl: silent.url.origin, key: 'k', models: [`m-silent-${name}`] })
  })
})
afterAll(async () => {
  expect(await rig.balance(userId)).toBe(QUOTA)
  expect(await rig.differences()).toEqual([])
  await rig.close()
  await silent.stop(true)
})

/** What both languages write in Latin letters. */
const sameInBoth =
  /\b(?:true|false|background|url|base64|data: URL|multipart\/form-data|n > 1|item_reference|store: false|SDK|ID|Token|response_format|wav|pcm|PaLM2|Google|Gemini|Interactions API)\b/g
const latin = /[A-Za-z]{2,}/

/**
 * What cannot be had by a small request alone: a file of 50,000 lines, or one that its vendor has taken; a batch of
 * 100,000 requests, or one whose second model comes up when others have gone on. And names of tools are changed where
 * they would not be taken.
 */
const rare: readonly Code[] = [
  'feature.batch-models',
  'feature.batches',
  'field.before-file',
  'field.file-lines',
  'field.most-requests',
  'field.tool-name-of-google',
]

const all = Object.keys({ ...fieldErrors, ...featureErrors }) as Code[]

test('every one has words in both languages, with the same things in them', () => {
  const namesIn = (text: string): string[] => (text.match(/\{\w+\}/g) ?? []).sort()
  for (const code of all) {
    const { zh, en } = errors[code]
    expect([code, ...namesIn(zh)]).toEqual([code, ...namesIn(en)])
    expect(zh.replace(/\{\w+\}/g, '').replace(sameInBoth, '')).not.toMatch(latin)
    expect(en).toMatch(/^[ -~]+$/)
  }
})

test('every refusal that has words is met by a call in this table', () => {
  const met = new Set([...badCalls, ...badLines, ...badRequests].map(({ code }) => code))
  expect(all.filter(code => !met.has(code)).sort()).toEqual([...rare])
})

test.each(badCalls.map(call => [call.code, call.path, call] as const))('%s at %s', async (code, _, call) => {
  compare(
    read(errors[code].zh, await said(call, 'zh-CN,zh;q=0.9')),
    read(errors[code].en, await said(call, 'en-US')),
  )
})

test.each(badLines.map(call => [call.code, call] as const))('%s in a line', async (code, call) => {
  const zh = read(errors['file.line'].zh, await said(call, 'zh'))
  const en = read(errors['file.line'].en, await said(call, 'en'))
  expect(zh.line).toBe(en.line ?? '')
  compare(read(errors[code].zh, zh.detail ?? ''), read(errors[code].en, en.detail ?? ''))
})

test.each(badRequests.map(call => [call.code, call] as const))(
  '%s in a request of a batch',
  async (code, call) => {
    const zh = read(errors['batch.request'].zh, await said(call, 'zh'))
    const en = read(errors['batch.request'].en, await said(call, 'en'))
    expect(zh.at).toBe(en.at ?? '')
    compare(read(errors[code].zh, zh.detail ?? ''), read(errors[code].en, en.detail ?? ''))
  },
)

/** Whatever stands in a sentence is the caller's own word, or a name: the same in both. */
function compare(zh: Record<string, string>, en: Record<string, string>): void {
  expect(zh).toEqual(en)
  for (const [name, value] of Object.entries(zh))
    expect(value).toMatch(name === 'choices' ? /^\S+(?:, \S+)*$/ : /^(?:\S{1,90}|n > 1)$/)
}

test.each(ways.map(way => [way.name, way] as const))('a silent upstream, asked in %s', async (name, way) => {
  const model = `m-silent-${name}`
  const call = { path: way.path(model, false), body: way.body(model, 'Hi', false) }
  const expected = { status: '422' }
  expect(read(errors['upstream.status'].zh, await said(call, 'zh', 422))).toEqual(expected)
  expect(read(errors['upstream.status'].en, await said(call, 'en', 422))).toEqual(expected)
})

async function said(
  { path, method = 'POST', headers, body }: Omit<BadCall, 'code'>,
  language: string,
  status = 400,
): Promise<string> {
  const response = await fetch(rig.url + path, {
    method,
    headers: {
      ...{ authorization: `Bearer ${key}`, 'accept-language': language },
      ...{ 'content-type': 'application/json', ...headers },
    },
    ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
  })
  const text = await response.text()
  expect([response.status, text]).toEqual([status, text])
  const { error } = parseObject(text) as { error: { message: string } }
  expect(error.message).toMatch(/ \(request id: \S+\)$/)
  return error.message.slice(0, error.message.lastIndexOf(' (request id: '))
}

/** The parameters that a sentence of the table was filled with. */
function read(words: string, text: string): Record<string, string> {
  const template = words.replace(/[.*+?^$()|[\]\\]/g, '\\$&')
  const sentence = new RegExp(`^${template.replace(/\{(\w+)\}/g, '(?<$1>.+?)')}$`)
  expect(text).toMatch(sentence)
  return { ...sentence.exec(text)?.groups }
}
