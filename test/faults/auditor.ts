import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { audit } from '../../server/ledger/audit.ts'
import type { Store } from '../../server/store/index.ts'
import { until } from '../program.ts'
import type { Sight } from './load.ts'

export interface Evidence {
  readonly store: Store
  readonly sights: readonly Sight[]
  /** The provider's own count of what each request got. */
  readonly produced: ReadonlyMap<string, number>
}

/** Waits until nothing is under way any more: no open hold, nothing in a journal. */
export async function healed(store: Store, dataDir: string): Promise<void> {
  await until(async () => (await openHolds(store)) === 0 && journalFiles(dataDir).length === 0)
}

export async function openHolds(store: Store): Promise<number> {
  return (await store.db.selectFrom('holds').select('id').where('state', '=', 'open').execute()).length
}

export function journalFiles(dataDir: string): string[] {
  const folder = join(dataDir, 'journal')
  return existsSync(folder) ? readdirSync(folder) : []
}

/** Everything that is wrong after the system has healed; an empty list is the only good answer. */
export async function findFaults({ store, sights, produced }: Evidence): Promise<string[]> {
  const faults: string[] = []
  const { differences } = await audit(store.db)
  for (const { check, subject, expected, found } of differences)
    faults.push(`books: ${check}: ${subject} should be ${expected} and is ${found}`)

  const charges = new Map<string, number>()
  const rows = await store.db
    .selectFrom('ledger_entries')
    .select(['ref', 'user_amount'])
    .where('kind', '=', 'charge')
    .execute()
  for (const { ref, user_amount } of rows) {
    if (charges.has(ref)) faults.push(`I2: ${ref} was charged twice`)
    charges.set(ref, -user_amount)
  }
  for (const sight of sights) faults.push(...judge(sight, charges, produced))

  const poor = await store.db.selectFrom('users').select(['id', 'quota']).where('quota', '<', 0).execute()
  for (const { id, quota } of poor) faults.push(`I5: user ${id} has ${quota}`)
  const open = await openHolds(store)
  if (open > 0) faults.push(`I7: ${open} holds are open`)
  return faults
}

function judge(
  { call, refused, charge, checkpoint, broken }: Sight,
  charges: ReadonlyMap<string, number>,
  produced: ReadonlyMap<string, number>,
): string[] {
  const charged = charges.get(call.id)
  const made = produced.get(call.id) ?? 0
  const faults: string[] = []
  if (refused !== undefined && charged !== undefined)
    faults.push(`I6: ${call.id} was refused with ${refused} and charged ${charged}`)
  if (call.failsAfter === 0 && charged !== undefined)
    faults.push(`I6: ${call.id} failed before its first token and was charged ${charged}`)
  // Nothing may be charged when others finished the request first; then the client is told so.
  if (charge !== undefined && (charged ?? 0) !== charge)
    faults.push(`I3: ${call.id} was told ${charge} and charged ${charged}`)
  if ((charged ?? 0) > made) faults.push(`I4: ${call.id} was charged ${charged} of ${made} produced`)
  if (broken && (charged ?? 0) < checkpoint)
    faults.push(`I4: ${call.id} broke off at checkpoint ${checkpoint} and was charged ${charged}`)
  return faults
}
