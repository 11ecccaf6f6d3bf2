import { afterAll, beforeAll, expect, test } from 'bun:test'
import { failureOf, type GeminiHouse, openGeminiHouse } from '../tasks/gemini-house.ts'
import { READ } from '../upstreams/gemini-kept/start-gemini-kept.ts'

// Files and caches that were made through here, named in interactions: they lie in one account, and are their maker's.

let house: GeminiHouse
beforeAll(async () => {
  house = await openGeminiHouse()
})
afterAll(async () => {
  expect(await house.differences()).toEqual([])
  await house.close()
})

const upload = (google: GeminiHouse['google']) =>
  google.files.upload({
    file: new Blob(['picture'], { type: 'image/png' }),
    config: { mimeType: 'image/png' },
  })

const ask = (uri: string | undefined, more: object = {}, key?: string) => {
  const picture = { type: 'image', uri, mime_type: 'image/png' }
  const content = [{ type: 'text', text: 'What is this?' }, ...(uri === undefined ? [] : [picture])]
  const input = [{ type: 'user_input', content }]
  return house.call('POST', '/v1/interactions', { model: 'g-pro', input, ...more }, key)
}

test('a file is found by the account that has it, and is nobody else’s to name', async () => {
  const file = await upload(house.google)
  await house.spent()
  const { status, json } = await ask(file.uri)
  expect([status, json.steps?.[0]?.content?.[0]?.text]).toEqual([200, 'seen 1'])
  expect(await house.spent()).toBe(2 * (READ.prompt + READ.file + 4 * READ.output))
  const asked = house.upstream.asked.length
  expect((await ask(file.uri, {}, house.stranger.key)).status).toBe(403)
  expect(house.upstream.asked.length).toBe(asked)
})

test('a cache is read again, and paid for as such', async () => {
  const contents = [{ role: 'user', parts: [{ text: 'A book of many pages. '.repeat(50) }] }]
  const cache = await house.google.caches.create({ model: 'g-pro', config: { contents } })
  const { status, requestId } = await ask(undefined, { cached_content: cache.name })
  expect(status).toBe(200)
  const { prompt_tokens, details } = await house.logOf(requestId)
  expect(prompt_tokens).toBeGreaterThan(READ.prompt)
  expect(details.cache_tokens).toBe(prompt_tokens - READ.prompt)
})

test('what it goes on from must be the caller’s own, and lie where the file does', async () => {
  const answers = new Map<string, string>()
  // Of two accounts each gets one.
  while (answers.size < 2) {
    const { json } = await ask(undefined)
    answers.set(house.upstream.asked.at(-1)?.account ?? '', json.id)
  }
  const file = await upload(house.google)
  expect((await ask(file.uri)).status).toBe(200)
  const place = house.upstream.asked.at(-1)?.account
  for (const [account, previous_interaction_id] of answers) {
    const { status } = await ask(file.uri, { previous_interaction_id })
    expect(status).toBe(account === place ? 200 : 400)
  }
  const theirs = await upload(house.visitor)
  for (const previous_interaction_id of answers.values())
    expect((await ask(theirs.uri, { previous_interaction_id }, house.stranger.key)).status).toBe(404)
  await failureOf(house.visitor.files.get({ name: file.name ?? '' }))
})
