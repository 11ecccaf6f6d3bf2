import { afterAll, beforeAll, expect } from 'bun:test'
import { asArray, type JsonObject } from '../../../server/dialects/json.ts'
import type { FakeUpstream } from '../../upstreams/index.ts'
import { openRig, type Rig } from '../rig.ts'
import { anthropic, chat, gemini, responses, type Way } from '../ways.ts'

export const models = {
  open: 'm-open',
  old: 'gpt-4o',
  claude: 'm-claude',
  grok: 'grok-m',
  search: 'gpt-4o-search-preview',
  sonar: 'sonar-pro',
  research: 'sonar-deep-research',
  gemini: 'gemini-3-flash',
}

export interface ToolHouse {
  rig: Rig
  key: string
  readonly fakes: Map<Way, FakeUpstream>
}

/** Channels of vendors whose own tools are asked for, at one quota a token, for the tests of one file. */
export function openToolHouse(): ToolHouse {
  const house = { fakes: new Map() } as unknown as ToolHouse
  const { fakes } = house
  beforeAll(async () => {
    for (const way of [chat, responses, anthropic, gemini]) fakes.set(way, await way.start())
    house.rig = await openRig(async books => {
      house.key = (await books.addToken({ userId: await books.addUser() })).key
      const one = Object.fromEntries(Object.values(models).map(model => [model, 1]))
      await books.setOption('ModelRatio', JSON.stringify({ ...one, 'gpt-image-1': 2.5 }))
      await books.setOption('CompletionRatio', JSON.stringify({ ...one, 'gpt-image-1': 8 }))
      const seed = (way: Way) => {
        const { url = '', key = '' } = fakes.get(way) ?? {}
        return { type: way.channelType, baseUrl: url, key }
      }
      await books.addChannel({
        ...seed(responses),
        models: [models.open, models.old, models.grok],
        setting: { dialects: ['openai-responses'] },
      })
      await books.addChannel({ ...seed(anthropic), models: [models.claude] })
      await books.addChannel({ ...seed(gemini), models: [models.gemini] })
      const { search, sonar, research } = models
      await books.addChannel({ ...seed(chat), models: [search, sonar, research] })
    })
  })
  afterAll(async () => {
    expect(await house.rig.differences()).toEqual([])
    for (const fake of fakes.values()) expect(fake.complaints).toEqual([])
    await house.rig.close()
    for (const fake of fakes.values()) await fake.stop()
  })
  return house
}

/** An answer with these items before its own. */
export const withItems =
  (items: JsonObject[], more: JsonObject = {}) =>
  (response: JsonObject): JsonObject => ({
    ...response,
    output: [...items, ...asArray(response.output)],
    ...more,
  })
