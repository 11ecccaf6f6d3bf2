import { expect, test } from 'bun:test'
import { readdirSync } from 'node:fs'
import { until } from '../program.ts'
import { openRig } from '../relay/rig.ts'
import { ask, chat } from '../relay/ways.ts'
import { startOpenai } from '../upstreams/index.ts'

/** As `ulimit -n` would, but while it runs. */
function limitFiles(pid: number, most: number): void {
  Bun.spawnSync(['prlimit', `--pid=${pid}`, `--nofile=${most}:`])
}

test('a worker that has no file left to open refuses its first call, lives, and serves when it has', async () => {
  const fake = await startOpenai()
  let key = ''
  const rig = await openRig(async books => {
    key = (await books.addToken({ userId: await books.addUser() })).key
    await books.addChannel({ type: 1, baseUrl: fake.url, key: fake.key, models: [chat.model] })
  })
  try {
    const call = async () => (await ask(rig.url, chat, { key })).status
    // A connection for the call, and threads that are started later than the port is open.
    expect((await fetch(`${rig.url}/readyz`)).status).toBe(200)
    const [worker = 0] = rig.program.workerPids()
    limitFiles(worker, readdirSync(`/proc/${worker}/fd`).length + 1)
    expect(await call()).toBeOneOf([502, 503])
    expect(rig.program.workerPids()).toEqual([worker])
    limitFiles(worker, 1000)
    await until(async () => (await call()) === 200)
    expect(rig.program.workerPids()).toEqual([worker])
    expect(rig.program.output()).not.toContain('a worker died')
    expect(await rig.differences()).toEqual([])
  } finally {
    await rig.close()
    await fake.stop()
  }
})
