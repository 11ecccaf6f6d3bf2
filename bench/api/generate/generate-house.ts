import { readEnv } from '../../../server/env.ts'
import { openStore, type Store } from '../../../server/store/index.ts'
import { ensureLogPartitions } from '../../../server/store/log-partitions.ts'
import { SECRET_KEY } from '../../relay/seed-store.ts'
import { generateLogs } from './log-rows.ts'
import { generatePeople } from './people.ts'
import { openRaw, type RawDatabase } from './raw-database.ts'
import { generateAudit, generateRecords, generateTraces } from './records.ts'
import { spread } from './spread.ts'

/** What has a row for every call, or every hour of it; and what else has many. */
const large = ['logs', 'usage_hourly', 'usage_latency_hourly', 'usage_labels_hourly']
const lists = ['users', 'tokens', 'channels', 'redemptions', 'top_ups', 'midjourneys', 'tasks']
const numbered = [...lists, 'subscriptions']

/** Fills a database that has its tables. The indexes of what is large are made once it is there. */
export async function generateHouse(url: string, rows: number, upstream: string): Promise<void> {
  const now = Math.floor(Date.now() / 1000)
  const open = () => openStore({ ...readEnv({ DATABASE_URL: url }).database, secretKey: SECRET_KEY })
  const store = await open()
  try {
    await generatePeople(store, upstream, now)
    await generateAudit(store, now)
    const monthsAgo = new Date((now - spread.days * 86_400) * 1000)
    if (store.engine === 'postgres') await ensureLogPartitions(store.db, monthsAgo)
  } finally {
    await store.close()
  }
  const raw = openRaw(url)
  try {
    const indexes = await takeIndexes(raw)
    await generateLogs(raw, rows, now)
    for (const index of indexes) await raw.run(index)
    await generateRecords(raw, now)
    await traceNewest(open, raw)
    if (raw.engine === 'postgres') await settlePostgres(raw)
    if (raw.engine === 'mysql') await raw.run(`analyze table ${[...large, ...numbered].join(', ')}`)
  } finally {
    await raw.close()
  }
}

async function traceNewest(open: () => Promise<Store>, raw: RawDatabase): Promise<void> {
  const store = await open()
  try {
    await generateTraces(store, raw)
  } finally {
    await store.close()
  }
}

/** Drops the log's indexes; returns what makes them again. */
async function takeIndexes(raw: RawDatabase): Promise<string[]> {
  // What refers to another table by one would not let it go.
  if (raw.engine === 'mysql') return []
  const tables = `(${large.map(table => `'${table}'`).join(', ')})`
  const [names, texts] =
    raw.engine === 'sqlite'
      ? ['name', `sql from sqlite_master where type = 'index' and sql is not null and tbl_name in ${tables}`]
      : ['indexname', `indexdef from pg_indexes where tablename in ${tables} and indexname not like '%_pk%'`]
  const made = await raw.list(`select ${texts} order by 1`)
  for (const name of await raw.list(`select ${texts.replace(/^\w+/, names)}`))
    await raw.run(`drop index ${name}`)
  // Of a partitioned table the text is that of the parent alone.
  return made.map(text => text.replace(' ON ONLY ', ' ON '))
}

/** What autovacuum does within its minute, and the counters behind rows that named their own ids. */
async function settlePostgres(raw: RawDatabase): Promise<void> {
  for (const table of ['logs', ...numbered])
    await raw.run(`select setval(pg_get_serial_sequence('${table}', 'id'), (select max(id) from ${table}))`)
  await raw.run('vacuum analyze')
}
