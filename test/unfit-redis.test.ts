import { afterAll, beforeAll, expect, test } from 'bun:test'
import { isRefusal } from '../server/store/counters/counters.ts'
import { openCounters } from '../server/store/counters/open-counters.ts'
import { openProgram } from './open-program.ts'
import { until, withProgram } from './program.ts'
import { startRedis } from './services/databases.ts'

let alone: Awaited<ReturnType<typeof startRedis>>
let cluster: typeof alone
beforeAll(async () => {
  alone = await startRedis()
  cluster = await startRedis({ isCluster: true })
  await ask(cluster.url, 'CLUSTER', 'ADDSLOTSRANGE', '0', '16383')
  await until(async () => String(await ask(cluster.url, 'CLUSTER', 'INFO')).includes('cluster_state:ok'))
})
afterAll(async () => {
  await alone.close()
  await cluster.close()
})

async function ask(url: string, command: string, ...args: string[]): Promise<unknown> {
  const client = new Bun.RedisClient(url)
  try {
    return await client.send(command, args)
  } finally {
    client.close()
  }
}

const counting = /"message":"Redis is out of reach: until it is back each process counts.*/
const sharing = /"message":"Redis is out of reach: until it is back each process has only the answers.*/
const listening = /"message":"Redis is out of reach: until it is back nodes look for changes.*/

/** What the program says of the Redis that it counts in, or hears of changes by. */
async function told(REDIS_URL: string, what = counting): Promise<string> {
  let line = ''
  await withProgram({ REDIS_URL }, async program => {
    line = await until(() => what.exec(program.output())?.[0])
  })
  return line
}

test('a Redis that cannot do all that counting takes is told with what to do, whatever else it answers', async () => {
  expect(await told(cluster.url)).toMatch(/CROSSSLOT.*Redis in cluster mode/)
  const rights = ['on', '>a-long-password', '~tollgate:*', '&tollgate:*', '+@all', '-zadd']
  await ask(alone.url, 'ACL', 'SETUSER', 'few', ...rights)
  expect(await told(alone.url.replace('//', '//few:a-long-password@'))).toMatch(
    /can't run.*give it ~tollgate/,
  )
  await ask(
    alone.url,
    'ACL',
    'SETUSER',
    'deaf',
    'on',
    '>a-long-password',
    '~tollgate:*',
    'resetchannels',
    '+@all',
  )
  const deaf = await told(alone.url.replace('//', '//deaf:a-long-password@'), listening)
  expect(deaf).toMatch(/NOPERM.*channels.*give it ~tollgate/)
  await ask(alone.url, 'CONFIG', 'SET', 'maxmemory', '1')
  expect(await told(alone.url)).toMatch(/OOM.*raise its maxmemory/)
  await ask(alone.url, 'CONFIG', 'SET', 'maxmemory', '0')
  await ask(alone.url, 'REPLICAOF', '127.0.0.1', '1')
  expect(await told(alone.url)).toMatch(/READONLY.*name its primary/)
  await ask(alone.url, 'REPLICAOF', 'NO', 'ONE')
})

test('in cluster mode each process counts alone, and does not come back for what a single key can do', async () => {
  const counters = await openCounters(cluster.url, 'house')
  const limited = ['a', 'b'].map(name => ({ name, limits: { rpm: 3, tpm: 0, concurrency: 0 } }))
  const refused = async (): Promise<number> =>
    Number(/CROSSSLOT:count=(\d+)/.exec(String(await ask(cluster.url, 'INFO', 'errorstats')))?.[1] ?? 0)
  const before = await refused()
  const answers: boolean[] = []
  await until(async () => {
    expect(counters.hitShared('k', 60_000)).toBeUndefined()
    if (answers.length < 5) answers.push(isRefusal(await counters.take(limited, 0)))
    return (await refused()) >= before + 3
  })
  expect(answers.slice(0, 5)).toEqual([false, false, false, true, true])
  await counters.close()
})

test('an account that may do all but what similar questions take is told before anybody asks one', async () => {
  for (const command of ['xadd', 'xread', 'xlen', 'ttl']) {
    const rights = ['on', '>a-long-password', '~tollgate:*', '&tollgate:*', '+@all', `-${command}`]
    await ask(alone.url, 'ACL', 'SETUSER', `no-${command}`, ...rights)
    const REDIS_URL = alone.url.replace('//', `//no-${command}:a-long-password@`)
    const { program, root, close } = await openProgram({ REDIS_URL })
    await root.saveOption('AnswerCacheSeconds', '60')
    expect(await until(() => sharing.exec(program.output())?.[0])).toMatch(/can't run.*give it ~tollgate/)
    await close()
  }
})
