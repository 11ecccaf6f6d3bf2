import { roles } from '../../../contract/users.ts'
import { AppError } from '../../errors.ts'
import { hideInAddress, restoreCredentials } from '../../outbound/credentials.ts'
import type { Doer } from '../audit-record.ts'
import type { Caller } from '../call.ts'
import type { Written } from './read-fields.ts'
import { keptHeader, restoreSecrets } from './setting-secrets.ts'
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

/** Nor what headers of the operator's prove, which are not shown either: only those that were typed go elsewhere. */
export function refuseKeptHeaders(
  { caller }: Editor,
  before: Addressed,
  after: Addressed,
  typed: string | null | undefined,
): void {
  if (caller.role >= roles.root) return
  const header = keptHeader(typed, before.setting)
  if (header !== undefined && (after.type !== before.type || leadsElsewhere(before, after)))
    throw new AppError('channel.header-secret', { name: header })
}

type Shown = Partial<Pick<Written, 'base_url' | 'setting'>>

/** Address and settings as they are meant: what they prove is not shown, so that a form sends it back hidden. */
export function withPasswords<Given extends Shown>(given: Given, known: Shown | undefined): Given {
  const { base_url, setting } = given
  return {
    ...given,
    ...(base_url && { base_url: orRefusal(restoreCredentials(base_url, known?.base_url ?? null)) }),
    ...(setting && { setting: settingOrRefusal(setting, known?.setting ?? null) }),
  }
}

function orRefusal(restored: string | undefined): string {
  if (restored === undefined) throw new AppError('channel.address-password')
  return restored
}

function settingOrRefusal(given: string, known: string | null): string {
  const { setting, lacks } = restoreSecrets(given, known)
  if (lacks === 'proxy') throw new AppError('channel.address-password')
  if (lacks) throw new AppError('channel.header-secret', { name: lacks.header })
  return setting
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
