import type { PasskeyAssertion } from '../../../../contract/sign-in.ts'
import { AppError } from '../../../errors.ts'
import type { App } from '../../app.ts'
import { openFlow, takeFlow } from '../flows.ts'
import { credentialHash, relyingParty, userHandle, webauthn } from './relying-party.ts'

const GOOD_FOR_SECONDS = 300

type Purpose = 'passkey-login' | 'passkey-verify'

/** A challenge to be signed: by anyone's passkey to log in, by one of `userId`'s to verify. */
export async function challengePasskey(app: App, purpose: Purpose, userId = 0) {
  const { id } = relyingParty(app)
  const own = userId === 0 ? [] : await credentialsOf(app, userId)
  const { generateAuthenticationOptions } = await webauthn()
  const options = await generateAuthenticationOptions({
    rpID: id,
    userVerification: 'required',
    ...(userId === 0 ? {} : { allowCredentials: own.map(credential => ({ id: credential.credential_id })) }),
  })
  await openFlow(app, { kind: purpose, key: options.challenge }, { userId, seconds: GOOD_FOR_SECONDS })
  return { options: { publicKey: { ...options } } }
}

/** Whose passkey signed the challenge. Each challenge is good for one try, right or wrong. */
export async function assertPasskey(
  app: App,
  purpose: Purpose,
  assertion: PasskeyAssertion,
  userId = 0,
): Promise<number> {
  const party = relyingParty(app)
  const passkey = await app.store.db
    .selectFrom('passkeys')
    .selectAll()
    .where('credential_hash', '=', credentialHash(app, assertion.id))
    .executeTakeFirst()
  if (!passkey || (userId !== 0 && passkey.user_id !== userId)) throw new AppError('passkey.failed')
  const handle = assertion.response.userHandle
  if (handle && handle !== Buffer.from(userHandle(app, passkey.user_id)).toString('base64url'))
    throw new AppError('passkey.failed')

  const counter = await verify(app, purpose, assertion, {
    party,
    userId,
    credential: {
      id: passkey.credential_id,
      publicKey: new Uint8Array(Buffer.from(passkey.public_key, 'base64url')),
      counter: passkey.counter,
    },
  })
  await app.store.db
    .updateTable('passkeys')
    .set({ counter, last_used_at: app.now() })
    .where('id', '=', passkey.id)
    .execute()
  return passkey.user_id
}

interface Expected {
  readonly party: { readonly id: string; readonly origin: string }
  readonly userId: number
  readonly credential: { id: string; publicKey: Uint8Array<ArrayBuffer>; counter: number }
}

async function verify(
  app: App,
  purpose: Purpose,
  { response, ...rest }: PasskeyAssertion,
  { party, userId, credential }: Expected,
): Promise<number> {
  const { clientDataJSON, authenticatorData, signature } = response
  const { verifyAuthenticationResponse } = await webauthn()
  const result = await verifyAuthenticationResponse({
    response: {
      ...rest,
      response: { clientDataJSON, authenticatorData, signature },
      clientExtensionResults: {},
    },
    expectedChallenge: async challenge => {
      const flow = await takeFlow(app, { kind: purpose, key: challenge })
      return flow !== undefined && flow.userId === userId
    },
    expectedOrigin: party.origin,
    expectedRPID: party.id,
    credential,
    requireUserVerification: true,
  }).catch(refuse)
  if (!result.verified) throw new AppError('passkey.failed')
  return result.authenticationInfo.newCounter
}

/** The library says by throwing what is wrong with what was sent; a failing database is not that. */
export function refuse(error: unknown): never {
  throw error instanceof AppError ? error : new AppError('passkey.failed', {}, error)
}

export function credentialsOf({ store }: App, userId: number) {
  return store.db
    .selectFrom('passkeys')
    .select(['id', 'name', 'credential_id', 'created_at', 'last_used_at'])
    .where('user_id', '=', userId)
    .orderBy('id')
    .execute()
}
