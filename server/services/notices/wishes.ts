import type { Transaction } from 'kysely'
import type { Language } from '../../../contract/language.ts'
import type { NoticeKind } from '../../../contract/notices.ts'
import type { Schema, UserNotices } from '../../store/schema.ts'
import { noticeWayPlace } from '../../store/sealed-places.ts'
import type { App } from '../app.ts'
import type { Way } from './ways.ts'

/** How one user wants to be told. */
export interface Wish {
  readonly kind: NoticeKind
  /** 0 for the operator's. */
  readonly threshold: number
  /** Instead of the account's own address. */
  readonly email: string
  readonly way: WayWithWords | undefined
}

/** In the language that its owner had when they chose it: nothing else says which one they read. */
export interface WayWithWords {
  readonly to: Way
  readonly language: Language
}

type Parts = Pick<App, 'store'>

export async function readWish({ store }: Parts, userId: number): Promise<Wish> {
  const row = await store.db
    .selectFrom('user_notices')
    .selectAll()
    .where('user_id', '=', userId)
    .executeTakeFirst()
  if (!row) return { kind: 'email', threshold: 0, email: '', way: undefined }
  const { kind, threshold, email, way_sealed } = row
  return {
    kind: kind as NoticeKind,
    threshold,
    email: email ?? '',
    way: way_sealed === null ? undefined : openWay({ store }, userId, way_sealed),
  }
}

/** As it is kept: addresses are secrets as well, for many let in whoever knows them. */
export function storedWish(
  { store }: Parts,
  userId: number,
  wish: Wish,
): Omit<UserNotices, 'user_id' | 'set_by'> {
  const { kind, threshold, email, way } = wish
  const way_sealed = way ? store.cipher.seal(noticeWayPlace(userId), JSON.stringify(way)) : null
  return { kind, threshold, email: email === '' ? null : email, way_sealed }
}

export function openWay({ store }: Parts, userId: number, sealed: string): WayWithWords {
  return JSON.parse(store.cipher.open(noticeWayPlace(userId), sealed)) as WayWithWords
}

/** Whoever has no say in a team any more is not told of it any longer: it goes to nobody until an owner says whom to tell. */
export async function forgetWayOf(
  transaction: Transaction<Schema>,
  { teamId, by }: { readonly teamId: number; readonly by: number },
): Promise<void> {
  await transaction
    .updateTable('user_notices')
    .set({ kind: 'email', email: null, way_sealed: null, set_by: 0 })
    .where('user_id', '=', teamId)
    // Of those that are older than the note of who has set them, it may have been anybody.
    .where('set_by', 'in', [0, by])
    .execute()
}
