import type { Selectable } from 'kysely'
import type { SignedIn } from '../../../contract/users.ts'
import type { Users } from '../../store/schema.ts'
import type { App } from '../app.ts'
import { needsSecondStep, openSecondStep } from './second-step.ts'
import { type Arrival, startSession } from './start-session.ts'

/** After the first proof of who someone is: a session, or the ticket for the second step. */
export async function completeSignIn(app: App, user: Selectable<Users>, call: Arrival): Promise<SignedIn> {
  if (await needsSecondStep(app, user)) return openSecondStep(app, user)
  return startSession(app, user, call)
}
