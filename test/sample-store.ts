import type { Insertable } from 'kysely'
import { readEnv } from '../server/env.ts'
import { openStore, type Store, type StoreOptions } from '../server/store/index.ts'
import type { Tokens } from '../server/store/schema.ts'

export const sampleSecret = 'a-test-key-that-is-long-and-varied-0123456789'

/** A store on the database at this address, without a program round it. */
export function openSampleStore(url: string, more: Partial<StoreOptions> = {}): Promise<Store> {
  return openStore({ ...readEnv({ DATABASE_URL: url }).database, secretKey: sampleSecret, ...more })
}

/** A token that has what a test says and is plain otherwise. */
export function sampleToken(
  over: Pick<Insertable<Tokens>, 'user_id' | 'key_hash'> & Partial<Insertable<Tokens>>,
): Insertable<Tokens> {
  return {
    name: 'token',
    key_sealed: '',
    status: 1,
    created_time: 1,
    accessed_time: 0,
    expired_time: -1,
    remain_quota: 0,
    used_quota: 0,
    unlimited_quota: 0,
    model_limits_enabled: 0,
    model_limits: '',
    group: '',
    ...over,
  }
}
