import { isIP } from 'node:net'
import type { Selectable } from 'kysely'
import { isLabel, joinLabels, LONGEST_LABEL, MOST_LABELS } from '../../../contract/labels.ts'
import { LONGEST_TOKEN_NAME_BYTES, type RefillPeriod, type TokenChange } from '../../../contract/tokens.ts'
import { AppError } from '../../errors.ts'
import { nextRefill } from '../../ledger/refill-period.ts'
import type { Tokens } from '../../store/schema.ts'
import type { Settings } from '../../store/settings-snapshot.ts'
import { groupsBehind, mayUseGroup } from '../../store/user-groups.ts'
import { NEVER } from './token-view.ts'

/** The columns that a change sets; what it does not mention is not among them. */
export interface TokenColumns {
  name?: string
  expired_time?: number
  unlimited_quota?: number
  model_limits_enabled?: number
  model_limits?: string
  allow_ips?: string | null
  group?: string
  rpm?: number
  tpm?: number
  concurrency?: number
  refill_quota?: number
  refill_period?: RefillPeriod
  refill_at?: number
  created_by?: number
  labels?: string | null
}

/** Checks what a token's owner wants it to be. */
export function readTokenFields(
  { settings, userGroup }: { settings: Settings; userGroup: string },
  change: TokenChange,
): TokenColumns {
  const { name, expired_time, unlimited_quota, model_limits_enabled, model_limits, allow_ips, group } = change
  const { rpm, tpm, concurrency, labels } = change
  return {
    ...(name === undefined ? {} : { name: checkName(name) }),
    ...(expired_time === undefined ? {} : { expired_time: checkExpiry(expired_time) }),
    ...(unlimited_quota === undefined ? {} : { unlimited_quota: Number(unlimited_quota) }),
    ...(model_limits_enabled === undefined ? {} : { model_limits_enabled: Number(model_limits_enabled) }),
    ...(model_limits === undefined ? {} : { model_limits: splitEntries(model_limits, ',').join(',') }),
    ...(allow_ips === undefined ? {} : { allow_ips: checkAddresses(allow_ips) }),
    ...(group === undefined ? {} : { group: checkGroup(settings, userGroup, group) }),
    ...(rpm === undefined ? {} : { rpm }),
    ...(tpm === undefined ? {} : { tpm }),
    ...(concurrency === undefined ? {} : { concurrency }),
    ...(labels === undefined ? {} : { labels: checkLabels(labels) }),
  }
}

const unrenewed = { refill_quota: 0, refill_period: 'none', refill_at: 0 } as const

/** What a change makes of a budget's renewal; the period that is running ends when it did, unless it is another. */
export function readRefill(
  change: TokenChange,
  now: number,
  former: Pick<Selectable<Tokens>, 'refill_quota' | 'refill_period' | 'refill_at'> = unrenewed,
): TokenColumns {
  const { refill_quota = former.refill_quota, refill_period } = change
  if (change.refill_quota === undefined && refill_period === undefined) return {}
  if ((refill_period ?? former.refill_period) !== 'none' && refill_quota === 0)
    throw new AppError('token.refill-amount')
  if (refill_period === undefined || refill_period === former.refill_period) return { refill_quota }
  const isDue = former.refill_at > 0 && former.refill_at <= now && refill_period !== 'none'
  return {
    refill_quota,
    refill_period,
    refill_at: isDue ? former.refill_at : nextRefill(refill_period, now),
  }
}

function checkName(name: string): string {
  if (Buffer.byteLength(name) > LONGEST_TOKEN_NAME_BYTES) throw new AppError('token.name-long')
  return name
}

/** A time in the past is one too: whoever edits an expired token sends it back as it was. */
function checkExpiry(time: number): number {
  if (time !== NEVER && (!Number.isSafeInteger(time) || time < 0)) throw new AppError('token.expiry')
  return time
}

export function checkAddresses(text: string): string | null {
  const lines = splitEntries(text.replaceAll(',', '\n'), '\n')
  for (const line of lines)
    if (!isNetwork(line)) throw new AppError('token.address', { line: line.slice(0, 100) })
  return lines.length === 0 ? null : lines.join('\n')
}

function checkLabels(given: readonly string[]): string | null {
  const labels = new Set(given.flatMap(label => label.trim() || []))
  if (labels.size > MOST_LABELS || ![...labels].every(isLabel))
    throw new AppError('token.labels', { most: MOST_LABELS, longest: LONGEST_LABEL })
  return joinLabels(labels) || null
}

function isNetwork(line: string): boolean {
  const [address = '', bits, ...more] = line.split('/')
  const version = isIP(address)
  // An address of one network card of ours means nothing to a caller.
  if (version === 0 || address.includes('%') || more.length > 0) return false
  return bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= (version === 6 ? 128 : 32))
}

/** Blank is the user's own group, whatever it will be by then. */
function checkGroup(settings: Settings, userGroup: string, group: string): string {
  if (group === '') return group
  const behind = groupsBehind(settings, userGroup, group)
  const isOffered = behind
    ? behind.length > 0
    : mayUseGroup(settings, userGroup, group) && Object.hasOwn(settings.get('GroupRatio'), group)
  if (!isOffered) throw new AppError('token.group', { group })
  return group
}

export function splitEntries(text: string, separator: string): string[] {
  return [...new Set(text.split(separator).flatMap(entry => entry.trim() || []))]
}
