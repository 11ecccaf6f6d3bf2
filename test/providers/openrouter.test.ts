import { afterAll, beforeAll, expect, test } from 'bun:test'
import { startOpenrouter } from '../upstreams/openrouter/start.ts'
import { openVendor, type VendorHouse } from './house.ts'

const EMBED = 'openai/text-embedding-3-small'

let house: VendorHouse
beforeAll(async () => {
  house = await openVendor({ type: 20, start: startOpenrouter, models: [EMBED] })
})
afterAll(() => house.close())

test('an encoding of null, as LiteLLM’s clients send it, is none', async () => {
  const asked = { model: EMBED, input: 'one' }
  const response = await house.post('/v1/embeddings', { ...asked, encoding_format: null })
  expect((await response.json()).data).toHaveLength(1)
  expect(house.body()).toEqual(asked)
  await house.expectCharge(response, EMBED, { input: 1 })
})

test('nothing that reached it was wrong, and the books agree', () => house.expectOrder())
