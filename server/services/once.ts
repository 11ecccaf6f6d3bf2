import type { Transaction } from 'kysely'
import { AppError } from '../errors.ts'
import type { Store } from '../store/index.ts'
import type { Schema } from '../store/schema.ts'
import { UniqueViolation } from '../store/store-error.ts'
import type { App } from './app.ts'
import type { Call, Caller } from './call.ts'

const PREFIX = 'once '
const BEHIND = 'once!'
/** As long as somebody may try again who has heard no answer. */
const KEPT_SECONDS = 86_400

/** What is done under the caller's own name for it, inside the transaction that does it. */
export interface Once<Answer> {
  /** First of all: whoever comes second under the same name waits here until the first is through, and goes no further. */
  begin(transaction: Transaction<Schema>): Promise<void>
  /** Last of all, with what whoever asks again is told. */
  end(transaction: Transaction<Schema>, answer: Answer): Promise<void>
}

/** It was done before: the transaction ends with this, and leaves nothing. */
class DoneBefore extends Error {
  override readonly name = 'DoneBefore'
}

const unnamed: Once<unknown> = { begin: async () => {}, end: async () => {} }

/**
 * Does what a call asks for, once under the name that its caller may give it: who has lost the answer and asks again is
 * told the same, and nothing is done. The name is kept with what was done, so both are there or neither.
 */
export async function doOnce<Answer>(
  app: Pick<App, 'store' | 'now'>,
  call: Pick<Call<unknown, unknown, Caller>, 'body' | 'caller' | 'idempotencyKey'>,
  action: string,
  work: (once: Once<Answer>) => Promise<Answer>,
): Promise<Answer> {
  const { store, now } = app
  const { body, caller, idempotencyKey } = call
  if (!idempotencyKey) return work(unnamed)
  const key = PREFIX + store.cipher.hash('once', `${caller.id} ${action} ${idempotencyKey}`).slice(0, 40)
  const head = `${store.cipher.hash('once', JSON.stringify(body)).slice(0, 40)} `
  const once: Once<Answer> = {
    async begin(transaction) {
      try {
        await transaction
          .insertInto('system')
          .values({ key, value: `${now()} ${head}` })
          .execute()
      } catch (error) {
        throw error instanceof UniqueViolation ? new DoneBefore() : error
      }
    },
    async end(transaction, answer) {
      const value = `${now()} ${head}${JSON.stringify({ answer })}`
      await transaction.updateTable('system').set({ value }).where('key', '=', key).execute()
    },
  }
  try {
    return await work(once)
  } catch (error) {
    if (!(error instanceof DoneBefore)) throw error
    return await formerAnswer(store, key, head)
  }
}

async function formerAnswer<Answer>({ db }: Store, key: string, head: string): Promise<Answer> {
  const row = await db.selectFrom('system').select('value').where('key', '=', key).executeTakeFirst()
  const said = row?.value.slice(row.value.indexOf(' ') + 1)
  if (!said?.startsWith(head)) throw new AppError('request.key-reused')
  return (JSON.parse(said.slice(head.length)) as { answer: Answer }).answer
}

/** The time stands first, and has ten digits for as long as anybody cares. */
export async function sweepOnce({ store, now }: Pick<App, 'store' | 'now'>): Promise<void> {
  await store.db
    .deleteFrom('system')
    .where('key', '>=', PREFIX)
    .where('key', '<', BEHIND)
    .where('value', '<', String(now() - KEPT_SECONDS))
    .execute()
}
