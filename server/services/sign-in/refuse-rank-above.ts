import { AppError } from '../../errors.ts'
import type { App } from '../app.ts'
import type { Caller } from '../call.ts'

/** Who resets another's means of signing in stands above them: otherwise an administrator becomes root by it. */
export async function refuseRankAbove({ store }: App, caller: Caller, userId: number): Promise<void> {
  const user = await store.db.selectFrom('users').select('role').where('id', '=', userId).executeTakeFirst()
  if (!user) throw new AppError('row.not-found')
  if (user.role >= caller.role) throw new AppError('users.edit-rank')
}
