import { randomBytes } from 'node:crypto'
import type { Selectable } from 'kysely'
import { readEnv } from '../../server/env.ts'
import { audit } from '../../server/ledger/audit.ts'
import { credit } from '../../server/ledger/entries.ts'
import { newUser } from '../../server/services/setup.ts'
import type { Limits } from '../../server/store/counters/counters.ts'
import { tokenHash } from '../../server/store/given-key.ts'
import { openStore, type Store } from '../../server/store/index.ts'
import type { Logs } from '../../server/store/log-schema.ts'
import { channelKeyPlace } from '../../server/store/sealed-places.ts'
import {
  freshDataDir,
  type Program,
  preparedDataDir,
  ROOT_PASSWORD,
  startProgram,
  until,
} from '../program.ts'
import { plainChannel } from './sample-channels.ts'

export const SECRET_KEY = 'qX7v-2mLs-94Tb-Rk61-zH08-cW35-yN72-pD19'

export interface ChannelSeed {
  readonly type: number
  readonly baseUrl: string
  readonly key: string
  readonly models: readonly string[]
  readonly groups?: readonly string[]
  readonly name?: string
  readonly priority?: number
  readonly weight?: number
  readonly other?: string
  readonly organization?: string
  readonly autoBan?: boolean
  readonly status?: number
  readonly mapping?: Record<string, string>
  readonly statusMapping?: Record<string, string>
  readonly setting?: object
  readonly limits?: Partial<Limits>
}

export interface TokenSeed {
  readonly userId: number
  readonly group?: string
  readonly models?: readonly string[]
  readonly allowIps?: string
  /** Budget; without one it is unlimited. */
  readonly budget?: number
  readonly expiresAt?: number
  readonly status?: number
  /** Without `sk-`; random when not given. */
  readonly key?: string
  readonly limits?: Partial<Limits>
}

interface UserSeed {
  readonly quota?: number
  readonly group?: string
  readonly role?: number
  readonly limits?: Partial<Limits>
}

export interface SeededToken {
  readonly id: number
  /** As a client sends it, with `sk-`. */
  readonly key: string
}

export type LogEntry = Omit<Selectable<Logs>, 'id'> & { details: Record<string, unknown> }

/** The running program with its own database, and the test's view into the books. */
export interface Rig {
  readonly program: Program
  readonly url: string
  readonly store: Store
  addUser(options?: UserSeed): Promise<number>
  addToken(seed: TokenSeed): Promise<SeededToken>
  addChannel(seed: ChannelSeed): Promise<number>
  setOption(key: string, value: string): Promise<void>
  balance(userId: number): Promise<number>
  /** The log row of a request, waited for. */
  logOf(requestId: string): Promise<LogEntry>
  /** What the books say that a request cost; undefined when nothing was charged. */
  chargeOf(requestId: string): Promise<number | undefined>
  /** Waits until nothing is held any more, then what the audit finds wrong. */
  differences(): Promise<readonly string[]>
  close(): Promise<void>
}

const now = (): number => Math.floor(Date.now() / 1000)

/** Seeds come first, so that the program reads them when it starts; later ones are announced. */
export async function openRig(
  seed: (rig: Omit<Rig, 'program' | 'url'>) => Promise<void> = async () => {},
  environment: Record<string, string> = {},
): Promise<Rig> {
  const dataDir =
    environment.DATA_DIR ?? (environment.DATABASE_URL ? freshDataDir() : await preparedDataDir())
  const { database } = readEnv({ ...environment, DATA_DIR: dataDir })
  const store = await openStore({ ...database, secretKey: SECRET_KEY })
  const books = openBooks(store)
  await seed(books)
  const program = await startProgram({ SECRET_KEY, ROOT_PASSWORD, ...environment, DATA_DIR: dataDir })
  return {
    ...books,
    program,
    url: program.url,
    async close() {
      await program.stop()
      await store.close()
    },
  }
}

function openBooks(store: Store): Omit<Rig, 'program' | 'url'> {
  return {
    store,
    addUser: options => addUser(store, options),
    addToken: seed => addToken(store, seed),
    addChannel: seed => addChannel(store, seed),
    async setOption(key, value) {
      await store.change('options', async transaction => {
        await transaction.deleteFrom('options').where('key', '=', key).execute()
        await transaction.insertInto('options').values({ key, value, updated_at: now() }).execute()
      })
    },
    async balance(userId) {
      const row = await store.db
        .selectFrom('users')
        .select('quota')
        .where('id', '=', userId)
        .executeTakeFirstOrThrow()
      return row.quota
    },
    logOf: requestId => until(() => findLog(store, requestId)),
    async chargeOf(requestId) {
      const row = await store.db
        .selectFrom('ledger_entries')
        .select('user_amount')
        .where('kind', '=', 'charge')
        .where('ref', '=', requestId)
        .executeTakeFirst()
      return row === undefined ? undefined : -row.user_amount
    },
    async differences() {
      await until(async () => (await openHolds(store)) === 0)
      const report = await audit(store.db)
      return report.differences.map(
        ({ check, subject, expected, found }) => `${check}: ${subject} should be ${expected} and is ${found}`,
      )
    },
    close: () => store.close(),
  }
}

