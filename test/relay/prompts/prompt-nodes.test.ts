// Two workers and another node on one database: which version is in use is the same for all of them.

import { afterAll, beforeAll, expect, test } from 'bun:test'
import { join } from 'node:path'
import { TokenClient } from '../../api/rig-client.ts'
import { type Program, startProgram, until } from '../../program.ts'
import { type FakeUpstream, startOpenai } from '../../upstreams/index.ts'
import { openRig, type Rig, SECRET_KEY } from '../rig.ts'
import { ask, chat, requestIdOf } from '../ways.ts'

let rig: Rig
let second: Program
let vendor: FakeUpstream
let owner: TokenClient
let key = ''

beforeAll(async () => {
  vendor = await startOpenai()
  rig = await openRig(
    async books => {
      await books.setOption('GlobalApiRateLimit', '0')
      await books.addChannel({ type: 1, baseUrl: vendor.url, key: vendor.key, models: [chat.model] })
    },
    { WORKERS: '2' },
  )
  const DATABASE_URL = `sqlite:${join(rig.program.dataDir, 'tollgate.db')}`
  second = await startProgram({ SECRET_KEY, DATABASE_URL })
  const userId = await rig.addUser()
  key = (await rig.addToken({ userId })).key
  owner = await TokenClient.of(rig, userId)
})
afterAll(async () => {
  expect(await rig.differences()).toEqual([])
  await second.stop()
  await rig.close()
  await vendor.stop()
})

const say = (content: string) => [{ role: 'user', content }]

/** Which versions a round of calls got, over connections that lead to all workers of both nodes. */
async function versions(prompt_id = 'shared'): Promise<unknown[]> {
  const got = await Promise.all(
    Array.from({ length: 24 }, async (_, at) => {
      const more = { prompt_id }
      const response = await ask(at % 2 ? rig.url : second.url, chat, { key, more })
      const { error } = await response.json()
      return error ? error.code : (await rig.logOf(requestIdOf(response))).details.prompt_version
    }),
  )
  return [...new Set(got)]
}

test('a version that is taken into use is what every worker and node gives, and again the older one', async () => {
  // Remembered everywhere that there is none.
  await until(async () => (await ask(second.url, chat, { key })).status === 200)
  expect(await versions()).toEqual(['prompt_not_found'])
  const { json } = await owner.post('/api/prompt', { name: 'shared', messages: say('first') })
  const path = `/api/prompt/${json.data.id}`
  await until(async () => (await versions()).join() === '1')
  await owner.post(`${path}/version`, { messages: say('second'), use: true })
  await until(async () => (await versions()).join() === '2')
  expect(await versions()).toEqual([2])
  await owner.put(path, { version: 1 })
  await until(async () => (await versions()).join() === '1')
  expect(await versions()).toEqual([1])
  // So is a label, wherever it is moved, back and off.
  const staging = 'shared@staging'
  expect(await versions(staging)).toEqual(['prompt_not_found'])
  for (const version of [2, 1, 2]) {
    await owner.put(`${path}/label/staging`, { version })
    await until(async () => (await versions(staging)).join() === String(version))
    expect(await versions(staging)).toEqual([version])
  }
  expect([await versions(), await versions('shared@latest')]).toEqual([[1], [2]])
  await owner.send('DELETE', `${path}/label/staging`)
  await until(async () => (await versions(staging)).join() === 'prompt_not_found')
  expect(await versions(staging)).toEqual(['prompt_not_found'])
  await owner.send('DELETE', path)
  await until(async () => (await versions()).join() === 'prompt_not_found')
  expect(await versions()).toEqual(['prompt_not_found'])
})
