import { roles } from '../../../contract/users.ts'
import { AppError } from '../../errors.ts'
import { hideInAddress, restoreCredentials } from '../../outbound/credentials.ts'
import type { Doer } from '../audit-record.ts'
import type { Caller } from '../call.ts'
import { restoreProxyPassword } from './proxy-password.ts'
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

/**
 * Nor a password that is in its address, by a proxy of theirs: whoever knows another key need not know it. Who types the
 * address with its password does.
 */
export function refuseNewWay(
  { caller }: Editor,
  before: Addressed,
  after: Addressed,
  typed: string | null | undefined,
): void {
  if (caller.role >= roles.root || !goesAnotherWay(before, after)) return
  const address = after.base_url ?? ''
  if (address !== typed && hideInAddress(address) !== address) throw new AppError('channel.address-password')
}

type Shown = Partial<Pick<Written, 'base_url' | 'setting'>>

/** Address and proxy as they are meant: their passwords are not shown, so that a form sends them back hidden. */
export function withPasswords<Given extends Shown>(given: Given, known: Shown | undefined): Given {
  const { base_url, setting } = given
  return {
    ...given,
    ...(base_url && { base_url: orRefusal(restoreCredentials(base_url, known?.base_url ?? null)) }),
    ...(setting && { setting: orRefusal(restoreProxyPassword(setting, known?.setting ?? null)) }),
  }
}

function orRefusal(restored: string | undefined): string {
  if (restored === undefined) throw new AppError('channel.address-password')
  return restored
}

function leadsElsewhere(before: Addressed, after: Addressed): boolean {
  const address = addressOf(after)
  return (address !== '' && address !== addressOf(before)) || goesAnotherWay(before, after)
}

function goesAnotherWay(before: Addressed, after: Addressed): boolean {
  const proxy = proxyOf(after.setting)
  return proxy !== undefined && proxy !== proxyOf(before.setting)
}

function addressOf({ base_url }: Addressed): string {
  return (base_url ?? '').trim().replace(/\/+$/, '')
}
