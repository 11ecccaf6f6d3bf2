import type { OauthProvider } from '../../contract/sign-in.ts'

/** Opens the third party's page in a window of its own; where that is refused, in this one. */
export async function openConsent(provider: OauthProvider): Promise<void> {
  // Opened before the address is known: afterwards the browser would take it for a pop-up.
  const other = open('', '_blank')
  try {
    const { authorizeAddress } = await import('./authorize-address.ts')
    const address = await authorizeAddress(provider)
    if (!other) return location.assign(address)
    other.opener = null
    other.location.replace(address)
  } catch (error) {
    other?.close()
    throw error
  }
}

/** The same for who is logged in, and may have to prove it first: the window opens when there is an address. */
export async function openConsentToBind(provider: OauthProvider): Promise<void> {
  const { authorizeAddress } = await import('./authorize-address.ts')
  const address = await authorizeAddress(provider)
  const other = open('', '_blank')
  if (!other) return location.assign(address)
  other.opener = null
  other.location.replace(address)
}
