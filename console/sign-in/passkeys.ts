// Passkeys, through the browser's own JSON forms of WebAuthn.

import type { PasskeyAssertion } from '../../contract/sign-in.ts'

/** Options as the server sends them. */
interface Ceremony {
  readonly options: { readonly publicKey: Readonly<Record<string, unknown>> }
}

/** Passkeys belong to the public address: at another one no browser would offer them. */
export function isPasskeyPlace(serverAddress: string, page: { hostname: string; protocol: string }): boolean {
  const host = URL.parse(serverAddress)?.hostname
  const isLocal = page.hostname === 'localhost' || page.hostname.endsWith('.localhost')
  return host === page.hostname && (page.protocol === 'https:' || isLocal)
}

export function canUsePasskeys(serverAddress: string | undefined): boolean {
  return (
    typeof PublicKeyCredential !== 'undefined' &&
    'parseRequestOptionsFromJSON' in PublicKeyCredential &&
    isPasskeyPlace(serverAddress ?? '', location)
  )
}

export async function signChallenge({ options }: Ceremony): Promise<PasskeyAssertion> {
  const publicKey = PublicKeyCredential.parseRequestOptionsFromJSON(
    options.publicKey as Partial<PublicKeyCredentialRequestOptionsJSON> as PublicKeyCredentialRequestOptionsJSON,
  )
  const { id, rawId, response } = readCredential(await navigator.credentials.get({ publicKey }))
  if (!('signature' in response)) throw noPasskey()
  return { id, rawId, type: 'public-key', response }
}

export async function createPasskey({ options }: Ceremony) {
  const publicKey = PublicKeyCredential.parseCreationOptionsFromJSON(
    options.publicKey as Partial<PublicKeyCredentialCreationOptionsJSON> as PublicKeyCredentialCreationOptionsJSON,
  )
  const { id, rawId, response } = readCredential(await navigator.credentials.create({ publicKey }))
  if (!('attestationObject' in response)) throw noPasskey()
  const { clientDataJSON, attestationObject, transports } = response
  return {
    id,
    rawId,
    type: 'public-key',
    response: { clientDataJSON, attestationObject, transports },
  } as const
}

function readCredential(credential: Credential | null) {
  if (!(credential instanceof PublicKeyCredential)) throw noPasskey()
  return credential.toJSON()
}

function noPasskey(): DOMException {
  return new DOMException('No passkey was used', 'NotAllowedError')
}

/** Whoever closes the browser's dialog has changed their mind; that is no failure. */
export function wasCancelled(error: unknown): boolean {
  return error instanceof DOMException && (error.name === 'NotAllowedError' || error.name === 'AbortError')
}

/** A device makes one for an account; the browser says so in its own words, and in English. */
export function isHereAlready(error: unknown): boolean {
  return error instanceof DOMException && error.name === 'InvalidStateError'
}
