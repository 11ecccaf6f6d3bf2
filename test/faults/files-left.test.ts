import { expect, test } from 'bun:test'
import { readdirSync } from 'node:fs'
import { atRest } from '../at-rest.ts'
import { until } from '../program.ts'
import { openRig } from '../relay/rig.ts'
import { ask, chat } from '../relay/ways.ts'
import { startOpenai } from '../upstreams/index.ts'

// Where no file is left, no connection is taken either: what is asked goes over one that is there.
const keepalive = true

/** The lowest number that is free: with this as its limit a process can open nothing more. */
function firstFree(pid: number): number {
  const taken = new Set(readdirSync(`/proc/${pid}/fd`).map(Number))
  let free = 0
  while (taken.has(free)) free++
  return free
}

/** Whoever asked before on a connection of their own has closed it, and so has the worker. */
async function settled(pid: number): Promise<void> {
  for (let before = -1, now = firstFree(pid); now !== before; now = firstFree(pid)) {
    before = now
    await atRest()
  }
}

/** As `ulimit -n` would, but while it runs. */
function limitFiles(pid: number, most: number): void {
  Bun.spawnSync(['prlimit', `--pid=${pid}`, `--nofile=${most}:`])
}

/** No more than so many can be opened: what was open only for a moment leaves no room when it is closed. */
async function leaveFiles(pid: number, few: number): Promise<void> {
  await settled(pid)
  for (let least = Number.POSITIVE_INFINITY, free = firstFree(pid); free < least; free = firstFree(pid)) {
    least = free
    limitFiles(pid, free + few)
    await atRest()
  }
}

test('a worker that has no file left to open refuses its first call, lives, and serves when it has', async () => {
  const fake = await startOpenai()
  let key = ''
  const rig = await openRig(async books => {
    key = (await books.addToken({ userId: await books.addUser() })).key
    await books.addChannel({ type: 1, baseUrl: fake.url, key: fake.key, models: [chat.model] })
  })
  try {
    const call = async () => (await ask(rig.url, chat, { key, keepalive })).status
    // A connection for the call, and threads that are started later than the port is open.
    expect((await fetch(`${rig.url}/readyz`, { keepalive })).status).toBe(200)
    const [worker = 0] = rig.program.workerPids()
    await leaveFiles(worker, 1)
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

test('a channel is not blamed when it is this program that can open no connection', async () => {
  const [known, other] = await Promise.all([startOpenai(), startOpenai()])
  let key = ''
  const rig = await openRig(async books => {
    key = (await books.addToken({ userId: await books.addUser() })).key
    await books.addChannel({ type: 1, baseUrl: known.url, key: known.key, models: ['gpt-4o'] })
    await books.addChannel({ type: 1, baseUrl: other.url, key: other.key, models: ['gpt-4o-mini'] })
  })
  try {
    const call = (model: string) => ask(rig.url, { ...chat, model }, { key, keepalive })
    await until(async () => (await call('gpt-4o')).status === 200)
    const [worker = 0] = rig.program.workerPids()
    await leaveFiles(worker, 0)
    for (const _ of ['one', 'two', 'three', 'four', 'five', 'six']) {
      const refused = await call('gpt-4o-mini')
      expect(refused.status).toBe(503)
      expect(refused.headers.get('retry-after')).toBe('2')
      expect((await refused.json()).error).toMatchObject({
        code: 'service_unavailable',
        type: 'new_api_error',
      })
    }
    limitFiles(worker, 1000)
    expect((await call('gpt-4o-mini')).status).toBe(200)
    const figures = await (await fetch(`${rig.url}/metrics`)).text()
    expect(figures).toMatch(/tollgate_outbound_lacks_total\{[^}]*of="files"\} 6$/m)
    expect(figures).toMatch(/tollgate_relay_channel_attempts_total\{[^}]*channel="2",outcome="lack"\} 6$/m)
    expect(await rig.differences()).toEqual([])
  } finally {
    await rig.close()
    for (const fake of [known, other]) await fake.stop()
  }
})
