import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { audit } from '../../server/ledger/audit.ts'
import type { Store } from '../../server/store/index.ts'
import { until } from '../program.ts'
import type { Call, Sight } from './load.ts'
import { PRICE } from './seed.ts'
import { PROMPT_TOKENS, type Served, type Upstream } from './upstream.ts'

export interface Evidence {
  readonly store: Store
  readonly sights: readonly Sight[]
  /** The provider's own count of what each call got. */
  readonly record: ReadonlyMap<string, Served>
  /** What the books had as certain, by request, at some moment before a process died. */
  readonly checkpoints: ReadonlyMap<string, number>
  /** No process was killed or frozen: then who left is charged for all that was seen. */
  readonly unharmed?: boolean
  /** Calls that were made besides the ones seen, and may be charged. */
  readonly unseen?: readonly Call[]
  /** Requests that others finished for a process that was taken for dead: the test knows what they cost. */
  readonly outlived?: ReadonlyMap<string, number>
  /** The model ratios that were in force when a call began; 1 when nobody edits them. */
  readonly ratiosOf?: (sight: Sight) => readonly number[]
}

/** Waits until nothing is under way any more: no request at the provider, no open hold, nothing in a journal. */
export async function healed(store: Store, dataDir: string, upstream: Upstream): Promise<void> {
  await until(
    async () => upstream.live === 0 && (await openHolds(store)) === 0 && journalFiles(dataDir).length === 0,
  )
}

export async function openHolds(store: Store): Promise<number> {
  return (await store.db.selectFrom('holds').select('id').where('state', '=', 'open').execute()).length
}

export function journalFiles(dataDir: string): string[] {
  const folder = join(dataDir, 'journal')
  return existsSync(folder) ? readdirSync(folder) : []
}

/** A charge as the books have it: tokens of the answer, and of the prompt. */
interface Charge {
  readonly amount: number
  readonly userId: number
  readonly ratio: number
  readonly output: number
  readonly input: number
}

/** Everything that is wrong after the system has healed; an empty list is the only good answer. */
export async function findFaults(evidence: Evidence): Promise<string[]> {
  const { store, sights, checkpoints } = evidence
  const faults: string[] = []
  const { differences } = await audit(store.db)
  for (const { check, subject, expected, found } of differences)
    faults.push(`books: ${check}: ${subject} should be ${expected} and is ${found}`)

  const charges = await readCharges(store, faults)
  for (const sight of sights) faults.push(...judge(sight, charges.get(sight.requestId), evidence))
  faults.push(...judgeStrangers(charges, evidence))
  for (const [id, checkpoint] of checkpoints) {
    const charged = charges.get(id)?.amount ?? 0
    if (charged < checkpoint) faults.push(`I4: ${id} had checkpoint ${checkpoint} and was charged ${charged}`)
  }

  const poor = await store.db.selectFrom('users').select(['id', 'quota']).where('quota', '<', 0).execute()
  for (const { id, quota } of poor) faults.push(`I5: user ${id} has ${quota}`)
  const open = await openHolds(store)
  if (open > 0) faults.push(`I7: ${open} holds are open`)
  return faults
}

async function readCharges(store: Store, faults: string[]): Promise<Map<string, Charge>> {
  const charges = new Map<string, Charge>()
  const rows = await store.db
    .selectFrom('ledger_entries')
    .innerJoin('holds', 'holds.id', 'ledger_entries.ref')
    .select(['ref', 'user_amount', 'ledger_entries.user_id', 'price'])
    .where('kind', '=', 'charge')
    .execute()
  for (const { ref, user_amount, user_id, price } of rows) {
    if (charges.has(ref)) faults.push(`I2: ${ref} was charged twice`)
    const amount = -user_amount
    const ratio = (JSON.parse(price) as { modelRatio: number }).modelRatio
    if (amount % ratio !== 0) faults.push(`I8: ${ref} was charged ${amount} at ${ratio}`)
    const units = Math.floor(amount / ratio)
    charges.set(ref, {
      amount,
      userId: user_id,
      ratio,
      output: Math.floor(units / PRICE),
      input: units % PRICE,
    })
  }
  return charges
}

function judge(sight: Sight, charge: Charge | undefined, evidence: Evidence): string[] {
  const { call, refused, tokens, done, failed, left } = sight
  const { unharmed = false, outlived } = evidence
  const made = evidence.record.get(call.id) ?? { asked: 0, tokens: 0, whole: false }
  const output = charge?.output ?? 0
  const told = `${call.id} (${sight.requestId}) was charged ${charge?.amount} for ${made.tokens} produced, ${tokens} seen`
  const faults: string[] = []
  const fault = (rule: string): void => {
    faults.push(`${rule}: ${told}`)
  }

  if (refused !== undefined && charge) fault(`I6 refused with ${refused}`)
  if (call.failsAfter === 0 && charge) fault('I6 failed before its first token')
  if (output > made.tokens) fault('I4 more than was produced')
  if (tokens > made.tokens) fault('more was seen than was produced')
  if (charge && charge.input > mostInput(sight)) fault('I4 more input than was sent')
  const ratios = evidence.ratiosOf?.(sight) ?? [1]
  if (charge && sight.requestId !== '' && !ratios.includes(charge.ratio))
    fault(`at ratio ${charge.ratio}, when ${ratios} was in force`)

  const known = outlived?.get(sight.requestId)
  if (known !== undefined) {
    if ((charge?.amount ?? 0) !== known) fault(`I7 finished by others at ${known}`)
    return faults
  }
  if (done && (!made.whole || tokens !== made.tokens)) fault('an end without the whole')
  if (done && (output !== made.tokens || charge?.input !== PROMPT_TOKENS)) fault('I3 the end was sent')
  // Whoever is told that it ended early, or left a program that lives on, pays for no less than was seen.
  if ((failed || (left && unharmed)) && output < tokens) fault('I4 less than was seen')
  return faults
}

/** No token is shorter than a byte; a few more stand around each message. */
function mostInput({ call }: Sight): number {
  return JSON.stringify(call).length + 10
}

/** Charges of requests whose client never heard their id: no more than there are such calls, nor than they got. */
function judgeStrangers(
  charges: ReadonlyMap<string, Charge>,
  { sights, record, unseen = [] }: Evidence,
): string[] {
  const faults: string[] = []
  const heard = new Set(sights.map(({ requestId }) => requestId))
  const unheard = sights.filter(({ requestId }) => requestId === '').map(({ call }) => call)
  const sums = new Map<number, { charged: number; output: number; calls: number; produced: number }>()
  const sumOf = (userId: number) => {
    const sum = sums.get(userId) ?? { charged: 0, output: 0, calls: 0, produced: 0 }
    sums.set(userId, sum)
    return sum
  }
  for (const [id, { userId, output }] of charges) {
    if (heard.has(id)) continue
    const sum = sumOf(userId)
    sum.charged++
    sum.output += output
  }
  for (const { id, payer } of [...unheard, ...unseen]) {
    const sum = sumOf(payer.userId)
    sum.calls++
    sum.produced += record.get(id)?.tokens ?? 0
  }
  for (const [userId, { charged, output, calls, produced }] of sums)
    if (charged > calls || output > produced)
      faults.push(
        `I2: user ${userId} paid ${charged} times for ${calls} calls nobody heard of, ${output} of ${produced} tokens`,
      )
  return faults
}
