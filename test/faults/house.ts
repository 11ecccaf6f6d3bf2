import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { readEnv } from '../../server/env.ts'
import { openStore, type Store } from '../../server/store/index.ts'
import { ROOT_PASSWORD } from '../program.ts'
import { type Evidence, findFaults, healed } from './auditor.ts'
import { Gateway, SECRET_KEY } from './gateway.ts'
import { Load, type Payer, type Sight } from './load.ts'
import { newSeed, type Random, seeded } from './random.ts'
import { addChannels, addPayers, setOptions } from './seed.ts'
import { startUpstream, type Upstream } from './upstream.ts'

/** A database, a provider, people with money, the program between them, and the test's own look into the books. */
export interface House {
  readonly seed: number
  readonly random: Random
  readonly dataDir: string
  readonly store: Store
  readonly upstream: Upstream
  readonly payers: readonly [Payer, ...Payer[]]
  /** `DATABASE_URL` when it is to go another way than the test's own connection. */
  start(environment?: Record<string, string>): Promise<Gateway>
  load(target: Gateway): Load
  /** Reads what is certain to be charged should the program die now; answers for how many requests. */
  noteCheckpoints(): Promise<number>
  /** Waits until all is at rest and answers what is wrong. */
  faults(sights: readonly Sight[], more?: Partial<Evidence>): Promise<string[]>
  close(): Promise<void>
}

export async function openHouse(
  databaseUrl: string,
  more: { dataDir?: string; seed?: number } = {},
): Promise<House> {
  const seed = more.seed ?? newSeed()
  const dataDir = more.dataDir ?? mkdtempSync(join(tmpdir(), 'tollgate-faults-'))
  const database = readEnv({ DATABASE_URL: databaseUrl, DATA_DIR: dataDir }).database
  const store = await openStore({ ...database, secretKey: SECRET_KEY })
  const upstream = await startUpstream()
  await addChannels(store, upstream.urls)
  await setOptions(store)
  const [first, ...others] = await addPayers(store)
  if (!first) throw new Error('nobody pays')
  const payers = [first, ...others] as const
  const random = seeded(seed)
  const gateways: Gateway[] = []
  const checkpoints = new Map<string, number>()
  return {
    seed,
    random,
    dataDir,
    store,
    upstream,
    payers,
    async start(environment = {}) {
      const where = { DATABASE_URL: databaseUrl, DATA_DIR: dataDir, ROOT_PASSWORD }
      const gateway = await Gateway.start({ ...where, ...environment })
      gateways.push(gateway)
      return gateway
    },
    load: target => new Load(target, payers, random),
    async noteCheckpoints() {
      const holds = await store.db
        .selectFrom('holds')
        .select(['id', 'checkpoint'])
        .where('state', '=', 'open')
        .where('checkpoint', '>', 0)
        .execute()
      for (const { id, checkpoint } of holds) checkpoints.set(id, checkpoint)
      return holds.length
    },
    async faults(sights, evidence = {}) {
      await healed(store, dataDir, upstream)
      const { record } = upstream
      const found = await findFaults({ store, sights, record, checkpoints, ...evidence })
      for (const gateway of gateways) {
        const unhandled = await gateway.unhandled()
        if (unhandled > 0) found.push(`${unhandled} errors nobody was waiting for:\n${gateway.output()}`)
      }
      return found.length === 0 ? [] : [`seed ${seed}`, ...found.slice(0, 30)]
    },
    async close() {
      for (const gateway of gateways) await gateway.kill()
      upstream.stop()
      await store.close().catch(() => {})
      if (more.dataDir === undefined) rmSync(dataDir, { recursive: true, force: true })
    },
  }
}
