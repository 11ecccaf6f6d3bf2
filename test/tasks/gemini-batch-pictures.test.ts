import { afterAll, beforeAll, expect, test } from 'bun:test'
import { startGeminiKept } from '../upstreams/gemini-kept/start-gemini-kept.ts'
import { looksWhenTold, openTaskHouse, type TaskHouse } from './house.ts'

// Pictures are what most batches at Google are for: each costs in one what it costs by itself, times the ratio of batches.

const PRO = 'gemini-3-pro-image'
const FLASH = 'gemini-3.1-flash-image'
/** Half of a tenth of a dollar. */
const HALF = 25_000
const upstream = startGeminiKept()
let house: TaskHouse

beforeAll(async () => {
  const [key = ''] = upstream.keys
  house = await openTaskHouse(async rig => {
    await rig.addChannel({ type: 24, baseUrl: upstream.url, key, models: [PRO, FLASH] })
    await rig.setOption('ModelPrice', JSON.stringify({ [PRO]: 0.1, [FLASH]: 0.1 }))
  }, looksWhenTold)
})
afterAll(async () => {
  expect(upstream.complaints).toEqual([])
  expect(await house.differences()).toEqual([])
  await house.close()
  await upstream.stop()
})

/** What is held for a picture of each size. */
async function begin(model: string, sizes: readonly (string | undefined)[]): Promise<number> {
  await house.spent()
  const requests = sizes.map(imageSize => ({
    request: {
      contents: [{ parts: [{ text: 'a cat' }] }],
      generationConfig: { maxOutputTokens: 4096, ...(imageSize && { imageConfig: { imageSize } }) },
    },
  }))
  const batch = { inputConfig: { requests: { requests } } }
  const { status } = await house.call('POST', `/v1beta/models/${model}:batchGenerateContent`, { batch })
  expect(status).toBe(200)
  return house.spent()
}

/** Ends it, with so many tokens of pictures in each answer; what it costs more than was held. */
async function end(tokens: readonly number[]): Promise<number> {
  const { batches } = upstream
  const batch = batches.last()
  batches.end(batch, 'BATCH_STATE_SUCCEEDED', tokens.length)
  const answers = (batch.output ?? []) as { response: { usageMetadata: object } }[]
  for (const [at, { response }] of answers.entries()) {
    const tokenCount = tokens[at] ?? 0
    const made = {
      candidatesTokenCount: tokenCount,
      candidatesTokensDetails: [{ modality: 'IMAGE', tokenCount }],
    }
    response.usageMetadata = { ...response.usageMetadata, ...made }
  }
  await house.poll()
  return house.spent()
}

test('larger pictures, and several to one request, cost as much more', async () => {
  const held = await begin(PRO, [undefined, '4K', undefined])
  const more = await end([1120, 2000, 3 * 1120])
  expect(held + more).toBe(Math.round(HALF * (1 + 2000 / 1120 + 3)))
  const { other } = await house.store.db
    .selectFrom('logs')
    .select('other')
    .where('model_name', '=', PRO)
    .executeTakeFirstOrThrow()
  expect(JSON.parse(other)).toMatchObject({
    ...{ model_price: 0.1, batch_ratio: 0.5, calls: 3 },
    tool_fees: [{ name: 'image output', count: 880 + 2240 }],
  })
})

test('one that is smaller makes no other cheaper', async () => {
  const held = await begin(FLASH, ['512', '4K'])
  expect(held + (await end([500, 2520]))).toBe(Math.round(HALF * (1 + 2520 / 747)))
})

test('what is held is enough for pictures of the size that was asked for', async () => {
  for (const [model, size, tokens] of [
    [PRO, undefined, 1120],
    [PRO, '2K', 1120],
    [PRO, '4K', 2000],
    [FLASH, undefined, 1120],
    [FLASH, '512px', 747],
    [FLASH, '2k', 1680],
    [FLASH, '4K', 2520],
  ] as const) {
    const held = await begin(model, Array(100).fill(size))
    const more = await end(Array(100).fill(tokens))
    // And no more than a picture too much.
    expect(more).toBeWithin(-HALF, 1)
    expect(held + more).toBe(Math.round((100 * HALF * tokens) / (model === PRO ? 1120 : 747)))
  }
})
