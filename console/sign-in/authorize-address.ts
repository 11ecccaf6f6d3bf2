import { type OauthProvider, thirdPartyEndpoints } from '../../contract/sign-in.ts'
import { call } from '../api.ts'
import { invitedBy } from './invite-code.ts'

export function authorizeAddress(provider: OauthProvider): Promise<string> {
  const aff = invitedBy()
  return call(thirdPartyEndpoints.oauthAuthorize, { query: { provider, ...(aff ? { aff } : {}) } })
}
