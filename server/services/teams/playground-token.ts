import { tokenStatuses } from '../../../contract/tokens.ts'
import { UniqueViolation } from '../../store/store-error.ts'
import type { App } from '../app.ts'
import type { Caller } from '../call.ts'
import { NEVER } from '../tokens/token-view.ts'
import { staysMember } from './act-for-team.ts'
import { playgroundHash } from './team-tokens.ts'

const NAME = 'playground'

/**
 * What a member spends in the playground for a team is spent with a token of theirs like any other, which owners can
 * limit or disable. It is made when first needed, has no key, and is found by the hash that this answers; undefined for
 * whoever spends their own.
 */
export async function playgroundToken(app: App, caller: Caller): Promise<string | undefined> {
  const { store } = app
  const { acting } = caller
  if (!acting) return undefined
  const hash = playgroundHash(store, { teamId: caller.id, by: acting.person.id })
  const known = await store.db
    .selectFrom('tokens')
    .select('deleted_at')
    .where('key_hash', '=', hash)
    .executeTakeFirst()
  if (known?.deleted_at === null) return hash
  await store
    .change('tokens', async transaction => {
      await staysMember(store, transaction, caller)
      if (known)
        await transaction
          .updateTable('tokens')
          .set({ deleted_at: null, status: tokenStatuses.enabled })
          .where('key_hash', '=', hash)
          .execute()
      else
        await transaction
          .insertInto('tokens')
          .values({
            user_id: caller.id,
            created_by: acting.person.id,
            name: NAME,
            key_hash: hash,
            key_sealed: '',
            status: tokenStatuses.enabled,
            created_time: app.now(),
            accessed_time: app.now(),
            expired_time: NEVER,
            remain_quota: 0,
            used_quota: 0,
            unlimited_quota: 1,
            model_limits_enabled: 0,
            model_limits: '',
            allow_ips: null,
            group: '',
          })
          .execute()
    })
    .catch(error => {
      // Two calls at once: the other has made it.
      if (!(error instanceof UniqueViolation)) throw error
    })
  return hash
}
