import type { Transaction } from 'kysely'
import type { Schema } from '../../store/schema.ts'
import { putRow } from '../../store/upsert.ts'
import type { App } from '../app.ts'

/** Whom a proof concerns; only a hash of it is kept. */
export interface Claim {
  readonly kind: 'email' | 'reset' | 'captcha'
  readonly subject: string
}

const MOST_TRIES = 5

/** Keeps the hash of a secret that someone will have to show; it takes the place of the former one. */
export async function keepProof(app: App, claim: Claim, secret: string, seconds: number): Promise<void> {
  const { store, now } = app
  await putRow(store.db, store.engine, 'proofs', keyOf(app, claim), {
    secret_hash: secretHash(app, claim, secret),
    tries: 0,
    expires_at: now() + seconds,
  })
}

/** Whether something stands for this claim, whatever its secret. */
export async function hasProof(app: App, claim: Claim): Promise<boolean> {
  const { kind, subject } = keyOf(app, claim)
  const row = await app.store.db
    .selectFrom('proofs')
    .select('expires_at')
    .where('kind', '=', kind)
    .where('subject', '=', subject)
    .executeTakeFirst()
  return row !== undefined && row.expires_at > app.now()
}

/** Whether the secret is the right one. Each question is counted first; after five there are no answers. */
export async function tryProof(app: App, claim: Claim, secret: string): Promise<boolean> {
  const { kind, subject } = keyOf(app, claim)
  const { numUpdatedRows } = await app.store.db
    .updateTable('proofs')
    .set(proof => ({ tries: proof('tries', '+', 1) }))
    .where('kind', '=', kind)
    .where('subject', '=', subject)
    .where('tries', '<', MOST_TRIES)
    .where('expires_at', '>', app.now())
    .executeTakeFirst()
  return numUpdatedRows === 1n && isProof(app, claim, secret)
}

/**
 * The same for a secret that nobody guesses in any number of tries. They are not counted: else whoever knows
 * the address could use them up in its owner's place.
 */
export async function isProof(app: App, claim: Claim, secret: string): Promise<boolean> {
  const { kind, subject } = keyOf(app, claim)
  const row = await app.store.db
    .selectFrom('proofs')
    .select(['secret_hash', 'expires_at'])
    .where('kind', '=', kind)
    .where('subject', '=', subject)
    .executeTakeFirst()
  return row?.secret_hash === secretHash(app, claim, secret) && row.expires_at > app.now()
}

/** Uses up a proof together with what it was for; false when someone else has, and then nothing may happen. */
export async function spendProof(
  app: App,
  transaction: Transaction<Schema>,
  claim: Claim,
  secret: string,
): Promise<boolean> {
  const { kind, subject } = keyOf(app, claim)
  const { numDeletedRows } = await transaction
    .deleteFrom('proofs')
    .where('kind', '=', kind)
    .where('subject', '=', subject)
    .where('secret_hash', '=', secretHash(app, claim, secret))
    .where('expires_at', '>', app.now())
    .executeTakeFirst()
  return numDeletedRows === 1n
}

export async function sweepProofs({ store, now }: Pick<App, 'store' | 'now'>): Promise<void> {
  await store.db.deleteFrom('proofs').where('expires_at', '<=', now()).execute()
}

function keyOf({ store }: App, { kind, subject }: Claim): { kind: string; subject: string } {
  return { kind, subject: store.cipher.hash(`proof-subject:${kind}`, subject) }
}

function secretHash({ store }: App, { kind, subject }: Claim, secret: string): string {
  return store.cipher.hash(`proof:${kind}`, `${subject}\0${secret}`)
}
