import type { ManagedUser } from '../../../contract/user-admin.ts'
import { changedFields } from '../../changed-fields.ts'

export interface UserDraft {
  username: string
  display_name: string
  password: string
  group: string
  quota: string
  rpm: string
  tpm: string
  concurrency: string
}

export function draftOfUser(user: ManagedUser): UserDraft {
  return {
    username: user.username,
    display_name: user.display_name,
    password: '',
    group: user.group,
    quota: String(user.quota),
    rpm: String(user.rpm),
    tpm: String(user.tpm),
    concurrency: String(user.concurrency),
  }
}

/** What was changed here and nothing else: spending goes on while the form is open, and plans change groups. */
export function changesOfUser(draft: UserDraft, user: ManagedUser, added: number) {
  return {
    ...changedFields(fieldsOf(draftOfUser(user)), fieldsOf(draft)),
    ...quotaOf(draft, user, added),
  }
}

function fieldsOf(draft: UserDraft) {
  return {
    username: draft.username.trim(),
    display_name: draft.display_name.trim(),
    password: draft.password,
    group: draft.group,
    rpm: Number(draft.rpm),
    tpm: Number(draft.tpm),
    concurrency: Number(draft.concurrency),
  }
}

/** What was added is added to what there is by then; an amount that was typed is the amount. */
function quotaOf({ quota }: UserDraft, user: ManagedUser, added: number) {
  if (quota === String(user.quota)) return {}
  return quota === String(user.quota + added) ? { quota_change: added } : { quota: Number(quota) }
}

type UserFault = 'usernameMissing' | 'passwordShort' | 'quotaWrong' | 'limitWrong'

export function faultsOfUser(draft: UserDraft): Partial<Record<keyof UserDraft, UserFault>> {
  const isWhole = (text: string) => /^\d{1,15}$/.test(text.trim())
  return {
    ...(draft.username.trim() ? {} : { username: 'usernameMissing' }),
    ...(draft.password === '' || draft.password.length >= 8 ? {} : { password: 'passwordShort' }),
    ...(isWhole(draft.quota) ? {} : { quota: 'quotaWrong' }),
    ...(isWhole(draft.rpm) ? {} : { rpm: 'limitWrong' }),
    ...(isWhole(draft.tpm) ? {} : { tpm: 'limitWrong' }),
    ...(isWhole(draft.concurrency) ? {} : { concurrency: 'limitWrong' }),
  }
}
