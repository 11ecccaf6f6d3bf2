import { afterAll, beforeAll, expect, test } from 'bun:test'
import type Anthropic from '@anthropic-ai/sdk'
import { toFile } from '@anthropic-ai/sdk'
import { deleteLeft } from '../../server/tasks/left-behind.ts'
import { READ } from '../upstreams/anthropic-files/start-anthropic-files.ts'
import { betas, type ClaudeFilesHouse, MODEL, OTHER, openClaudeFilesHouse } from './claude-files-house.ts'
import { failureOf } from './message-batch-house.ts'

// Files that tools make for answers, files in batches, and what is left of them in the end.

let house: ClaudeFilesHouse
beforeAll(async () => {
  house = await openClaudeFilesHouse()
})
// Batches are still under way then, and held for.
afterAll(() => house.close())

const runs = {
  ...{ model: OTHER, max_tokens: 50, betas: [...betas, 'code-execution-2025-08-25' as const] },
  messages: [{ role: 'user' as const, content: 'Plot it' }],
  tools: [{ type: 'code_execution_20250825' as const, name: 'code_execution' as const }],
}
const upload = async (client: Anthropic, text: string) =>
  client.beta.files.upload({ file: await toFile(Buffer.from(text), 'a.txt', { type: 'text/plain' }), betas })
const named = (file_id: string): Anthropic.Beta.BetaMessageParam[] => [
  { role: 'user', content: [{ type: 'document', source: { type: 'file', file_id } }] },
]

function madeIn({ content }: { content: readonly Anthropic.Beta.BetaContentBlock[] }): string {
  for (const block of content) {
    if (block.type !== 'bash_code_execution_tool_result') continue
    if (block.content.type !== 'bash_code_execution_result') continue
    for (const { file_id } of block.content.content) return file_id
  }
  throw new Error('nothing was made')
}

test('what code wrote for an answer is its caller’s, streamed or whole, and can be fetched', async () => {
  const { client } = await house.newcomer()
  const whole = madeIn(await client.beta.messages.create(runs))
  const streamed = madeIn(await client.beta.messages.stream(runs).finalMessage())
  for (const id of [whole, streamed]) {
    expect(await (await client.beta.files.download(id, { betas })).text()).toBe('a,b\n1,2\n')
    expect(await failureOf(house.visitor.beta.files.download(id, { betas }))).toMatchObject({ status: 404 })
  }
  const { data } = await client.beta.files.list({ betas })
  expect(data.map(({ id, filename, downloadable }) => [id, filename, downloadable])).toEqual([
    [streamed, 'chart.csv', true],
    [whole, 'chart.csv', true],
  ])
  // What was uploaded, the vendor hands out to nobody.
  const { id } = await upload(client, 'mine')
  expect(await failureOf(client.beta.files.download(id, { betas }))).toMatchObject({ status: 400 })
})

test('who leaves in the middle pays for what was read', async () => {
  const { client, userId } = await house.newcomer()
  const { id } = await upload(client, 'mine')
  const had = await house.balance(userId)
  const { promise: end, resolve } = Promise.withResolvers<void>()
  house.upstream.paused = () => end
  const stream = await client.beta.messages.create({
    ...{ model: OTHER, max_tokens: 50, messages: named(id), betas, stream: true },
  })
  for await (const event of stream) if (event.type === 'content_block_delta') break
  resolve()
  house.upstream.paused = undefined
  // Waits until nothing is held.
  expect(await house.differences()).toEqual([])
  expect(had - (await house.balance(userId))).toBeGreaterThanOrEqual(READ.prompt + READ.file)
})

test('a batch that names a file goes where it is, wherever in it that is said', async () => {
  const { client } = await house.newcomer()
  const { id } = await upload(client, 'mine')
  const request = (at: number, messages: Anthropic.Beta.BetaMessageParam[]) => ({
    ...{ custom_id: `r${at}`, params: { model: MODEL, max_tokens: 9, messages } },
  })
  const plain = [{ role: 'user' as const, content: 'Hello' }]
  const begin = (by: Anthropic, file: string) =>
    by.beta.messages.batches.create({ requests: [request(0, plain), request(1, named(file))], betas })
  for (let at = 0; at < 3; at++) await begin(client, id)
  const account = house.upstream.files.get(id)?.account
  expect(house.upstream.batches.map(batch => batch.account)).toEqual(Array(3).fill(account))
  for (const file of [id, 'file_none'])
    expect(await failureOf(begin(house.visitor, file))).toMatchObject({
      message: expect.stringContaining('requests.1'),
    })
  expect(house.upstream.batches).toHaveLength(3)
})

test('what a deleted user leaves behind is deleted at the vendor', async () => {
  const { client, userId } = await house.newcomer()
  const { id } = await upload(client, 'left')
  const others = await upload(house.client, 'stays')
  await house.later(0, deleteLeft)
  expect(house.upstream.files.has(id)).toBe(true)
  await house.store.db.updateTable('users').set({ deleted_at: 1 }).where('id', '=', userId).execute()
  await house.later(0, deleteLeft)
  expect([house.upstream.files.has(id), house.upstream.files.has(others.id)]).toEqual([false, true])
  const rows = house.store.db.selectFrom('anthropic_files').select('id').where('user_id', '=', userId)
  expect(await rows.execute()).toEqual([])
})
