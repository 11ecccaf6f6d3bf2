import type { Selectable } from 'kysely'
import { AppError } from '../../errors.ts'
import { makeLasting } from '../../ledger/lasting-hold.ts'
import type { BackgroundResponses, BackgroundState } from '../../store/background-schema.ts'
import type { Store } from '../../store/index.ts'
import type { Caller } from '../callers/caller.ts'
import type { Keeper } from '../chat/conversation.ts'
import { sharesAnswers } from '../chat/shares-answers.ts'
import type { HandedOver } from '../order/charged-for.ts'
import type { RelayParts } from '../parts.ts'
import type { StoringDialect } from '../request/match-route.ts'
import { formOf, type JobForm } from './job-form.ts'

/** A response that an upstream makes in the background, and what pays for it. */
export type Job = Selectable<BackgroundResponses>

export const jobStates = { running: 'running', ended: 'ended' } as const satisfies {
  readonly [State in BackgroundState]: State
}

/** What its end is settled by. */
export interface JobTerms extends HandedOver {
  /** Tokens of the prompt, as near as was known: for an upstream that does not count. */
  readonly estimatedTokens: number
  /** In whose words it is asked after. Absent: Responses, which were the first. */
  readonly dialect?: StoringDialect | undefined
}

export function termsOf({ terms }: Job): JobTerms {
  return JSON.parse(terms) as JobTerms
}

/** How the vendor tells of one that is running. */
export function formOfJob(job: Job): JobForm {
  return formOf(termsOf(job).dialect ?? 'openai-responses')
}

/** Of one user's at a time. */
export const MOST_OPEN = 500
/** For as long as a vendor stores a response. */
const KEPT_SECONDS = 30 * 86_400

/** Before anything is begun: what runs is asked after again and again, and that has an end too. */
export async function refuseTooMany({ store }: RelayParts, userId: number): Promise<void> {
  const { open } = await store.db
    .selectFrom('background_responses')
    .select(rows => rows.fn.countAll().as('open'))
    .where('user_id', '=', userId)
    .where('state', '=', jobStates.running)
    .executeTakeFirstOrThrow()
  if (Number(open) >= MOST_OPEN) throw new AppError('background.too-many', { limit: MOST_OPEN })
}

/** From here on the hold belongs to the job, whichever process dies. */
export async function openJob({ store }: RelayParts, job: Job): Promise<void> {
  await store.transaction(async transaction => {
    if (!(await makeLasting(transaction, job.request_id))) throw new AppError('task.interrupted')
    await transaction.insertInto('background_responses').values(job).execute()
  })
}

/** The caller's own; somebody else's is as unknown as one that never was, and so is one in other words. */
export async function findJob(
  parts: RelayParts,
  caller: Caller,
  id: string,
  dialect: StoringDialect,
): Promise<Job | undefined> {
  const job = await parts.store.db
    .selectFrom('background_responses')
    .selectAll()
    .where('user_id', '=', caller.userId)
    .where('response_id', '=', id)
    .orderBy('submitted_at', 'desc')
    .executeTakeFirst()
  if (!job || (job.state === jobStates.running && formOfJob(job).dialect !== dialect)) return undefined
  const isShared = await sharesAnswers(parts, caller, { userId: job.user_id, tokenId: job.token_id })
  return isShared ? job : undefined
}

/** It is paid, or has come to nothing: nobody asks after it any more. */
export async function closeJob({ store }: RelayParts, { request_id }: Job): Promise<boolean> {
  const { numUpdatedRows } = await store.db
    .updateTable('background_responses')
    .set({ state: jobStates.ended, terms: '' })
    .where('request_id', '=', request_id)
    .where('state', '=', jobStates.running)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

export function hashKey({ store }: RelayParts, key: string): string {
  return store.cipher.hash('stored-key', key)
}

/** Who makes it, with the key that it was begun with; undefined when its channel is gone. */
export function makerOf(parts: RelayParts, { channel_id, key_hash }: Job): Keeper | undefined {
  const channel = parts.channels.byId(channel_id)
  const key = channel?.keys.find(one => hashKey(parts, one) === key_hash) ?? channel?.keys[0]
  return channel && key !== undefined ? { channel, key } : undefined
}

/** What ended so long ago that no vendor stores it any more. */
export async function sweepJobs({ db }: Pick<Store, 'db'>, now: number): Promise<void> {
  await db
    .deleteFrom('background_responses')
    .where('state', '=', jobStates.ended)
    .where('submitted_at', '<=', now - KEPT_SECONDS)
    .execute()
}
