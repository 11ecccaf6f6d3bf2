import type { Endpoints } from '../../../../contract/index.ts'
import { AppError } from '../../../errors.ts'
import { lockUser } from '../../accounts/lock-user.ts'
import type { App } from '../../app.ts'
import { type AuditEvent, recordAudit } from '../../audit-record.ts'
import type { CallOf } from '../../call.ts'
import { countRows } from '../../paging.ts'
import { refuseClash } from '../../refuse-clash.ts'
import { openFlow, takeFlow } from '../flows.ts'
import { requireFreshIfPossible } from '../verify.ts'
import { credentialsOf, refuse } from './assert-passkey.ts'
import { credentialHash, relyingParty, userHandle, webauthn } from './relying-party.ts'

const GOOD_FOR_SECONDS = 300
const MOST = 20
/** EdDSA, ES256, RS256, as COSE numbers them. */
const ALGORITHMS = [-8, -7, -257]

export async function beginPasskey(app: App, call: CallOf<Endpoints['passkeyRegisterBegin']>) {
  const { caller } = call
  await requireFreshIfPossible(app, call)
  const party = relyingParty(app)
  const known = await credentialsOf(app, caller.id)
  if (known.length >= MOST) throw new AppError('passkey.too-many', { most: MOST })
  const { generateRegistrationOptions } = await webauthn()
  const options = await generateRegistrationOptions({
    rpName: party.name,
    rpID: party.id,
    userName: caller.username,
    userDisplayName: caller.username,
    userID: userHandle(app, caller.id),
    attestationType: 'none',
    excludeCredentials: known.map(credential => ({ id: credential.credential_id })),
    authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
    supportedAlgorithmIDs: ALGORITHMS,
  })
  const flow = { userId: caller.id, seconds: GOOD_FOR_SECONDS }
  await openFlow(app, { kind: 'passkey-register', key: options.challenge }, flow)
  return { options: { publicKey: { ...options } } }
}

export async function finishPasskey(
  app: App,
  call: CallOf<Endpoints['passkeyRegisterFinish']>,
): Promise<void> {
  const { caller } = call
  const made = await verify(app, call)
  const name = call.body.name ?? `Passkey ${new Date(app.now() * 1000).toISOString().slice(0, 10)}`
  const row = {
    user_id: caller.id,
    name,
    credential_hash: credentialHash(app, made.id),
    credential_id: made.id,
    public_key: Buffer.from(made.publicKey).toString('base64url'),
    counter: made.counter,
    transports: (call.body.response.transports ?? []).join(',').slice(0, 255),
    created_at: app.now(),
    last_used_at: 0,
  }
  const added = app.store.transaction(async transaction => {
    // One at a time; and whoever is deleted meanwhile leaves none behind.
    if (!(await lockUser(app, transaction, caller.id))) throw new AppError('passkey.failed')
    const own = transaction.selectFrom('passkeys').where('user_id', '=', caller.id)
    if ((await countRows(own)) >= MOST) throw new AppError('passkey.too-many', { most: MOST })
    await transaction.insertInto('passkeys').values(row).execute()
    const event: AuditEvent = { action: 'passkey.add', subject: `user:${caller.id}`, after: { name } }
    await recordAudit(app, call, event, transaction)
  })
  await refuseClash(added, 'passkey.known')
}

async function verify(app: App, { body, caller }: CallOf<Endpoints['passkeyRegisterFinish']>) {
  const party = relyingParty(app)
  const { id, rawId, type, response } = body
  await refuseCertificates(response.attestationObject)
  const { verifyRegistrationResponse } = await webauthn()
  const result = await verifyRegistrationResponse({
    response: {
      id,
      rawId,
      type,
      response: { clientDataJSON: response.clientDataJSON, attestationObject: response.attestationObject },
      clientExtensionResults: {},
    },
    expectedChallenge: async challenge => {
      const flow = await takeFlow(app, { kind: 'passkey-register', key: challenge })
      return flow !== undefined && flow.userId === caller.id
    },
    expectedOrigin: party.origin,
    expectedRPID: party.id,
    requireUserVerification: true,
    supportedAlgorithmIDs: ALGORITHMS,
  }).catch(refuse)
  if (!result.verified) throw new AppError('passkey.failed')
  return result.registrationInfo.credential
}

/**
 * None were asked for, so an honest browser sends none; and checking them would have the library fetch
 * addresses that the caller wrote into them.
 */
async function refuseCertificates(attestationObject: string): Promise<void> {
  const { decodeAttestationObject } = await webauthn()
  try {
    const statement = decodeAttestationObject(new Uint8Array(Buffer.from(attestationObject, 'base64url')))
    const format = statement.get('fmt')
    if (format === 'none') return
    if (format === 'packed' && statement.get('attStmt').get('x5c') === undefined) return
  } catch (error) {
    throw new AppError('passkey.failed', {}, error)
  }
  throw new AppError('passkey.failed')
}
