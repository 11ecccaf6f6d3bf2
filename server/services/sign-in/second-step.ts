import { randomBytes } from 'node:crypto'
import type { Selectable } from 'kysely'
import type { Endpoints } from '../../../contract/index.ts'
import type { UserView } from '../../../contract/users.ts'
import { AppError } from '../../errors.ts'
import type { Users } from '../../store/schema.ts'
import type { App } from '../app.ts'
import type { CallOf } from '../call.ts'
import { countTry, findFlow, openFlow, takeFlow } from './flows.ts'
import { loadActiveUser, startSession } from './start-session.ts'
import { isTwoFactorOn, spendCode } from './two-factor.ts'

const GOOD_FOR_SECONDS = 300
const MOST_TRIES = 5

export function needsSecondStep(app: App, user: { id: number }): Promise<boolean> {
  return isTwoFactorOn(app, user.id)
}

export async function openSecondStep(app: App, user: Proved) {
  const key = randomBytes(32).toString('base64url')
  const flow = { userId: user.id, data: markOf(app, user), seconds: GOOD_FOR_SECONDS }
  await openFlow(app, { kind: 'second-step', key }, flow)
  const passkey = await app.store.db
    .selectFrom('passkeys')
    .select('id')
    .where('user_id', '=', user.id)
    .limit(1)
    .executeTakeFirst()
  return { require_2fa: true, flow_token: key, has_passkey: passkey !== undefined } as const
}

export async function finishSecondStep(app: App, call: CallOf<Endpoints['secondStep']>): Promise<UserView> {
  const ticket = { kind: 'second-step', key: call.body.flow_token } as const
  if (!(await countTry(app, ticket, MOST_TRIES))) throw new AppError('second-step.expired')
  const flow = await findFlow(app, ticket)
  if (!flow) throw new AppError('second-step.expired')
  const user = await loadActiveUser(app, flow.userId)
  if (markOf(app, user) !== flow.data) throw new AppError('second-step.expired')
  await spendCode(app, flow.userId, call.body.code)
  if (!(await takeFlow(app, ticket))) throw new AppError('second-step.expired')
  return startSession(app, user, call)
}

type Proved = Pick<Selectable<Users>, 'id' | 'password_hash'>

/** The first step is of no use any more when the password is another one. */
function markOf({ store }: App, { id, password_hash }: Proved): string {
  return store.cipher.hash('second-step', `${id}:${password_hash}`)
}
