import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { type FakeUpstream, startOpenai } from '../../upstreams/index.ts'
import { openRig, type Rig } from '../rig.ts'
import { readStream, requestIdOf } from '../ways.ts'

const rule = { enabled: true, where: ['output'], groups: [], models: [] }
const RULES = [
  { ...rule, name: 'people', looks: { by: 'kinds', kinds: ['email', 'phone'] }, action: 'mask' },
  { ...rule, name: 'fruit', looks: { by: 'words', words: ['forbidden'] }, action: 'block' },
  { ...rule, name: 'phrase', looks: { by: 'words', words: ['secret plan', '机密计划'] }, action: 'mask' },
  { ...rule, name: 'town', looks: { by: 'words', words: ['new york', '纽约'] }, action: 'block' },
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

describe('what lies across the border of two segments', () => {
  const verbose = async (...texts: string[]) => {
    const segments = texts.map((text, id) => ({ id, start: id, end: id + 1, tokens: [id], text }))
    const body = { task: 'transcribe', language: 'english', duration: 30, text: 'left out', segments }
    openai.next({ status: 200, headers: { 'Content-Type': 'application/json' }, body })
    return transcribe('whisper-1', { response_format: 'verbose_json' })
  }

  test.each([
    [
      [' the secret', ' plan is', ' this'],
      [' the [masked]', ' is', ' this'],
    ],
    [
      ['the secret', 'plan is', 'secret', 'plans'],
      ['the [masked]', ' is', '[masked]', 's'],
    ],
    [
      ['这是机', '密计划', '吗'],
      ['这是[masked]', '', '吗'],
    ],
    [
      ['mail ada@exam', 'ple.com, a', ' secret plan'],
      ['mail [email]', ', a', ' [masked]'],
    ],
    [
      ['a secret', ' ', 'plan'],
      ['a [masked]', '', ''],
    ],
  ])('is masked: %j', async (said, masked) => {
    const response = await verbose(...said)
    const { segments } = (await response.json()) as { segments: { text: string; tokens?: number[] }[] }
    expect(segments.map(({ text }) => text)).toEqual(masked)
    // What is as it was has all that it came with.
    expect(segments.map(({ tokens }) => tokens !== undefined)).toEqual(
      said.map((text, at) => text === masked[at]),
    )
  })

  test('is counted once, and blocked', async () => {
    const once = await verbose(' a secret', ' plan')
    expect((await rig.logOf(requestIdOf(once))).details.admin_info).toMatchObject({ guards: { phrase: 1 } })
    for (const said of [
      [' in New', ' York'],
      ['in new', 'york'],
      ['for', 'bidden'],
      ['在纽', '约'],
    ])
      expect((await verbose(...said)).status).toBe(400)
    expect((await verbose('new', ' and York')).status).toBe(200)
  })

  test('or of two lines of subtitles', async () => {
    const cue = (at: number, ...lines: string[]) =>
      `${at}\n00:00:0${at},000 --> 00:00:0${at + 1},000\n${lines.map(line => `${line}\n`).join('')}\n`
    const srt = async (text: string) => {
      openai.next({ status: 200, headers: { 'Content-Type': 'text/plain' }, body: Buffer.from(text) })
      return transcribe('whisper-1', { response_format: 'srt' })
    }
    const said = cue(1, 'Here is the secret', 'plan of ours.') + cue(2, 'A secret') + cue(3, 'plan', 'it is.')
    const masked = cue(1, 'Here is the [masked]', ' of ours.') + cue(2, 'A [masked]') + cue(3, 'it is.')
    expect(await (await srt(said)).text()).toBe(masked)
    expect((await srt(cue(1, 'in New') + cue(2, 'York'))).status).toBe(400)
  })
})

describe('a streamed transcript', () => {
  const stream = () => transcribe('gpt-4o-transcribe', { stream: 'true' })

  const segmented = (...texts: string[]) => {
    const event = (json: object) => `data: ${JSON.stringify(json)}\n\n`
    const segments = texts.map((text, at) =>
      event({ type: 'transcript.text.segment', id: `seg_${at}`, text }),
    )
    const usage = { type: 'tokens', input_tokens: 14, output_tokens: 45, total_tokens: 59 }
    const done = event({ type: 'transcript.text.done', text: texts.join(' '), usage })
    const body = Buffer.from([...segments, done].join(''))
    openai.next({ status: 200, headers: { 'Content-Type': 'text/event-stream' }, body })
    return stream()
  }

  test('is masked and blocked across its segments', async () => {
    const { events } = await readStream(await segmented('It is a secret', 'plan.', 'Bye.', '机密', '计划'))
    const read = events.map(({ data }) => JSON.parse(data))
    expect(read.map(({ text }) => text)).toEqual([
      ...['It is a [masked]', '.', 'Bye.', '[masked]', ''],
      'It is a [masked]. Bye. 机密 计划',
    ])
    const { text } = await readStream(await segmented('She lives in New', 'York now.'))
    expect(text).toContain('“town”')
    expect(text).not.toMatch(/New|York/)
  })

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
