import { randomBytes } from 'node:crypto'
import type { Kysely } from 'kysely'
import type { Cipher, Place } from './cipher.ts'
import type { Schema } from './schema.ts'
import { UniqueViolation } from './store-error.ts'

/** The name of the fact that only the right key opens. */
export const SECRET_PROOF = 'secret-proof'
const secretProof: Place = { table: 'system', column: 'value', row: SECRET_PROOF }

/** SECRET_KEY is not the one this database was filled with. */
export class WrongSecretKey extends Error {
  override readonly name = 'WrongSecretKey'
  constructor() {
    super(
      'SECRET_KEY does not belong to this database: what was encrypted with the former key cannot be read. ' +
        'Start with the former SECRET_KEY (or its secret.key file). Nothing in the database was changed.',
    )
  }
}

export async function readFact(db: Kysely<Schema>, key: string): Promise<string | undefined> {
  const row = await db.selectFrom('system').select('value').where('key', '=', key).executeTakeFirst()
  return row?.value
}

/** Writes a fact that may be written once; false when it stood already. */
async function claimFact(db: Kysely<Schema>, key: string, value: string): Promise<boolean> {
  try {
    await db.insertInto('system').values({ key, value }).execute()
    return true
  } catch (error) {
    if (error instanceof UniqueViolation) return false
    throw error
  }
}

/** Changes nothing. A server that is read-only, or has become a replica, answers whoever asks and refuses this. */
export async function proveWritable(db: Kysely<Schema>): Promise<void> {
  await db
    .updateTable('system')
    .set(row => ({ value: row.ref('value') }))
    .where('key', '=', SECRET_PROOF)
    .execute()
}

/** Proves that the key opens what this database holds, or leaves the proof on a new one. */
export async function proveSecretKey(db: Kysely<Schema>, cipher: Cipher): Promise<void> {
  refuseOtherProof(cipher, (await readFact(db, SECRET_PROOF)) ?? (await leaveProof(db, cipher)))
}

export function refuseOtherProof(cipher: Cipher, proof: string): void {
  try {
    cipher.open(secretProof, proof)
  } catch {
    throw new WrongSecretKey()
  }
}

/** For a database that is about to be brought up to date: whoever has another key could not go back. */
export async function refuseOtherKey(db: Kysely<Schema>, cipher: Cipher): Promise<void> {
  // Where the table is not there yet nobody has left a proof.
  const proof = await readFact(db, SECRET_PROOF).catch(() => undefined)
  if (proof !== undefined) await proveSecretKey(db, cipher)
}

async function leaveProof(db: Kysely<Schema>, cipher: Cipher): Promise<string> {
  const proof = cipher.seal(secretProof, randomBytes(16).toString('hex'))
  if (await claimFact(db, SECRET_PROOF, proof)) return proof
  return (await readFact(db, SECRET_PROOF)) ?? proof
}

/** The name of the fact that every installation has, and that never changes. */
export const INSTANCE_ID = 'instance-id'

/** This installation's own id, made once. */
export async function instanceId(db: Kysely<Schema>): Promise<string> {
  const known = await readFact(db, INSTANCE_ID)
  if (known) return known
  await claimFact(db, INSTANCE_ID, randomBytes(16).toString('hex'))
  const made = await readFact(db, INSTANCE_ID)
  if (!made) throw new Error('the installation has no id')
  return made
}
