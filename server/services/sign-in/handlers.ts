import type { App } from '../app.ts'
import { twoFactorHandlers } from './manage-two-factor.ts'
import { passkeyHandlers } from './passkeys/handlers.ts'
import { thirdPartyHandlers } from './third-party-handlers.ts'

/** Every way in besides the password, and proving again who one is. */
export function signInHandlers(app: App) {
  return { ...thirdPartyHandlers(app), ...twoFactorHandlers(app), ...passkeyHandlers(app) }
}
