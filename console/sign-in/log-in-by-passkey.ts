import { passkeyEndpoints } from '../../contract/sign-in.ts'
import type { UserView } from '../../contract/users.ts'
import { call } from '../api.ts'
import { signChallenge, wasCancelled } from './passkeys.ts'

/** Undefined when the browser's dialog was closed. */
export async function logInByPasskey(): Promise<UserView | undefined> {
  const ceremony = await call(passkeyEndpoints.passkeyLoginBegin)
  try {
    const assertion = await signChallenge(ceremony)
    return await call(passkeyEndpoints.passkeyLoginFinish, { body: assertion })
  } catch (error) {
    if (wasCancelled(error)) return undefined
    throw error
  }
}
