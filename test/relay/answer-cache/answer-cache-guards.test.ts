import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import type { GuardRule } from '../../../contract/guards/rule.ts'
import { morePatience } from '../../more-patience.ts'
import { chat, responses, ways } from '../ways.ts'
import { type Called, models } from './cache-house.ts'
import { openSemanticHouse, type SemanticHouse } from './semantic-house.ts'

// What is kept goes by the rules for answers that it came through: nobody gets past one by asking again.

const WHO = 'ada@example.com'
const masks: GuardRule = {
  ...{ name: 'people', enabled: true, where: ['output'], groups: [], models: [] },
  looks: { by: 'kinds', kinds: ['email'] },
  action: 'mask',
}
const blocks: GuardRule = { ...masks, action: 'block' }

let house: SemanticHouse

beforeAll(async () => {
  house = await openSemanticHouse(
    async (books, at) => {
      const { url: baseUrl, key } = at(chat)
      await books.setOption('DefaultModelRatio', '1')
      await books.addChannel({ type: 1, baseUrl, key, models: ['gpt-3.5-turbo-instruct'] })
    },
    morePatience({ 2000: 60_000 }),
  )
  await house.root.liftLimits()
  for (const way of models.keys()) house.vendorOf(way).always({ reply: { text: `mail ${WHO} now` } })
})
afterAll(() => house.close())
beforeEach(() => rules())

async function rules(...all: GuardRule[]): Promise<void> {
  expect((await house.root.saveOption('Guards', JSON.stringify(all))).json.success).toBe(true)
}

/** What a caller sees of an answer: whether it was kept, and how much of the address is in it. */
const seen = ({ status, cache, body }: Called) => [
  status,
  cache,
  body.includes(WHO),
  body.includes('[email]'),
]
const open = (cache: string) => [200, cache, true, false]
const masked = (cache: string) => [200, cache, false, true]

const cases = [
  ...ways.flatMap(way => [false, true].map(stream => ({ name: way.name, way, stream }))),
  { name: 'completions', way: chat, stream: false },
]

describe.each(cases)('$name, streamed: $stream', ({ name, way, stream }) => {
  const text = `who is it, ${name} ${stream}`
  const again = () =>
    name === 'completions'
      ? house.post('/v1/completions', { model: 'gpt-3.5-turbo-instruct', prompt: text })
      : house.call(way, { text, stream })

  test('each set of rules has its own answers', async () => {
    expect(seen(await again())).toEqual(open('miss'))
    expect(seen(await again())).toEqual(open('hit'))
    await rules(masks)
    expect(seen(await again())).toEqual(masked('miss'))
    expect(seen(await again())).toEqual(masked('hit'))
    await rules(blocks)
    for (let at = 0; at < 2; at++) {
      const refused = await again()
      expect(refused.body).toContain('people')
      expect(refused.body).not.toContain(WHO)
      expect([refused.status, refused.cache]).toEqual(stream ? [200, 'miss'] : [400, null])
    }
    await rules(masks)
    expect(seen(await again())).toEqual(masked('hit'))
    await rules({ ...masks, models: ['another'] })
    expect(seen(await again())).toEqual(open('hit'))
  })
})

test('so do questions that mean the same', async () => {
  const ask = (text: string) => house.like(chat, text)
  expect(seen(await ask('Where does Ada live, pray?'))).toEqual(open('miss'))
  expect(seen(await ask('pray, where does ADA live?'))).toEqual(open('hit'))
  await rules(masks)
  const first = await ask('where does ada live? pray!')
  expect([...seen(first), first.similarity]).toEqual([...masked('miss'), null])
  expect(seen(await ask('Pray where does ada LIVE'))).toEqual(masked('hit'))
})

test('a rule for questions alone leaves the answers that are kept as they are', async () => {
  const again = () => house.call(responses, { text: 'who else?' })
  expect(seen(await again())).toEqual(open('miss'))
  await rules({ ...blocks, where: ['input'] })
  expect(seen(await again())).toEqual(open('hit'))
})
