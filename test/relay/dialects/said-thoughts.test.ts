import { afterAll, beforeAll, expect, test } from 'bun:test'
import { asArray, asObject, type JsonObject, parseObject } from '../../../server/dialects/json.ts'
import { type FakeUpstream, startAnthropic, startOpenai } from '../../upstreams/index.ts'
import { openRig, type Rig } from '../rig.ts'
import { anthropic, ask, chat, readStream, requestIdOf } from '../ways.ts'

const THOUGHT = 'It is late, so say little.'
const TEXT = 'Good night to you.'
const SAID = `<think>\n${THOUGHT}\n</think>\n\n${TEXT}`

let rig: Rig
let key = ''
let open: FakeUpstream
let claude: FakeUpstream

beforeAll(async () => {
  open = await startOpenai({ showsThinking: true })
  claude = await startAnthropic()
  for (const fake of [open, claude]) fake.always({ reply: { thinking: THOUGHT, text: TEXT } })
  rig = await openRig(async books => {
    key = (await books.addToken({ userId: await books.addUser() })).key
    await books.setOption('DefaultModelRatio', '1')
    for (const [prefix, type, { url: baseUrl, key: vendorKey }] of [
      ['open', 1, open],
      ['claude', 14, claude],
    ] as const) {
      const seed = { type, baseUrl, key: vendorKey }
      await books.addChannel({ ...seed, models: [`${prefix}-apart`] })
      await books.addChannel({ ...seed, models: [`${prefix}-said`], setting: { thinking_to_content: true } })
    }
  })
})
afterAll(async () => {
  expect(await rig.differences()).toEqual([])
  await rig.close()
  for (const fake of [open, claude]) {
    expect(fake.complaints).toEqual([])
    await fake.stop()
  }
})

async function plain(model: string, more: JsonObject = {}) {
  const response = await ask(rig.url, chat, { key, model, more })
  const choices = asArray(parseObject(await response.text())?.choices)
  const messages = choices.map(choice => asObject(asObject(choice)?.message) ?? {})
  return { messages, message: messages[0] ?? {}, charge: await rig.chargeOf(requestIdOf(response)) }
}

async function streamed(model: string) {
  const response = await ask(rig.url, chat, {
    key,
    model,
    stream: true,
    more: { stream_options: { include_usage: true } },
  })
  const { text, events } = await readStream(response)
  const deltas = events.flatMap(({ data }) =>
    asArray(parseObject(data)?.choices).map(choice => asObject(asObject(choice)?.delta) ?? {}),
  )
  const content = deltas.map(delta => delta.content ?? '').join('')
  return { text, content, charge: await rig.chargeOf(requestIdOf(response)) }
}

test.each(['open', 'claude'])(
  'thoughts of %s are the beginning of what a chat client reads, at the same price',
  async vendor => {
    const apart = await plain(`${vendor}-apart`)
    expect(apart.message).toMatchObject({ content: TEXT, reasoning_content: THOUGHT })
    const said = await plain(`${vendor}-said`)
    expect(said.message.content).toBe(SAID)
    expect(Object.keys(said.message).filter(name => name.startsWith('reasoning'))).toEqual([])
    expect(said.charge).toBeGreaterThan(0)
    expect(said.charge).toBe(apart.charge)

    const flowing = await streamed(`${vendor}-said`)
    expect(flowing.content).toBe(SAID)
    expect(flowing.text).not.toContain('reasoning_content')
    expect(flowing.text).toContain('"finish_reason":"stop"')
    expect(flowing.text).toEndWith('data: [DONE]\n\n')
    expect(flowing.charge).toBe((await streamed(`${vendor}-apart`)).charge)
  },
)

test('of several answers each has its own', async () => {
  const { messages } = await plain('open-said', { n: 2 })
  expect(messages.map(({ content }) => content)).toEqual([SAID, SAID])
})

test('an answer without thoughts, and clients of another dialect, get what there is', async () => {
  open.next({ reply: { thinking: '', text: TEXT } })
  expect((await plain('open-said')).message.content).toBe(TEXT)
  // Which are told to who asks for them.
  const more = { max_tokens: 4000, thinking: { type: 'enabled', budget_tokens: 1024 } }
  for (const model of ['claude-said', 'open-said']) {
    const response = await ask(rig.url, anthropic, { key, model, more })
    const blocks = asArray(parseObject(await response.text())?.content).map(block => asObject(block))
    expect(blocks.map(block => block?.text ?? block?.thinking)).toEqual([THOUGHT, TEXT])
  }
})

test('a stream that breaks while the model thinks ends as a failure', async () => {
  open.next({ reply: { thinking: THOUGHT, text: TEXT }, cutAfterFrames: 4, onceRead: true })
  const { text, content } = await streamed('open-said')
  expect(content).toStartWith('<think>\n')
  expect(text).toMatch(chat.failMark)
  expect(text).not.toContain('[DONE]')
})
