import type { Selectable } from 'kysely'
import type { RedemptionView } from '../../../contract/redemptions.ts'
import type { Redemptions } from '../../store/schema.ts'

export function viewRedemption(row: Selectable<Redemptions>): RedemptionView {
  return {
    id: row.id,
    user_id: row.user_id,
    key: row.key,
    status: row.status,
    name: row.name,
    quota: row.quota,
    created_time: row.created_time,
    redeemed_time: row.redeemed_time,
    count: 0,
    used_user_id: row.used_user_id,
    expired_time: row.expired_time,
    DeletedAt: null,
  }
}
