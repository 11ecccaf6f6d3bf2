import { type Expression, expressionBuilder, type Selectable, type SqlBool } from 'kysely'
import type { OutputOf } from '../../contract/endpoint.ts'
import type { Endpoints } from '../../contract/index.ts'
import type { AuditRecords, Schema } from '../store/schema.ts'
import type { App } from './app.ts'
import { readHead, signRecord } from './audit-record.ts'
import type { CallOf, Handlers } from './call.ts'
import { Turn } from './give-way.ts'
import { numberedPage } from './paging.ts'
import { indexedPage, sought } from './search-page.ts'

type Records = OutputOf<Endpoints['auditRecords']>
type Verdict = OutputOf<Endpoints['verifyAudit']>
type Row = Selectable<AuditRecords>

const CHECKED_AT_ONCE = 1000

export function auditLogHandlers(app: App): Handlers<'auditRecords' | 'verifyAudit'> {
  return {
    auditRecords: call => listRecords(app, call),
    verifyAudit: () => verifyRecords(app),
  }
}

async function listRecords({ store }: App, { query }: CallOf<Endpoints['auditRecords']>): Promise<Records> {
  const page = numberedPage(query)
  const { action, subject, user } = query
  const record = expressionBuilder<Schema, 'audit_records'>()
  const conditions: Expression<SqlBool>[] = []
  if (action !== '') conditions.push(record('action', '=', action))
  if (subject !== '') conditions.push(record('subject', '=', subject))
  if (/^\d{1,15}$/.test(user))
    conditions.push(record.or([record('user_id', '=', Number(user)), record('username', '=', user)]))
  else if (user !== '') conditions.push(record('username', '=', user))
  const found = sought(store.db, 'audit_records', conditions)
  // Its numbers have no gaps: of all of them the end of the chain tells how many there are.
  const inChain = async (): Promise<number> => (await readHead(store)).count
  const wanted = conditions.length === 0 ? { ...found, count: inChain } : found
  const { ids, total } = await indexedPage(store.db, wanted, page)
  const rows = await store.db
    .selectFrom('audit_records')
    .selectAll()
    .where('id', 'in', [0, ...ids])
    .orderBy('id', 'desc')
    .execute()
  return { items: rows.map(viewRecord), total: await total(), page: page.number, page_size: page.limit }
}

function viewRecord({ before, after, ...row }: Row): Records['items'][number] {
  return { ...row, before: readValues(before), after: readValues(after) }
}

function readValues(text: string): Record<string, unknown> | null {
  return text === '' ? null : (JSON.parse(text) as Record<string, unknown>)
}

/** Up to where the chain ended when the check began; what is appended meanwhile is for the next check. */
export async function verifyRecords({ store }: App): Promise<Verdict> {
  const { count, hash } = await readHead(store)
  let last = { id: 0, hash: '' }
  const turn = new Turn()
  while (last.id < count) {
    const rows = await store.db
      .selectFrom('audit_records')
      .selectAll()
      .where('id', '>', last.id)
      .where('id', '<=', Math.min(count, last.id + CHECKED_AT_ONCE))
      .orderBy('id')
      .execute()
    if (rows.length === 0) return broken(count, last.id + 1)
    for (const row of rows) {
      if (turn.isOver()) await turn.next()
      if (row.id !== last.id + 1) return broken(count, last.id + 1)
      if (row.previous_hash !== last.hash || row.hash !== signRecord(store, row)) return broken(count, row.id)
      last = row
    }
  }
  return last.hash === hash ? { intact: true, records: count, broken_at: null } : broken(count, count)
}

function broken(records: number, broken_at: number): Verdict {
  return { intact: false, records, broken_at }
}
