import { Client } from '../../test/client.ts'
import { freePort } from '../../test/services/free-port.ts'
import { SECRET_KEY, seedStore } from '../relay/seed-store.ts'
import { scratchFolder, start, untilAnswers } from '../rig/running.ts'
import { type Gateway, repository, startGateway } from '../rig/start-gateway.ts'
import { generateHouse } from './generate/generate-house.ts'
import { openRaw } from './generate/raw-database.ts'
import { busyMember, collector, idleMember, userName } from './generate/spread.ts'
import { type SharedLoop, shareLoop } from './loop/share-loop.ts'
import type { Clients } from './time-calls.ts'

const REST_MS = 2000

/** The program on a generated database, and those who call it. */
export interface House {
  readonly gateway: Gateway
  readonly clients: Clients
  /** The one that relays. */
  readonly loop: SharedLoop
  /** Of the relay's own user. */
  readonly key: string
  readonly generatedSeconds: number
  stop(): Promise<void>
}

export async function startHouse(
  rows: number,
  databaseUrl: string | undefined,
  askBefore: (clients: Clients) => Promise<void>,
): Promise<House> {
  const dataDir = scratchFolder('api')
  const url = databaseUrl ?? `sqlite:${dataDir}/tollgate.db`
  const environment = { DATA_DIR: dataDir, DATABASE_URL: url }
  const upstream = await startUpstream()
  const key = await seedStore(environment, upstream.url)
  const began = performance.now()
  await generateHouse(url, rows, upstream.url)
  const generatedSeconds = (performance.now() - began) / 1000
  const loop = shareLoop()
  const env = { ...environment, SECRET_KEY, LOG_LEVEL: 'warn', ...loop.env }
  // A house that has been lived in, and has just been started: somebody has asked before.
  const before = await openGateway(env)
  await askBefore(before.clients)
  await untilKept(url)
  await before.gateway.stop()
  const { gateway, clients } = await openGateway(env)
  return {
    gateway,
    clients,
    loop,
    key,
    generatedSeconds,
    async stop() {
      for (const running of [gateway, upstream]) await running.stop()
    },
  }
}

async function openGateway(env: Record<string, string>): Promise<{ gateway: Gateway; clients: Clients }> {
  const gateway = await startGateway({ env })
  for (const option of ['CriticalRateLimit', 'SearchRateLimit']) await gateway.root.saveOption(option, '0')
  for (const option of ['RankingsEnabled', 'ModelFiguresEnabled'])
    await gateway.root.saveOption(option, 'true')
  const enter = async (name: string): Promise<Client> => {
    const client = new Client(gateway.url)
    const answer = await client.login(name, collector.password)
    if (!answer.json?.success) throw new Error(`${name} could not log in: ${answer.text}`)
    return client
  }
  const user = await enter(userName(0))
  return {
    gateway,
    clients: {
      admin: gateway.root,
      user,
      collector: await enter(collector.name),
      owner: user,
      member: await enter(userName(busyMember)),
      newcomer: await enter(userName(idleMember)),
      known: { requestIds: await newestCalls(gateway.root) },
    },
  }
}

/** Until what days came to is written down, which takes its time. */
async function untilKept(url: string): Promise<void> {
  const raw = openRaw(url)
  for (let [kept, known] = [-1, -2]; kept !== known; ) {
    await Bun.sleep(REST_MS)
    known = kept
    kept = Number((await raw.list('select count(*) from kept_days'))[0])
  }
  await raw.close()
}

async function newestCalls(admin: Client): Promise<string[]> {
  const { json } = await admin.get('/api/log/?type=2&page_size=100')
  return json.data.items.map(({ request_id }: { request_id: string }) => request_id)
}

async function startUpstream() {
  const port = await freePort()
  const running = start([process.execPath, `${repository}/bench/relay/upstream/serve.ts`, String(port)])
  const url = `http://127.0.0.1:${port}`
  await untilAnswers(running, url, 10_000)
  return { ...running, url }
}