async function openHolds(store: Store): Promise<number> {
  return (await store.db.selectFrom('holds').select('id').where('state', '=', 'open').execute()).length
}

async function findLog(store: Store, requestId: string): Promise<LogEntry | undefined> {
  const row = await store.db
    .selectFrom('logs')
    .selectAll()
    .where('request_id', '=', requestId)
    .executeTakeFirst()
  return row && { ...row, details: JSON.parse(row.other || '{}') as Record<string, unknown> }
}

let made = 0

async function addUser(store: Store, options: UserSeed = {}): Promise<number> {
  const username = `user-${++made}`
  await store.db
    .insertInto('users')
    .values({
      ...newUser(username, 'x', now()),
      group: options.group ?? 'default',
      role: options.role ?? 1,
      ...options.limits,
    })
    .execute()
  const { id } = await store.db
    .selectFrom('users')
    .select('id')
    .where('username', '=', username)
    .executeTakeFirstOrThrow()
  const amount = options.quota ?? 50_000_000
  if (amount > 0) await credit(store, now(), { kind: 'gift', ref: `user ${id}`, userId: id, amount })
  return id
}

async function addToken(store: Store, seed: TokenSeed): Promise<SeededToken> {
  const key = seed.key ?? randomBytes(24).toString('hex')
  const budget = seed.budget ?? 0
  return store.change('tokens', async transaction => {
    await transaction
      .insertInto('tokens')
      .values({
        user_id: seed.userId,
        name: `token-${++made}`,
        key_hash: tokenHash(store, key),
        key_sealed: '',
        status: seed.status ?? 1,
        created_time: now(),
        accessed_time: 0,
        expired_time: seed.expiresAt ?? -1,
        remain_quota: budget,
        used_quota: 0,
        unlimited_quota: seed.budget === undefined ? 1 : 0,
        model_limits_enabled: seed.models ? 1 : 0,
        model_limits: seed.models?.join(',') ?? '',
        allow_ips: seed.allowIps ?? null,
        group: seed.group ?? '',
        ...seed.limits,
      })
      .execute()
    const { id } = await transaction
      .selectFrom('tokens')
      .select('id')
      .where('key_hash', '=', tokenHash(store, key))
      .executeTakeFirstOrThrow()
    const entry = {
      kind: 'budget',
      ref: tokenHash(store, key).slice(0, 32),
      user_id: seed.userId,
      user_amount: 0,
    }
    await transaction
      .insertInto('ledger_entries')
      .values({ ...entry, created_at: now(), token_id: id, token_amount: budget })
      .execute()
    return { id, key: `sk-${key}` }
  })
}

async function addChannel(store: Store, seed: ChannelSeed): Promise<number> {
  const name = seed.name ?? `channel-${++made}`
  return store.change('channels', async transaction => {
    await transaction
      .insertInto('channels')
      .values({
        ...plainChannel,
        type: seed.type,
        name,
        status: seed.status ?? 1,
        base_url: seed.baseUrl,
        other: seed.other ?? '',
        openai_organization: seed.organization ?? null,
        models: seed.models.join(','),
        group: (seed.groups ?? ['default']).join(','),
        model_mapping: seed.mapping ? JSON.stringify(seed.mapping) : null,
        status_code_mapping: seed.statusMapping ? JSON.stringify(seed.statusMapping) : null,
        priority: seed.priority ?? 0,
        weight: seed.weight ?? 0,
        auto_ban: seed.autoBan === false ? 0 : 1,
        setting: seed.setting ? JSON.stringify(seed.setting) : null,
        created_time: now(),
        ...seed.limits,
      })
      .execute()
    const { id } = await transaction
      .selectFrom('channels')
      .select('id')
      .where('name', '=', name)
      .orderBy('id', 'desc')
      .executeTakeFirstOrThrow()
    await transaction
      .updateTable('channels')
      .set({ key_sealed: store.cipher.seal(channelKeyPlace(id), seed.key) })
      .where('id', '=', id)
      .execute()
    return id
  })
}
