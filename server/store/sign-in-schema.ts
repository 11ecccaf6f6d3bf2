import type { Generated } from 'kysely'
import type { Seconds } from './column-types.ts'

/** A sign-in that is under way: what was handed out, found by its hash, good once and for a few minutes. */
export interface SignInFlows {
  id_hash: string
  kind: string
  /** 0 while nobody is known. */
  user_id: number
  data: string
  tries: number
  expires_at: Seconds
}

/** A user's authenticator app; in force once it has been confirmed. */
export interface TwoFactors {
  user_id: number
  secret_sealed: string
  /** 0 until a code has been shown. */
  confirmed_at: Seconds
  /** The time step of the last code that was taken: none is taken twice. */
  last_step: number
  created_at: Seconds
}

/** What remains of the codes for the day the authenticator is lost. */
export interface BackupCodes {
  user_id: number
  code_hash: string
}

export interface Passkeys {
  id: Generated<number>
  user_id: number
  name: string
  /** Ids are too long for an index. */
  credential_hash: string
  credential_id: string
  public_key: string
  counter: number
  transports: string
  created_at: Seconds
  last_used_at: Seconds
}
