import { roles } from '../../../contract/users.ts'
import { AppError } from '../../errors.ts'
import type { Doer } from '../audit-record.ts'
import type { Caller } from '../call.ts'
import type { Written } from './read-fields.ts'
import { proxyOf } from './upstream-request.ts'

/** Who edits channels: what they may do depends on their rank. */
export type Editor = Doer & { readonly caller: Pick<Caller, 'id' | 'username' | 'role'> }

type Addressed = Pick<Written, 'type' | 'base_url' | 'setting'>

/**
 * Who may not see a stored key must not have it sent where they please either. Blank leads to the vendor's own
 * address, which nobody chooses.
 */
export function refuseNewAddress({ caller }: Editor, before: Addressed, after: Addressed): void {
  if (caller.role >= roles.root) return
  if (after.type !== before.type || leadsElsewhere(before, after)) throw new AppError('channel.key-again')
}

function leadsElsewhere(before: Addressed, after: Addressed): boolean {
  const address = addressOf(after)
  if (address !== '' && address !== addressOf(before)) return true
  const proxy = proxyOf(after.setting)
  return proxy !== undefined && proxy !== proxyOf(before.setting)
}

function addressOf({ base_url }: Addressed): string {
  return (base_url ?? '').trim().replace(/\/+$/, '')
}
