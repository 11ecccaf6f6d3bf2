// The ledger flat out in one process: holds and settles as fast as they are acknowledged, and prints what it saw.
//   bun bench/ledger/spend.ts <database url> <concurrent> <users> <seconds>

import { monitorEventLoopDelay } from 'node:perf_hooks'
import { readEnv } from '../../server/env.ts'
import { credit } from '../../server/ledger/entries.ts'
import { Ledger } from '../../server/ledger/ledger.ts'
import { newUser } from '../../server/services/setup.ts'
import { openStore } from '../../server/store/index.ts'

const [url = '', concurrent = '1', users = '1', seconds = '3'] = process.argv.slice(2)
const secretKey = 'bench-key-that-is-long-and-varied-0123456789'
const store = await openStore({ ...readEnv({ DATABASE_URL: url }).database, secretKey })
const now = (): number => Math.floor(Date.now() / 1000)
const journal = {
  append: () => Promise.reject(new Error('no journal here')),
  pending: () => [],
  clear: async () => {},
}
const ledger = new Ledger({ batch: store.batch, journal, now, nodeId: () => 'bench' })

const wanted = Number(users)
const run = crypto.randomUUID().slice(0, 8)
for (let at = 0; at < wanted; at += 250) {
  const names = Array.from({ length: Math.min(250, wanted - at) }, (_, more) => `${run}-${at + more}`)
  await store.db
    .insertInto('users')
    .values(names.map(name => newUser(name, '', 1)))
    .execute()
}
const rows = await store.db.selectFrom('users').select('id').where('username', 'like', `${run}-%`).execute()
const ids = rows.map(({ id }) => id)
for (const userId of ids)
  await credit(store, now(), { kind: 'gift', ref: String(userId), userId, amount: 1e12 })

const price = JSON.stringify({
  kind: 'ratio',
  model: 'gpt-4o',
  group: 'default',
  modelRatio: '1.25',
  completionRatio: '4',
})
const latencies: number[] = []
let next = 0
const loop = monitorEventLoopDelay({ resolution: 1 })

async function spend(until: number): Promise<void> {
  while (performance.now() < until) {
    const at = next++
    const userId = ids[at % ids.length] ?? 0
    const request = { id: `${run}-${at}`, userId, tokenId: 0 }
    const began = performance.now()
    await ledger.hold(request, { most: 5000, least: 1, price })
    await ledger.settle(request, 1250, logRow(userId, request.id))
    latencies.push(performance.now() - began)
  }
}

function logRow(userId: number, requestId: string) {
  return {
    created_at: now(),
    type: 2,
    user_id: userId,
    username: 'bench',
    token_id: 0,
    token_name: 'bench',
    model_name: 'gpt-4o',
    channel_id: 0,
    group: 'default',
    is_stream: 1,
    use_time: 2,
    prompt_tokens: 600,
    completion_tokens: 100,
    request_id: requestId,
    content: '模型倍率 1.25，补全倍率 4.00，分组倍率 1.00',
    other: '{"model_ratio":1.25,"completion_ratio":4,"group_ratio":1,"model_price":-1,"frt":412}',
  }
}

const clients = Array.from({ length: Number(concurrent) })
await Promise.all(clients.map(() => spend(performance.now() + 500)))
latencies.length = 0
loop.enable()
const cpu = process.cpuUsage()
const began = performance.now()
await Promise.all(clients.map(() => spend(began + Number(seconds) * 1000)))
const elapsed = performance.now() - began
const { user, system } = process.cpuUsage(cpu)
loop.disable()
latencies.sort((a, b) => a - b)
const quantile = (share: number): number => latencies[Math.floor((latencies.length - 1) * share)] ?? 0
console.log(
  JSON.stringify({
    pairs: latencies.length / (elapsed / 1000),
    cpuPerPair: (user + system) / latencies.length,
    p50: quantile(0.5),
    p99: quantile(0.99),
    loopP99: loop.percentile(99) / 1e6,
  }),
)
await store.close()
process.exit()
