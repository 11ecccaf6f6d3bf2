import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { asArray, asObject, type JsonObject } from '../../../server/dialects/json.ts'
import type { TranslatedDialect } from '../../../server/dialects/spec.ts'
import { type FakeUpstream, startAnthropic } from '../../upstreams/index.ts'
import { openRig, type Rig } from '../rig.ts'
import { anthropic, ask, chat, gemini, responses, type Way, ways } from '../ways.ts'

const HOUSE = 'You speak for the house.'
const OWN = 'You are a pirate.'

/** A request's own instructions, as each dialect has them. */
const own: Record<TranslatedDialect, JsonObject> = {
  'openai-chat': {
    messages: [
      { role: 'system', content: OWN },
      { role: 'user', content: 'hi' },
    ],
  },
  'openai-responses': { instructions: OWN },
  anthropic: { system: OWN },
  gemini: { systemInstruction: { parts: [{ text: OWN }] } },
}

/** The instructions that arrived, each by itself. */
const arrived: Record<TranslatedDialect, (body: JsonObject) => unknown> = {
  'openai-chat': ({ messages }) =>
    asArray(messages).flatMap(message => {
      const { role, content } = asObject(message) ?? {}
      return role === 'system' ? content : []
    }),
  'openai-responses': ({ instructions }) => [instructions ?? []].flat(),
  anthropic: ({ system }) => [system ?? []].flat().map(block => asObject(block)?.text ?? block),
  gemini: ({ systemInstruction }) =>
    asArray(asObject(systemInstruction)?.parts).map(part => asObject(part)?.text),
}

let rig: Rig
let key = ''
const vendors = new Map<Way, FakeUpstream>()
let claude: FakeUpstream

beforeAll(async () => {
  claude = await startAnthropic()
  for (const way of ways) vendors.set(way, await way.start())
  rig = await openRig(async books => {
    const userId = await books.addUser()
    key = (await books.addToken({ userId })).key
    await books.setOption('DefaultModelRatio', '1')
    const soft = { setting: { system_prompt: HOUSE } }
    const firm = { setting: { system_prompt: HOUSE, system_prompt_override: true } }
    for (const [way, { url: baseUrl, key: vendorKey }] of vendors) {
      const seed = { type: way.channelType, baseUrl, key: vendorKey }
      await books.addChannel({ ...seed, models: [`soft-${way.name}`], ...soft })
      await books.addChannel({ ...seed, models: [`firm-${way.name}`], ...firm })
    }
    const seed = { type: 14, baseUrl: claude.url, key: claude.key }
    await books.addChannel({ ...seed, models: ['soft-other'], ...soft })
    await books.addChannel({ ...seed, models: ['firm-other'], ...firm })
  })
})
afterAll(async () => {
  expect(await rig.differences()).toEqual([])
  await rig.close()
  for (const vendor of [...vendors.values(), claude]) {
    expect(vendor.complaints).toEqual([])
    await vendor.stop()
  }
})

async function call(way: Way, model: string, more: JsonObject = {}): Promise<void> {
  const response = await ask(rig.url, way, { key, model, more })
  const text = await response.text()
  expect([response.status, response.ok ? '' : text]).toEqual([200, ''])
}

describe.each(ways.map(way => [way.name, way] as const))(
  'what a channel says to its models, %s',
  (name, way) => {
    const last = (vendor: FakeUpstream | undefined, dialect: TranslatedDialect) =>
      arrived[dialect](asObject(vendor?.requests.at(-1)?.json) ?? {})

    test('reaches those who bring no instructions, and leaves the others theirs', async () => {
      await call(way, `soft-${name}`)
      expect(last(vendors.get(way), name)).toEqual([HOUSE])
      await call(way, `soft-${name}`, own[name])
      expect(last(vendors.get(way), name)).toEqual([OWN])
    })

    test('stands before the caller’s own where the operator insists', async () => {
      await call(way, `firm-${name}`, own[name])
      const isText = way === chat || way === responses || way === anthropic
      expect(last(vendors.get(way), name)).toEqual(isText ? [`${HOUSE}\n\n${OWN}`] : [HOUSE, OWN])
    })

    test('goes along into another dialect', async () => {
      await call(way, 'soft-other')
      expect(last(claude, 'anthropic')).toEqual([HOUSE])
      await call(way, 'soft-other', own[name])
      expect(last(claude, 'anthropic')).toEqual([OWN])
      await call(way, 'firm-other', own[name])
      expect(String(last(claude, 'anthropic'))).toContain(HOUSE)
      expect(String(last(claude, 'anthropic'))).toContain(OWN)
    })
  },
)

test('a Gemini client may spell the field otherwise', async () => {
  const instruction = { role: 'user', parts: [{ text: OWN }] }
  await call(gemini, 'firm-gemini', { system_instruction: instruction })
  const { system_instruction } = asObject(vendors.get(gemini)?.requests.at(-1)?.json) ?? {}
  expect(system_instruction).toEqual({ role: 'user', parts: [{ text: HOUSE }, { text: OWN }] })
})
