import { type Selectable, sql, type Transaction } from 'kysely'
import type { AuditAction } from '../../contract/audit-actions.ts'
import { AppError } from '../errors.ts'
import { plainText } from '../ledger/plain-text.ts'
import { hideCredentials, hideInAddress } from '../outbound/credentials.ts'
import type { Store } from '../store/index.ts'
import type { AuditRecords, Schema } from '../store/schema.ts'
import type { App } from './app.ts'
import type { Caller } from './call.ts'

/** What was done to what. `before` and `after` hold only what changed; secrets in them are masked. */
export interface AuditEvent {
  readonly action: AuditAction
  /** Such as `user:12`. */
  readonly subject: string
  readonly before?: Readonly<Record<string, unknown>>
  readonly after?: Readonly<Record<string, unknown>>
}

/** Who did it: a call, or as much of one as is known. */
export interface Doer {
  readonly caller: Pick<Caller, 'id' | 'username' | 'acting'> | undefined
  readonly address: string
}

type Row = Selectable<AuditRecords>

const HEAD = 'audit-head'
const MASK = '******'
const LONGEST_VALUE = 20_000

/**
 * Appends to the record of management changes. Given the transaction that makes the change, both happen or
 * neither; it should then be the last thing the transaction does, for appends wait for each other.
 */
export async function recordAudit(
  app: Pick<App, 'store' | 'now'>,
  doer: Doer,
  event: AuditEvent,
  transaction?: Transaction<Schema>,
): Promise<void> {
  if (transaction) await append(app, transaction, doer, event)
  else await app.store.transaction(own => append(app, own, doer, event))
}

async function append(
  app: Pick<App, 'store' | 'now'>,
  transaction: Transaction<Schema>,
  { caller, address }: Doer,
  event: AuditEvent,
): Promise<void> {
  // A team does nothing by itself.
  const doer = caller?.acting?.person ?? caller
  const { count, hash: previous_hash } = await lockHead(transaction, app.store)
  const unsigned = {
    id: count + 1,
    created_at: app.now(),
    user_id: doer?.id ?? 0,
    // What is signed is what every engine keeps as it is.
    username: plainText(doer?.username ?? '', 100),
    address: plainText(address, 64),
    action: event.action.slice(0, 64),
    subject: plainText(event.subject, 128),
    before: writeOut(event.before),
    after: writeOut(event.after),
    previous_hash,
  }
  const hash = signRecord(app.store, unsigned)
  await transaction
    .insertInto('audit_records')
    .values({ ...unsigned, hash })
    .execute()
  await transaction
    .updateTable('system')
    .set({ value: `${unsigned.id}:${hash}` })
    .where('key', '=', HEAD)
    .execute()
}

/** Keyed, so that whoever can write to the database still cannot write a chain that holds. */
export function signRecord({ cipher }: Pick<Store, 'cipher'>, row: Omit<Row, 'hash'>): string {
  const fields = [row.id, row.created_at, row.user_id, row.username, row.address, row.action, row.subject]
  return cipher.hash('audit', JSON.stringify([row.previous_hash, ...fields, row.before, row.after]))
}

export async function readHead({ db }: Pick<Store, 'db'>): Promise<{ count: number; hash: string }> {
  const row = await db.selectFrom('system').select('value').where('key', '=', HEAD).executeTakeFirst()
  return parseHead(row?.value)
}

/** Locked until the transaction ends where the engine locks rows: the next append waits here. */
async function lockHead(transaction: Transaction<Schema>, { engine }: Pick<Store, 'engine'>) {
  const lock = engine === 'sqlite' ? sql`` : sql`for update`
  const { rows } = await sql<{ value: string }>`
    select value from ${sql.table('system')} where ${sql.ref('key')} = ${HEAD} ${lock}`.execute(transaction)
  return parseHead(rows[0]?.value)
}

function parseHead(value: string | undefined): { count: number; hash: string } {
  const [, count, hash] = /^(\d{1,15}):(.*)$/.exec(value ?? '') ?? []
  if (count === undefined || hash === undefined)
    throw new AppError('server.internal', {}, new Error('the record of changes has lost its end'))
  return { count: Number(count), hash }
}

function writeOut(values: AuditEvent['before']): string {
  return values === undefined ? '' : JSON.stringify(values, (name, value) => shown(name, value))
}

const secretName = /(password|secret|token|key|hash|sealed)$/i
const addressName = /(url|proxy)$/i

function shown(name: string, value: unknown): unknown {
  if (secretName.test(name) && value !== null && value !== '' && typeof value !== 'boolean') return MASK
  if (typeof value !== 'string') return value
  const text = addressName.test(name) ? hideInAddress(value) : hideCredentials(value)
  return text.length > LONGEST_VALUE ? `${text.slice(0, LONGEST_VALUE)}… (${text.length})` : text
}
