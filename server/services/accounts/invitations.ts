import { AppError } from '../../errors.ts'
import { UniqueViolation } from '../../store/store-error.ts'
import type { App } from '../app.ts'
import { randomText } from '../random-text.ts'

const SHORTEST = 4

/** A user's invite code, made when first asked for. Where the short ones run out they grow longer. */
export async function inviteCode(app: App, userId: number): Promise<string> {
  for (let attempt = 0; attempt < 12; attempt++) {
    const known = await readCode(app, userId)
    if (known) return known
    await claimCode(app, userId, randomText(SHORTEST + Math.floor(attempt / 4)))
  }
  throw new AppError('server.internal', {}, new Error('no invite code was free'))
}

async function readCode({ store }: App, userId: number): Promise<string | null> {
  const row = await store.db
    .selectFrom('users')
    .select('aff_code')
    .where('id', '=', userId)
    .executeTakeFirst()
  if (!row) throw new AppError('row.not-found')
  return row.aff_code
}

/** Of two calls at once the first one's code stands. */
async function claimCode({ store }: App, userId: number, code: string): Promise<void> {
  try {
    await store.db
      .updateTable('users')
      .set({ aff_code: code })
      .where('id', '=', userId)
      .where(user => user.or([user('aff_code', 'is', null), user('aff_code', '=', '')]))
      .execute()
  } catch (error) {
    if (!(error instanceof UniqueViolation)) throw error
  }
}
