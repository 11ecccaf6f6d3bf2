import { afterAll, expect, test } from 'bun:test'
import { deleteLeft } from '../../server/tasks/left-behind.ts'
import { until } from '../program.ts'
import { dropAll, engines } from '../services/databases.ts'
import { ask, MEGABYTE, refusal, upload } from './files-house.ts'
import { type KeptHouse, openKeptHouse } from './house.ts'

// Files of OpenAI's accounts on every database, and what is left of one whose upload is broken off.

afterAll(dropAll)

/** An upload that goes on until it is broken off; resolves when so much of it has been taken. */
function beginUpload({ url, payer }: KeptHouse, most: number): { taken: Promise<void>; leave: () => void } {
  const { promise: taken, resolve } = Promise.withResolvers<void>()
  const leaving = new AbortController()
  const head = [
    '--edge\r\nContent-Disposition: form-data; name="purpose"\r\n\r\nuser_data\r\n',
    '--edge\r\nContent-Disposition: form-data; name="file"; filename="a.pdf"\r\n\r\n',
  ].join('')
  let sent = 0
  const body = new ReadableStream<Uint8Array>({
    async pull(controller) {
      if (sent >= most) {
        resolve()
        // Nothing more comes.
        await new Promise(() => {})
      }
      const piece = Buffer.from(sent === 0 ? head : 'x'.repeat(64 * 1024))
      sent += piece.length
      controller.enqueue(piece)
    },
  })
  const headers = {
    ...{ authorization: `Bearer ${payer.key}`, 'content-type': 'multipart/form-data; boundary=edge' },
  }
  fetch(`${url}/v1/files`, { method: 'POST', headers, body, signal: leaving.signal }).catch(() => {})
  return { taken, leave: () => leaving.abort() }
}

test.each(engines)('on $name: kept, listed, counted, named, broken off, deleted', async engine => {
  const house = await openKeptHouse({}, { DATABASE_URL: await engine.freshUrl() })
  const { client } = house
  const made = [await upload(client, 'one'), await upload(client, 'two', 'vision'), await upload(client)]
  const ids = made.map(({ id }) => id).reverse()
  const paged = async (): Promise<string[]> =>
    (await Array.fromAsync(client.files.list({ limit: 2 }))).map(({ id }) => id)
  expect(await paged()).toEqual(ids)
  expect((await ask(client, ids)).status).toBe('completed')
  const rows = () => house.store.db.selectFrom('openai_files').select('id').execute()
  const uploads = () =>
    house.first.requests.filter(({ method, path }) => method === 'POST' && path === '/v1/files').length

  const left = await house.newcomer()
  await upload(left.client)
  await left.client.conversations.create()
  const file = new File(
    ['{"custom_id":"a","method":"POST","url":"/v1/responses","body":{"model":"gpt-5.4","input":"a"}}'],
    'a',
  )
  await left.client.files.create({ file, purpose: 'batch' })
  const deleted_at = Math.floor(Date.now() / 1000)
  await house.store.db.updateTable('users').set({ deleted_at }).where('id', '=', left.userId).execute()
  await house.later(0, deleteLeft)
  for (const table of ['openai_files', 'openai_conversations', 'files'] as const)
    expect(
      await house.store.db.selectFrom(table).select('id').where('user_id', '=', left.userId).execute(),
    ).toEqual([])

  const before = uploads()
  const broken = beginUpload(house, 6 * MEGABYTE)
  await broken.taken
  broken.leave()
  const killed = beginUpload(house, 6 * MEGABYTE)
  await killed.taken
  for (const pid of house.program.workerPids()) process.kill(pid, 'SIGKILL')
  // Another worker serves as if nothing had been.
  const again = await until(() => upload(client, 'again').catch(() => undefined))
  expect(await paged()).toEqual([again.id, ...ids])
  expect(await rows()).toHaveLength(4)
  expect(uploads()).toBe(before + 1)

  for (const id of await paged()) await client.files.delete(id)
  expect((await refusal(ask(client, ids)))[0]).toBe(404)
  expect(await rows()).toEqual([])
  expect(await house.differences()).toEqual([])
  await house.close()
})
