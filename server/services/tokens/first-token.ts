import type { Transaction } from 'kysely'
import { LONGEST_TOKEN_NAME_BYTES } from '../../../contract/tokens.ts'
import type { Schema } from '../../store/schema.ts'
import { AUTO, groupsBehind } from '../../store/user-groups.ts'
import type { App } from '../app.ts'
import { insertToken } from './token-changes.ts'

/** What the family calls it; a name that would not fit before it is left out. */
const NAME = '初始令牌'

/** Where the operator wants it, whoever has just registered finds a token that spends from the whole balance. */
export async function giveFirstToken(
  app: App,
  transaction: Transaction<Schema>,
  user: { readonly id: number; readonly username: string; readonly group: string },
): Promise<void> {
  if (!app.generateDefaultToken) return
  const whole = `${user.username}的${NAME}`
  const name = Buffer.byteLength(whole) <= LONGEST_TOKEN_NAME_BYTES ? whole : NAME
  const { settings } = app
  const isAuto = settings.get('DefaultUseAutoGroup') && groupsBehind(settings, user.group, AUTO)?.length
  await insertToken(app, transaction, user.id, {
    name,
    unlimited_quota: 1,
    ...(isAuto ? { group: AUTO } : {}),
  })
}
