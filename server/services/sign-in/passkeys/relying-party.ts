import { isIP } from 'node:net'
import { AppError } from '../../../errors.ts'
import type { App } from '../../app.ts'

/** Large, and needed by few calls of few installations: loaded when the first passkey is. */
export async function webauthn() {
  // In the one-file product this would otherwise be loaded after the parts of the library that need it.
  await import('reflect-metadata')
  return { ...(await import('@simplewebauthn/server')), ...(await import('@simplewebauthn/server/helpers')) }
}

export interface RelyingParty {
  readonly id: string
  readonly origin: string
  readonly name: string
}

/** Whom passkeys are made for: the public address, never what a request says its host is. */
export function relyingParty({ settings }: App): RelyingParty {
  const url = URL.parse(settings.get('ServerAddress'))
  const host = url?.hostname ?? ''
  const isLocal = host === 'localhost' || host.endsWith('.localhost')
  if (!url || (url.protocol !== 'https:' && !isLocal) || isIP(host.replace(/^\[|\]$/g, '')) !== 0)
    throw new AppError('passkey.address')
  return { id: host, origin: url.origin, name: settings.get('SystemName') }
}

/** What an authenticator knows a user by; it says nothing about them. */
export function userHandle({ store }: App, userId: number): Uint8Array<ArrayBuffer> {
  return new Uint8Array(Buffer.from(store.cipher.hash('passkey-user', String(userId)), 'hex'))
}

export function credentialHash({ store }: App, credentialId: string): string {
  return store.cipher.hash('passkey', credentialId)
}
