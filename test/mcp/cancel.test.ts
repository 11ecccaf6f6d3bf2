// Who cancels a call ends that one and no other, whichever process has it under way.

import { afterAll, beforeAll, expect, test } from 'bun:test'
import { until } from '../program.ts'
import type { Rig } from '../relay/rig.ts'
import { addMcpServer, connectClient, openMcpRig, postMcp, textOf } from './house.ts'
import { startMcpUpstream } from './upstream.ts'

/** It has no sessions, so it cannot be told that a call is cancelled: only the gateway can end one. */
const upstream = startMcpUpstream('plain')
const PRICE = 5000
let rig: Rig
let userId = 0
let key = ''

beforeAll(async () => {
  rig = await openMcpRig(
    async books => {
      userId = await books.addUser({ quota: 1_000_000 })
      key = (await books.addToken({ userId })).key
      await addMcpServer(books, { name: 'plain', url: upstream.url, price: PRICE })
    },
    { WORKERS: '2' },
  )
})
afterAll(async () => {
  upstream.letGo()
  expect(await rig.differences()).toEqual([])
  await rig.close()
  await upstream.stop()
})

/** Asks, and comes back when the server has begun, with what will be the answer. */
async function begin(ask: () => Promise<string>): Promise<{ readonly answer: Promise<string> }> {
  const begun = upstream.begun.wait ?? 0
  const answer = ask()
  await until(() => (upstream.begun.wait ?? 0) > begun)
  return { answer }
}
const wait = (id: number) => ({
  ...{ jsonrpc: '2.0', id, method: 'tools/call' },
  params: { name: 'wait', arguments: {} },
})
const cancelled = (requestId: number) => ({
  ...{ jsonrpc: '2.0', method: 'notifications/cancelled' },
  params: { requestId },
})

test('two clients of one token that count alike do not cancel each other', async () => {
  const one = await connectClient(`${rig.url}/mcp/plain`, key, 'older')
  const two = await connectClient(`${rig.url}/mcp/plain`, key, 'older')
  expect(one.transport.sessionId).not.toBe(two.transport.sessionId)
  const sessions = [one, two].map(({ transport }) => ({ 'mcp-session-id': transport.sessionId ?? '' }))
  const ask = (at: number) => postMcp(`${rig.url}/mcp/plain`, key, wait(7), sessions[at])
  const first = await begin(async () => (await ask(0)).text())
  const second = await begin(async () => (await ask(1)).text())
  // Whoever has no session counts like both of them.
  expect((await postMcp(`${rig.url}/mcp/plain`, key, cancelled(7))).status).toBe(202)
  expect((await postMcp(`${rig.url}/mcp/plain`, key, cancelled(7), sessions[0])).status).toBe(202)
  expect(await first.answer).toContain('-32')
  upstream.letGo()
  expect(await second.answer).toContain('waited')
  await one.client.close()
  await two.client.close()
})

test('calls without a session are cancelled by leaving alone', async () => {
  const gone = new AbortController()
  const leave = (signal?: AbortSignal) =>
    fetch(`${rig.url}/mcp/plain`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, accept: 'application/json, text/event-stream' },
      body: JSON.stringify(wait(7)),
      ...(signal && { signal }),
    }).then(answer => answer.text())
  const before = await rig.balance(userId)
  const left = await begin(() => leave(gone.signal).catch(() => 'gone'))
  const stays = await begin(() => leave())
  expect((await postMcp(`${rig.url}/mcp/plain`, key, cancelled(7))).status).toBe(202)
  gone.abort()
  expect(await left.answer).toBe('gone')
  // Only when the gateway has seen it leave, too: an answer that is there first is paid for.
  await until(async () => (await rig.balance(userId)) === before - PRICE)
  upstream.letGo()
  expect(await stays.answer).toContain('waited')
  expect(await rig.balance(userId)).toBe(before - PRICE)
})

test('whichever process hears of it, the call ends, and costs nothing', async () => {
  const { client, transport } = await connectClient(`${rig.url}/mcp/plain`, key, 'older')
  const session = { 'mcp-session-id': transport.sessionId ?? '', connection: 'close' }
  const before = await rig.balance(userId)
  // Each on a connection of its own, so on either of the two processes.
  for (let id = 100; id < 112; id++) {
    const call = await begin(async () =>
      (await postMcp(`${rig.url}/mcp/plain`, key, wait(id), session)).text(),
    )
    expect((await postMcp(`${rig.url}/mcp/plain`, key, cancelled(id), session)).status).toBe(202)
    expect(await call.answer).toMatch(/"error":/)
  }
  await until(async () => (await rig.balance(userId)) === before)
  upstream.letGo()
  expect(textOf(await client.callTool({ name: 'add', arguments: { a: 1, b: 2 } }))).toBe('3')
  await client.close()
})
