import { createHash } from 'node:crypto'
import type { ErrorCode } from '../../../../contract/errors.ts'
import type { SettingValues } from '../../../../contract/settings/index.ts'
import type { App } from '../../app.ts'

/** Columns of a user that hold a third party's id for them. */
export type Binding = 'github_id' | 'linux_do_id' | 'wechat_id' | 'telegram_id' | 'oidc_id' | 'discord_id'

/** Where an account comes from and how it is spoken of. */
export interface Source {
  readonly name: string
  readonly binding: Binding
  /** Usernames of those who come by it begin with this. */
  readonly prefix: string
  readonly off: ErrorCode
  readonly taken: ErrorCode
  isOn(settings: SettingValues): boolean
}

/** Someone as the third party knows them. Never an e-mail address: that proves nothing here. */
export interface Identity {
  readonly id: string
  readonly displayName: string
  /** What a tool that somebody moved in from knew them by, before they have been here. */
  readonly former?: { readonly id: string; readonly since: number } | undefined
}

/** One that people are sent to and come back from with a code. */
export interface OauthSource extends Source {
  readonly takesPkce: boolean
  authorizeUrl(app: App, query: AuthorizeQuery): string | Promise<string>
  identify(app: App, exchange: CodeExchange): Promise<Identity>
}

export interface AuthorizeQuery {
  readonly state: string
  readonly redirectUri: string | undefined
  readonly challenge: string | undefined
}

export interface CodeExchange {
  readonly code: string
  readonly redirectUri: string | undefined
  readonly verifier: string | undefined
}

/** Leaves out what is not given. */
export function parameters(given: Readonly<Record<string, string | undefined>>): URLSearchParams {
  return new URLSearchParams(Object.entries(given).flatMap(([name, value]) => (value ? [[name, value]] : [])))
}

/** What is shown of the proof key when leaving. */
export function challengeOf(verifier: string): string {
  return createHash('sha256').update(verifier).digest('base64url')
}
