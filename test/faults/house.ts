import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { readEnv } from '../../server/env.ts'
import { credit } from '../../server/ledger/entries.ts'
import { newUser } from '../../server/services/setup.ts'
import { openStore, type Store } from '../../server/store/index.ts'
import { findFaults, healed } from './auditor.ts'
import { Load, type Payer, type Sight } from './load.ts'
import { newSeed, type Random, seeded } from './random.ts'
import { SECRET_KEY, type Spender, startSpender } from './spender-process.ts'
import { startUpstream, type Upstream } from './upstream.ts'

/** A database, a provider, people with money, and the test's own look into the books. */
export interface House {
  readonly seed: number
  readonly random: Random
  readonly dataDir: string
  readonly store: Store
  readonly upstream: Upstream
  readonly payers: readonly Payer[]
  /** `databaseUrl` when it is to go another way than the test's own connection. */
  spend(databaseUrl?: string): Promise<Spender>
  load(target: () => Spender): Load
  /** Waits until all is at rest and answers what is wrong. */
  faults(sights: readonly Sight[]): Promise<string[]>
  close(): Promise<void>
}

export const now = (): number => Math.floor(Date.now() / 1000)

export async function openHouse(
  databaseUrl: string,
  more: { dataDir?: string; seed?: number } = {},
): Promise<House> {
  const seed = more.seed ?? newSeed()
  const dataDir = more.dataDir ?? mkdtempSync(join(tmpdir(), 'tollgate-faults-'))
  const database = readEnv({ DATABASE_URL: databaseUrl, DATA_DIR: dataDir }).database
  const store = await openStore({ ...database, secretKey: SECRET_KEY })
  const upstream = startUpstream()
  const payers = await addTokens(store, [
    ...(await addPayers(store, 'rich', 6, 10_000_000)),
    ...(await addPayers(store, 'poor', 2, 700)),
  ])
  const random = seeded(seed)
  const spenders: Spender[] = []
  return {
    seed,
    random,
    dataDir,
    store,
    upstream,
    payers,
    async spend(url = databaseUrl) {
      const spender = await startSpender({ databaseUrl: url, dataDir, upstreamUrl: upstream.url })
      spenders.push(spender)
      return spender
    },
    load: target => new Load(target, payers, random),
    async faults(sights) {
      await healed(store, dataDir)
      const found = await findFaults({ store, sights, produced: upstream.produced })
      return found.length === 0 ? [] : [`seed ${seed}`, ...found.slice(0, 30)]
    },
    async close() {
      for (const spender of spenders) {
        spender.signal('SIGCONT')
        await spender.kill()
      }
      await upstream.stop()
      await store.close().catch(() => {})
      if (more.dataDir === undefined) rmSync(dataDir, { recursive: true, force: true })
    },
  }
}

/** People with a balance; the books know where it came from. */
export async function addPayers(
  store: Store,
  name: string,
  count: number,
  quota: number,
  more: (at: number) => { access_token_hash?: string } = () => ({}),
): Promise<Payer[]> {
  const names = Array.from({ length: count }, (_, at) => `${name}-${at}`)
  await store.db
    .insertInto('users')
    .values(names.map((username, at) => ({ ...newUser(username, 'x', now()), ...more(at) })))
    .execute()
  const users = await store.db
    .selectFrom('users')
    .select('id')
    .where('username', 'in', names)
    .orderBy('id')
    .execute()
  for (const { id } of users)
    await credit(store, now(), { kind: 'gift', ref: `user ${id}`, userId: id, amount: quota })
  return users.map(({ id }) => ({ userId: id, tokenId: 0 }))
}

/** A token for each: with a budget that lasts, without any limit, or with a budget that will run out. */
async function addTokens(store: Store, payers: readonly Payer[]): Promise<Payer[]> {
  const made: Payer[] = []
  for (const [at, { userId }] of payers.entries()) {
    const remain = [5_000_000, 0, 4000][at % 3] ?? 0
    const key = `key-of-${userId}`
    await store.db
      .insertInto('tokens')
      .values({
        user_id: userId,
        name: key,
        key_hash: key,
        key_sealed: '',
        status: 1,
        created_time: now(),
        accessed_time: 0,
        expired_time: -1,
        remain_quota: remain,
        used_quota: 0,
        unlimited_quota: remain === 0 ? 1 : 0,
        model_limits_enabled: 0,
        model_limits: '',
        group: '',
      })
      .execute()
    const { id } = await store.db
      .selectFrom('tokens')
      .select('id')
      .where('key_hash', '=', key)
      .executeTakeFirstOrThrow()
    const entry = { kind: 'budget', ref: key, user_id: userId, user_amount: 0, created_at: now() }
    await store.db
      .insertInto('ledger_entries')
      .values({ ...entry, token_id: id, token_amount: remain })
      .execute()
    made.push({ userId, tokenId: id })
  }
  return made
}
