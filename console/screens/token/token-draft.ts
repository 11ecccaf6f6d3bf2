import { isLabel, MOST_LABELS } from '../../../contract/labels.ts'
import { LONGEST_TOKEN_NAME_BYTES, type RefillPeriod, type TokenView } from '../../../contract/tokens.ts'
import { changedFields } from '../../changed-fields.ts'

/** A token as its form has it: numbers as typed, lists as lists. */
export interface TokenDraft {
  name: string
  /** Seconds since 1970; undefined for never. */
  expires: number | undefined
  quota: string
  unlimited: boolean
  refill: RefillPeriod
  refillQuota: string
  count: string
  limitModels: boolean
  models: string[]
  ips: string
  group: string
  rpm: string
  tpm: string
  concurrency: string
  labels: string[]
}

export const newToken: TokenDraft = {
  name: '',
  expires: undefined,
  quota: '500000',
  unlimited: false,
  refill: 'none',
  refillQuota: '0',
  count: '1',
  limitModels: false,
  models: [],
  ips: '',
  group: '',
  rpm: '0',
  tpm: '0',
  concurrency: '0',
  labels: [],
}

export function draftOf(token: TokenView): TokenDraft {
  return {
    name: token.name,
    expires: token.expired_time < 0 ? undefined : token.expired_time,
    quota: String(token.remain_quota),
    unlimited: token.unlimited_quota,
    refill: token.refill_period,
    refillQuota: String(token.refill_quota),
    count: '1',
    limitModels: token.model_limits_enabled,
    models: token.model_limits === '' ? [] : token.model_limits.split(','),
    ips: token.allow_ips ?? '',
    group: token.group,
    rpm: String(token.rpm),
    tpm: String(token.tpm),
    concurrency: String(token.concurrency),
    labels: token.labels,
  }
}

export function fieldsOf(draft: TokenDraft) {
  return {
    name: draft.name.trim(),
    expired_time: draft.expires ?? -1,
    remain_quota: Number(draft.quota),
    unlimited_quota: draft.unlimited,
    refill_period: draft.refill,
    refill_quota: Number(draft.refillQuota),
    model_limits_enabled: draft.limitModels,
    model_limits: draft.models.join(','),
    allow_ips: draft.ips,
    group: draft.group,
    rpm: Number(draft.rpm),
    tpm: Number(draft.tpm),
    concurrency: Number(draft.concurrency),
    labels: draft.labels,
  }
}

/** What was changed here and nothing else: the budget is spent, and groups are removed, while the form is open. */
export function changesOf(draft: TokenDraft, token: TokenView): Partial<ReturnType<typeof fieldsOf>> {
  return changedFields(fieldsOf(draftOf(token)), fieldsOf(draft))
}

type TokenFault =
  | 'labelsWrong'
  | 'nameMissing'
  | 'nameLong'
  | 'quotaWrong'
  | 'refillWrong'
  | 'countWrong'
  | 'limitWrong'

/** `former` is the token that is changed; undefined for one that is made. */
export function faultsOf(
  draft: TokenDraft,
  former: Pick<TokenView, 'name'> | undefined,
): Partial<Record<keyof TokenDraft, TokenFault>> {
  const isNew = former === undefined
  // A token that was moved in may have a longer name, and keeps it.
  const isNamed = isNew || draft.name.trim() !== former.name.trim()
  const whole = (text: string) => /^\d{1,15}$/.test(text.trim())
  return {
    ...(isNew && draft.name.trim() === '' ? { name: 'nameMissing' } : {}),
    ...(isNamed && longestNameBytes(draft, isNew) > LONGEST_TOKEN_NAME_BYTES ? { name: 'nameLong' } : {}),
    ...(draft.unlimited || whole(draft.quota) ? {} : { quota: 'quotaWrong' }),
    ...(draft.unlimited ||
    draft.refill === 'none' ||
    (whole(draft.refillQuota) && Number(draft.refillQuota) > 0)
      ? {}
      : { refillQuota: 'refillWrong' }),
    ...(isNew && !(whole(draft.count) && Number(draft.count) >= 1 && Number(draft.count) <= 1000)
      ? { count: 'countWrong' }
      : {}),
    ...(draft.labels.length <= MOST_LABELS && draft.labels.every(isLabel) ? {} : { labels: 'labelsWrong' }),
    ...(whole(draft.rpm) ? {} : { rpm: 'limitWrong' }),
    ...(whole(draft.tpm) ? {} : { tpm: 'limitWrong' }),
    ...(whole(draft.concurrency) ? {} : { concurrency: 'limitWrong' }),
  }
}

/** Of several that are made together, all but the first have something behind their name. */
function longestNameBytes({ name, count }: TokenDraft, isNew: boolean): number {
  const bytes = new TextEncoder().encode(name.trim()).length
  return isNew && Number(count) > 1 ? bytes + 1 + SUFFIX : bytes
}

const SUFFIX = 6
const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789'

/** The names of tokens made together: the first as typed, the others with six letters or digits behind it. */
export function batchNames(name: string, count: number): string[] {
  const suffix = () =>
    Array.from({ length: SUFFIX }, () => letters[Math.floor(Math.random() * letters.length)]).join('')
  return Array.from({ length: count }, (_, index) => (index === 0 ? name : `${name}-${suffix()}`))
}
