import { randomBytes } from 'node:crypto'
import { mkdirSync } from 'node:fs'
import { dirname } from 'node:path'
import { Kysely, sql, type Transaction } from 'kysely'
import { log } from '../log.ts'
import { againAfterDeadlock } from './again-after-deadlock.ts'
import type { RunBatch } from './batch/batch.ts'
import { bunSqlBatch } from './batch/bun-sql-batch.ts'
import { sqliteBatch } from './batch/sqlite-batch.ts'
import { BunSqlDialect, patience } from './bun-sql/bun-sql-dialect.ts'
import { Bus, type Topic, type Transport } from './bus/bus.ts'
import { postgresTransport } from './bus/postgres-transport.ts'
import { redisTransport } from './bus/redis-transport.ts'
import { Cipher } from './cipher.ts'
import { openCounters, type SharedCounters } from './counters/open-counters.ts'
import type { Engine } from './engine.ts'
import { ensureLogPartitions } from './log-partitions.ts'
import { isUpToDate, migrate, refuseUnlessUpToDate } from './migrations/index.ts'
import { refuseOthers, refuseOthersFile } from './migrations/refuse-others.ts'
import type { Schema } from './schema.ts'
import { Settings } from './settings-snapshot.ts'
import { SharedAnswers } from './shared-answers.ts'
import { SqliteDialect } from './sqlite/sqlite-dialect.ts'
import { instanceId, proveSecretKey, proveWritable, refuseOtherKey } from './system-facts.ts'

export interface StoreOptions {
  readonly engine: Engine
  /** A file path for SQLite, a URL otherwise. */
  readonly target: string
  readonly secretKey: string
  /** How many connections to a server there may be, all in all. */
  readonly connections?: number | undefined
  readonly redisUrl?: string | undefined
  /** Only to look at: a database of another version is refused instead of brought up to date. */
  readonly asItIs?: boolean
  /** Reaches the other workers of this machine, through their supervisor. */
  readonly neighbours?: ((bus: Bus) => Transport) | undefined
}

export interface Store {
  readonly db: Kysely<Schema>
  /** Many moves in one commit; what the ledger is made of. */
  readonly batch: RunBatch
  readonly engine: Engine
  readonly cipher: Cipher
  readonly bus: Bus
  readonly settings: Settings
  readonly instanceId: string
  /** What is counted to be limited: in Redis when there is one. */
  readonly counters: SharedCounters
  /** Answers that all processes share; undefined without Redis. */
  readonly answers: SharedAnswers | undefined
  /** Names of the migrations this start has run. */
  readonly migrated: readonly string[]
  /** Begins again when another transaction got in its way: `work` does nothing but speak to the database. */
  transaction<T>(work: (transaction: Transaction<Schema>) => Promise<T>): Promise<T>
  /** The same for what changes a snapshot's source; the change is made known. */
  change<T>(topic: Topic, work: (transaction: Transaction<Schema>) => Promise<T>): Promise<T>
  /** For what goes through whole tables: on a server, a connection of its own on which a statement may take hours. */
  patiently<T>(work: (db: Kysely<Schema>) => Promise<T>): Promise<T>
  ping(): Promise<void>
  close(): Promise<void>
}

export async function openStore(options: StoreOptions): Promise<Store> {
  const { engine, target } = options
  if (engine === 'sqlite' && !options.asItIs) refuseOthersFile(target)
  const { db, batch, listener } = connect(options)
  const bus = new Bus(db, engine)
  try {
    const patiently: Store['patiently'] = work =>
      engine === 'sqlite' ? work(db) : onPatient(engine, target, work)
    if (options.asItIs) await refuseUnlessUpToDate(withoutSchema(db), engine)
    // Whoever is not there is not waited for. A large table may get an index, and who starts meanwhile waits for that.
    await sql`select 1`.execute(db)
    if (!options.asItIs) await refuseOthers(withoutSchema(db), engine)
    const isDone = options.asItIs || (await isUpToDate(withoutSchema(db)))
    const cipher = new Cipher(options.secretKey)
    if (!isDone) await refuseOtherKey(db, cipher)
    const migrated = isDone ? [] : await patiently(all => migrate(withoutSchema(all), engine))
    if (engine !== 'sqlite' && !options.asItIs) await proveWritable(db)
    // Without, rows have a place too: nobody has to wait for whoever is reading there.
    if (engine === 'postgres' && !options.asItIs)
      await ensureLogPartitions(db, new Date()).catch(error =>
        log.warn('a month of the log has no partition yet; it is made within the hour', { error }),
      )
    await proveSecretKey(db, cipher)
    await bus.noteRevisions()
    const settings = await Settings.load(db, cipher, bus)
    const self = randomBytes(8).toString('hex')
    if (options.neighbours) bus.attach(options.neighbours(bus))
    if (options.redisUrl) bus.attach(await redisTransport(bus, options.redisUrl, self))
    if (listener) bus.attach(await postgresTransport(bus, listener, self))
    bus.startPolling()
    const id = await instanceId(db)
    const counters = await openCounters(options.redisUrl, id)
    const answers = options.redisUrl ? new SharedAnswers(options.redisUrl, id, cipher) : undefined
    const transaction: Store['transaction'] = work => againAfterDeadlock(() => db.transaction().execute(work))
    return {
      db,
      batch,
      engine,
      cipher,
      bus,
      settings,
      instanceId: id,
      counters,
      answers,
      migrated,
      transaction,
      patiently,
      async change(topic, work) {
        const result = await transaction(async changing => {
          const done = await work(changing)
          await bus.mark(changing, topic)
          return done
        })
        await bus.announce(topic)
        return result
      },
      async ping() {
        await sql`select 1`.execute(db)
      },
      async close() {
        await answers?.close()
        await counters.close()
        await bus.close()
        await db.destroy()
      },
    }
  } catch (error) {
    await bus.close().catch(() => {})
    await db.destroy().catch(() => {})
    throw error
  }
}

function connect({ engine, target, connections = 12 }: StoreOptions): Connected {
  if (engine === 'sqlite') {
    mkdirSync(dirname(target), { recursive: true, mode: 0o700 })
    const dialect = new SqliteDialect(target)
    return { db: new Kysely<Schema>({ dialect }), batch: sqliteBatch(dialect.driver) }
  }
  const dialect = new BunSqlDialect(engine, target, { connections })
  const connected = {
    db: new Kysely<Schema>({ dialect }),
    batch: bunSqlBatch(engine, dialect.batches, { isPooled: dialect.isPooled }),
  }
  return engine === 'postgres' && !dialect.isPooled ? { ...connected, listener: dialect } : connected
}

/** One for the work, one more for what it does beside. */
const patient = { withinMs: patience.longMs, connections: 4 }

async function onPatient<T>(
  engine: Exclude<Engine, 'sqlite'>,
  target: string,
  work: (db: Kysely<Schema>) => Promise<T>,
): Promise<T> {
  const db = new Kysely<Schema>({ dialect: new BunSqlDialect(engine, target, patient) })
  try {
    return await work(db)
  } finally {
    await db.destroy()
  }
}

/** For migrations, which begin before there are tables. */
function withoutSchema(db: Kysely<Schema>): Kysely<unknown> {
  return db as unknown as Kysely<unknown>
}

interface Connected {
  readonly db: Kysely<Schema>
  readonly batch: RunBatch
  /** Hears of changes that other nodes make, where a session lasts. */
  readonly listener?: BunSqlDialect
}
