import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { type FakeUpstream, startOpenai } from '../../upstreams/index.ts'
import { openRig, type Rig } from '../rig.ts'
import { readStream, requestIdOf } from '../ways.ts'

const rule = { enabled: true, where: ['output'], groups: [], models: [] }
const RULES = [
  { ...rule, name: 'people', looks: { by: 'kinds', kinds: ['email', 'phone'] }, action: 'mask' },
  { ...rule, name: 'fruit', looks: { by: 'words', words: ['forbidden'] }, action: 'block' },
]

let rig: Rig
let openai: FakeUpstream
let key = ''

beforeAll(async () => {
  openai = await startOpenai()
  rig = await openRig(async books => {
    key = (await books.addToken({ userId: await books.addUser() })).key
    await books.setOption('Guards', JSON.stringify(RULES))
    const models = ['whisper-1', 'gpt-4o-transcribe']
    await books.addChannel({ type: 1, baseUrl: openai.url, key: openai.key, models })
  })
})
afterAll(async () => {
  expect(openai.complaints).toEqual([])
  expect(await rig.differences()).toEqual([])
  await rig.close()
  await openai.stop()
})

const SAID = 'mail ada@example.com or call +86 13800138000 now'
const MASKED = 'mail [email] or call [phone] now'

function transcribe(model: string, more: Record<string, string> = {}, path = 'transcriptions') {
  const body = new FormData()
  body.append('file', new File([new Uint8Array(30_000)], 'talk.mp3', { type: 'audio/mpeg' }))
  body.append('model', model)
  for (const [name, value] of Object.entries(more)) body.append(name, value)
  const headers = { authorization: `Bearer ${key}`, 'accept-language': 'en' }
  return fetch(`${rig.url}/v1/audio/${path}`, { method: 'POST', headers, body })
}

describe('a whole transcript', () => {
  test.each(['transcriptions', 'translations'])(
    'of %s is masked, and blocked before it is paid',
    async path => {
      openai.next({ reply: { text: SAID } })
      const masked = await transcribe('whisper-1', {}, path)
      expect(await masked.json()).toMatchObject({ text: MASKED })
      expect(await rig.chargeOf(requestIdOf(masked))).toBeGreaterThan(0)
      expect((await rig.logOf(requestIdOf(masked))).details.admin_info).toMatchObject({
        guards: { people: 2 },
      })
      openai.next({ reply: { text: 'the forbidden fruit' } })
      const blocked = await transcribe('whisper-1', {}, path)
      expect([blocked.status, await blocked.text()]).toEqual([400, expect.stringContaining('“fruit”')])
      expect(await rig.chargeOf(requestIdOf(blocked))).toBeUndefined()
    },
  )

  test('with its segments; what repeats it by single words is left out', async () => {
    const segment = { id: 0, start: 0, end: 1, tokens: [1, 2] }
    const json = {
      ...{ task: 'transcribe', language: 'english', duration: 30, text: `${SAID}. Bye` },
      words: [{ word: 'ada@example.com', start: 0, end: 1 }],
      segments: [
        { ...segment, text: SAID },
        { ...segment, text: ' Bye' },
      ],
    }
    openai.next({ status: 200, headers: { 'Content-Type': 'application/json' }, body: json })
    const response = await transcribe('whisper-1', { response_format: 'verbose_json' })
    const { tokens: _, ...tokenless } = segment
    expect(await response.json()).toEqual({
      ...{ task: 'transcribe', language: 'english', duration: 30, text: `${MASKED}. Bye` },
      segments: [
        { ...tokenless, text: MASKED },
        { ...segment, text: ' Bye' },
      ],
    })
  })

  test('as words, and as subtitles whose times stay', async () => {
    openai.next({ reply: { text: SAID } })
    expect(await (await transcribe('whisper-1', { response_format: 'text' })).text()).toBe(`${MASKED}\n`)
    const subtitles = (said: string) => `1\r\n00:00:01,000 --> 13800138000\r\n${said}\r\n\r\n2\r\n`
    openai.next({
      status: 200,
      headers: { 'Content-Type': 'text/plain' },
      body: Buffer.from(subtitles(SAID)),
    })
    expect(await (await transcribe('whisper-1', { response_format: 'srt' })).text()).toBe(subtitles(MASKED))
  })
})

describe('a streamed transcript', () => {
  const stream = () => transcribe('gpt-4o-transcribe', { stream: 'true' })

  test.each([1, 2, 3, 5, 8])('is masked in pieces of %d characters, and at its end', async pieceChars => {
    openai.next({ reply: { text: SAID }, pieceChars, chunkBytes: 7 })
    const response = await stream()
    const { events, broke } = await readStream(response)
    expect(broke).toBe(false)
    const read = events.map(({ data }) => JSON.parse(data))
    expect(read.map(({ delta }) => delta ?? '').join('')).toBe(MASKED)
    expect(read.at(-1)).toMatchObject({ type: 'transcript.text.done', text: MASKED })
    expect(await rig.chargeOf(requestIdOf(response))).toBeGreaterThan(0)
    expect((await rig.logOf(requestIdOf(response))).details.admin_info).toMatchObject({
      guards: { people: 2 },
    })
  })

  test('that is blocked ends there; what was heard until then is paid', async () => {
    openai.next({ reply: { text: 'Once upon a time there was a forbidden fruit and so on' }, pieceChars: 4 })
    const response = await stream()
    const { text } = await readStream(response)
    expect(text).toContain('“fruit”')
    expect(text).not.toContain('forb')
    expect(text).not.toContain('transcript.text.done')
    expect(await rig.logOf(requestIdOf(response))).toMatchObject({ details: { broke_off: 'guard' } })
    expect(await rig.chargeOf(requestIdOf(response))).toBeGreaterThan(0)
  })
})
